package toolseq

import (
	"context"
	"encoding/json"
	"fmt"
)

// Judgement is one judged sequence in the order of judging.
type Judgement struct {
	Seq []int `json:"seq"`
	// Seed is true for a sequence of the domain's own tasks.
	Seed bool `json:"seed,omitempty"`
	// Attempt is the k at which the sequence was drawn; 0 for seeds.
	Attempt int `json:"attempt"`
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
}

// Trainer trains a model attempt by attempt. Its state is its exported JSON:
// a trainer read back and continued does exactly what the first would have
// done. Attempt k draws from its own random stream, so nothing but k needs to
// be remembered of the generator.
type Trainer struct {
	model      *Model
	seed       uint64
	judge      Judge
	counts     Counts
	judgements []Judgement
	seen       map[string]bool
	evidence   *evidence // for the gates; nil without them
}

// NewTrainer prepares the training of an empty model.
func NewTrainer(v Vocab, p Params, seed uint64, judge Judge) (*Trainer, error) {
	m, err := NewModel(v, p)
	if err != nil {
		return nil, err
	}
	t := &Trainer{model: m, seed: seed, judge: judge, seen: map[string]bool{}}
	if p.Gates != nil {
		t.evidence = newEvidence(v)
	}
	return t, nil
}

// Train judges and ingests the seeds, then makes the given number of attempts.
func Train(ctx context.Context, v Vocab, p Params, seed uint64, judge Judge, seeds [][]int, attempts int) (*Trainer, error) {
	t, err := NewTrainer(v, p, seed, judge)
	if err != nil {
		return nil, err
	}
	if err := t.IngestSeeds(seeds); err != nil {
		return nil, err
	}
	return t, t.Run(ctx, attempts)
}

// Model is the model in its present state; it is the trainer's own.
func (t *Trainer) Model() *Model { return t.model }

// Judgements are all verdicts so far, seeds first.
func (t *Trainer) Judgements() []Judgement { return t.judgements }

// Counts are the tallies so far.
func (t *Trainer) Counts() Counts { return t.counts }

// IngestSeeds judges the domain's own gold sequences and learns from the
// verdicts. A sequence seen before is counted and skipped, as in training.
func (t *Trainer) IngestSeeds(seeds [][]int) error {
	for _, s := range seeds {
		t.counts.Seeds++
		if t.seen[key(s)] {
			t.counts.SeedDuplicates++
			continue
		}
		v, err := t.learn(s, true)
		if err != nil {
			return fmt.Errorf("ingest seed %d: %w", t.counts.Seeds, err)
		}
		count(v, &t.counts.SeedPlausible, &t.counts.SeedImplausible)
	}
	return nil
}

// Run makes attempts until k reaches the given total, or ctx ends; the state is
// whole after either. Calling it again continues.
func (t *Trainer) Run(ctx context.Context, total int) error {
	for t.model.k < total {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("train at attempt %d: %w", t.model.k, err)
		}
		if err := t.attempt(); err != nil {
			return fmt.Errorf("train at attempt %d: %w", t.model.k, err)
		}
	}
	return nil
}

// attempt draws one sequence at T(k). A duplicate costs no judge call and
// updates nothing; k advances all the same.
func (t *Trainer) attempt() error {
	t.refit()
	r := Stream(t.seed, "train", uint64(t.model.k))
	seq := t.model.draw(r, t.model.Temperature(), t.model.lifted())
	t.counts.Attempts++
	if t.seen[key(seq)] {
		t.counts.Duplicates++
	} else {
		v, err := t.learn(seq, false)
		if err != nil {
			return err
		}
		count(v, &t.counts.Plausible, &t.counts.Implausible)
	}
	t.model.k++
	return nil
}

// refit fits the gates to all evidence where the attempt is one that does.
func (t *Trainer) refit() {
	if t.evidence != nil && t.model.k%t.model.params.Gates.Refit == 0 {
		t.model.gates = t.evidence.fit(t.model.params.Gates)
	}
}

func (t *Trainer) learn(seq []int, seed bool) (Verdict, error) {
	if err := t.model.vocab.check(seq); err != nil {
		return Verdict{}, err
	}
	v := t.judge(seq)
	if err := t.model.Ingest(seq, v); err != nil {
		return v, err
	}
	if !v.Plausible && !anyTrue(badSet(len(seq), v.Bad)) {
		t.counts.Unexplained++
	}
	t.judgements = append(t.judgements, Judgement{Seq: seq, Seed: seed, Attempt: t.model.k, Verdict: v})
	t.remember(seq, v)
	return v, nil
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
}

// MarshalJSON writes the whole state but the judge.
func (t *Trainer) MarshalJSON() ([]byte, error) {
	return json.Marshal(trainerJSON{t.model, t.seed, t.counts, t.judgements})
}

// ResumeTrainer reads a state that [Trainer.MarshalJSON] wrote and continues it
// with the given judge, which must be the one it was begun with.
func ResumeTrainer(state []byte, judge Judge) (*Trainer, error) {
	j := trainerJSON{Model: &Model{}}
	if err := json.Unmarshal(state, &j); err != nil {
		return nil, fmt.Errorf("resume training: %w", err)
	}
	t := &Trainer{
		model: j.Model, seed: j.Seed, judge: judge, counts: j.Counts,
		judgements: j.Judgements, seen: make(map[string]bool, len(j.Judgements)),
	}
	if j.Model.params.Gates != nil {
		t.evidence = newEvidence(j.Model.vocab)
	}
	for i, d := range j.Judgements {
		if err := j.Model.vocab.check(d.Seq); err != nil {
			return nil, fmt.Errorf("resume training: judgement %d: %w", i, err)
		}
		t.remember(d.Seq, d.Verdict)
	}
	return t, nil
}
