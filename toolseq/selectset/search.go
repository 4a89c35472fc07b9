package selectset

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"taste/toolseq"
)

// search is the state of a selection under way. Items below fixed are the fixed
// sequences; the pool follows.
type search struct {
	*tally
	r        *rand.Rand
	fixed    int
	chosen   []int // items by place; the fixed ones come first
	out      []int // items that may come in
	at       []int // by item: its index in out, −1 elsewhere
	ruler    *toolseq.Ruler
	distance [][]int // by two places
	pairSum  int64
	score    float64
	swaps    int
	rejected []int
	near     []int // scratch: distances of a candidate to the members
}

func newSearch(v toolseq.Vocab, pool [][]int, o Options) (*search, error) {
	items := append(append([][]int(nil), o.Fixed...), pool...)
	if err := check(v, items, o); err != nil {
		return nil, fmt.Errorf("select sequences: %w", err)
	}
	x := newIndex(v, items)
	if o.Marks != nil {
		x.mark(o.Marks)
	}
	s := &search{
		tally: newTally(x, o.Goal, o.K), fixed: len(o.Fixed),
		r: rand.New(toolseq.Stream(o.Seed, "selectset", 0)), at: make([]int, len(items)),
	}
	s.listCandidates()
	if free := o.K - s.fixed; len(s.out) < free {
		return nil, fmt.Errorf("select sequences: the pool has %d different ones, want %d", len(s.out), free)
	}
	s.begin(o)
	return s, nil
}

func check(v toolseq.Vocab, items [][]int, o Options) error {
	if err := v.Validate(); err != nil {
		return err
	}
	if n := len(o.Goal.Shares); n != 0 && n != v.Len() {
		return fmt.Errorf("%d shares for %d tools", n, v.Len())
	}
	if o.K < 1 || o.K < len(o.Fixed) {
		return fmt.Errorf("want K of at least 1 and of the fixed members; K is %d, fixed are %d", o.K, len(o.Fixed))
	}
	for i, s := range items {
		for _, t := range s {
			if t < 0 || t >= v.Len() {
				return fmt.Errorf("sequence %d holds tool %d, the vocabulary has %d", i-len(o.Fixed), t, v.Len())
			}
		}
	}
	for _, i := range o.Start {
		if i < 0 || i >= len(items)-len(o.Fixed) {
			return fmt.Errorf("start item %d is not in the pool", i)
		}
	}
	return nil
}

// listCandidates fills out with the first copy of each sequence of the pool that
// is not a fixed member.
func (s *search) listCandidates() {
	seen := map[string]bool{}
	for i, seq := range s.seqs {
		k := fmt.Sprint(seq)
		s.at[i] = -1
		if i >= s.fixed && !seen[k] {
			s.release(i)
		}
		seen[k] = true
	}
}

// release makes an item available; take is the opposite.
func (s *search) release(i int) {
	s.at[i] = len(s.out)
	s.out = append(s.out, i)
}

func (s *search) take(i int) {
	last := s.out[len(s.out)-1]
	s.out[s.at[i]], s.at[last] = last, s.at[i]
	s.out = s.out[:len(s.out)-1]
	s.at[i] = -1
}

// begin makes the first selection: fixed members, start items, random others.
func (s *search) begin(o Options) {
	for i := range s.fixed {
		s.chosen = append(s.chosen, i)
	}
	for _, i := range o.Start {
		if i += s.fixed; s.at[i] >= 0 && len(s.chosen) < s.k {
			s.take(i)
			s.chosen = append(s.chosen, i)
		}
	}
	for len(s.chosen) < s.k {
		i := s.out[s.r.IntN(len(s.out))]
		s.take(i)
		s.chosen = append(s.chosen, i)
	}
	members := make([][]int, s.k)
	for p, i := range s.chosen {
		members[p] = s.seqs[i]
		s.add(i, 1)
	}
	s.ruler = toolseq.NewRuler(s.vocab, members)
	for p, m := range members {
		s.distance = append(s.distance, s.ruler.Measure(nil, m))
		for q := range p {
			s.pairSum += int64(s.distance[p][q])
		}
	}
	s.score = s.goal.score(s.measures(s.pairSum))
}

