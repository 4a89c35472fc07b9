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

// train judges the seeds, then makes the attempts.
func train(ctx context.Context, in SampleInput) (*toolseq.Model, toolseq.Counts, map[string]bool, error) {
	in.Observer.Begin("sample", in.Settings.Attempts)
	l := lessons{in: in}
	t, err := toolseq.Train(ctx, in.Vocab, in.Settings.Params, in.Seed, l.teacher(), in.Seeds, in.Settings.Attempts)
	if err != nil {
		return nil, toolseq.Counts{}, nil, err
	}
	in.Observer.Advance(in.Settings.Attempts - l.attempts)
	c := t.Counts()
	in.Observer.End(fmt.Sprintf("%d attempts: %d plausible, %d implausible, %d duplicates", c.Attempts, c.Plausible, c.Implausible, c.Duplicates))
	seen := map[string]bool{}
	for _, j := range t.Judgements() {
		seen[key(j.Seq)] = true
	}
	return t.Model(), c, seen, nil
}

// lessons hand the judge's verdicts to a training and tell what was learnt.
type lessons struct {
	in              SampleInput
	seeds, attempts int    // learnt so far
	latest          []bool // verdicts on the latest samples
}

// latestKept is how many verdicts tell whether a sampler is good enough.
const latestKept = 200

func (l *lessons) teacher() toolseq.Teacher {
	return toolseq.Teacher{
		InFlight: l.in.Settings.InFlight,
		Judge: func(ctx context.Context, seq []int) (toolseq.Verdict, error) {
			v, err := l.in.Judge.Ask(ctx, Names(l.in.Vocab, seq))
			return verdictOf(v), err
		},
		Certain: func(seq []int) (toolseq.Verdict, bool) {
			v, ok := l.in.Judge.Certain(Names(l.in.Vocab, seq))
			return verdictOf(v), ok
		},
		Learnt: l.learnt, Enough: l.enough,
	}
}

func (l *lessons) learnt(j toolseq.Judgement) error {
	from := Origin{"sample", j.Attempt}
	if j.Seed {
		from = Origin{"seed", l.seeds}
		l.seeds++
	} else {
		l.in.Observer.Advance(j.Attempt + 1 - l.attempts)
		l.attempts = j.Attempt + 1
		l.latest = append(l.latest[max(0, len(l.latest)-latestKept+1):], j.Plausible)
	}
	return l.in.Judge.Record(from, Names(l.in.Vocab, j.Seq))
}

// enough tells whether the sampler is as good as was asked for. It is better than
// this says: pool and probe are drawn at a lower temperature.
func (l *lessons) enough() bool {
	if l.in.Settings.StopAt == 0 || len(l.latest) < latestKept {
		return false
	}
	accepted := 0
	for _, ok := range l.latest {
		if ok {
			accepted++
		}
	}
	return NewAcceptance(latestKept, accepted).Low >= l.in.Settings.StopAt
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
	err = panel{in.Judge, in.Vocab, in.Settings.InFlight}.all(ctx, Origin{"probe", 0}, pool, func(_ int, v role.Verdict) {
		if v.Plausible {
			accepted++
		}
		in.Observer.Advance(1)
	})
	if err != nil {
		return nil, err
	}
	a := NewAcceptance(len(pool), accepted)
	in.Observer.End(fmt.Sprintf("%d of %d new sequences accepted, %.1f %% (95 %%: %.1f to %.1f)", a.Accepted, a.Judged, 100*a.Share, 100*a.Low, 100*a.High))
	return a, nil
}
