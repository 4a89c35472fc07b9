package synth_test

import (
	"context"
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
