package synth

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"taste/gates"
	"taste/llm"
	"taste/role"
	"taste/tau"
)

// EvolveInput is what the fourth stage works on.
type EvolveInput struct {
	Canary   string // stands for all settings in keys of the ledger
	Tasks    []Sound
	Evolver  role.Evolver
	Reviewer role.Reviewer
	Gate     Gate
	Verifier role.Verifier
	Ledger   EvolveLedger
	Seed     uint64
	Settings EvolveSettings
	Workers  int
	Observer Observer
}

// Sound is a task that passed every check, with the records that it adds.
type Sound struct {
	Task tau.Task
	Adds []string
	// Foreign tasks passed no check here: what is found about one is compared
	// with what was found about it before, and no verifier plays it.
	Foreign bool
}

// EvolveLedger is the Ledger of the fourth stage.
type EvolveLedger interface {
	Memory
	// Log logs an attempt, once, in an order that depends on the outcomes alone.
	Log(EvolveAttempt) error
}

// EvolveAttempt tells what became of one attempt to make a task harder.
type EvolveAttempt struct {
	Task   string      `json:"task"`
	Level  role.Level  `json:"level"`
	Round  int         `json:"round"`
	Hash   string      `json:"hash"` // ContentHash; "" without a task
	Failed Check       `json:"failed"`
	Reason string      `json:"reason"`
	Flops  []role.Flop `json:"flops"`
	Raw    []string    `json:"raw,omitempty"` // what a model answered where none of it could be used
}

// The checks of evolved tasks beside those of all tasks.
const (
	CheckWording Check = "wording" // there are enough traps, and words for them
	CheckProof   Check = "proof"   // every trap does what it says
)

// Hardened is what a task became. Its gold is that of the task before.
type Hardened struct {
	Task       tau.Task
	Level      role.Level
	Why        string // why it is not full
	Techniques []role.Technique
	Adds       []string // all records that it adds to or changes in the database
	Outcome    Outcome  // of its checks
	Mutants    []gates.Mutant
}

// Evolve makes tasks harder: fully where that can be proven, else lightly, else
// not at all; the results are in the order of the tasks. It works in rounds as
// Instantiate does: traps are looked for side by side, tasks worded in order,
// then proven and checked side by side. What fails is worded anew without the
// traps that are to blame.
func Evolve(ctx context.Context, in EvolveInput) ([]Hardened, error) {
	work := make([]*growth, len(in.Tasks))
	for i := range in.Tasks {
		work[i] = &growth{sound: &in.Tasks[i], level: role.Full}
	}
	for open := work; len(open) > 0; open = growing(work) {
		if err := in.round(ctx, open); err != nil {
			return nil, fmt.Errorf("evolve: %w", err)
		}
	}
	out := make([]Hardened, len(work))
	for i, w := range work {
		out[i] = *w.done
	}
	return out, nil
}

// growth is a task on its way to a harder one.
type growth struct {
	sound   *Sound
	design  *role.Design
	level   role.Level
	round   int // at this level
	all     int // rounds in all
	flops   []role.Flop
	why     string          // why a higher level failed
	before  []fault         // what is found about a foreign task as it was; nil until it is looked for
	tame    []EvolveAttempt // levels given up since the last round, to be logged
	evolved role.Evolved
	checked grown
	done    *Hardened
}

// grown is what checks found out about an evolved task.
type grown struct {
	Outcome  Outcome        `json:"outcome"`
	Flops    []role.Flop    `json:"flops"`
	Mutants  []gates.Mutant `json:"mutants"`
	Problems []string       `json:"problems,omitempty"` // all that checks beside the proof found
}

func growing(work []*growth) []*growth {
	return slices.DeleteFunc(slices.Clone(work), func(w *growth) bool { return w.done != nil })
}

func (in *EvolveInput) round(ctx context.Context, open []*growth) error {
	name := "evolve"
	if slices.ContainsFunc(open, func(w *growth) bool { return w.all > 0 }) {
		name = "evolve again"
	}
	in.Observer.Begin(name, len(open))
	err := inOrder(ctx, in.Workers, len(open), func(ctx context.Context, i int) error {
		err := in.devise(ctx, open[i])
		if writer, ok := in.Evolver.(role.Writer); ok && err == nil {
			err = in.word(ctx, open[i], writer.Write)
		}
		return err
	}, func(i int) error {
		in.Observer.Advance(1)
		if _, ok := in.Evolver.(role.Writer); !ok {
			if err := in.word(ctx, open[i], in.Evolver.Word); err != nil {
				return err
			}
		}
		return in.logTame(open[i])
	})
	in.Observer.End(fmt.Sprintf("%d worded", len(open)))
	if err != nil {
		return err
	}
	in.Observer.Begin("prove", len(open))
	passed := 0
	err = inOrder(ctx, in.Workers, len(open), func(ctx context.Context, i int) error {
		return in.check(ctx, open[i])
	}, func(i int) error {
		in.Observer.Advance(1)
		err := in.next(open[i])
		if open[i].done != nil {
			passed++
		}
		return err
	})
	in.Observer.End(fmt.Sprintf("%d of %d pass", passed, len(open)))
	return err
}

