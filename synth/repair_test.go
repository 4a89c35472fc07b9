package synth_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"taste/gates"
	"taste/llm"
	"taste/role"
	"taste/synth"
	"taste/tau"
)

// mender plays an author that repairs: of what it is asked it keeps a line. Its
// drafts are numbered; what script says of a number becomes of it.
type mender struct {
	*roles
	asked  []string
	script map[int]string // "useless": no usable answer; "gates", "review": that check finds a fault
	n      int
}

func (m *mender) make(seq []string, how string) (*role.Draft, error) {
	n := m.n
	m.n++
	m.asked = append(m.asked, how)
	if m.script[n] == "useless" {
		return nil, fmt.Errorf("draft: %w", &llm.Unusable{Model: "m", Answers: []string{"no", "never"}, Why: fmt.Errorf("it is no JSON")})
	}
	d := &role.Draft{Brief: json.RawMessage(`1`), Meta: role.Meta{Sequence: seq, Theme: fmt.Sprint(n)}}
	d.Task = tau.Task{ID: "toy-001", EvaluationCriteria: &tau.EvaluationCriteria{}}
	return d, nil
}

func (m *mender) Draft(_ context.Context, _ string, seq []string, _ uint64) (*role.Draft, error) {
	return m.make(seq, "draft "+seq[0])
}

func (m *mender) Repair(_ context.Context, d *role.Draft, problem string, _ uint64) (*role.Draft, error) {
	return m.make(d.Meta.Sequence, fmt.Sprintf("repair %s of %s: %s", d.Meta.Theme, d.Meta.Sequence[0], problem))
}

func (m *mender) Tell(_ context.Context, d *role.Draft, _ uint64) (tau.Task, error) {
	t := d.Task
	t.UserScenario.Instructions.Plain = d.Meta.Theme
	return t, nil
}

func (m *mender) Check(t *tau.Task, _ *gates.Claims) (*gates.Result, error) {
	if m.says(t) == "gates" {
		return &gates.Result{Failures: []gates.Finding{{Rule: "tie", Evidence: "two ends"}}}, nil
	}
	return &gates.Result{}, nil
}

func (m *mender) says(t *tau.Task) string {
	var n int
	fmt.Sscan(t.UserScenario.Instructions.Plain, &n)
	return m.script[n]
}

func (m *mender) Review(_ context.Context, t *tau.Task) ([]role.Finding, error) {
	if m.says(t) == "review" {
		return nil, &llm.Error{Class: llm.TooLong, Model: "m"}
	}
	return nil, nil
}

func (m *mender) Verify(context.Context, *tau.Task, uint64) ([]role.Attempt, error) {
	return []role.Attempt{{Reward: 1}}, nil
}

func mend(t *testing.T, script map[int]string) (*mender, *ledger, []synth.Made) {
	t.Helper()
	m, l := &mender{roles: newRoles(), script: script}, newLedger()
	made, err := synth.Instantiate(t.Context(), synth.InstantiateInput{
		Prefix: "toy", Choices: []synth.Choice{{Sequence: []string{"a"}}}, Selector: &spare{}, Author: m, Reviewer: m, Gate: m, Verifier: m,
		Ledger: l, Settings: synth.InstantiateSettings{Tries: 2, Repairs: 2, Candidates: 2}, Workers: 1, Observer: silent{},
	})
	if err != nil {
		t.Fatal(err)
	}
	return m, l, made
}

// What a check finds goes back to the author in the check's own words, so often;
// then it begins anew, and in the end with another sequence.
func TestRepairs(t *testing.T) {
	m, _, made := mend(t, map[int]string{0: "gates", 1: "review", 2: "gates", 3: "gates", 4: "gates", 5: "gates"})
	tie := "gates: tie: two ends"
	want := []string{
		"draft a", "repair 0 of a: " + tie, "repair 1 of a: reviewer: review: call m: too long",
		"draft a", "repair 3 of a: " + tie, "repair 4 of a: " + tie,
		"draft get_a",
	}
	if !slices.Equal(m.asked, want) {
		t.Errorf("asked\n%s\nwant\n%s", strings.Join(m.asked, "\n"), strings.Join(want, "\n"))
	}
	if len(made) != 1 || made[0].Meta.Theme != "6" || made[0].Outcome.Candidate != 1 || made[0].Outcome.Attempt != 0 {
		t.Errorf("made %+v", made)
	}
}

