package models

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"taste/chat"
	"taste/pyjson"
	"taste/role"
	"taste/rules"
	"taste/tau"
)

// Evolver has a model make tasks harder in three steps: a strategy, the records
// that it needs, the scenario anew. Tasks that cannot carry traps are worded anew
// with mild adversity. Gold is not for the model to touch. What its traps do is not
// proven by conversations, as it is where rules devise them: they are held to the
// form of the method, and the task to all checks. It implements role.Writer and is
// safe for concurrent use.
type Evolver struct {
	base  Base
	world *world
}

// NewEvolver makes an evolver.
func NewEvolver(b Base) (*Evolver, error) {
	w, err := newWorld(b.Domain)
	if err != nil {
		return nil, fmt.Errorf("make evolver: %w", err)
	}
	for _, name := range []string{"evolver-strategy", "evolver-perturbation", "evolver-rewrite", "evolver-lite"} {
		if _, err := b.prompt(name); err != nil {
			return nil, err
		}
	}
	return &Evolver{b, w}, nil
}

// Trap is one trap of a strategy.
type Trap struct {
	Technique  string   `json:"technique"`
	Call       int      `json:"call"` // position of the gold call that it is about, -1: it is global
	Plan       string   `json:"plan"`
	Branches   []string `json:"branches"`
	Records    string   `json:"records"`
	Aim        string   `json:"aim"`
	Resolution string   `json:"resolution"`
	Kind       string   `json:"kind"` // of the resolution
}

// StrategyInput is the question of the first step.
type StrategyInput struct {
	ID        string   `json:"id"`
	Variation string   `json:"variation"`
	Least     int      `json:"least"` // traps
	Most      int      `json:"most"`
	Task      *TaskDoc `json:"task"`
}

// StrategyAnswer is the answer to it.
type StrategyAnswer struct {
	Analysis string `json:"analysis"`
	Traps    []Trap `json:"traps"`
}

// PerturbationInput is the question of the second step.
type PerturbationInput struct {
	ID        string      `json:"id"`
	Variation string      `json:"variation"`
	Task      *TaskDoc    `json:"task"`
	Traps     []Trap      `json:"traps"`
	Existing  []RecordDoc `json:"existing"`
	Problems  []string    `json:"problems"`
}

// DecoyDoc is a record that a trap needs.
type DecoyDoc struct {
	RecordDoc
	Trap    int    // its position in the strategy
	Like    string // key of the record that it resembles, "" for one that is no decoy
	Differs string // the field in which it does not
}

// UnmarshalJSON reads a decoy, as RecordDoc is read.
func (d *DecoyDoc) UnmarshalJSON(data []byte) error {
	var rest struct {
		Trap    int    `json:"trap"`
		Like    string `json:"like"`
		Differs string `json:"differs"`
	}
	if err := errors.Join(d.RecordDoc.UnmarshalJSON(data), json.Unmarshal(data, &rest)); err != nil {
		return err
	}
	d.Trap, d.Like, d.Differs = rest.Trap, rest.Like, rest.Differs
	return nil
}

// MarshalJSON writes it.
func (d DecoyDoc) MarshalJSON() ([]byte, error) {
	return pyjson.NewObject("table", d.Table, "key", d.Key, "record", d.Record, "trap", int64(d.Trap), "like", d.Like, "differs", d.Differs).MarshalJSON()
}

// PerturbationAnswer is the answer to it.
type PerturbationAnswer struct {
	Reasoning string     `json:"reasoning"`
	Records   []DecoyDoc `json:"records"`
}

// RewriteInput is the question of the third step.
type RewriteInput struct {
	ID        string     `json:"id"`
	Variation string     `json:"variation"`
	Least     int        `json:"least"` // traps that have to be in the scenario
	Task      *TaskDoc   `json:"task"`
	Traps     []Trap     `json:"traps"`
	Records   []DecoyDoc `json:"records"`
	Problems  []string   `json:"problems"`
}

// Carried are the sentences of a scenario that carry a trap.
type Carried struct {
	Trap      int      `json:"trap"`
	Sentences []string `json:"sentences"`
}

// RewriteAnswer is the answer to it.
type RewriteAnswer struct {
	LiteAnswer
	Traps []Carried `json:"traps"`
}

// LiteInput is the question of the lite form.
type LiteInput struct {
	ID        string   `json:"id"`
	Variation string   `json:"variation"`
	Task      *TaskDoc `json:"task"`
	Problems  []string `json:"problems"`
}

// LiteAnswer is the answer to it.
type LiteAnswer struct {
	ReasonForCall    string `json:"reason_for_call"`
	KnownInfo        string `json:"known_info"`
	UnknownInfo      string `json:"unknown_info"`
	TaskInstructions string `json:"task_instructions"`
}

