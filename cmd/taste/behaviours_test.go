package main

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestRow07NullAgent: an agent that only ends the conversation earns nothing on
// any task that the program makes, before and after they are made harder.
func TestRow07NullAgent(t *testing.T) {
	if testing.Short() {
		t.Skip("generates tasks of each domain")
	}
	for _, domain := range []string{"airline", "retail"} {
		dir := filepath.Join(t.TempDir(), domain)
		run := func(args ...string) []byte {
			t.Helper()
			var problems bytes.Buffer
			c := exec.Command("taste", args...)
			c.Stderr = &problems
			out, err := c.Output()
			if err != nil {
				t.Fatalf("%s: %v: %s", args, err, problems.String())
			}
			return out
		}
		run("generate", domain, "--tasks", "3", "--attempts", "400", "--probe", "0", "--pool", "160", "--out", dir)
		for _, file := range []string{"tasks.json", "tasks_base.json"} {
			out := run("eval", filepath.Join(dir, file), "--domain", domain, "--agent", "noop", "--json", "--num-trials", "2", "--save-to", filepath.Join(dir, "eval-"+file))
			made := 0
			for line := range bytes.Lines(out) {
				if !bytes.HasPrefix(line, []byte(`{"event":"simulation"`)) {
					continue
				}
				var l simulationLine
				if err := json.Unmarshal(line, &l); err != nil {
					t.Fatal(err)
				}
				made++
				if l.Strict.Reward == nil || *l.Strict.Reward != 0 || l.Compat.Reward == nil || *l.Compat.Reward != 0 {
					t.Errorf("%s, %s: doing nothing earns %+v, %+v", domain, l.Task, l.Compat, l.Strict)
				}
			}
			if made != 6 {
				t.Errorf("%s, %s: %d simulations", domain, file, made)
			}
		}
	}
}
