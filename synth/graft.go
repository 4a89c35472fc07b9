package synth

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"taste/toolseq"
)

// A sampler may have lost a tool for good: flagged early on and never drawn
// again. Grafting brings it back without another sampler: the tool is put into
// plausible sequences at random places, and what the judge accepts joins the
// pool. So it is with causes that few sequences can be about, and their repairs.

const (
	// graftsPerTask is how many grafts with a tool are wanted for each task that
	// is to have it, so that there is something to choose from.
	graftsPerTask = 4
	// lazyGraftsPerTask is the same where the judge is asked about little.
	lazyGraftsPerTask = 1
	// graftTries is how many judge calls each wanted graft may cost.
	graftTries = 50
)

// grafts returns plausible sequences with the tools that fewer of the given
// sequences have than the goal asks for.
func (b *broadest) grafts(ctx context.Context, plausible []drawn) ([]drawn, error) {
	out, err := b.graftCauses(ctx, plausible)
	if err != nil {
		return nil, err
	}
	lacking := b.lacking(plausible)
	for _, tool := range lacking {
		wanted := int(math.Ceil(b.perTask() * b.goal.Shares[tool] * float64(b.in.Tasks)))
		more, err := b.graft(ctx, "graft/"+b.vocab.Names[tool], plausible, wanted, scattered([][]int{{tool}}))
		if of := pairs(tool, lacking); len(more) == 0 && err == nil && len(of) > 0 { // it stands nowhere by itself
			more, err = b.graft(ctx, "graft a pair/"+b.vocab.Names[tool], plausible, wanted, scattered(of))
		}
		if err != nil {
			return nil, err
		}
		out = append(out, more...)
	}
	return out, nil
}

func (b *broadest) perTask() float64 {
	if b.in.Settings.Lazy {
		return lazyGraftsPerTask
	}
	return graftsPerTask
}

// lacking lists the tools that fewer sequences have than the goal asks for.
func (b *broadest) lacking(plausible []drawn) []int {
	var out []int
	for tool, share := range b.goal.Shares {
		if len(plausible) > 0 && having(golds(plausible), tool) < share {
			out = append(out, tool)
		}
	}
	return out
}

// pairs makes pairs of a tool and each other one.
func pairs(tool int, tools []int) [][]int {
	var out [][]int
	for _, other := range tools {
		if other != tool {
			out = append(out, []int{tool, other})
		}
	}
	return out
}

// having is the share of sequences with a tool.
func having(seqs [][]int, tool int) float64 {
	n := 0
	for _, s := range seqs {
		if slices.Contains(s, tool) {
			n++
		}
	}
	return float64(n) / float64(len(seqs))
}

// graftCauses returns plausible sequences for the causes that few of the given
// ones can be about.
func (b *broadest) graftCauses(ctx context.Context, plausible []drawn) ([]drawn, error) {
	have := make([]int, len(b.in.Causes))
	for _, d := range plausible {
		for _, i := range b.causes(d.gold) {
			have[i]++
		}
	}
	var out []drawn
	for i, cause := range b.in.Causes {
		repairs, err := Numbers(b.vocab, cause.Repairs)
		if err != nil {
			return nil, fmt.Errorf("repairs of %s: %w", cause.Name, err)
		}
		wanted := int(math.Ceil(b.perTask()*causeShare*float64(b.in.Tasks))) - have[i]
		if len(plausible) == 0 || wanted <= 0 {
			continue
		}
		more, err := b.graft(ctx, "graft a cause/"+cause.Name, plausible, wanted, func(r *rand.Rand, whole []int) []int {
			at := 0
			for _, tool := range repairs {
				at += r.IntN(len(whole) - at + 1)
				whole = slices.Insert(whole, at, tool)
				at++
			}
			return b.cut(r, whole, repairs, i)
		})
		if err != nil {
			return nil, err
		}
		out = append(out, more...)
	}
	return out, nil
}

// cut takes other calls than repairs out of a sequence, at random, until the cause
// can be behind it; nil if that never comes.
func (b *broadest) cut(r *rand.Rand, whole, repairs []int, cause int) []int {
	for !slices.Contains(b.causes(b.in.strip(whole)), cause) {
		var others []int
		for at, tool := range whole {
			if !slices.Contains(repairs, tool) {
				others = append(others, at)
			}
		}
		if len(others) == 0 {
			return nil
		}
		at := others[r.IntN(len(others))]
		whole = slices.Delete(whole, at, at+1)
	}
	return whole
}

// scattered grafts one of the scions, tools of which each stands at a place of its
// own.
func scattered(scions [][]int) func(r *rand.Rand, whole []int) []int {
	return func(r *rand.Rand, whole []int) []int {
		for _, tool := range pick(r, scions) {
			whole = slices.Insert(whole, r.IntN(len(whole)+1), tool)
		}
		return whole
	}
}

// graft puts something into plausible sequences, by a function that may change
// what it is given, or return nil where that comes to nothing. It judges so many
// grafts side by side as are wanted still, which never is one more than would be
// judged one by one.
func (b *broadest) graft(ctx context.Context, stream string, plausible []drawn, wanted int, insert func(r *rand.Rand, whole []int) []int) ([]drawn, error) {
	r := rand.New(toolseq.Stream(b.in.Seed, stream, 0))
	seen := seenOf(golds(plausible))
	var out []drawn
	for tries := wanted * graftTries; tries > 0 && len(out) < wanted; {
		var batch []drawn
		for ; tries > 0 && len(batch) < wanted-len(out); tries-- {
			whole := insert(r, slices.Clone(plausible[r.IntN(len(plausible))].whole))
			gold := b.in.strip(whole)
			if len(whole) == 0 || len(whole) > b.in.Sample.Params.Length.Max || seen[key(gold)] {
				continue
			}
			seen[key(gold)] = true
			batch = append(batch, drawn{whole, gold})
		}
		ok, err := b.plausible(ctx, "graft", batch, func() {})
		if err != nil {
			return nil, err
		}
		out = append(out, ok...)
	}
	return out, nil
}

// pick draws one of several.
func pick[T any](r *rand.Rand, of []T) T {
	if len(of) == 1 {
		return of[0]
	}
	return of[r.IntN(len(of))]
}
