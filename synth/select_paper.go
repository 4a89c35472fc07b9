package synth

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"taste/kmedoids"
	"taste/role"
	"taste/toolseq"
)

// clusters is the published selection: the medoids of a clustered pool, each
// judged, the nearest plausible member in the place of an implausible one, and
// further pools for clusters that have none.
type clusters struct {
	in      SelectInput
	vocab   toolseq.Vocab
	pool    []Member
	rounds  []Round
	choices []Choice        // by cluster; without a sequence: unusable
	given   map[string]bool // sequences that were chosen once
	stage   string
	asked   int
}

// newClusters begins a selection, or takes up one that was made.
func newClusters(in SelectInput, made *Selection) *clusters {
	c := &clusters{in: in, vocab: in.Model.Vocab(), choices: make([]Choice, in.Tasks), given: map[string]bool{}, stage: "medoid"}
	if made == nil {
		return c
	}
	c.pool, c.rounds, c.stage = made.Pool, made.Rounds, "replacement"
	for _, ch := range made.Choices {
		c.choose(ch)
	}
	return c
}

func (c *clusters) choose(ch Choice) {
	c.choices[ch.Cluster] = ch
	c.given[nameKey(ch.Sequence)] = true
}

// Select runs the first clustering and the further rounds.
func (c *clusters) Select(ctx context.Context) (*Selection, error) {
	c.in.Observer.Begin("select", c.in.Tasks)
	if err := c.rounding(ctx, c.with(false)); err != nil {
		return nil, fmt.Errorf("select: %w", err)
	}
	return c.selection()
}

// rounding clusters fresh pools until none of the open clusters is left without
// a choice, or the rounds are used up: the first and the further ones.
func (c *clusters) rounding(ctx context.Context, open []int) error {
	for round := 0; round <= c.in.Settings.Rounds && len(open) > 0; round++ {
		if err := c.cluster(ctx, open); err != nil {
			return fmt.Errorf("cluster pool %d: %w", len(c.rounds), err)
		}
		open = slices.DeleteFunc(open, func(k int) bool { return c.choices[k].Sequence != nil })
	}
	return nil
}

// Next takes the next plausible member of the cluster, and a fresh pool where
// there is none.
func (c *clusters) Next(ctx context.Context, failed Choice) (Choice, bool, error) {
	ch, ok, err := c.nearest(ctx, failed.Cluster)
	if err != nil {
		return ch, false, fmt.Errorf("replace a sequence: %w", err)
	}
	if ok {
		c.choose(ch)
		return ch, true, nil
	}
	c.choices[failed.Cluster] = Choice{}
	if err := c.rounding(ctx, []int{failed.Cluster}); err != nil {
		return ch, false, fmt.Errorf("replace a sequence: %w", err)
	}
	ch = c.choices[failed.Cluster]
	return ch, ch.Sequence != nil, nil
}

func (c *clusters) selection() (*Selection, error) {
	s := &Selection{Method: Paper, Dropped: c.with(false), Shortfalls: []string{}, Rounds: c.rounds, Pool: c.pool}
	for _, ch := range c.choices {
		if ch.Sequence != nil {
			s.Choices = append(s.Choices, ch)
		}
	}
	c.in.Observer.End(fmt.Sprintf("%d sequences from %d of a pool, %d clusters dropped", len(s.Choices), len(s.Pool), len(s.Dropped)))
	return s, s.measure(c.vocab)
}

// measure computes the coverage of the chosen sequences.
func (s *Selection) measure(v toolseq.Vocab) error {
	seqs := make([][]int, len(s.Choices))
	for i, c := range s.Choices {
		var err error
		if seqs[i], err = Numbers(v, c.Sequence); err != nil {
			return err
		}
	}
	var err error
	s.Coverage, err = toolseq.Measure(v, seqs)
	return err
}

// with lists the clusters that have a choice, or those that have none.
func (c *clusters) with(choice bool) []int {
	out := []int{}
	for i, ch := range c.choices {
		if (ch.Sequence != nil) == choice {
			out = append(out, i)
		}
	}
	return out
}

