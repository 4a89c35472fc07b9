package toolseq

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
)

// Judgement is one judged sequence in the order of judging.
type Judgement struct {
	Seq []int `json:"seq"`
	// Seed is true for a sequence of the domain's own tasks.
	Seed bool `json:"seed,omitempty"`
	// Attempt is the k at which the sequence was drawn; 0 for seeds.
	Attempt int `json:"attempt"`
	// Certain is true where the judge did not need to be asked.
	Certain bool `json:"certain,omitempty"`
	Verdict
}

// Counts tallies a training. Attempts = Duplicates + the judged ones, and each
// judged one is Plausible or Implausible. Seeds are counted apart.
type Counts struct {
	Attempts    int `json:"attempts"`
	Duplicates  int `json:"duplicates"`
	Plausible   int `json:"plausible"`
	Implausible int `json:"implausible"`
	// Unexplained are implausible verdicts without a usable position, of seeds
	// and samples: they taught nothing.
	Unexplained     int `json:"unexplained"`
	Seeds           int `json:"seeds"`
	SeedDuplicates  int `json:"seed_duplicates"`
	SeedPlausible   int `json:"seed_plausible"`
	SeedImplausible int `json:"seed_implausible"`
	// Certain are verdicts, of seeds and samples, that no judge was asked for.
	Certain int `json:"certain,omitempty"`
}

// Trainer trains a model attempt by attempt. Verdicts are learnt in the order of
// attempts, however long each took. Its state is its exported JSON: a trainer
// read back and continued does exactly what the first would have done. Attempt k
// draws from its own random stream, so nothing but k needs to be remembered of
// the generator.
type Trainer struct {
	model      *Model
	seed       uint64
	teacher    Teacher
	counts     Counts
	judgements []Judgement
	pending    []*pending
	asked      int // of pending, those that the judge is asked about
	seen       map[string]bool
	evidence   *evidence // for the gates; nil without them
}

// NewTrainer prepares the training of an empty model.
func NewTrainer(v Vocab, p Params, seed uint64, teacher Teacher) (*Trainer, error) {
	m, err := NewModel(v, p)
	if err != nil {
		return nil, err
	}
	t := &Trainer{model: m, seed: seed, teacher: teacher, seen: map[string]bool{}}
	if p.Gates != nil {
		t.evidence = newEvidence(v)
	}
	return t, nil
}

// Train judges and ingests the seeds, then makes the given number of attempts.
func Train(ctx context.Context, v Vocab, p Params, seed uint64, teacher Teacher, seeds [][]int, attempts int) (*Trainer, error) {
	t, err := NewTrainer(v, p, seed, teacher)
	if err != nil {
		return nil, err
	}
	if err := t.IngestSeeds(ctx, seeds); err != nil {
		return nil, err
	}
	return t, t.Run(ctx, attempts)
}

// Model is the model in its present state; it is the trainer's own.
func (t *Trainer) Model() *Model { return t.model }

// Judgements are all verdicts learnt so far, seeds first.
func (t *Trainer) Judgements() []Judgement { return t.judgements }

// Counts are the tallies so far.
func (t *Trainer) Counts() Counts { return t.counts }

// IngestSeeds judges the domain's own gold sequences and learns from the
// verdicts. A sequence seen before is counted and skipped, as in training. After
// an error the trainer is of no use.
func (t *Trainer) IngestSeeds(ctx context.Context, seeds [][]int) error {
	err := t.flight(ctx, func(ask func(*pending)) error {
		for _, s := range seeds {
			t.counts.Seeds++
			if t.seen[key(s)] {
				t.counts.SeedDuplicates++
				continue
			}
			if err := t.model.vocab.check(s); err != nil {
				return err
			}
			ask(&pending{Judgement: Judgement{Seq: s, Seed: true, Attempt: t.model.k}})
			if err := t.land(t.behind()); err != nil {
				return err
			}
		}
		return t.land(0)
	})
	if err != nil {
		return fmt.Errorf("ingest seed %d: %w", t.counts.Seeds, err)
	}
	return nil
}

// Run makes attempts until k reaches the given total, or the teacher has enough,
// and learns all of them; or ctx or the judge end it. The state is whole after either: what was drawn and
// not learnt is asked about when Run is called again, with a total as large or
// larger.
func (t *Trainer) Run(ctx context.Context, total int) error {
	err := t.flight(ctx, func(ask func(*pending)) error {
		for err := t.land(t.behind()); ; err = t.land(t.behind()) {
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				return err
			}
			if t.model.k >= total || t.enough() {
				return t.land(0)
			}
			t.attempt(ask)
		}
	})
	if err != nil {
		return fmt.Errorf("train at attempt %d: %w", t.model.k, err)
	}
	return nil
}

