package synth

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"taste/toolseq"
)

// A sampler may have lost a tool for good: flagged early on and never drawn
// again. Grafting brings it back without another sampler: the tool is put into
// plausible sequences at random places, and what the judge accepts joins the
// pool.

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
	var out []drawn
	lacking := b.lacking(plausible)
	for _, tool := range lacking {
		wanted := int(math.Ceil(b.perTask() * b.goal.Shares[tool] * float64(b.in.Tasks)))
		more, err := b.graft(ctx, "graft/", plausible, wanted, [][]int{{tool}})
		if len(more) == 0 && err == nil { // it stands nowhere by itself
			more, err = b.graft(ctx, "graft a pair/", plausible, wanted, pairs(tool, lacking))
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

// graft puts one of the scions, tools of which each stands at a place of its own,
// into plausible sequences; all begin with the same tool. It judges so many grafts
// side by side as are wanted still, which never is one more than would be judged
// one by one.
func (b *broadest) graft(ctx context.Context, how string, plausible []drawn, wanted int, scions [][]int) ([]drawn, error) {
	if len(scions) == 0 {
		return nil, nil
	}
	r := rand.New(toolseq.Stream(b.in.Seed, how+b.vocab.Names[scions[0][0]], 0))
	seen := seenOf(golds(plausible))
	var out []drawn
	for tries := wanted * graftTries; tries > 0 && len(out) < wanted; {
		var batch []drawn
		for ; tries > 0 && len(batch) < wanted-len(out); tries-- {
			whole := slices.Clone(plausible[r.IntN(len(plausible))].whole)
			for _, tool := range pick(r, scions) {
				whole = slices.Insert(whole, r.IntN(len(whole)+1), tool)
			}
			gold := b.in.strip(whole)
			if len(whole) > b.in.Sample.Params.Length.Max || seen[key(gold)] {
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
