package synth

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"taste/role"
	"taste/toolseq"
	"taste/toolseq/selectset"
)

// Least shares of sequences that use a tool: toolShare leaves a tenth of the
// tasks where some sequences stay without one; of hand-offs fewer will do. No
// single change is to run through more than half of the tasks.
const (
	toolShare    = .16
	handOffShare = .04
	writeShare   = .5
	// causeShare is that of sequences that a cause can be behind: most have several
	// and the author takes one of them.
	causeShare = .05
)

// broadest is this program's own selection: the whole pool is judged, and of its
// plausible sequences those are taken that together cover the most.
type broadest struct {
	in    SelectInput
	vocab toolseq.Vocab
	goal  selectset.Goal
	made  *Selection
	given map[string]bool
	asked int
	marks map[string][]int // causes by gold
}

// newBroadest begins a selection, or takes up one that was made.
func newBroadest(in SelectInput, made *Selection) *broadest {
	b := &broadest{in: in, vocab: in.Model.Vocab(), given: map[string]bool{}, made: made, marks: map[string][]int{}}
	if b.goal = selectset.PaperGoal(b.vocab); in.Gold != nil {
		b.goal = selectset.ChangesGoal(b.vocab)
	}
	b.goal.MostWrites = writeShare
	for i, name := range b.vocab.Names {
		if in.Gold == nil || in.Gold(name) {
			b.goal.Shares[i] = toolShare
		}
	}
	if i, ok := b.vocab.Index(in.HandOff); ok {
		b.goal.Shares[i] = handOffShare
	}
	for range in.Causes {
		b.goal.Marked = append(b.goal.Marked, causeShare)
	}
	if made == nil {
		return b
	}
	b.made = &Selection{Choices: slices.Clone(made.Choices), Pool: made.Pool}
	for _, c := range made.Choices {
		b.given[nameKey(c.Sequence)] = true
	}
	return b
}

