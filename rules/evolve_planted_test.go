package rules

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"taste/role"
	"taste/tau"
)

// describing are gold sequences of the built-in telecom domain whose wishes may
// name a line by what is true of it alone.
var describing = [][]string{
	{"suspend_line", "toggle_data", "disconnect_vpn"},
	{"toggle_data", "reseat_sim_card", "resume_line"},
}

// TestPlantedDecoys: where records cannot be added, one that is there is brought
// into a state that resembles what is meant; without that the task is the one
// before it.
func TestPlantedDecoys(t *testing.T) {
	if testing.Short() {
		t.Skip("makes tasks one after the other: run without -short")
	}
	w := worldOf(t, "telecom", false)
	e := NewEvolver(w.domain, w.contract, w.book)
	rivals := map[string]int{}
	for seed := range uint64(20) {
		seq := describing[seed%2]
		task := drafted(t, w, seq, seed)
		if task == nil {
			continue
		}
		task.ID = fmt.Sprint("t", seed)
		x, ok := evolve(t, e, task)
		if !ok {
			t.Errorf("%v with seed %d: no proof", seq, seed)
			continue
		}
		if !reflect.DeepEqual(x.Task.EvaluationCriteria.Actions, task.EvaluationCriteria.Actions) {
			t.Errorf("%v: the gold changed", seq)
		}
		for i := range x.Techniques {
			if tr := &x.Techniques[i]; tr.Technique == DecoyEntity {
				rivals[tr.Differs[0]]++
				checkPlanted(t, e, task, &x, tr)
			}
		}
	}
	if rivals["data_refueling_gb"] < 2 || rivals["contract_end_date"] < 1 {
		t.Errorf("look-alikes by what differs: %v", rivals)
	}
}

// checkPlanted: without the look-alike the task starts and is scored as before, and no
// refused wish is about it.
func checkPlanted(t *testing.T, e *Evolver, base *tau.Task, x *role.Evolved, tr *role.Technique) {
	t.Helper()
	table, key, _ := strings.Cut(tr.Decoys[0], "/")
	number := e.author.domain.Environment().Record(table, key)["phone_number"].(string)
	for _, other := range x.Techniques {
		if other.Technique == EligibilityPressure || other.Technique == ForbiddenExtraWrite {
			if said := strings.Join(other.Sentences, " "); strings.Contains(said, number) {
				t.Errorf("%s is a look-alike, and asked for: %s", number, said)
			}
		}
	}
	less, err := (&proof{e: e, x: x}).without(DecoyEntity)
	if err != nil {
		t.Fatal(err)
	}
	if got := less.InitialState.InitializationActions; len(tr.Plants) == 0 || !reflect.DeepEqual(got, base.InitialState.InitializationActions) {
		t.Errorf("%s: without %v it starts with %v", base.ID, tr.Plants, got)
	}
	if got := less.EvaluationCriteria.EnvAssertions; !reflect.DeepEqual(got, base.EvaluationCriteria.EnvAssertions) {
		t.Errorf("%s: without its decoy it asserts %v", base.ID, got)
	}
	if !slices.Contains(x.Adds, tr.Decoys[0]) {
		t.Errorf("%s: %s is not among what changes: %v", base.ID, tr.Decoys[0], x.Adds)
	}
}

// TestStripTakesPlantsAway: the last of equal calls goes.
func TestStripTakesPlantsAway(t *testing.T) {
	w := worldOf(t, "telecom", false)
	task := drafted(t, w, []string{"toggle_airplane_mode"}, 1)
	base := task.InitialState.InitializationActions
	more := *task
	state := *task.InitialState
	state.InitializationActions = slices.Concat(base, base[:1])
	more.InitialState = &state
	got, err := Strip(&more, []role.Technique{{Technique: "a", Plants: base[:1]}}, "a")
	if err != nil || !reflect.DeepEqual(got.InitialState.InitializationActions, base) || len(more.InitialState.InitializationActions) != len(base)+1 {
		t.Errorf("got %v, %v", got.InitialState.InitializationActions, err)
	}
}

// TestSlipsNeedAPolicyThatConfirms: a line is named wrongly at first only under a
// policy that has changes confirmed; an amount, whose price every policy has
// confirmed, under any.
func TestSlipsNeedAPolicyThatConfirms(t *testing.T) {
	w := worldOf(t, "telecom", false)
	lax := *w.domain
	lax.Policy = "Confirm the price."
	strict, loose := map[string]int{}, map[string]int{}
	for seed := range uint64(12) {
		task := drafted(t, w, []string{"suspend_line", "refuel_data", "toggle_data"}, seed)
		if task == nil {
			continue
		}
		slipsOf(t, NewEvolver(w.domain, w.contract, w.book), task, strict)
		slipsOf(t, NewEvolver(&lax, w.contract, w.book), task, loose)
	}
	if strict["slip_other"] == 0 || strict["slip_gb"] == 0 || loose["slip_other"] > 0 || loose["slip_gb"] == 0 {
		t.Errorf("slips %v under the own policy, %v under one that has prices confirmed alone", strict, loose)
	}
}

// slipsOf counts the slips that a task can take.
func slipsOf(t *testing.T, e *Evolver, task *tau.Task, count map[string]int) {
	t.Helper()
	d, err := e.Devise(t.Context(), task, 1)
	if err != nil {
		t.Fatal(err)
	}
	traps, err := snares(d)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range traps {
		if s.Technique == ArgumentMisdirection {
			count[s.Twist.Name]++
		}
	}
}
