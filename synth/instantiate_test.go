package synth_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"taste/llm"
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

func stage(r *roles, l *ledger, workers int) synth.InstantiateInput {
	in := synth.InstantiateInput{
		Prefix: "toy", Canary: "tweet", Selector: &spare{}, Author: r, Reviewer: r, Gate: r, Verifier: r,
		Ledger: l, Seed: 3, Settings: synth.InstantiateSettings{Tries: 2, Repairs: 0, Candidates: 5}, Workers: workers, Observer: silent{},
	}
	for i := range 40 {
		in.Choices = append(in.Choices, synth.Choice{Sequence: []string{"get_a", fmt.Sprint("tool ", i)}, Cluster: i})
	}
	return in
}

func instantiate(t *testing.T, r *roles, l *ledger, workers int) []synth.Made {
	t.Helper()
	made, err := synth.Instantiate(t.Context(), stage(r, l, workers))
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// stages notes the names of the stages.
type stages struct {
	silent
	names []string
}

func (s *stages) Begin(stage string, _ int) { s.names = append(s.names, stage) }

// After the first round all work is for what failed, and is called so.
func TestInstantiateNamesReplacements(t *testing.T) {
	var shown stages
	in := stage(newRoles(), newLedger(), 2)
	in.Observer = &shown
	if _, err := synth.Instantiate(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	if len(shown.names) < 4 || shown.names[0] != "draft" || shown.names[1] != "check" {
		t.Fatalf("stages %q", shown.names)
	}
	for i, name := range shown.names[2:] {
		if want := []string{"replacement drafts", "replacement checks"}[i%2]; name != want {
			t.Errorf("stage %d is %q, want %q", i+2, name, want)
		}
	}
}

func content(made []synth.Made) (out []string) {
	for i := range made {
		out = append(out, fmt.Sprint(synth.ContentHash(&made[i].Task), made[i].Outcome, made[i].Meta, len(made[i].Mutants)))
	}
	return out
}

func TestInstantiateLetsOnlyPassingTasksOut(t *testing.T) {
	l := newLedger()
	made := instantiate(t, newRoles(), l, 4)
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
	one, many := newLedger(), newLedger()
	r1, r8 := newRoles(), newRoles()
	a, b := instantiate(t, r1, one, 1), instantiate(t, r8, many, 8)
	for _, diff := range []string{cmp.Diff(content(a), content(b)), cmp.Diff(one.lines, many.lines), cmp.Diff(r1.told, r8.told)} {
		if diff != "" {
			t.Error(diff)
		}
	}
}

// Wherever a run crashes, it ends the same when it is taken up, and what was
// kept is asked of nobody again.
func TestInstantiateGoesOnAfterAnyCrash(t *testing.T) {
	whole, all := newLedger(), newRoles()
	want := content(instantiate(t, all, whole, 3))
	for n := 0; n < len(whole.kept); n += 6 {
		crashed := newLedger()
		crashed.room = n
		if _, err := synth.Instantiate(t.Context(), stage(newRoles(), crashed, 3)); !errors.Is(err, errCrash) {
			t.Fatalf("after %d kept: %v", n, err)
		}
		r, l := newRoles(), after(crashed)
		if diff := cmp.Diff(want, content(instantiate(t, r, l, 3))); diff != "" {
			t.Fatalf("after %d kept: %s", n, diff)
		}
		if diff := cmp.Diff(whole.lines, l.lines); diff != "" {
			t.Fatalf("after %d kept, log: %s", n, diff)
		}
		if r.asked["draft"]+r.asked["review"] != all.asked["draft"]+all.asked["review"]-n {
			t.Fatalf("after %d kept: %d drafts and %d reviews, of %d and %d", n, r.asked["draft"], r.asked["review"], all.asked["draft"], all.asked["review"])
		}
	}
}

// What one setting paid for is worth nothing to another.
func TestInstantiateKeepsSettingsApart(t *testing.T) {
	first, l := newRoles(), newLedger()
	instantiate(t, first, l, 3)
	for name, change := range map[string]func(*synth.InstantiateInput){
		"seed": func(in *synth.InstantiateInput) { in.Seed++ }, "canary": func(in *synth.InstantiateInput) { in.Canary = "other" },
	} {
		r := newRoles()
		in := stage(r, after(l), 3)
		change(&in)
		if _, err := synth.Instantiate(t.Context(), in); err != nil {
			t.Fatal(err)
		}
		if r.asked["draft"] < 40 || r.asked["review"] < 30 {
			t.Errorf("another %s: %v asked", name, r.asked)
		}
	}
}

// broken fails as a network does, which says nothing of the task.
type broken struct{ *roles }

var errOut = errors.New("reviewer is out")

func (broken) Review(context.Context, *tau.Task) ([]role.Finding, error) { return nil, errOut }

func TestInstantiateFaultIsNoOutcome(t *testing.T) {
	r, l := newRoles(), newLedger()
	_, err := synth.Instantiate(t.Context(), synth.InstantiateInput{
		Prefix: "toy", Selector: &spare{}, Author: r, Reviewer: broken{r}, Gate: r, Verifier: r,
		Ledger: l, Settings: synth.DefaultInstantiateSettings(), Workers: 2, Observer: silent{},
		Choices: []synth.Choice{{Sequence: []string{"get_a", "tool 0"}}},
	})
	if !errors.Is(err, errOut) || len(l.lines) != 0 {
		t.Errorf("got %v, ledger %v", err, l.lines)
	}
}

// dumb is a reviewer or verifier that never answers as it should.
type dumb struct{ asked int }

func (d *dumb) Review(context.Context, *tau.Task) ([]role.Finding, error) {
	d.asked++
	return []role.Finding{{Severity: role.Critical, Rule: "no usable review", Evidence: "it is no JSON", Raw: []string{"no"}}}, nil
}

func (d *dumb) Verify(context.Context, *tau.Task, uint64) ([]role.Attempt, error) {
	d.asked++
	return []role.Attempt{{Why: "it says nothing", Broken: true}, {Why: "it says nothing", Broken: true}}, nil
}

// calm has nothing against any task.
type calm struct{ *roles }

func (calm) Review(context.Context, *tau.Task) ([]role.Finding, error) { return nil, nil }

// A model that is of no use is not asked about every sequence that there is.
func TestInstantiateStopsWhereModelsAreUseless(t *testing.T) {
	reviewer, verifier := stage(newRoles(), newLedger(), 1), stage(newRoles(), newLedger(), 1)
	noReview, noPlay := &dumb{}, &dumb{}
	reviewer.Reviewer, verifier.Verifier = noReview, noPlay
	verifier.Reviewer = calm{newRoles()}
	for name, c := range map[string]struct {
		in synth.InstantiateInput
		d  *dumb
	}{"reviewer": {reviewer, noReview}, "verifier": {verifier, noPlay}} {
		_, err := synth.Instantiate(t.Context(), c.in)
		if !errors.Is(err, llm.ErrUseless) || c.d.asked > 200 {
			t.Errorf("%s: asked %d times, %v", name, c.d.asked, err)
		}
	}
}
