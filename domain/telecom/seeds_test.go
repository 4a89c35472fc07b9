package telecom

import (
	"fmt"
	"strings"
	"testing"

	"taste/env"
	"taste/pyjson"
	"taste/tau"
)

// eachSeed runs a test on the start of every seed task over several worlds.
func eachSeed(t *testing.T, test func(t *testing.T, start *env.Environment, task *tau.Task)) {
	built.EachSeed(t, func(t *testing.T, d *env.Domain, task *tau.Task) {
		start := d.Environment()
		if err := start.SetState(task.InitialState); err != nil {
			t.Fatal(err)
		}
		test(t, start, task)
	})
}

// unmet lists the assertions of a task that do not hold.
func unmet(t *testing.T, e *env.Environment, task *tau.Task) (out []string) {
	t.Helper()
	for i := range task.EvaluationCriteria.EnvAssertions {
		a := &task.EvaluationCriteria.EnvAssertions[i]
		met, err := e.Assert(a)
		if err != nil {
			t.Fatal(err)
		}
		if !met {
			out = append(out, fmt.Sprint(a.FuncName, pyjson.Dumps(a.Args())))
		}
	}
	return out
}

// live makes gold on a copy of the start, but for the call at an index.
func live(t *testing.T, start *env.Environment, task *tau.Task, without int) *env.Environment {
	t.Helper()
	e := start.Clone()
	for i := range task.EvaluationCriteria.Actions {
		if i == without {
			continue
		}
		if a := &task.EvaluationCriteria.Actions[i]; e.Act(a).Error && without < 0 {
			t.Errorf("%s (%s) fails", a.ActionID, a.Name)
		}
	}
	return e
}

// TestGoldOfSeedTasksIsNeeded: what is asserted holds after gold, and no longer
// without any of its writes.
func TestGoldOfSeedTasksIsNeeded(t *testing.T) {
	eachSeed(t, func(t *testing.T, start *env.Environment, task *tau.Task) {
		if left := unmet(t, live(t, start, task, -1), task); left != nil {
			t.Errorf("after gold there is still: %v", left)
		}
		for i, a := range task.EvaluationCriteria.Actions {
			if a.Name != "transfer_to_human_agents" && unmet(t, live(t, start, task, i), task) == nil {
				t.Errorf("nothing misses %s", a.Name)
			}
		}
	})
}

// TestSilenceFailsSeedTasks: at the start something asserted does not hold, or it
// takes the hand-off.
func TestSilenceFailsSeedTasks(t *testing.T) {
	eachSeed(t, func(t *testing.T, start *env.Environment, task *tau.Task) {
		lone := len(task.EvaluationCriteria.Actions) == 1 && len(task.EvaluationCriteria.RewardBasis) == 2
		if !lone && unmet(t, start, task) == nil {
			t.Error("passed by doing nothing")
		}
	})
}

func TestSeedTasksCoverTheWrites(t *testing.T) {
	count, sequences, writes := map[string]int{}, map[string]bool{}, 0
	tasks := built.Seeds(t)
	for i := range tasks {
		var names []string
		for _, a := range tasks[i].EvaluationCriteria.Actions {
			count[a.Name]++
			names = append(names, a.Name)
		}
		writes += len(names)
		sequences[strings.Join(names, " ")] = true
	}
	for _, spec := range built.Of(t, 1).Tools {
		switch {
		case spec.Name == "connect_vpn" || spec.Name == "set_apn_settings" || spec.Name == "toggle_wifi":
		case spec.MutatesState && count[spec.Name] < 2:
			t.Errorf("%d seed tasks call %s", count[spec.Name], spec.Name)
		}
	}
	if len(tasks) < 20 || len(sequences) < len(tasks)-2 || 2*writes < 5*len(tasks) {
		t.Errorf("%d tasks of %d sequences with %d calls", len(tasks), len(sequences), writes)
	}
}

// TestScenariosNameTheCustomer: name and number of a scenario are those of the
// phone that the start sets up, and a line of the customer's.
func TestScenariosNameTheCustomer(t *testing.T) {
	eachSeed(t, func(t *testing.T, start *env.Environment, task *tau.Task) {
		who := task.InitialState.InitializationActions[0].Arguments
		known := *task.UserScenario.Instructions.Structured.KnownInfo
		want := fmt.Sprintf("You are %v, and the number of your phone is %v.", who["name"], who["phone_number"])
		if !strings.HasPrefix(known, want) {
			t.Errorf("known info %q, want %q", known, want)
		}
		for _, k := range start.Keys("lines") {
			if l := start.Record("lines", k); l["phone_number"] == who["phone_number"] {
				return
			}
		}
		t.Errorf("nobody has the number %v", who["phone_number"])
	})
}
