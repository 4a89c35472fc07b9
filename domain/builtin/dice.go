package builtin

import (
	"hash/fnv"
	"math/rand/v2"
)

// Dice returns the random stream of a name in the world of a seed. Streams do
// not share state, so that a draw more in one part of a world shifts no other.
func Dice(seed uint64, name string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(name))
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}

// Between draws a whole number from lo to hi, both included.
func Between(d *rand.Rand, lo, hi int) int { return lo + d.IntN(hi-lo+1) }

// Chance is true in percent of the draws.
func Chance(d *rand.Rand, percent int) bool { return d.IntN(100) < percent }

// Pick draws one element.
func Pick[T any](d *rand.Rand, from []T) T { return from[d.IntN(len(from))] }

// Weighted draws an index with probability proportional to its weight.
func Weighted(d *rand.Rand, weights []int) int {
	sum := 0
	for _, n := range weights {
		sum += n
	}
	at := d.IntN(sum)
	for i, n := range weights {
		if at -= n; at < 0 {
			return i
		}
	}
	return len(weights) - 1
}

// Taken is the set of ids and names that a world has given away.
type Taken map[string]bool

// Claim takes an id or a name and says whether it was free.
func (t Taken) Claim(s string) bool {
	if t[s] {
		return false
	}
	t[s] = true
	return true
}