// seed derives the seed of a purpose for the present round.
func (in *EvolveInput) seed(purpose string, w *growth) uint64 {
	return derive(in.Seed, "evolve/"+purpose+"/"+w.sound.Task.ID, w.all)
}

// devise asks for traps, once a task, unless the ledger holds the answer.
func (in *EvolveInput) devise(ctx context.Context, w *growth) error {
	if w.design != nil {
		return nil
	}
	seed := in.seed("devise", w)
	key := workKey("devise "+w.sound.Task.ID, in.Canary, seed, nil, ContentHash(&w.sound.Task))
	d, err := paid(in.Ledger, key, func() (*role.Design, error) {
		d, err := in.Evolver.Devise(ctx, &w.sound.Task, seed)
		if _, raw, useless := llm.NoAnswer(err); useless {
			return &role.Design{Why: err.Error(), Raw: raw}, nil
		}
		return d, err
	})
	w.design = d
	return err
}

// wording is Word of an evolver, or Write.
type wording func(ctx context.Context, t *tau.Task, d *role.Design, level role.Level, flops []role.Flop, seed uint64) (role.Evolved, error)

// word words a task at the level that it has come to, and at the next one where
// that cannot be done.
func (in *EvolveInput) word(ctx context.Context, w *growth, words wording) error {
	for w.level != role.Base {
		e, err := words(ctx, &w.sound.Task, w.design, w.level, w.flops, in.seed("word", w))
		if err == nil {
			w.evolved = e
			return nil
		}
		a, err := w.given(err)
		if err != nil {
			return fmt.Errorf("evolve %s: %w", w.sound.Task.ID, err)
		}
		w.tame = append(w.tame, a)
		w.lower(a.Reason)
	}
	w.evolved = role.Evolved{Task: w.sound.Task, Level: role.Base}
	return nil
}

// given is the attempt that an error gives up, where it speaks of the task alone.
func (w *growth) given(err error) (EvolveAttempt, error) {
	if tame, ok := errors.AsType[*role.Tame](err); ok {
		a := w.attempt(CheckWording, tame.Why)
		a.Raw = w.design.Raw
		return a, nil
	}
	_, raw, useless := llm.NoAnswer(err)
	if !useless {
		return EvolveAttempt{}, err
	}
	a := w.attempt(CheckWording, err.Error())
	a.Raw = raw
	return a, nil
}

// logTame logs the levels that were given up for want of words.
func (in *EvolveInput) logTame(w *growth) error {
	for _, a := range w.tame {
		if err := in.Ledger.Log(a); err != nil {
			return err
		}
	}
	w.tame = nil
	return nil
}

func (w *growth) attempt(failed Check, reason string) EvolveAttempt {
	return EvolveAttempt{Task: w.sound.Task.ID, Level: w.level, Round: w.round, Failed: failed, Reason: reason, Flops: []role.Flop{}}
}

// lower goes on to the next level.
func (w *growth) lower(why string) {
	if w.why == "" {
		w.why = why
	}
	w.level, w.round = map[role.Level]role.Level{role.Full: role.Lite, role.Lite: role.Base}[w.level], 0
}

// adds lists the records that the evolved task adds or changes.
func (w *growth) adds() []string {
	out := slices.Concat(w.sound.Adds, w.evolved.Adds)
	slices.Sort(out)
	return slices.Compact(out)
}

// check proves and checks what was worded, unless the ledger knows what came of
// it.
func (in *EvolveInput) check(ctx context.Context, w *growth) error {
	hash := ContentHash(&w.evolved.Task)
	seed := in.seed("prove", w)
	key := workKey(fmt.Sprintf("evolve %s/%d", w.sound.Task.ID, w.all), in.Canary, seed, []string{string(w.level)}, hash)
	var err error
	w.checked, err = paid(in.Ledger, key, func() (grown, error) { return in.prove(ctx, w, hash, seed) })
	if err != nil {
		return fmt.Errorf("check evolved %s: %w", w.sound.Task.ID, err)
	}
	return nil
}

