package trials

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Peek takes what is whole: the line that is being written is none yet, any other
// broken one is an error, and of a simulation made again the last counts.
func TestPeek(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	line := func(id, task, ended string) string {
		return fmt.Sprintf(`{"id": %q, "task_id": %q, "start_time": "t", "end_time": "t", "duration": 1, "termination_reason": %q, "trial": 0}`, id, task, ended)
	}
	put(PlanFile, `{"format": 1, "domain": {"name": "mock"}, "agent": {"implementation": "a", "llm": "m"}, "num_trials": 2}`)
	whole := line("1", "x", "infrastructure_error") + "\n" + line("2", "y", "user_stop") + "\n" + line("1", "x", "agent_stop") + "\n"
	put(JournalFile, whole+`{"id": "3", "ta`)
	r, err := Peek(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range r.Simulations {
		got = append(got, r.Simulations[i].TaskID+" "+r.Simulations[i].Termination)
	}
	if want := "x agent_stop, y user_stop"; strings.Join(got, ", ") != want || len(r.Tasks) != 2 || r.Info.Agent.Name() != "m" || r.Info.NumTrials != 2 {
		t.Errorf("got %v of %d tasks, info %+v", got, len(r.Tasks), r.Info)
	}
	put(JournalFile, whole+"{\"id\": \"3\", \"ta\n")
	if _, err := Peek(dir); err == nil || !strings.Contains(err.Error(), "line 4") {
		t.Errorf("a broken line: %v", err)
	}
}
