package kmedoids

import "math"

// FasterPAM clusters by exchanging a medoid for another item whenever that lowers
// the loss, until no such exchange is left or the iterations are used up
// (Schubert, Rousseeuw 2021, "Fast and eager k-medoids clustering: O(k) runtime
// improvement of the PAM, CLARA, and CLARANS algorithms"). Keeping each item's
// nearest and second nearest medoid, one pass weighs every item against every
// medoid in O(N²).
func FasterPAM(d Distances, o Options) (Result, error) {
	return bestStart(d, o, func(medoids []int) Result {
		s := newSwapper(d, medoids, len(o.Frozen))
		passes := s.run(o.iterations())
		res := assign(d, s.medoids)
		res.Iterations = passes
		return res
	})
}

// swapper is the state of the algorithm. What it knows of each item stands in
// arrays of their own, as the inner loop reads almost nothing but distances.
type swapper struct {
	d       Distances
	frozen  int // medoids at the lower places stay
	medoids []int
	place   []int32 // by item: its place among medoids, or −1
	first   []int32 // by item: place of its nearest medoid
	second  []int32 // by item: place of the second nearest, −1 if there is none
	dFirst  []uint16
	dSecond []uint16
	removal []int64 // by place: loss added by removing the medoid
	delta   []int64 // scratch
}

// far stands for the distance to a second medoid that does not exist.
const far = math.MaxUint16

func newSwapper(d Distances, medoids []int, frozen int) *swapper {
	s := &swapper{
		d: d, frozen: frozen, medoids: medoids, place: make([]int32, d.N),
		first: make([]int32, d.N), second: make([]int32, d.N),
		dFirst: make([]uint16, d.N), dSecond: make([]uint16, d.N),
		removal: make([]int64, len(medoids)), delta: make([]int64, len(medoids)),
	}
	for i := range s.place {
		s.place[i] = -1
	}
	for p, m := range medoids {
		s.place[m] = int32(p)
	}
	for i := range d.N {
		s.search(i)
	}
	s.sumRemovals()
	return s
}

// search finds an item's two nearest medoids afresh.
func (s *swapper) search(i int) {
	row := s.d.row(i)
	first, second, dFirst, dSecond := int32(-1), int32(-1), uint16(far), uint16(far)
	for p, m := range s.medoids {
		x := row[m]
		switch {
		case x < dFirst || first < 0:
			first, second, dFirst, dSecond = int32(p), first, x, dFirst
		case x < dSecond || second < 0:
			second, dSecond = int32(p), x
		}
	}
	s.first[i], s.second[i], s.dFirst[i], s.dSecond[i] = first, second, dFirst, dSecond
}

func (s *swapper) sumRemovals() {
	clear(s.removal)
	for i, p := range s.first {
		s.removal[p] += int64(s.dSecond[i]) - int64(s.dFirst[i])
	}
}

// run passes over the items until a whole round has changed nothing. It returns
// the number of passes.
func (s *swapper) run(maxPasses int) int {
	if s.frozen == len(s.medoids) {
		return 0
	}
	idle := 0 // items since the last exchange
	for pass := 1; ; pass++ {
		for j := range s.d.N {
			if idle == s.d.N {
				return pass
			}
			idle++
			if s.place[j] >= 0 {
				continue
			}
			if p, change := s.best(j); change < 0 {
				s.swap(p, j)
				idle = 0
			}
		}
		if pass == maxPasses || idle == s.d.N {
			return pass
		}
	}
}

// best finds the medoid that item j replaces at the least loss, and the change
// in loss. Frozen places are out of the question.
func (s *swapper) best(j int) (place int, change int64) {
	copy(s.delta, s.removal)
	row := s.d.row(j)
	dSecond := s.dSecond[:len(row)]
	shared := int64(0)
	for i, x := range row {
		if x >= dSecond[i] {
			continue
		}
		p, first := s.first[i], s.dFirst[i]
		if x < first {
			shared += int64(x) - int64(first)
			s.delta[p] += int64(first) - int64(dSecond[i])
		} else {
			s.delta[p] += int64(x) - int64(dSecond[i])
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

// swap makes item j the medoid at place p and repairs what is known.
func (s *swapper) swap(p, j int) {
	s.place[s.medoids[p]] = -1
	s.medoids[p], s.place[j] = j, int32(p)
	moved := int32(p)
	for i, x := range s.d.row(j) {
		switch {
		case s.first[i] == moved && x < s.dSecond[i]:
			s.dFirst[i] = x
		case s.first[i] == moved, s.second[i] == moved && x > s.dSecond[i]:
			s.search(i)
		case x < s.dFirst[i]:
			s.second[i], s.dSecond[i] = s.first[i], s.dFirst[i]
			s.first[i], s.dFirst[i] = moved, x
		case x < s.dSecond[i] || s.second[i] == moved:
			s.second[i], s.dSecond[i] = moved, x
		}
	}
	s.sumRemovals()
}
