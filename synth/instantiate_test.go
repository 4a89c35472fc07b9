package synth_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"taste/role"
	"taste/synth"
	"taste/tau"
)

// spare gives sequences nobody has asked for yet.
type spare struct{ given int }

func (s *spare) Select(context.Context) (*synth.Selection, error) { return nil, errors.ErrUnsupported }

func (s *spare) Next(_ context.Context, failed synth.Choice) (synth.Choice, bool, error) {
	s.given++
	failed.Sequence = []string{"get_a", fmt.Sprint("spare ", s.given)}
	return failed, true, nil
}

func instantiate(t *testing.T, r *roles, l *ledger, workers int) []synth.Made {
	t.Helper()
	in := synth.InstantiateInput{
		Prefix: "toy", Canary: "tweet", Selector: &spare{}, Author: r, Reviewer: r, Gate: r, Verifier: r,
		Ledger: l, Seed: 3, Settings: synth.InstantiateSettings{Tasks: 2, Repairs: 0, Candidates: 5}, Workers: workers, Observer: silent{},
	}
	for i := range 40 {
		in.Choices = append(in.Choices, synth.Choice{Sequence: []string{"get_a", fmt.Sprint("tool ", i)}, Cluster: i})
	}
	made, err := synth.Instantiate(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func content(made []synth.Made) (out []string) {
	for i := range made {
		out = append(out, fmt.Sprint(synth.ContentHash(&made[i].Task), made[i].Outcome, made[i].Meta, len(made[i].Mutants)))
	}
	return out
}

func TestInstantiateLetsOnlyPassingTasksOut(t *testing.T) {
	var l ledger
	made := instantiate(t, newRoles(), &l, 4)
	if len(made) < 30 {
		t.Fatalf("%d of 40 made", len(made))
	}
	failed := map[synth.Check]int{}
	for _, o := range l.lines {
		failed[o.Failed]++
	}
	for _, c := range []synth.Check{synth.CheckDraft, synth.CheckReview, synth.CheckGates, synth.CheckVerifier} {
		if failed[c] == 0 {
			t.Errorf("nothing failed at %s: %v", c, failed)
		}
	}
	if failed[""] != len(made) {
		t.Errorf("%d passed, %d made", failed[""], len(made))
	}
	for _, m := range made {
		notes := m.Task.Description.Notes
		if m.Outcome.Failed != "" || len(m.Mutants) != 1 || notes == nil || !strings.Contains(*notes, "tweet") {
			t.Errorf("%s: %+v, notes %v", m.Task.ID, m.Outcome, notes)
		}
		if !slices.Equal(m.Choice.Sequence, m.Meta.Sequence) {
			t.Errorf("%s: made of %v, chosen %v", m.Task.ID, m.Meta.Sequence, m.Choice.Sequence)
		}
	}
}

func TestInstantiateDoesNotDependOnWorkers(t *testing.T) {
	var one, many ledger
	r1, r8 := newRoles(), newRoles()
	a, b := instantiate(t, r1, &one, 1), instantiate(t, r8, &many, 8)
	for _, diff := range []string{cmp.Diff(content(a), content(b)), cmp.Diff(one.lines, many.lines), cmp.Diff(r1.told, r8.told)} {
		if diff != "" {
			t.Error(diff)
		}
	}
}

// Whatever part of the ledger is there, the run ends the same and asks nothing
// twice that costs something.
func TestInstantiateGoesOnFromAnyLedger(t *testing.T) {
	var whole ledger
	all := newRoles()
	want := content(instantiate(t, all, &whole, 3))
	for n := range whole.lines {
		r, l := newRoles(), ledgerOf(whole.lines[:n])
		if diff := cmp.Diff(want, content(instantiate(t, r, l, 3))); diff != "" {
			t.Fatalf("from %d lines: %s", n, diff)
		}
		if diff := cmp.Diff(whole.lines, l.lines); diff != "" {
			t.Fatalf("from %d lines, ledger: %s", n, diff)
		}
		known := 0
		for _, o := range whole.lines[:n] {
			if o.Failed != synth.CheckDraft {
				known++
			}
		}
		if r.asked["review"] != all.asked["review"]-known {
			t.Fatalf("from %d lines: reviewer asked %d times, of %d it was asked %d before", n, r.asked["review"], all.asked["review"], known)
		}
	}
}

// broken fails as a network does, which says nothing of the task.
type broken struct{ *roles }

var errOut = errors.New("reviewer is out")

func (broken) Review(context.Context, *tau.Task) ([]role.Finding, error) { return nil, errOut }

func TestInstantiateFaultIsNoOutcome(t *testing.T) {
	r, l := newRoles(), &ledger{}
	_, err := synth.Instantiate(t.Context(), synth.InstantiateInput{
		Prefix: "toy", Selector: &spare{}, Author: r, Reviewer: broken{r}, Gate: r, Verifier: r,
		Ledger: l, Settings: synth.DefaultInstantiateSettings(), Workers: 2, Observer: silent{},
		Choices: []synth.Choice{{Sequence: []string{"get_a", "tool 0"}}},
	})
	if !errors.Is(err, errOut) || len(l.lines) != 0 {
		t.Errorf("got %v, ledger %v", err, l.lines)
	}
}
