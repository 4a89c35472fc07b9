package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"taste/trials"
)

func evalCommand(tasks, dir string, workers int) *exec.Cmd {
	return exec.Command("taste", "eval", tasks, "--agent", "oracle", "--num-trials", "40", "--json",
		"--max-concurrency", strconv.Itoa(workers), "--save-to", dir)
}

// times are what may differ between two runs of the same plan.
var times = regexp.MustCompile(`"(start_time|end_time|timestamp|duration)": ("[^"]*"|[0-9.e-]+)`)

// evaluate runs an evaluation to its end and returns its results, times aside.
func evaluate(t *testing.T, tasks, dir string, workers int) string {
	t.Helper()
	if out, err := evalCommand(tasks, dir, workers).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	data, err := os.ReadFile(filepath.Join(dir, trials.ResultsFile))
	if err != nil {
		t.Fatal(err)
	}
	return times.ReplaceAllString(string(data), `"$1": 0`)
}

// What the program said had ended before it was killed, at a random moment each
// time, stands in its journal; in the end there are the bytes of a run that was left
// alone, times aside.
func TestKilledEvaluationLosesNothingThatEnded(t *testing.T) {
	if testing.Short() {
		t.Skip("kills whole runs")
	}
	tasks := filepath.Join(t.TempDir(), "tasks")
	finish(t, tasks, 2)
	want := evaluate(t, tasks, filepath.Join(t.TempDir(), "whole"), 1)
	seed := uint64(time.Now().UnixNano())
	r := rand.New(rand.NewPCG(seed, 0))
	dir, killed, lines := filepath.Join(t.TempDir(), "killed"), 0, 0
	for i := 0; killed < *kills; i++ {
		ended, dead := killEvaluation(t, evalCommand(tasks, dir, 1+i%8), r.IntN(12), time.Duration(r.Int64N(int64(3*time.Millisecond))))
		journal := journaled(t, dir)
		for _, s := range ended {
			if !strings.Contains(journal, s) {
				t.Errorf("seed %d, kill %d: %s ended and is lost", seed, i, s)
			}
		}
		if now := strings.Count(journal, "\n"); now < lines {
			t.Errorf("seed %d, kill %d: %d simulations in the journal, before %d", seed, i, now, lines)
		} else {
			lines = now
		}
		if dead {
			killed++
			continue
		}
		if err := os.RemoveAll(dir); err != nil { // it was done: begin anew
			t.Fatal(err)
		}
		lines = 0
	}
	t.Logf("%d runs killed, seed %d", killed, seed)
	if got := evaluate(t, tasks, dir, 4); got != want {
		t.Errorf("seed %d: the killed run differs", seed)
	}
}

// killEvaluation kills a command a moment after so many simulations have ended, or
// after it has begun, and returns those that it said had ended, as journaled spells
// them; dead is false if it was done before.
func killEvaluation(t *testing.T, c *exec.Cmd, after int, moment time.Duration) (ended []string, dead bool) {
	t.Helper()
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	kill := func() { time.AfterFunc(moment, func() { _ = c.Process.Kill() }) }
	if after == 0 {
		moment *= 100 // while it reads and checks
		kill()
	}
	in := bufio.NewReader(out)
	for {
		line, err := in.ReadString('\n')
		var l outcomeLine
		if err == nil && json.Unmarshal([]byte(line), &l) == nil && l.Event == "ended" {
			if ended = append(ended, fmt.Sprintf("<%s %d>", l.Task, l.Trial)); len(ended) == after {
				kill()
			}
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return ended, c.Wait() != nil
}

// journaled lists the simulations in the journal, a line each: task and trial.
func journaled(t *testing.T, dir string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, trials.JournalFile))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	var out strings.Builder
	for line := range strings.Lines(string(data)) {
		var s struct {
			Task  string `json:"task_id"`
			Trial int    `json:"trial"`
		}
		if strings.HasSuffix(line, "\n") && json.Unmarshal([]byte(line), &s) == nil {
			fmt.Fprintf(&out, "<%s %d>\n", s.Task, s.Trial)
		}
	}
	return out.String()
}