// Without a usable answer there is nothing to repair: the author begins anew, and
// the raw answers are kept.
func TestUselessDraft(t *testing.T) {
	m, l, made := mend(t, map[int]string{0: "gates", 1: "useless"})
	want := []string{"draft a", "repair 0 of a: gates: tie: two ends", "draft a"}
	if !slices.Equal(m.asked, want) || len(made) != 1 || made[0].Outcome.Attempt != 3 {
		t.Errorf("asked %q, made %+v", m.asked, made)
	}
	if o := l.lines[1]; o.Failed != synth.CheckDraft || !slices.Equal(o.Raw, []string{"no", "never"}) {
		t.Errorf("recorded %+v", o)
	}
}

// A fault of the connection is none of the task's: the stage ends.
func TestModelOutOfReach(t *testing.T) {
	in := stage(newRoles(), newLedger(), 1)
	in.Author = &down{}
	if _, err := synth.Instantiate(t.Context(), in); llm.ClassOf(err) != llm.Auth {
		t.Errorf("got %v", err)
	}
}

type down struct{ mender }

func (*down) Draft(context.Context, string, []string, uint64) (*role.Draft, error) {
	return nil, &llm.Error{Class: llm.Auth, Model: "m"}
}

// scribe is an evolver whose words are its own work for each task.
type scribe struct {
	*grower
	flops []role.Flop
}

func (s *scribe) Devise(context.Context, *tau.Task, uint64) (*role.Design, error) {
	return nil, &llm.Unusable{Model: "m", Answers: []string{"?"}, Why: fmt.Errorf("it is no JSON")}
}

func (s *scribe) Write(_ context.Context, t *tau.Task, d *role.Design, level role.Level, flops []role.Flop, seed uint64) (role.Evolved, error) {
	s.flops = flops
	if d.Why != "" && level == role.Full {
		return role.Evolved{}, &role.Tame{Why: d.Why}
	}
	if len(flops) > 0 {
		return role.Evolved{}, &llm.Error{Class: llm.Blocked, Model: "m"}
	}
	out := role.Evolved{Task: *t, Level: level}
	out.Task.UserScenario.Instructions.Plain = "0"
	return out, nil
}

func (s *scribe) Word(context.Context, *tau.Task, *role.Design, role.Level, []role.Flop, uint64) (role.Evolved, error) {
	panic("a writer is asked to write")
}

// Without a usable strategy there is no full form; what the checks found is told
// to whoever words the task anew.
func TestWriter(t *testing.T) {
	s, l := &scribe{grower: newGrower()}, &evolveLog{ledger: newLedger()}
	m := &mender{roles: newRoles(), script: map[int]string{0: "gates"}}
	out, err := synth.Evolve(t.Context(), synth.EvolveInput{
		Tasks: []synth.Sound{{Task: tau.Task{ID: "x"}}}, Evolver: s, Reviewer: passing{m.roles}, Gate: m, Verifier: passing{m.roles},
		Ledger: l, Settings: synth.EvolveSettings{Rounds: 3}, Workers: 1, Observer: silent{},
	})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, a := range l.attempts {
		got = append(got, fmt.Sprint(a.Level, " ", a.Failed, " ", a.Raw))
	}
	want := []string{"full wording [?]", "lite gates []", "lite wording [call m: blocked]", "base gates []"}
	if !slices.Equal(got, want) || out[0].Level != role.Base {
		t.Errorf("got %q, level %s", got, out[0].Level)
	}
	if len(s.flops) != 1 || s.flops[0].Trap != -1 || s.flops[0].Why != "gates: tie: two ends" {
		t.Errorf("told %+v", s.flops)
	}
}
