package phrase

import (
	"math"
	"math/rand/v2"
)

// chooser picks one of several alternatives, given how many surface forms each
// of them has.
type chooser func(counts []uint64) int

// count returns the number of surface forms of a node, slots counting once;
// it stops growing at MaxUint64.
func count(n node) uint64 {
	switch n := n.(type) {
	case seqNode:
		total := uint64(1)
		for _, c := range n {
			total = mul(total, count(c))
		}
		return total
	case altNode:
		return sum(n.counts)
	}
	return 1
}

func mul(a, b uint64) uint64 {
	if a != 0 && b > math.MaxUint64/a {
		return math.MaxUint64
	}
	return a * b
}

func sum(counts []uint64) uint64 {
	total := uint64(0)
	for _, c := range counts {
		if total += c; total < c {
			return math.MaxUint64
		}
	}
	return total
}

func (n *altNode) add(alt node) {
	n.alts = append(n.alts, alt)
	n.counts = append(n.counts, count(alt))
}

// anyForm chooses every surface form with the same probability.
func anyForm(draw *rand.Rand) chooser {
	return func(counts []uint64) int {
		rest := draw.Uint64N(sum(counts))
		for i, c := range counts {
			if rest < c {
				return i
			}
			rest -= c
		}
		return 0
	}
}
