package synth_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"taste/gates"
	"taste/role"
	"taste/synth"
	"taste/tau"
)

// grower plays the evolver: a task's id says what can be made of it.
type grower struct {
	mu     sync.Mutex
	worded []string
	asked  map[string]int
}

func newGrower() *grower { return &grower{asked: map[string]int{}} }

func (g *grower) count(what string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.asked[what]++
}

func (g *grower) Devise(_ context.Context, t *tau.Task, _ uint64) (*role.Design, error) {
	g.count("devise")
	return &role.Design{Traps: json.RawMessage(`[1,2]`)}, nil
}

func (g *grower) Word(_ context.Context, t *tau.Task, _ *role.Design, level role.Level, flops []role.Flop, seed uint64) (role.Evolved, error) {
	g.worded = append(g.worded, fmt.Sprint(t.ID, " ", level, " ", len(flops)))
	if strings.Contains(t.ID, "tame") || level == role.Full && len(flops) > 2 {
		return role.Evolved{}, fmt.Errorf("word: %w", &role.Tame{Why: "too few traps"})
	}
	out := role.Evolved{Task: *t, Level: level, Adds: []string{"users/y"}}
	out.Task.UserScenario.Instructions.Plain = fmt.Sprint(level, " words of seed ", seed)
	return out, nil
}

func (g *grower) Prove(_ context.Context, e *role.Evolved, _ uint64) ([]role.Flop, error) {
	g.count("prove")
	if e.Level == role.Full && strings.Contains(e.Task.ID, "flop") {
		return []role.Flop{{Trap: 1, Technique: "t", Why: "nobody falls for it"}}, nil
	}
	return nil, nil
}

// passing are checks that everything passes.
type passing struct{ *roles }

func (passing) Review(context.Context, *tau.Task) ([]role.Finding, error) { return nil, nil }
func (passing) Verify(context.Context, *tau.Task, uint64) ([]role.Attempt, error) {
	return []role.Attempt{{Reward: 1}}, nil
}

// evolveLog is a ledger that also keeps the attempts at evolution.
type evolveLog struct {
	*ledger
	attempts []synth.EvolveAttempt
}

func (l *evolveLog) Log(a synth.EvolveAttempt) error {
	l.attempts = append(l.attempts, a)
	return nil
}

func evolveInput(g *grower, l *evolveLog, workers int) synth.EvolveInput {
	r := newRoles()
	in := synth.EvolveInput{
		Canary: "canary", Evolver: g, Reviewer: passing{r}, Gate: r, Verifier: passing{r}, Ledger: l,
		Seed: 4, Settings: synth.EvolveSettings{Rounds: 3}, Workers: workers, Observer: silent{},
	}
	for i := range 12 {
		kind := []string{"easy", "flop", "tame"}[i%3]
		in.Tasks = append(in.Tasks, synth.Sound{Task: tau.Task{ID: fmt.Sprint(kind, i)}, Adds: []string{"users/x"}})
	}
	return in
}

