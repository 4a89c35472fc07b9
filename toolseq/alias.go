package toolseq

import "math/bits"

// slot is one column of an alias table: keep this column's own index where the
// low random bits fall below threshold, else take the other.
type slot struct {
	threshold uint32
	own       uint16
	alias     uint16
}

// fillAlias builds the alias table of the weights (Walker 1977, built as in
// Vose 1991) into slots, one per weight. Probabilities are met to 2⁻³².
func fillAlias(slots []slot, weights []float64) {
	n := len(weights)
	total := 0.0
	for _, w := range weights {
		total += w
	}
	scaled := make([]float64, n)
	var small, large []int
	for i, w := range weights {
		scaled[i] = w / total * float64(n)
		slots[i] = slot{own: uint16(i), alias: uint16(i), threshold: 1<<32 - 1}
		if scaled[i] < 1 {
			small = append(small, i)
		} else {
			large = append(large, i)
		}
	}
	for len(small) > 0 && len(large) > 0 {
		s, l := small[len(small)-1], large[len(large)-1]
		small = small[:len(small)-1]
		slots[s].threshold = uint32(scaled[s] * (1<<32 - 1))
		slots[s].alias = uint16(l)
		scaled[l] -= 1 - scaled[s]
		if scaled[l] < 1 {
			large = large[:len(large)-1]
			small = append(small, l)
		}
	}
}

// drawAlias picks an index with one 64-bit random word: its product with n gives
// the column in the high word and a fresh fraction in the low one.
func drawAlias(slots []slot, u uint64) int {
	column, rest := bits.Mul64(u, uint64(len(slots)))
	s := &slots[column]
	if uint32(rest>>32) < s.threshold {
		return int(s.own)
	}
	return int(s.alias)
}