func (in *EvolveInput) prove(ctx context.Context, w *growth, hash string, seed uint64) (grown, error) {
	g := grown{Flops: []role.Flop{}, Outcome: Outcome{
		Task: w.sound.Task.ID, Attempt: w.all, Seed: seed, Hash: hash, Review: []role.Finding{}, Verifier: []role.Attempt{},
	}}
	if w.sound.Foreign && w.level == role.Base {
		return g, nil // what stays as it is has nothing to be compared with
	}
	if w.level != role.Base {
		flops, err := in.Evolver.Prove(ctx, &w.evolved, seed)
		if err != nil {
			return g, err
		}
		if len(flops) > 0 {
			g.Flops = flops
			g.Outcome.fail(CheckProof, "%s: %s", flops[0].Technique, flops[0].Why)
			return g, nil
		}
	}
	checks := InstantiateInput{Reviewer: in.Reviewer, Gate: in.Gate, Verifier: in.Verifier, Seed: in.Seed}
	it := &item{id: w.sound.Task.ID + "/evolved", attempt: w.all, task: &w.evolved.Task, outcome: g.Outcome, evolved: w.level != role.Base}
	it.draft = &role.Draft{Meta: role.Meta{Adds: w.adds()}}
	try := checks.tryAll
	if w.sound.Foreign {
		try = func(ctx context.Context, it *item) error { return checks.compare(ctx, it, w) }
	}
	if err := try(ctx, it); err != nil {
		return g, err
	}
	g.Outcome, g.Mutants, g.Problems = it.outcome, it.mutants, it.problems
	return g, nil
}

// compare fails a task for what reviewer and gates find about it and did not
// find about the one that it was made from.
func (in *InstantiateInput) compare(ctx context.Context, w *item, from *growth) error {
	if from.before == nil {
		old, err := in.faults(ctx, w, &from.sound.Task, false)
		if err != nil {
			return w.failUnusable(CheckReview, err)
		}
		from.before = old
	}
	now, err := in.faults(ctx, w, w.task, true)
	if err != nil {
		return w.failUnusable(CheckReview, err)
	}
	for _, f := range now {
		if !slices.Contains(from.before, f) {
			w.fail(f.by, "%s: %s", f.Rule, f.Evidence)
		}
	}
	return nil
}

// fault is something that a check found.
type fault struct {
	by Check
	gates.Finding
}

// faults lists what reviewer and gates have against a task; kept says that it
// goes into the item's record.
func (in *InstantiateInput) faults(ctx context.Context, w *item, t *tau.Task, kept bool) ([]fault, error) {
	found, err := in.Reviewer.Review(ctx, t)
	if err != nil {
		return nil, fmt.Errorf("review: %w", err)
	}
	out := []fault{}
	for _, f := range found {
		if f.Severity == role.Critical {
			out = append(out, fault{CheckReview, gates.Finding{Rule: f.Rule, Evidence: f.Evidence}})
		}
	}
	r, err := in.Gate.Check(t, nil)
	if err != nil {
		return nil, err
	}
	for _, f := range r.Failures {
		out = append(out, fault{CheckGates, f})
	}
	if kept {
		w.outcome.Review, w.mutants = append(w.outcome.Review, found...), r.Mutants
	}
	return out, nil
}

// next decides how a task goes on after a round.
func (in *EvolveInput) next(w *growth) error {
	o := &w.checked.Outcome
	a := w.attempt(o.Failed, o.Reason)
	a.Hash, a.Flops, a.Raw = o.Hash, w.checked.Flops, o.Raw
	if err := in.Ledger.Log(a); err != nil {
		return err
	}
	if o.Failed == "" || w.level == role.Base {
		w.done = &Hardened{
			Task: w.evolved.Task, Level: w.level, Why: w.why, Techniques: w.evolved.Techniques, Adds: w.adds(),
			Outcome: *o, Mutants: w.checked.Mutants,
		}
		return nil
	}
	w.flops = append(w.flops, w.checked.Flops...)
	for _, why := range w.checked.Problems {
		w.flops = append(w.flops, role.Flop{Trap: -1, Why: why})
	}
	w.round, w.all = w.round+1, w.all+1
	if w.round >= in.Settings.Rounds {
		w.lower(fmt.Sprintf("%s: %s", o.Failed, o.Reason))
	}
	return nil
}

// EvolveSettings are the choices of the fourth stage.
type EvolveSettings struct {
	Rounds int `json:"rounds"` // wordings tried at each level
}

// DefaultEvolveSettings are those of a run without flags.
func DefaultEvolveSettings() EvolveSettings { return EvolveSettings{Rounds: 5} }

// Validate refuses settings that nothing can be made with.
func (s EvolveSettings) Validate() error {
	if s.Rounds < 1 {
		return errors.New("evolve rounds " + strconv.Itoa(s.Rounds) + ": want 1 at least")
	}
	return nil
}
