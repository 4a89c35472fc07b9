package gates_test

import (
	"context"
	"testing"

	"taste/gates"
	"taste/phrase"
	"taste/tau"
)

func gold(id string, actions ...tau.Action) tau.Task {
	return tau.Task{ID: id, EvaluationCriteria: &tau.EvaluationCriteria{Actions: actions}}
}

// TestFitWorld: a task counts as a stranger if none of the ids in its gold is
// there, and three strangers in the majority make the world the wrong one.
func TestFitWorld(t *testing.T) {
	k := newKit(t)
	known := gold("known", call("get_reservation_details", "reservation_id", "AAA111"), call("get_user_details", "user_id", "nobody"))
	strange := gold("strange", call("get_reservation_details", "reservation_id", "ZZZ999"))
	silent := gold("silent", call("list_all_airports"))
	for _, c := range []struct {
		name  string
		tasks []tau.Task
		want  gates.World
		wrong bool
	}{
		{"none", nil, gates.World{}, false},
		{"without ids", []tau.Task{silent, silent, silent, {ID: "bare"}}, gates.World{}, false},
		{"one id of two", []tau.Task{known, known, known}, gates.World{Named: 3}, false},
		{"two strangers", []tau.Task{strange, strange}, gates.World{Named: 2, Strange: 2, Example: "reservation_id ZZZ999"}, false},
		{"three strangers", []tau.Task{silent, strange, strange, strange}, gates.World{Named: 3, Strange: 3, Example: "reservation_id ZZZ999"}, true},
		{"half", []tau.Task{strange, strange, strange, known, known, known}, gates.World{Named: 6, Strange: 3, Example: "reservation_id ZZZ999"}, false},
	} {
		got := gates.FitWorld(c.tasks, k.domain, k.contract)
		if got != c.want || got.Wrong() != c.wrong {
			t.Errorf("%s: %+v, wrong %v", c.name, got, got.Wrong())
		}
	}
}

// TestValidateHoldsTasksToClaims: what a run says that a task adds is checked;
// about tasks of which nothing is said that stays open.
func TestValidateHoldsTasksToClaims(t *testing.T) {
	k := newKit(t)
	task := bagsAndTotal(t, k)
	for adds, want := range map[string]gates.Kind{"": "", "reservations/NOSUCH": gates.Wording} {
		claims := &gates.Claims{}
		if adds != "" {
			claims.Adds = []string{adds}
		}
		faults, err := gates.Validate(context.Background(), []tau.Task{*task}, k.domain, k.contract, k.book, map[string]*gates.Claims{task.ID: claims})
		must(t, err)
		var got gates.Kind
		for _, f := range faults {
			if f.Rule == gates.Additive {
				got = f.Kind
			}
		}
		if got != want {
			t.Errorf("claim %q: finding %q, want %q", adds, got, want)
		}
	}
}

// TestValidateGoesOnAfterAnOddTask: a scenario whose sentences the phrase book
// has, but not one after the other, is not checked; the next task is.
func TestValidateGoesOnAfterAnOddTask(t *testing.T) {
	k := newKit(t)
	odd := k.task(t, []phrase.Act{
		phrase.New("ask_paid", "booking", "AAA111"), phrase.New("pay", "pay", "7447"), phrase.New("order"),
	}, []tau.Action{call("get_reservation_details", "reservation_id", "AAA111")}, "318")
	free := gold("free")
	faults, err := gates.Validate(context.Background(), []tau.Task{*odd, free}, k.domain, k.contract, k.book, nil)
	must(t, err)
	seen := map[string]bool{}
	for _, f := range faults {
		seen[f.Task+" "+string(f.Kind)+" "+f.Rule] = true
	}
	for _, want := range []string{odd.ID + " not checked readable", "free ungated empty_gate"} {
		if !seen[want] {
			t.Errorf("no finding %q in %v", want, seen)
		}
	}
}