func (a *LiteAnswer) scenario(domain string) tau.UserScenario {
	return structured(domain, a.ReasonForCall, a.KnownInfo, a.UnknownInfo, a.TaskInstructions)
}

// check holds a scenario to having words.
func (a *LiteAnswer) check() error {
	if strings.TrimSpace(a.ReasonForCall) == "" || strings.TrimSpace(a.KnownInfo) == "" || strings.TrimSpace(a.TaskInstructions) == "" {
		return errors.New("reason_for_call, known_info and task_instructions must not be empty")
	}
	return nil
}

// about is what calls about a task are for.
func (e *Evolver) about(t *tau.Task, seed uint64) about {
	return about{role: "evolver", item: t.ID, seed: seed}
}

// Devise implements role.Evolver: it asks for a strategy.
func (e *Evolver) Devise(ctx context.Context, t *tau.Task, seed uint64) (*role.Design, error) {
	if t.EvaluationCriteria == nil || len(t.EvaluationCriteria.Actions) == 0 {
		return &role.Design{Traps: json.RawMessage("[]"), Why: "there are no gold calls"}, nil
	}
	doc, err := newTaskDoc(e.base.Domain, t)
	if err != nil {
		return nil, fmt.Errorf("devise traps for task %s: %w", t.ID, err)
	}
	least, most := rules.Span(len(t.EvaluationCriteria.Actions))
	data := authorData{Domain: e.world.view, Fixed: e.world.twoSided, Question: StrategyInput{ID: t.ID, Variation: strconv.FormatUint(seed, 10), Least: least, Most: most, Task: doc}}
	s, _, err := ask(ctx, &e.base, "evolver-strategy", data, e.about(t, seed), func(s *StrategyAnswer) error {
		return e.plans(t, s.Traps, least, most)
	})
	if err != nil {
		return nil, fmt.Errorf("devise traps for task %s: %w", t.ID, err)
	}
	traps, err := json.Marshal(s.Traps)
	return &role.Design{Traps: traps}, err
}

// leastBranches is how many conditions on the agent a strategy has at least.
const leastBranches = 2

// plans holds a strategy to the method.
func (e *Evolver) plans(t *tau.Task, traps []Trap, least, most int) error {
	if n := len(traps); n < least || n > most {
		return fmt.Errorf("traps has %d; want %d to %d", n, least, most)
	}
	per, global, branches := map[int]int{}, 0, 0
	for i, x := range traps {
		branches += len(x.Branches)
		switch {
		case e.world.twoSided && strings.TrimSpace(x.Records) != "":
			return fmt.Errorf("traps[%d].records: no records can be added in this domain: it has to be empty", i)
		case x.Call == -1:
			global++
		case x.Call < 0 || x.Call >= len(t.EvaluationCriteria.Actions):
			return fmt.Errorf("traps[%d].call is %d: there is no such gold call", i, x.Call)
		case !e.writes(t.EvaluationCriteria.Actions[x.Call].Name):
			return fmt.Errorf("traps[%d].call is %d, which changes nothing: choose a call that does, or -1", i, x.Call)
		}
		if per[x.Call]++; x.Call >= 0 && per[x.Call] > 2 {
			return fmt.Errorf("gold call %d has more than two traps", x.Call)
		}
		if strings.TrimSpace(x.Plan) == "" || strings.TrimSpace(x.Aim) == "" || strings.TrimSpace(x.Resolution) == "" {
			return fmt.Errorf("traps[%d]: plan, aim and resolution must not be empty", i)
		}
	}
	switch {
	case global == 0:
		return errors.New("no trap is global (call -1)")
	case branches < leastBranches:
		return fmt.Errorf("the traps have %d branches in all; want %d at least", branches, leastBranches)
	}
	return nil
}

// writes tells whether a tool changes something.
func (e *Evolver) writes(tool string) bool {
	s := e.base.Domain.Tool(tool)
	return s != nil && s.Type == chat.Write
}

// Word implements role.Evolver: see Write.
func (e *Evolver) Word(ctx context.Context, t *tau.Task, d *role.Design, level role.Level, flops []role.Flop, seed uint64) (role.Evolved, error) {
	return e.Write(ctx, t, d, level, flops, seed)
}

