package synth

import (
	"context"
	"errors"
	"fmt"

	"taste/role"
	"taste/stats"
	"taste/toolseq"
)

// Sampled is what the first stage learnt.
type Sampled struct {
	Counts     toolseq.Counts `json:"counts"`
	Acceptance *Acceptance    `json:"acceptance"` // null without a probe
	Model      *toolseq.Model `json:"model"`
}

// Acceptance is the share of first-seen sequences that the judge accepts, with
// its 95 % interval.
type Acceptance struct {
	Judged   int     `json:"judged"`
	Accepted int     `json:"accepted"`
	Share    float64 `json:"share"`
	Low      float64 `json:"low"`
	High     float64 `json:"high"`
}

// NewAcceptance computes the share and Wilson's interval.
func NewAcceptance(judged, accepted int) *Acceptance {
	s := stats.NewShare(judged, accepted)
	return &Acceptance{Judged: judged, Accepted: accepted, Share: s.Share, Low: s.Low, High: s.High}
}

// SampleInput is what the first stage works on.
type SampleInput struct {
	Vocab    toolseq.Vocab
	Seeds    [][]int // gold sequences of the domain's own tasks
	Judge    Judge
	Seed     uint64
	Settings SampleSettings
	Observer Observer
}

// Sample trains a sampler of plausible sequences and estimates how many of its
// sequences are. Errors of the judge end it.
func Sample(ctx context.Context, in SampleInput) (*Sampled, error) {
	out := &Sampled{}
	var seen map[string]bool
	var err error
	switch in.Settings.Sampler {
	case Uniform:
		out.Model, err = toolseq.NewModel(in.Vocab, in.Settings.Params)
	case Seeds:
		out.Model, err = toolseq.SeedModel(in.Vocab, in.Settings.Params, in.Seeds)
		seen = seenOf(in.Seeds)
	default:
		out.Model, out.Counts, seen, err = train(ctx, in)
	}
	if err != nil {
		return nil, fmt.Errorf("sample: %w", err)
	}
	if out.Acceptance, err = probe(ctx, in, out.Model, seen); err != nil {
		return nil, fmt.Errorf("probe the sampler: %w", err)
	}
	return out, nil
}

func seenOf(seqs [][]int) map[string]bool {
	seen := map[string]bool{}
	for _, s := range seqs {
		seen[key(s)] = true
	}
	return seen
}

// train judges the seeds, then makes the attempts one by one.
func train(ctx context.Context, in SampleInput) (*toolseq.Model, toolseq.Counts, map[string]bool, error) {
	in.Observer.Begin("sample", in.Settings.Attempts)
	ask := &asker{in: in, ctx: ctx, stage: "seed"}
	t, err := toolseq.NewTrainer(in.Vocab, in.Settings.Params, in.Seed, ask.judge)
	if err != nil {
		return nil, toolseq.Counts{}, nil, err
	}
	if err := errors.Join(t.IngestSeeds(in.Seeds), ask.err); err != nil {
		return nil, toolseq.Counts{}, nil, err
	}
	ask.stage = "sample"
	for k := range in.Settings.Attempts {
		ask.number = k
		if err := errors.Join(t.Run(ctx, k+1), ask.err); err != nil {
			return nil, toolseq.Counts{}, nil, err
		}
		in.Observer.Advance(1)
	}
	c := t.Counts()
	in.Observer.End(fmt.Sprintf("%d attempts: %d plausible, %d implausible, %d duplicates", c.Attempts, c.Plausible, c.Implausible, c.Duplicates))
	seen := map[string]bool{}
	for _, j := range t.Judgements() {
		seen[key(j.Seq)] = true
	}
	return t.Model(), c, seen, nil
}

// asker lets a trainer ask a judge that can fail: the error is kept, and the
// trainer thrown away.
type asker struct {
	in     SampleInput
	ctx    context.Context
	stage  string
	number int
	err    error
}

func (a *asker) judge(seq []int) toolseq.Verdict {
	if a.err != nil {
		return toolseq.Verdict{}
	}
	v, err := a.in.Judge(a.ctx, Origin{a.stage, a.number}, Names(a.in.Vocab, seq))
	if a.stage == "seed" {
		a.number++
	}
	a.err = err
	return verdictOf(v)
}

func verdictOf(v role.Verdict) toolseq.Verdict {
	return toolseq.Verdict{Plausible: v.Plausible, Reason: v.Why, Bad: v.Bad}
}

// probe judges sequences that training has not seen, at the pool's temperature.
func probe(ctx context.Context, in SampleInput, m *toolseq.Model, seen map[string]bool) (*Acceptance, error) {
	if in.Settings.Probe == 0 {
		return nil, nil
	}
	in.Observer.Begin("probe", in.Settings.Probe)
	pool, err := toolseq.Pool(in.Settings.freeze(m), in.Settings.Probe, derive(in.Seed, "probe", 0),
		func(seq []int) bool { return seen[key(seq)] })
	var short *toolseq.ShortPoolError
	if err != nil && !errors.As(err, &short) {
		return nil, err
	}
	accepted := 0
	for i, seq := range pool {
		v, err := in.Judge(ctx, Origin{"probe", i}, Names(in.Vocab, seq))
		if err != nil {
			return nil, err
		}
		if v.Plausible {
			accepted++
		}
		in.Observer.Advance(1)
	}
	a := NewAcceptance(len(pool), accepted)
	in.Observer.End(fmt.Sprintf("%d of %d new sequences accepted, %.1f %% (95 %%: %.1f to %.1f)", a.Accepted, a.Judged, 100*a.Share, 100*a.Low, 100*a.High))
	return a, nil
}