func (t *Trainer) enough() bool { return t.teacher.Enough != nil && t.teacher.Enough() }

// attempt draws one sequence at T(k) and asks about it. A duplicate costs no judge
// call and updates nothing; k advances all the same.
func (t *Trainer) attempt(ask func(*pending)) {
	t.refit()
	r := Stream(t.seed, "train", uint64(t.model.k))
	seq := t.model.draw(r, t.model.Temperature(), t.model.lifted())
	if t.seen[key(seq)] {
		t.counts.Attempts++
		t.counts.Duplicates++
	} else {
		ask(&pending{Judgement: Judgement{Seq: seq, Attempt: t.model.k}})
	}
	t.model.k++
}

// refit fits the gates to all evidence where the attempt is one that does.
func (t *Trainer) refit() {
	if t.evidence != nil && t.model.k%t.model.params.Gates.Refit == 0 {
		t.model.gates = t.evidence.fit(t.model.params.Gates)
	}
}

// learn takes in a verdict.
func (t *Trainer) learn(j Judgement) error {
	if err := t.model.Ingest(j.Seq, j.Verdict); err != nil {
		return err
	}
	t.counts.add(&j)
	t.judgements = append(t.judgements, j)
	t.remember(j.Seq, j.Verdict)
	if t.teacher.Learnt == nil {
		return nil
	}
	return t.teacher.Learnt(j)
}

// add counts one judgement.
func (c *Counts) add(j *Judgement) {
	plausible, implausible := &c.Plausible, &c.Implausible
	if j.Seed {
		plausible, implausible = &c.SeedPlausible, &c.SeedImplausible
	} else {
		c.Attempts++
	}
	count(j.Verdict, plausible, implausible)
	if !j.Plausible && !anyTrue(badSet(len(j.Seq), j.Bad)) {
		c.Unexplained++
	}
	if j.Certain {
		c.Certain++
	}
}

// remember keeps of a judgement what the model itself does not hold.
func (t *Trainer) remember(seq []int, v Verdict) {
	t.seen[key(seq)] = true
	if t.evidence != nil {
		t.evidence.add(seq, v)
	}
}

func anyTrue(set []bool) bool {
	for _, b := range set {
		if b {
			return true
		}
	}
	return false
}

func count(v Verdict, plausible, implausible *int) {
	if v.Plausible {
		*plausible++
	} else {
		*implausible++
	}
}

// trainerJSON is the file form of a trainer's state.
type trainerJSON struct {
	Model      *Model      `json:"model"`
	Seed       uint64      `json:"seed"`
	Counts     Counts      `json:"counts"`
	Judgements []Judgement `json:"judgements"`
	Pending    []Judgement `json:"pending,omitempty"` // drawn, not judged yet
}

// MarshalJSON writes the whole state but the teacher.
func (t *Trainer) MarshalJSON() ([]byte, error) {
	j := trainerJSON{Model: t.model, Seed: t.seed, Counts: t.counts, Judgements: t.judgements}
	for _, p := range t.pending {
		j.Pending = append(j.Pending, p.Judgement)
	}
	return json.Marshal(j)
}

// ResumeTrainer reads a state that [Trainer.MarshalJSON] wrote and continues it
// with the given teacher, which must be the one it was begun with.
func ResumeTrainer(state []byte, teacher Teacher) (*Trainer, error) {
	j := trainerJSON{Model: &Model{}}
	if err := json.Unmarshal(state, &j); err != nil {
		return nil, fmt.Errorf("resume training: %w", err)
	}
	t := &Trainer{
		model: j.Model, seed: j.Seed, teacher: teacher, counts: j.Counts,
		judgements: j.Judgements, seen: make(map[string]bool, len(j.Judgements)),
	}
	if j.Model.params.Gates != nil {
		t.evidence = newEvidence(j.Model.vocab)
	}
	for i, d := range slices.Concat(j.Judgements, j.Pending) {
		if err := j.Model.vocab.check(d.Seq); err != nil {
			return nil, fmt.Errorf("resume training: judgement %d: %w", i, err)
		}
	}
	for _, d := range j.Judgements {
		t.remember(d.Seq, d.Verdict)
	}
	for _, d := range j.Pending {
		t.wait(&pending{Judgement: d})
	}
	return t, nil
}