// TestEvolveFallsBackWithAReason: full where the traps hold, lite where they do
// not, as it was where no words are found; every task stays, in its place.
func TestEvolveFallsBackWithAReason(t *testing.T) {
	l := &evolveLog{ledger: newLedger()}
	in := evolveInput(newGrower(), l, 2)
	made, err := synth.Evolve(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	levels := map[role.Level]int{}
	for i, h := range made {
		levels[h.Level]++
		id := in.Tasks[i].Task.ID
		if h.Task.ID != id {
			t.Errorf("place %d: %s, want %s", i, h.Task.ID, id)
		}
		if (h.Level == role.Full) != (h.Why == "") {
			t.Errorf("%s is %s, because %q", id, h.Level, h.Why)
		}
		switch {
		case strings.HasPrefix(id, "tame") && h.Level != role.Base:
			t.Errorf("%s is %s", id, h.Level)
		case strings.HasPrefix(id, "flop") && h.Level == role.Full:
			t.Errorf("%s is full although its trap does not hold", id)
		case h.Level != role.Base && !slices.Equal(h.Adds, []string{"users/x", "users/y"}):
			t.Errorf("%s adds %v", id, h.Adds)
		}
	}
	if levels[role.Full] == 0 || levels[role.Lite] == 0 || levels[role.Base] < 4 {
		t.Errorf("levels %v", levels)
	}
	if len(l.attempts) < len(made) {
		t.Errorf("%d attempts logged for %d tasks", len(l.attempts), len(made))
	}
}

// TestEvolveGoesOnAfterACrash: with any number of workers, and taken up after a
// crash at any point, the same comes out, and nothing is paid for twice.
func TestEvolveGoesOnAfterACrash(t *testing.T) {
	whole := &evolveLog{ledger: newLedger()}
	want, err := synth.Evolve(t.Context(), evolveInput(newGrower(), whole, 1))
	if err != nil {
		t.Fatal(err)
	}
	for room := range len(whole.kept) {
		first := &evolveLog{ledger: newLedger()}
		first.room = room
		if _, err := synth.Evolve(t.Context(), evolveInput(newGrower(), first, 3)); !errors.Is(err, errCrash) {
			t.Fatalf("room for %d: %v", room, err)
		}
		second := &evolveLog{ledger: after(first.ledger)}
		got, err := synth.Evolve(t.Context(), evolveInput(newGrower(), second, 2))
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(second.attempts, whole.attempts) {
			t.Errorf("room for %d: another outcome", room)
		}
	}
}

// grudging finds the same fault with every task.
type grudging struct{ passing }

func (grudging) Review(_ context.Context, t *tau.Task) ([]role.Finding, error) {
	out := []role.Finding{{Severity: role.Critical, Rule: "old", Evidence: "was there before"}}
	if strings.Contains(t.UserScenario.Instructions.Plain, "full") && strings.Contains(t.ID, "flawed") {
		out = append(out, role.Finding{Severity: role.Critical, Rule: "new", Evidence: "came with the words"})
	}
	return out, nil
}

// TestForeignTasksAreComparedWithThemselves: what was wrong before is not held
// against a task, what came with its evolution is.
func TestForeignTasksAreComparedWithThemselves(t *testing.T) {
	in := evolveInput(newGrower(), &evolveLog{ledger: newLedger()}, 1)
	in.Reviewer, in.Gate = grudging{passing{newRoles()}}, sound{}
	in.Tasks = []synth.Sound{{Task: tau.Task{ID: "strange"}, Foreign: true}, {Task: tau.Task{ID: "flawed"}, Foreign: true}}
	made, err := synth.Evolve(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	if made[0].Level != role.Full || made[1].Level != role.Lite || !strings.Contains(made[1].Why, "came with the words") {
		t.Errorf("%s, and %s because %q", made[0].Level, made[1].Level, made[1].Why)
	}
}

// watching counts what is reviewed and gated.
type watching struct {
	passing
	reviewed, gated *atomic.Int64
}

func (w watching) Review(context.Context, *tau.Task) ([]role.Finding, error) {
	w.reviewed.Add(1)
	return nil, nil
}

func (w watching) Check(*tau.Task, *gates.Claims) (*gates.Result, error) {
	w.gated.Add(1)
	return &gates.Result{}, nil
}

// TestForeignTasksThatStayAreNotChecked: there is nothing to compare them with. Those
// that are worded several times are looked at once as they were.
func TestForeignTasksThatStayAreNotChecked(t *testing.T) {
	for id, want := range map[string]int64{"tame": 0, "plain": 2, "flop": 2} {
		in := evolveInput(newGrower(), &evolveLog{ledger: newLedger()}, 1)
		w := watching{passing{newRoles()}, &atomic.Int64{}, &atomic.Int64{}}
		in.Reviewer, in.Gate = w, w
		in.Tasks = []synth.Sound{{Task: tau.Task{ID: id}, Foreign: true}}
		if _, err := synth.Evolve(t.Context(), in); err != nil {
			t.Fatal(err)
		}
		if r, g := w.reviewed.Load(), w.gated.Load(); r != want || g != want {
			t.Errorf("%s: reviewed %d times and gated %d times, want %d", id, r, g, want)
		}
	}
}

// sound is a gate that everything passes.
type sound struct{}

func (sound) Check(*tau.Task, *gates.Claims) (*gates.Result, error) { return &gates.Result{}, nil }
