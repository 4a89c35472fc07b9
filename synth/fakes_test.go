package synth_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"taste/gates"
	"taste/role"
	"taste/synth"
	"taste/tau"
	"taste/toolseq"
)

func vocab() toolseq.Vocab {
	const r, w = toolseq.Read, toolseq.Write
	return toolseq.Vocab{Names: []string{"get_a", "get_b", "set_a", "set_b", "end"}, Types: []toolseq.Type{r, r, w, w, toolseq.Generic}}
}

// judge is a synth.Judge; it counts what is recorded, by stage.
type judge struct {
	ask      func(seq []string) (role.Verdict, error)
	certain  func(seq []string) bool // nil: of none
	mu       *sync.Mutex
	asked    map[string]int // by sequence
	recorded []synth.Origin
}

func judging(ask func([]string) (role.Verdict, error)) *judge {
	return &judge{ask: ask, mu: &sync.Mutex{}, asked: map[string]int{}}
}

func (j *judge) Ask(_ context.Context, seq []string) (role.Verdict, error) {
	j.mu.Lock()
	j.asked[strings.Join(seq, " ")]++
	j.mu.Unlock()
	return j.ask(seq)
}

func (j *judge) Certain(seq []string) (role.Verdict, bool) {
	if j.certain == nil || !j.certain(seq) {
		return role.Verdict{}, false
	}
	v, err := j.ask(seq)
	return v, err == nil
}

func (j *judge) Record(from synth.Origin, _ []string) error {
	j.recorded = append(j.recorded, from)
	return nil
}

// plausible: set_x needs get_x before it, end is last, nothing three times in a
// row.
func plausible(seq []string) (role.Verdict, error) {
	v := role.Verdict{Plausible: true, Bad: []int{}}
	for i, t := range seq {
		read, isSet := strings.CutPrefix(t, "set_")
		switch {
		case isSet && !slices.Contains(seq[:i], "get_"+read), t == "end" && i < len(seq)-1,
			i > 1 && t == seq[i-1] && t == seq[i-2]:
			v.Plausible, v.Why = false, "no"
			v.Bad = append(v.Bad, i)
		}
	}
	return v, nil
}

// silent observes nothing.
type silent struct{}

func (silent) Begin(string, int) {}
func (silent) Advance(int)       {}
func (silent) End(string)        {}

// ledger is kept in memory. It takes so many values as a run may keep before it
// crashes.
type ledger struct {
	mu    sync.Mutex
	kept  map[string]json.RawMessage
	room  int // −1: without end
	lines []synth.Outcome
}

func newLedger() *ledger { return &ledger{kept: map[string]json.RawMessage{}, room: -1} }

// after is the ledger of a run that takes up what another left.
func after(l *ledger) *ledger { return &ledger{kept: maps.Clone(l.kept), room: -1} }

func (l *ledger) Recall(key string) (json.RawMessage, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	v, ok := l.kept[key]
	return v, ok
}

var errCrash = errors.New("crash")

func (l *ledger) Keep(key string, value json.RawMessage) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.room == 0 {
		return errCrash
	}
	l.room--
	if _, twice := l.kept[key]; twice {
		return fmt.Errorf("%s is paid for twice", key)
	}
	l.kept[key] = value
	return nil
}

func (l *ledger) Record(o synth.Outcome) error {
	l.lines = append(l.lines, o)
	return nil
}

// chance is a fixed number from 0 to 99 for anything.
func chance(of ...any) int {
	h := fnv.New32a()
	fmt.Fprint(h, of...)
	return int(h.Sum32() % 100)
}

// roles plays all roles of the third stage: each fails now and then, always on
// the same task. It counts what it was asked.
type roles struct {
	told  []string // in order of telling
	mu    sync.Mutex
	asked map[string]int
}

func newRoles() *roles { return &roles{asked: map[string]int{}} }

func (r *roles) count(what string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.asked[what]++
}

func (r *roles) Draft(_ context.Context, id string, seq []string, seed uint64) (*role.Draft, error) {
	r.count("draft")
	if chance("draft", seq) < 20 {
		return nil, fmt.Errorf("%w: too hard", role.ErrUnbuildable)
	}
	d := &role.Draft{Brief: json.RawMessage(`"brief"`), Task: tau.Task{ID: id}, Meta: role.Meta{Sequence: seq, Seed: seed, Adds: []string{"users/x"}}}
	d.Task.EvaluationCriteria = &tau.EvaluationCriteria{}
	for i, name := range seq {
		d.Task.EvaluationCriteria.Actions = append(d.Task.EvaluationCriteria.Actions, tau.Action{ActionID: strconv.Itoa(i), Name: name})
	}
	return d, nil
}

func (r *roles) Tell(_ context.Context, d *role.Draft, seed uint64) (tau.Task, error) {
	r.told = append(r.told, d.Task.ID)
	t := d.Task
	t.UserScenario.Instructions.Plain = fmt.Sprint("Words of seed ", seed)
	return t, nil
}

func (r *roles) Review(_ context.Context, t *tau.Task) ([]role.Finding, error) {
	r.count("review")
	if chance("review", t.UserScenario.Instructions.Plain) < 20 {
		return []role.Finding{{Severity: role.Critical, Rule: "policy", Evidence: "breaks it"}}, nil
	}
	return nil, nil
}

func (r *roles) Check(t *tau.Task, _ *gates.Claims) (*gates.Result, error) {
	r.count("gates")
	if chance("gates", t.UserScenario.Instructions.Plain) < 20 {
		return &gates.Result{Failures: []gates.Finding{{Rule: "tie", Evidence: "two ends"}}}, nil
	}
	return &gates.Result{Mutants: []gates.Mutant{{Task: t.ID, Kind: "drop"}}}, nil
}

func (r *roles) Verify(_ context.Context, t *tau.Task, seed uint64) ([]role.Attempt, error) {
	r.count("verify")
	if chance("verify", seed) < 20 {
		return []role.Attempt{{Why: "lost"}, {Why: "lost again"}}, nil
	}
	return []role.Attempt{{Reward: 1}}, nil
}
