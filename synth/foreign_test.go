package synth_test

import (
	"context"
	"reflect"
	"slices"
	"testing"

	"taste/gates"
	"taste/internal/library"
	"taste/role"
	"taste/synth"
	"taste/tau"
)

// Where models write tasks, the gates are asked before a reviewer, who may be a
// model, too.
func TestGatesOfForeignTasksComeFirst(t *testing.T) {
	d, err := library.Builtin(1)
	if err != nil {
		t.Fatal(err)
	}
	gate, err := gates.New(d, nil, nil).Foreign()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		gate synth.Gate
		want synth.Check
	}{{gate, synth.CheckGates}, {&mender{roles: newRoles()}, synth.CheckReview}} {
		m, l := &mender{roles: newRoles()}, newLedger()
		_, err := synth.Instantiate(t.Context(), synth.InstantiateInput{
			Prefix: "toy", Choices: []synth.Choice{{Sequence: []string{"a"}}}, Selector: &spare{}, Author: m, Reviewer: scold{}, Gate: c.gate, Verifier: m,
			Ledger: l, Settings: synth.InstantiateSettings{Tries: 1, Candidates: 1}, Workers: 1, Observer: silent{},
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(l.lines) != 1 || l.lines[0].Failed != c.want {
			t.Errorf("%+v, want it to fail at the %s", l.lines, c.want)
		}
	}
}

// scold objects to everything.
type scold struct{}

func (scold) Review(context.Context, *tau.Task) ([]role.Finding, error) {
	return []role.Finding{{Severity: role.Critical, Rule: "taste", Evidence: "bad"}}, nil
}

// noting is a gate that takes everything and has something to say.
type noting struct{ untrue []bool }

func (n *noting) Check(_ *tau.Task, c *gates.Claims) (*gates.Result, error) {
	n.untrue = append(n.untrue, c.Untrue)
	return &gates.Result{
		Warnings: []gates.Finding{{Rule: "vague_words", Evidence: "soon"}}, Left: []gates.Finding{{Rule: "readable", Evidence: "free prose"}},
	}, nil
}

// What gates leave to a conversation, and what they warn of, stands among the
// findings of the task that passed.
func TestWhatGatesLeaveIsKept(t *testing.T) {
	m, l, gate := &mender{roles: newRoles()}, newLedger(), &noting{}
	made, err := synth.Instantiate(t.Context(), synth.InstantiateInput{
		Prefix: "toy", Choices: []synth.Choice{{Sequence: []string{"a"}}}, Selector: &spare{}, Author: m, Reviewer: passing{m.roles}, Gate: gate, Verifier: m,
		Ledger: l, Settings: synth.InstantiateSettings{Tries: 1, Candidates: 1}, Workers: 1, Observer: silent{},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []role.Finding{{Severity: role.Minor, Rule: "vague_words", Evidence: "soon"}, {Severity: role.Unchecked, Rule: "readable", Evidence: "free prose"}}
	if len(made) != 1 || !reflect.DeepEqual(made[0].Outcome.Review, want) {
		t.Errorf("made %+v", made)
	}
	// Customers of tasks that were made harder may say what is not so.
	_, err = synth.Evolve(t.Context(), synth.EvolveInput{
		Tasks: []synth.Sound{{Task: tau.Task{ID: "x"}}}, Evolver: newGrower(), Reviewer: passing{m.roles}, Gate: gate, Verifier: passing{m.roles},
		Ledger: &evolveLog{ledger: newLedger()}, Settings: synth.EvolveSettings{Rounds: 1}, Workers: 1, Observer: silent{},
	})
	if err != nil || !slices.Equal(gate.untrue, []bool{false, true}) {
		t.Errorf("untrue %v, %v", gate.untrue, err)
	}
}