// Write implements role.Writer.
func (e *Evolver) Write(ctx context.Context, t *tau.Task, d *role.Design, level role.Level, flops []role.Flop, seed uint64) (role.Evolved, error) {
	if level == role.Base {
		return role.Evolved{Task: *t, Level: level}, nil
	}
	doc, err := newTaskDoc(e.base.Domain, t)
	if err != nil {
		return role.Evolved{}, fmt.Errorf("word task %s: %w", t.ID, err)
	}
	w := &rewriting{Evolver: e, ctx: ctx, task: t, doc: doc, variation: strconv.FormatUint(seed, 10), about: e.about(t, seed), problems: problems(flops)}
	step := w.lite
	if level == role.Full {
		step = func() (role.Evolved, error) { return w.full(d) }
	}
	out, err := step()
	if err != nil {
		return role.Evolved{}, fmt.Errorf("word task %s: %w", t.ID, err)
	}
	return out, nil
}

// problems lists what checks found, in words.
func problems(flops []role.Flop) []string {
	out := []string{}
	for _, f := range flops {
		text := f.Why
		if f.Trap >= 0 {
			text = fmt.Sprintf("trap %d (%s): %s", f.Trap, f.Technique, f.Why)
		}
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

// rewriting is the work on one version of a task.
type rewriting struct {
	*Evolver
	ctx       context.Context //nolint:containedctx // lives as long as the call that it is for
	task      *tau.Task
	doc       *TaskDoc
	variation string
	about     about
	problems  []string
}

func (w *rewriting) lite() (role.Evolved, error) {
	data := authorData{Domain: w.world.view, Question: LiteInput{ID: w.task.ID, Variation: w.variation, Task: w.doc, Problems: w.problems}}
	a, _, err := ask(w.ctx, &w.base, "evolver-lite", data, w.about, (*LiteAnswer).check)
	if err != nil {
		return role.Evolved{}, err
	}
	out := role.Evolved{Task: *w.task, Level: role.Lite, Techniques: []role.Technique{}}
	out.Task.UserScenario = a.scenario(w.base.Domain.Name)
	return out, nil
}

func (w *rewriting) full(d *role.Design) (role.Evolved, error) {
	if d.Why != "" {
		return role.Evolved{}, &role.Tame{Why: d.Why}
	}
	var traps []Trap
	if err := json.Unmarshal(d.Traps, &traps); err != nil {
		return role.Evolved{}, fmt.Errorf("read traps: %w", err)
	}
	decoys, err := w.perturb(traps)
	if err != nil {
		return role.Evolved{}, err
	}
	data := authorData{Domain: w.world.view, Question: RewriteInput{
		ID: w.task.ID, Variation: w.variation, Least: w.least(traps), Task: w.doc, Traps: traps, Records: decoys, Problems: w.problems,
	}}
	a, _, err := ask(w.ctx, &w.base, "evolver-rewrite", data, w.about, func(a *RewriteAnswer) error { return w.carries(a, traps) })
	if err != nil {
		return role.Evolved{}, err
	}
	return w.evolved(traps, decoys, a)
}

// perturb asks for the records that traps need, if any does.
func (w *rewriting) perturb(traps []Trap) ([]DecoyDoc, error) {
	if !slices.ContainsFunc(traps, func(t Trap) bool { return strings.TrimSpace(t.Records) != "" }) {
		return []DecoyDoc{}, nil
	}
	now, err := w.world.environment(w.task.InitialState)
	if err != nil {
		return nil, err
	}
	data := authorData{Domain: w.world.view, Records: w.world.records(true), Question: PerturbationInput{
		ID: w.task.ID, Variation: w.variation, Task: w.doc, Traps: traps, Problems: w.problems,
		Existing: w.world.named(now, spell(w.doc.Scenario), w.task.EvaluationCriteria.Actions),
	}}
	a, _, err := askWith(w.ctx, &w.base, "evolver-perturbation", data, w.about, w.world.edit, func(a *PerturbationAnswer) error {
		return w.newRecords(a.Records, len(traps))
	})
	if err != nil {
		return nil, err
	}
	return a.Records, nil
}

// newRecords holds records to being new, sound, and what they say they are.
func (w *rewriting) newRecords(docs []DecoyDoc, traps int) error {
	before, err := w.world.environment(w.task.InitialState)
	if err != nil {
		return err
	}
	for i, d := range docs {
		switch {
		case d.Trap < 0 || d.Trap >= traps:
			return fmt.Errorf("records[%d].trap is %d: there is no such trap", i, d.Trap)
		case d.Like != "" && before.RecordJSON(d.Table, d.Key) != nil:
			return fmt.Errorf("records[%d]: %s/%s is there already: a decoy has a key of its own, and like is empty for what is added within a record", i, d.Table, d.Key)
		case d.Like != "" && before.RecordJSON(d.Table, d.Like) == nil:
			return fmt.Errorf("records[%d].like: there is no %s/%s", i, d.Table, d.Like)
		}
	}
	data, err := w.world.additions(w.task.InitialState, plain(docs))
	if err != nil {
		return err
	}
	for i, d := range docs {
		rec := object(object(data, d.Table), d.Key)
		if d.Like == "" {
			continue
		}
		own, has := rec.Get(d.Differs)
		its, _ := before.RecordJSON(d.Table, d.Like).Get(d.Differs)
		if !has || pyjson.Equal(own, its) {
			return fmt.Errorf("records[%d].differs: %s/%s does not differ from %s in a field %q", i, d.Table, d.Key, d.Like, d.Differs)
		}
		if !resembles(rec, before.RecordJSON(d.Table, d.Like)) {
			return fmt.Errorf("records[%d]: %s/%s does not resemble %s: less than half of its fields are equal", i, d.Table, d.Key, d.Like)
		}
	}
	return nil
}

// resembles tells whether half of a record's fields are those of another one.
func resembles(a, b *pyjson.Object) bool {
	same := 0
	for k, v := range a.All() {
		if other, ok := b.Get(k); ok && pyjson.Equal(v, other) {
			same++
		}
	}
	return 2*same >= a.Len()
}

func plain(docs []DecoyDoc) []RecordDoc {
	out := make([]RecordDoc, len(docs))
	for i := range docs {
		out[i] = docs[i].RecordDoc
	}
	return out
}

// carries holds a scenario to having the traps that it says it has, and enough of
// them.
func (w *rewriting) carries(a *RewriteAnswer, traps []Trap) error {
	if err := a.check(); err != nil {
		return err
	}
	text := strings.Join([]string{a.ReasonForCall, a.KnownInfo, a.UnknownInfo, a.TaskInstructions}, "\n")
	seen := map[int]bool{}
	for i, c := range a.Traps {
		if c.Trap < 0 || c.Trap >= len(traps) || seen[c.Trap] {
			return fmt.Errorf("traps[%d].trap is %d: there is no such trap, or it stands there twice", i, c.Trap)
		}
		seen[c.Trap] = true
		if len(c.Sentences) == 0 && strings.TrimSpace(traps[c.Trap].Records) == "" {
			return fmt.Errorf("traps[%d] names no sentence that carries it, and it has no records", i)
		}
		for _, s := range c.Sentences {
			if strings.TrimSpace(s) == "" || !strings.Contains(text, s) {
				return fmt.Errorf("traps[%d]: the scenario has no sentence %q, word for word", i, s)
			}
		}
	}
	if least := w.least(traps); len(seen) < least {
		return fmt.Errorf("traps names %d of the %d traps; %d at least have to be in the scenario", len(seen), len(traps), least)
	}
	return nil
}

// least is how many of the traps a scenario has: all of them, or once checks found
// something wrong as many as the method asks for.
func (w *rewriting) least(traps []Trap) int {
	if len(w.problems) == 0 {
		return len(traps)
	}
	least, _ := rules.Span(len(w.task.EvaluationCriteria.Actions))
	return min(least, len(traps))
}

// evolved puts the harder task together. Records of traps that the scenario does
// not carry are left out.
func (w *rewriting) evolved(traps []Trap, decoys []DecoyDoc, a *RewriteAnswer) (role.Evolved, error) {
	out := role.Evolved{Task: *w.task, Level: role.Full}
	var kept []DecoyDoc
	for _, c := range a.Traps {
		x := traps[c.Trap]
		t := role.Technique{
			Technique: x.Technique, Item: w.item(x.Call), Sentences: c.Sentences, Aim: x.Aim,
			Decoys: []string{}, Adds: []string{}, Differs: []string{},
		}
		for _, d := range decoys {
			if d.Trap != c.Trap {
				continue
			}
			kept = append(kept, d)
			if d.Like == "" {
				t.Adds = append(t.Adds, d.Table+"/"+d.Key)
			} else {
				t.Decoys, t.Differs = append(t.Decoys, d.Table+"/"+d.Key), append(t.Differs, d.Differs)
			}
		}
		out.Techniques, out.Traps = append(out.Techniques, t), append(out.Traps, c.Trap)
	}
	data, err := w.world.additions(w.task.InitialState, plain(kept))
	if err != nil {
		return out, fmt.Errorf("%w: %w", &role.Tame{Why: "records of the traps that are left do not stand alone: " + err.Error()}, err)
	}
	out.Adds = names(data)
	out.Task.InitialState = initialState(w.task.InitialState, data)
	out.Task.UserScenario = a.scenario(w.base.Domain.Name)
	return out, nil
}

// item is the number of the wish that a trap is about: of the gold calls that
// change something the how manieth; 0 for a global trap.
func (w *rewriting) item(call int) int {
	n := 0
	for i := range max(call, 0) {
		if w.writes(w.task.EvaluationCriteria.Actions[i].Name) {
			n++
		}
	}
	return n
}