// cluster draws a fresh pool and clusters it around the accepted choices, which
// stay, and one free medoid for each open cluster.
func (c *clusters) cluster(ctx context.Context, open []int) error {
	frozen := c.with(true)
	items, err := c.draw(frozen)
	if err != nil {
		return err
	}
	m, err := toolseq.DistanceMatrix(ctx, c.vocab, golds(items), c.in.Workers)
	if err != nil {
		return err
	}
	o := kmedoids.Options{K: len(frozen) + len(open), Seed: derive(c.in.Seed, "cluster", len(c.rounds))}
	if o.K > len(items) {
		return fmt.Errorf("%d clusters of %d sequences", o.K, len(items))
	}
	for i := range frozen {
		o.Frozen = append(o.Frozen, i)
	}
	r, err := kmedoids.Alternate(kmedoids.Distances{N: m.N, D: m.D}, o)
	if err != nil {
		return err
	}
	c.rounds = append(c.rounds, Round{Pool: len(items) - len(frozen), Loss: r.Loss, Passes: r.Iterations})
	c.enter(items, len(frozen), slices.Concat(frozen, open), r, m)
	return c.settle(ctx, open)
}

// draw returns the frozen sequences and after them a pool without them.
func (c *clusters) draw(frozen []int) ([]drawn, error) {
	var items []drawn
	for _, i := range frozen {
		gold, err := Numbers(c.vocab, c.choices[i].Sequence)
		if err != nil {
			return nil, err
		}
		items = append(items, drawn{gold: gold})
	}
	pool, err := drawPool(c.in, len(c.rounds), seenOf(golds(items)))
	if err != nil {
		return nil, err
	}
	return append(items, pool...), nil
}

// enter records the pool's members; cluster[j] is what medoid j stands for.
func (c *clusters) enter(items []drawn, frozen int, cluster []int, r kmedoids.Result, m toolseq.Matrix) {
	for i := frozen; i < len(items); i++ {
		j, member := r.Assign[i], c.in.member(items[i])
		member.Cluster, member.Round, member.Distance = cluster[j], len(c.rounds)-1, m.At(i, r.Medoids[j])
		c.pool = append(c.pool, member)
	}
}

// settle finds a plausible member for each of the open clusters.
func (c *clusters) settle(ctx context.Context, open []int) error {
	if err := c.foresee(ctx, open); err != nil {
		return err
	}
	round := &c.rounds[len(c.rounds)-1]
	for _, k := range open {
		ch, ok, err := c.nearest(ctx, k)
		switch {
		case err != nil:
			return err
		case !ok:
			round.Unusable++
			continue
		case ch.Distance == 0:
			round.Medoids++
		default:
			round.Replaced++
		}
		c.choose(ch)
		c.in.Observer.Advance(1)
	}
	return nil
}

// foresee asks about what settle will ask about, the clusters side by side: the
// judge remembers its answers.
func (c *clusters) foresee(ctx context.Context, open []int) error {
	return inOrder(ctx, max(c.in.Sample.InFlight, 1), len(open), func(ctx context.Context, i int) error {
		_, _, err := c.search(ctx, open[i], c.in.Judge.Ask)
		return err
	}, func(int) error { return nil })
}

// nearest judges the members of a cluster, the nearest to its medoid first,
// until one is plausible; those that were chosen once are passed over.
func (c *clusters) nearest(ctx context.Context, cluster int) (Choice, bool, error) {
	return c.search(ctx, cluster, func(ctx context.Context, sequence []string) (role.Verdict, error) {
		v, err := ask(ctx, c.in.Judge, Origin{c.stage, c.asked}, sequence)
		c.asked++
		return v, err
	})
}

func (c *clusters) search(ctx context.Context, cluster int, judge func(context.Context, []string) (role.Verdict, error)) (Choice, bool, error) {
	for _, m := range c.members(cluster) {
		if c.given[nameKey(m.Sequence)] {
			continue
		}
		v, err := judge(ctx, m.judged())
		if err != nil {
			return Choice{}, false, err
		}
		if v.Plausible {
			return Choice(m), true, nil
		}
	}
	return Choice{}, false, nil
}

// members are the pool's members of a cluster by distance, then by round and
// order of drawing.
func (c *clusters) members(cluster int) []Member {
	var out []Member
	for _, m := range c.pool {
		if m.Cluster == cluster {
			out = append(out, m)
		}
	}
	slices.SortStableFunc(out, func(a, b Member) int { return cmp.Compare(a.Distance, b.Distance) })
	return out
}
