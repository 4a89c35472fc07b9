package toolseq

import (
	"hash/fnv"
	"math/rand/v2"
)

// Stream derives an independent random stream from a run's seed, the name of
// what it is for and a counter. Any draw can be repeated without replaying what
// came before it, and a draw added under one name shifts no other.
// The generator is PCG-DXSM of math/rand/v2; the two state words are the
// inputs mixed by the finaliser of SplitMix64 (Steele, Lea, Flood 2014).
func Stream(seed uint64, name string, counter uint64) *rand.PCG {
	h := fnv.New64a()
	h.Write([]byte(name))
	a := mix(seed ^ mix(h.Sum64()))
	return rand.NewPCG(a, mix(a+counter))
}

func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// unit maps 64 random bits to [0, 1) with 53 bits of resolution.
func unit(u uint64) float64 { return float64(u>>11) * (1.0 / (1 << 53)) }

// pick draws an index in proportion to weights, which must not all be zero.
func pick(weights []float64, u float64) int {
	total := 0.0
	for _, w := range weights {
		total += w
	}
	u *= total
	last := 0
	for i, w := range weights {
		if w <= 0 {
			continue
		}
		if u < w {
			return i
		}
		u -= w
		last = i
	}
	return last
}
