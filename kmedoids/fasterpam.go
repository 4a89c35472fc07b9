package kmedoids

import "math"

// FasterPAM clusters by swapping a medoid for a non-medoid whenever that lowers
// the loss, until no such swap is left or the iterations are used up
// (Schubert, Rousseeuw 2021, "Fast and eager k-medoids clustering", Algorithm 3
// with eager swaps). One pass weighs every item against every medoid in O(N²)
// by keeping each item's nearest and second nearest medoid.
func FasterPAM(d Distances, o Options) (Result, error) {
	if err := o.check(d); err != nil {
		return Result{}, err
	}
	s := newSwapper(d, start(d, o), len(o.Frozen))
	passes := s.run(o.iterations())
	res := assign(d, s.medoids)
	res.Iterations = passes
	return res, nil
}

// near is what the algorithm knows about one item.
type near struct {
	first, second   int32 // positions of the nearest and second nearest medoid
	dFirst, dSecond int32
}

type swapper struct {
	d       Distances
	medoids []int
	frozen  int
	place   []int32 // place[i] is the position of item i among medoids, or −1
	near    []near
	removal []int64 // loss added by removing each medoid
	delta   []int64 // scratch
}

// far stands for the distance to a second medoid that does not exist.
const far = math.MaxInt32 / 4

func newSwapper(d Distances, medoids []int, frozen int) *swapper {
	s := &swapper{
		d: d, medoids: medoids, frozen: frozen,
		place: make([]int32, d.N), near: make([]near, d.N),
		removal: make([]int64, len(medoids)), delta: make([]int64, len(medoids)),
	}
	for i := range s.place {
		s.place[i] = -1
	}
	for p, m := range medoids {
		s.place[m] = int32(p)
	}
	for i := range s.near {
		s.near[i] = s.search(i)
	}
	s.sumRemovals()
	return s
}

// search finds an item's two nearest medoids afresh.
func (s *swapper) search(i int) near {
	n := near{first: -1, second: -1, dFirst: far, dSecond: far}
	row := s.d.row(i)
	for p, m := range s.medoids {
		x := int32(row[m])
		switch {
		case x < n.dFirst:
			n = near{first: int32(p), second: n.first, dFirst: x, dSecond: n.dFirst}
		case x < n.dSecond:
			n.second, n.dSecond = int32(p), x
		}
	}
	return n
}

func (s *swapper) sumRemovals() {
	clear(s.removal)
	for _, n := range s.near {
		s.removal[n.first] += int64(n.dSecond - n.dFirst)
	}
}

// run passes over the items in turn until one whole round has changed nothing.
func (s *swapper) run(maxPasses int) int {
	if s.frozen == len(s.medoids) {
		return 0
	}
	last := -1 // the item of the latest swap
	for pass := 1; ; pass++ {
		swapped := false
		for j := range s.d.N {
			if j == last {
				return pass
			}
			if s.place[j] >= 0 {
				continue
			}
			if p, gain := s.best(j); gain < 0 {
				s.swap(p, j)
				last, swapped = j, true
			}
		}
		if !swapped || pass == maxPasses {
			return pass
		}
	}
}

// best finds the medoid that item j replaces at the least loss, and the change
// in loss. Position 0..frozen−1 are out of the question.
func (s *swapper) best(j int) (place int, change int64) {
	copy(s.delta, s.removal)
	row := s.d.row(j)
	shared := int64(0)
	for i, n := range s.near {
		x := int32(row[i])
		if x < n.dFirst {
			shared += int64(x - n.dFirst)
			s.delta[n.first] += int64(n.dFirst - n.dSecond)
		} else if x < n.dSecond {
			s.delta[n.first] += int64(x - n.dSecond)
		}
	}
	place = s.frozen
	for p := s.frozen; p < len(s.delta); p++ {
		if s.delta[p] < s.delta[place] {
			place = p
		}
	}
	return place, s.delta[place] + shared
}

// swap makes item j the medoid at position p and repairs what is known.
func (s *swapper) swap(p, j int) {
	s.place[s.medoids[p]] = -1
	s.medoids[p], s.place[j] = j, int32(p)
	row, moved := s.d.row(j), int32(p)
	for i := range s.near {
		n, x := &s.near[i], int32(row[i])
		switch {
		case n.first == moved && x < n.dSecond:
			n.dFirst = x
		case n.first == moved, n.second == moved && x >= n.dFirst:
			*n = s.search(i)
		case x < n.dFirst:
			*n = near{first: moved, second: n.first, dFirst: x, dSecond: n.dFirst}
		case x < n.dSecond:
			n.second, n.dSecond = moved, x
		}
	}
	s.sumRemovals()
}
