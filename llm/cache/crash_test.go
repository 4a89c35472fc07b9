package cache

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"taste/llm"
)

// childFile tells the test's own binary to make calls, and where to keep them.
const childFile = "TASTE_TEST_CALLS"

func TestMain(m *testing.M) {
	if path := os.Getenv(childFile); path != "" {
		child(path)
		return
	}
	os.Exit(m.Run())
}

const questions = 200

// child makes all calls, eight at a time, and prints what it sends and what it gets.
func child(path string) {
	s, err := Open(path)
	if err != nil {
		fmt.Println("broken", err)
		return
	}
	m := s.Model(teller{&echo{takes: time.Millisecond}})
	var wg sync.WaitGroup
	work := make(chan int)
	for range 8 {
		wg.Go(func() {
			for i := range work {
				if _, err := m.Call(context.Background(), asks(fmt.Sprint(i))); err != nil {
					fmt.Println("broken", err)
				}
				fmt.Println("got", i)
			}
		})
	}
	for i := range questions {
		work <- i
	}
	close(work)
	wg.Wait()
	fmt.Println("done")
}

// teller prints each call that is sent.
type teller struct{ *echo }

func (m teller) Call(ctx context.Context, r *llm.Request) (*llm.Response, error) {
	fmt.Println("sent", r.Messages[0].Text)
	return m.echo.Call(ctx, r)
}

// Killed at any moment, a process leaves a file from which the next one goes on:
// no answer that somebody has got is asked for again, and of the others at most
// those in flight.
func TestKilledProcessLosesOnlyCallsInFlight(t *testing.T) {
	path := file1(t)
	got := map[string]bool{}
	random := rand.New(rand.NewPCG(1, 2))
	sent, kills, done := 0, 0, false
	for !done {
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), childFile+"="+path)
		out, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		left := 1 + random.IntN(60) // calls until it is killed
		for in := bufio.NewScanner(out); in.Scan(); {
			word, what, _ := strings.Cut(in.Text(), " ")
			switch word {
			case "broken":
				t.Fatal(what)
			case "sent":
				sent++
				if left--; left == 0 {
					kills++
					_ = c.Process.Kill()
				}
				if got[what] {
					t.Errorf("%s is asked for again", what)
				}
			case "got":
				got[what] = true
			case "done":
				done = true
			}
		}
		_ = c.Wait()
	}
	if len(got) != questions || sent > questions+8*kills || kills < 3 {
		t.Errorf("%d answers to %d questions, %d calls, %d kills", len(got), questions, sent, kills)
	}
	t.Logf("%d calls for %d answers, %d kills", sent, questions, kills)
	e := &echo{}
	s := opened(t, path)
	for i := range questions {
		call(t, s.Model(e), asks(fmt.Sprint(i)))
	}
	if e.calls != 0 {
		t.Errorf("%d answers were not kept", e.calls)
	}
}
