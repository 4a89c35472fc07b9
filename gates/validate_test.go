package gates_test

import (
	"context"
	"slices"
	"testing"

	"taste/domain/airline"
	"taste/gates"
	"taste/tau"
)

func validate(t *testing.T, k kit, tasks ...tau.Task) []gates.Fault {
	t.Helper()
	faults, err := gates.Validate(context.Background(), tasks, k.domain, k.contract, k.book, nil)
	must(t, err)
	return faults
}

// TestValidateTasksWithoutCriteria: a task that nothing is demanded of has one
// fault, whatever is missing, and those after it are looked at.
func TestValidateTasksWithoutCriteria(t *testing.T) {
	k := newKit(t)
	tasks, err := tau.ParseTasks("t", []byte(`[
		{"id": "absent", "user_scenario": {"instructions": "x"}},
		{"id": "null", "user_scenario": {"instructions": "x"}, "evaluation_criteria": null},
		{"id": "no actions", "user_scenario": {"instructions": "x"}, "evaluation_criteria": {"actions": null}},
		{"id": "idle", "user_scenario": {"instructions": "x"}, "evaluation_criteria": {"actions": []}}]`))
	must(t, err)
	var got []string
	for _, f := range validate(t, k, tasks...) {
		if f.Kind != gates.NotChecked {
			got = append(got, f.Task+" "+string(f.Kind)+" "+f.Rule)
		}
	}
	want := []string{"absent ungated empty_gate", "null ungated empty_gate", "no actions ungated empty_gate", "idle ungated do_nothing"}
	if !slices.Equal(got, want) {
		t.Errorf("faults %q, want %q", got, want)
	}
}

// TestAssertionsInWordsAreNotChecked: what is earned only if a judge finds every
// assertion met is no fault, and no approval either. Where another part of the
// reward is lost anyway nothing is said.
func TestAssertionsInWordsAreNotChecked(t *testing.T) {
	k := newKit(t)
	task := bagsAndTotal(t, k)
	task.EvaluationCriteria.NLAssertions = []string{"The agent names the total."}
	task.EvaluationCriteria.RewardBasis = []tau.RewardType{tau.NLAssertion}
	open := map[string]int{}
	for _, f := range validate(t, k, *task) {
		if f.Kind != gates.NotChecked {
			t.Errorf("%v", f)
		}
		open[f.Rule] += 1 + f.More
	}
	mutants := check(t, k, bagsAndTotal(t, k)).Mutants
	replaced := 0
	for _, m := range mutants {
		if m.Kind == gates.Replace {
			replaced++
		}
	}
	if open[gates.NothingLost] != 1 || open[gates.SilentLost] != 1 || open["mutant.drop"] != 1 || open["mutant.replace"] != replaced {
		t.Errorf("not checked are %v, want %d replacements among them", open, replaced)
	}
	task.EvaluationCriteria.RewardBasis = []tau.RewardType{tau.DB, tau.Communicate, tau.NLAssertion}
	for _, f := range validate(t, k, *task) {
		if f.Rule == gates.NothingLost || f.Rule == "mutant.drop" {
			t.Errorf("the database counts: %v", f)
		}
	}
}

// TestValidateKeepsFewFaultsOfARule: the rest are counted.
func TestValidateKeepsFewFaultsOfARule(t *testing.T) {
	k := newKit(t)
	task := bagsAndTotal(t, k)
	for range 5 {
		task.EvaluationCriteria.CommunicateInfo = append(task.EvaluationCriteria.CommunicateInfo, "1,0")
	}
	listed, counted := 0, 0
	for _, f := range validate(t, k, *task) {
		if f.Rule == gates.Literal {
			listed, counted = listed+1, counted+1+f.More
		}
	}
	if listed != 3 || counted != 5 {
		t.Errorf("%d faults are listed, standing for %d; want 3 for 5", listed, counted)
	}
}

// TestSaidByChance: what agents say anyway proves nothing.
func TestSaidByChance(t *testing.T) {
	k := newKit(t)
	k.domain.Policy = airline.Policy()
	for _, c := range []struct {
		literal string
		chance  bool
	}{
		{"31", true}, {"ORD", true}, {"sea", true}, {"DEN", true}, {"ATL", true}, // two digits; order, search, Denver, Atlanta
		{"318", false}, {"SFO", false}, {"delayed", false}, {"on time", false}, // no longer word has them
		{"150", true}, {"50", true}, {"1500", false}, {"gold_1001", true}, // certificate of 150 to ann_gold_1001
	} {
		task := k.task(t, nil, []tau.Action{call("send_certificate", "user_id", "ann_gold_1001", "amount", int64(150))}, c.literal)
		if got := slices.Contains(rulesOf(check(t, k, task).Failures), gates.Chance); got != c.chance {
			t.Errorf("%q is said by chance: %v, want %v", c.literal, got, c.chance)
		}
	}
}