// Select judges a pool and searches it, or has what it finds judged.
func (b *broadest) Select(ctx context.Context) (*Selection, error) {
	s, err := b.selection(ctx)
	if errors.Is(err, selectset.ErrUsedUp) { // then most verdicts are there
		b.in.Settings.Lazy = false
		s, err = b.selection(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("select: %w", err)
	}
	return s, nil
}

func (b *broadest) selection(ctx context.Context) (*Selection, error) {
	pool, err := drawPool(b.in, 0, nil)
	if err != nil {
		return nil, err
	}
	ok, err := b.judge(ctx, pool)
	if err != nil {
		return nil, err
	}
	b.in.Observer.Begin("select", 1)
	var grafts []drawn
	if b.in.Sample.Sampler == Trained { // a pool of the other samplers is to show what they draw
		if grafts, err = b.grafts(ctx, ok); err != nil {
			return nil, err
		}
	}
	if pool, ok = append(pool, grafts...), append(ok, grafts...); len(ok) == 0 {
		return nil, ErrNonePlausible
	}
	r, err := selectset.Select(ctx, b.vocab, golds(ok), selectset.Options{
		K: min(b.in.Tasks, len(ok)), Goal: b.goal, Seed: derive(b.in.Seed, "select", 0), Marks: b.causes,
		OK: b.approve(func(item int) []int { return ok[item].whole }),
	})
	if err != nil {
		return nil, err
	}
	s := &Selection{
		Method: Best, Dropped: []int{}, Shortfalls: append([]string{}, r.Shortfalls...), Coverage: r.Coverage,
		Rounds: []Round{{Pool: len(pool), Plausible: len(ok), Grafts: len(grafts), Rejected: len(r.Rejected)}},
	}
	if b.in.Settings.Lazy {
		s.Rounds[0].Plausible = len(r.Members)
	}
	for i, at := range r.Members {
		m := b.in.member(ok[at])
		s.Choices = append(s.Choices, Choice{Sequence: m.Sequence, Sampled: m.Sampled, Cluster: i})
	}
	for i := len(r.Seqs); i < b.in.Tasks; i++ {
		s.Dropped = append(s.Dropped, i)
	}
	s.Pool = b.members(pool, r.Seqs)
	b.in.Observer.End(fmt.Sprintf("%d of %d plausible sequences in a pool of %d", len(s.Choices), len(ok), len(pool)))
	return s, nil
}

// causes lists by number which causes can be behind gold.
func (b *broadest) causes(gold []int) []int {
	k := key(gold)
	out, ok := b.marks[k]
	if !ok && len(b.in.Causes) > 0 {
		names := Names(b.vocab, gold)
		for i, c := range b.in.Causes {
			if c.Behind(names) {
				out = append(out, i)
			}
		}
		b.marks[k] = out
	}
	return out
}

// judge keeps the plausible sequences of a pool, or those that may be.
func (b *broadest) judge(ctx context.Context, pool []drawn) ([]drawn, error) {
	if b.in.Settings.Lazy {
		return slices.DeleteFunc(slices.Clone(pool), func(d drawn) bool { return b.hopeless(Names(b.vocab, d.whole)) }), nil
	}
	b.in.Observer.Begin("judge pool", len(pool))
	ok, err := b.plausible(ctx, "pool", pool, func() { b.in.Observer.Advance(1) })
	if err != nil {
		return nil, err
	}
	b.in.Observer.End(fmt.Sprintf("%d of %d plausible", len(ok), len(pool)))
	return ok, nil
}

// hopeless tells of a sequence that is certain to be implausible.
func (b *broadest) hopeless(sequence []string) bool {
	v, certain := b.in.Judge.Certain(sequence)
	return certain && !v.Plausible
}

// approve has the judge answer for what a selection chose, where it was not asked
// about the whole pool; else it is nil.
func (b *broadest) approve(whole func(item int) []int) func(ctx context.Context, items []int) ([]bool, error) {
	if !b.in.Settings.Lazy {
		return nil
	}
	return func(ctx context.Context, items []int) ([]bool, error) {
		seqs, out := make([][]int, len(items)), make([]bool, len(items))
		for i, item := range items {
			seqs[i] = whole(item)
		}
		from := Origin{"choice", b.asked}
		b.asked += len(items)
		return out, panel{b.in.Judge, b.vocab, b.in.Sample.InFlight}.all(ctx, from, seqs, func(i int, v role.Verdict) { out[i] = v.Plausible })
	}
}

// plausible judges sequences side by side and keeps those that are.
func (b *broadest) plausible(ctx context.Context, stage string, seqs []drawn, judged func()) ([]drawn, error) {
	from := Origin{stage, b.asked}
	b.asked += len(seqs)
	whole := make([][]int, len(seqs))
	for i := range seqs {
		whole[i] = seqs[i].whole
	}
	var ok []drawn
	err := panel{b.in.Judge, b.vocab, b.in.Sample.InFlight}.all(ctx, from, whole, func(i int, v role.Verdict) {
		if v.Plausible {
			ok = append(ok, seqs[i])
		}
		judged()
	})
	return ok, err
}

// members says of each sequence of the pool which choice is the nearest.
func (b *broadest) members(pool []drawn, chosen [][]int) []Member {
	costs := toolseq.NewCosts(b.vocab)
	out := make([]Member, len(pool))
	for i, seq := range pool {
		out[i] = b.in.member(seq)
		out[i].Distance = -1
		for j, c := range chosen {
			if d := costs.Distance(seq.gold, c); out[i].Distance < 0 || d < out[i].Distance {
				out[i].Cluster, out[i].Distance = j, d
			}
		}
	}
	return out
}

// Next takes the plausible sequence that serves the others best.
func (b *broadest) Next(ctx context.Context, failed Choice) (Choice, bool, error) {
	fixed, left, pool, err := b.others(ctx, failed)
	if err != nil || len(left) == 0 {
		return Choice{}, false, err
	}
	var unnamed error
	r, err := selectset.Select(ctx, b.vocab, pool, selectset.Options{
		K: len(fixed) + 1, Fixed: fixed, Goal: b.goal, Marks: b.causes,
		Seed: derive(b.in.Seed, "replace", len(b.given)), Proposals: 2 * len(pool),
		OK: b.approve(func(item int) []int {
			seq, err := Numbers(b.vocab, left[item].judged())
			unnamed = errors.Join(unnamed, err)
			return seq
		}),
	})
	if errors.Is(err, selectset.ErrUsedUp) {
		return Choice{}, false, nil
	}
	if err = errors.Join(err, unnamed); err != nil {
		return Choice{}, false, fmt.Errorf("replace a sequence: %w", err)
	}
	m := left[r.Members[0]]
	next := Choice{Sequence: m.Sequence, Sampled: m.Sampled, Cluster: failed.Cluster}
	b.given[nameKey(next.Sequence)] = true
	i := slices.IndexFunc(b.made.Choices, func(c Choice) bool { return c.Cluster == failed.Cluster })
	b.made.Choices[i] = next
	return next, true, nil
}

// mayServe tells whether a member of the pool is plausible, or may be.
func (b *broadest) mayServe(ctx context.Context, m *Member) (bool, error) {
	if b.in.Settings.Lazy {
		return !b.hopeless(m.judged()), nil
	}
	v, err := ask(ctx, b.in.Judge, Origin{"pool", b.asked}, m.judged())
	return v.Plausible, err
}

// others are the choices beside the failed one, and the plausible members of
// the pool that were never chosen, with their sequences.
func (b *broadest) others(ctx context.Context, failed Choice) (fixed [][]int, left []*Member, pool [][]int, err error) {
	var errs []error
	add := func(to *[][]int, sequence []string) {
		seq, err := Numbers(b.vocab, sequence)
		*to, errs = append(*to, seq), append(errs, err)
	}
	for _, c := range b.made.Choices {
		if c.Cluster != failed.Cluster {
			add(&fixed, c.Sequence)
		}
	}
	for i := range b.made.Pool {
		m := &b.made.Pool[i]
		if b.given[nameKey(m.Sequence)] {
			continue
		}
		ok, err := b.mayServe(ctx, m)
		errs = append(errs, err)
		if ok {
			left = append(left, m)
			add(&pool, m.Sequence)
		}
	}
	return fixed, left, pool, errors.Join(errs...)
}
