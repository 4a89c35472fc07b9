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
	// graftTries is how many judge calls each wanted graft may cost.
	graftTries = 50
)

// grafts returns plausible sequences with the tools that fewer of the given
// sequences have than the goal asks for.
func (b *broadest) grafts(ctx context.Context, plausible []drawn) ([]drawn, error) {
	var out []drawn
	for tool, share := range b.goal.Shares {
		if len(plausible) == 0 || having(golds(plausible), tool) >= share {
			continue
		}
		wanted := int(math.Ceil(graftsPerTask * share * float64(b.in.Tasks)))
		more, err := b.graft(ctx, plausible, tool, wanted)
		if err != nil {
			return nil, err
		}
		out = append(out, more...)
	}
	return out, nil
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

// graft judges so many grafts side by side as are wanted still, which never is
// one more than would be judged one by one.
func (b *broadest) graft(ctx context.Context, plausible []drawn, tool, wanted int) ([]drawn, error) {
	r := rand.New(toolseq.Stream(b.in.Seed, "graft/"+b.vocab.Names[tool], 0))
	seen := seenOf(golds(plausible))
	var out []drawn
	for tries := wanted * graftTries; tries > 0 && len(out) < wanted; {
		var batch []drawn
		for ; tries > 0 && len(batch) < wanted-len(out); tries-- {
			host := plausible[r.IntN(len(plausible))].whole
			whole := slices.Insert(slices.Clone(host), r.IntN(len(host)+1), tool)
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
