package synth_test

import (
	"context"
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
	m, l := &mender{roles: newRoles()}, newLedger()
	in := synth.InstantiateInput{
		Prefix: "toy", Choices: []synth.Choice{{Sequence: []string{"a"}}}, Selector: &spare{}, Author: m, Reviewer: scold{}, Gate: gate, Verifier: m,
		Ledger: l, Settings: synth.InstantiateSettings{Tries: 1, Candidates: 1}, Workers: 1, Observer: silent{},
	}
	if _, err := synth.Instantiate(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	in.Gate = &mender{roles: newRoles()}
	if _, err := synth.Instantiate(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	var failed []synth.Check
	for _, o := range l.lines {
		failed = append(failed, o.Failed)
	}
	if !slices.Equal(failed, []synth.Check{synth.CheckGates, synth.CheckReview}) {
		t.Errorf("failed at %q", failed)
	}
}

// scold objects to everything.
type scold struct{}

func (scold) Review(context.Context, *tau.Task) ([]role.Finding, error) {
	return []role.Finding{{Severity: role.Critical, Rule: "taste", Evidence: "bad"}}, nil
}
