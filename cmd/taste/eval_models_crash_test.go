package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"taste/domain/airline"
	"taste/llm"
	playing "taste/llm/scripted"
	"taste/trials"
)

// small plays both sides of a short conversation.
func small(_ context.Context, r *llm.Request) (*llm.Response, error) {
	text := "One moment, please."
	if strings.HasPrefix(r.System, "Role: user ") {
		text = "Hello."
		if len(r.Messages) > 2 {
			text = "Never mind. ###STOP###"
		}
	}
	return &llm.Response{Message: llm.Message{Text: text}}, nil
}

// question tells a call of this test from all others: each conversation has a seed
// of its own, and each turn is longer than the one before.
func question(model string, seed int64, turns int) string {
	return fmt.Sprintf("%s %d %d", model, seed, turns)
}

// provider serves models, notes what it is asked as it is asked, and at the request
// of a number calls struck.
type provider struct {
	models http.Handler

	mu     sync.Mutex
	asked  []string
	left   int // requests until it strikes
	struck func()
}

func (p *provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	data, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client is gone
	}
	var body struct {
		Model    string
		Seed     int64
		Messages []json.RawMessage
	}
	if json.Unmarshal(data, &body) == nil {
		p.note(question(body.Model, body.Seed, len(body.Messages)-1)) // the system text is one
	}
	r.Body = io.NopCloser(bytes.NewReader(data))
	p.models.ServeHTTP(w, r)
}

func (p *provider) note(q string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked = append(p.asked, q)
	if p.left--; p.left == 0 {
		p.struck()
	}
}

// strike has the request of a number, counted from now on, call f.
func (p *provider) strike(number int, f func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.left, p.struck = number, f
}

// take returns what was asked since the last time.
func (p *provider) take() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := p.asked
	p.asked = nil
	return out
}

// keptQuestions lists the calls that a file holds, as question spells them.
func keptQuestions(t *testing.T, path string) map[string]bool {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	out, turns := map[string]bool{}, map[string]int{} // these with the answer, by key
	for line := range strings.Lines(string(data)) {
		var l struct {
			Key, After string
			Request    struct {
				Model string
				Seed  int64
			}
			Turns []json.RawMessage
		}
		if strings.HasSuffix(line, "\n") && json.Unmarshal([]byte(line), &l) == nil && l.Key != "" {
			n := turns[l.After] + len(l.Turns)
			turns[l.Key] = n + 1
			out[question(l.Request.Model, l.Request.Seed, n)] = true
		}
	}
	return out
}

// Killed at any moment, an evaluation of models asks nothing again that it had kept,
// and ends with the bytes of one that was left alone, times aside.
func TestKilledEvaluationOfModels(t *testing.T) {
	if testing.Short() {
		t.Skip("kills whole runs")
	}
	tasks, err := airline.Seeds()
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(tasks[:3])
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "tasks.json")
	write(t, file, string(data))
	p := &provider{models: &playing.Server{Func: playing.Delayed(small, 3*time.Millisecond)}}
	server := httptest.NewServer(p)
	defer server.Close()
	command := func(dir string) *exec.Cmd {
		c := exec.Command("taste", "eval", file, "--domain", "airline", "--agent", "openai/a", "--user", "openai/u",
			"--num-trials", "10", "--max-concurrency", "8", "--save-to", dir)
		c.Env = append(os.Environ(), "OPENAI_BASE_URL="+server.URL+"/v1", "OPENAI_API_KEY="+plantedKey)
		return c
	}
	ended := func(dir string) string {
		t.Helper()
		if out, err := command(dir).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return timeless(t, filepath.Join(dir, trials.ResultsFile))
	}
	want := ended(filepath.Join(t.TempDir(), "whole"))
	all := len(p.take())
	seed := uint64(time.Now().UnixNano())
	r := rand.New(rand.NewPCG(seed, 0))
	killed, repeated, wanted := 0, 0, (*kills+1)/2
	for killed < wanted {
		dir := filepath.Join(t.TempDir(), fmt.Sprint(killed))
		for done := false; !done && killed < wanted; {
			kept := keptQuestions(t, filepath.Join(dir, "calls.jsonl"))
			c := command(dir)
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			p.strike(1+r.IntN(all/2), func() { _ = c.Process.Kill() })
			done = c.Wait() == nil
			if !done {
				killed++
			}
			for _, q := range p.take() {
				if kept[q] {
					repeated++
				}
			}
		}
		if got := ended(dir); got != want {
			t.Errorf("seed %d: the killed run differs", seed)
		}
		p.take()
	}
	t.Logf("%d runs killed, of %d calls each, seed %d", killed, all, seed)
	if repeated > 0 {
		t.Errorf("seed %d: %d calls that were kept are made again", seed, repeated)
	}
	if found := holding(t, plantedKey, filepath.Dir(file)); found != "" {
		t.Errorf("the key stands in %s", found)
	}
}