// Annealing temperatures, in units of the score; a typical exchange changes it by
// a hundredth.
const (
	hot  = 2e-2
	cold = 1e-4
)

func (s *search) anneal(ctx context.Context, proposals int) error {
	if s.fixed == s.k || len(s.out) == 0 {
		return nil
	}
	for n := range proposals {
		if n%1024 == 0 && ctx.Err() != nil {
			return fmt.Errorf("select sequences: %w", ctx.Err())
		}
		temperature := hot * math.Pow(cold/hot, float64(n)/float64(proposals))
		place := s.fixed + s.r.IntN(s.k-s.fixed)
		item := s.out[s.r.IntN(len(s.out))]
		limit := s.score + temperature*math.Log(1-s.r.Float64())
		s.try(place, item, limit)
	}
	return nil
}

// try exchanges the member at place for item if the score then is above limit.
func (s *search) try(place, item int, limit float64) bool {
	old := s.chosen[place]
	s.near = s.ruler.Measure(s.near[:0], s.seqs[item])
	pairs := s.pairSum
	for p, d := range s.distance[place] {
		if p != place {
			pairs += int64(s.near[p] - d)
		}
	}
	s.add(old, -1)
	s.add(item, 1)
	score := s.goal.score(s.measures(pairs))
	if score <= limit {
		s.add(item, -1)
		s.add(old, 1)
		return false
	}
	s.pairSum, s.score = pairs, score
	s.settle(place, item)
	s.release(old)
	return true
}

// settle makes item the member at place, the figures being up to date.
func (s *search) settle(place, item int) {
	s.swaps++
	s.take(item)
	s.chosen[place] = item
	s.ruler.Set(place, s.seqs[item])
	s.near[place] = 0
	for p, d := range s.near {
		s.distance[p][place], s.distance[place][p] = d, d
	}
}

// review asks ok about the members until it accepts them all. A rejected member
// goes for good, and the best of all candidates takes its place.
func (s *search) review(ctx context.Context, ok func(ctx context.Context, items []int) ([]bool, error)) error {
	var open []int // places of members that were not asked about
	for place := s.fixed; place < s.k; place++ {
		open = append(open, place)
	}
	for len(open) > 0 {
		items := make([]int, len(open))
		for i, place := range open {
			items[i] = s.chosen[place] - s.fixed
		}
		accepted, err := ok(ctx, items)
		if err != nil {
			return fmt.Errorf("select sequences: %w", err)
		}
		var again []int
		for i, place := range open {
			if accepted[i] {
				continue
			}
			if err := s.replace(place); err != nil {
				return err
			}
			again = append(again, place)
		}
		open = again
	}
	return nil
}

func (s *search) replace(place int) error {
	bad := s.chosen[place]
	s.rejected = append(s.rejected, bad)
	if len(s.out) == 0 {
		return fmt.Errorf("select sequences: %w after %d rejections", ErrUsedUp, len(s.rejected))
	}
	s.score = math.Inf(-1)
	for _, item := range append([]int(nil), s.out...) {
		if s.try(place, item, s.score) && s.at[bad] >= 0 {
			s.take(bad)
		}
	}
	return nil
}

func (s *search) result() (Result, error) {
	res := Result{Swaps: s.swaps}
	for p, i := range s.chosen {
		res.Seqs = append(res.Seqs, s.seqs[i])
		if p >= s.fixed {
			res.Members = append(res.Members, i-s.fixed)
		}
	}
	for _, i := range s.rejected {
		res.Rejected = append(res.Rejected, i-s.fixed)
	}
	c, err := toolseq.Measure(s.vocab, res.Seqs)
	if err != nil {
		return Result{}, fmt.Errorf("select sequences: %w", err)
	}
	res.Coverage, res.Shortfalls = c, s.goal.Shortfalls(s.vocab, c)
	return res, nil
}
