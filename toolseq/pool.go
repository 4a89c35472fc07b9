package toolseq

import "fmt"

// ShortPoolError reports that a sampler ran out of new sequences.
type ShortPoolError struct {
	Want, Got, Draws int
}

func (e *ShortPoolError) Error() string {
	return fmt.Sprintf("draw pool: %d unique sequences after %d draws, want %d; "+
		"train on more attempts, raise the temperature or ask for fewer", e.Got, e.Draws, e.Want)
}

// drawsPerMember bounds how long Pool looks for the next new sequence.
const drawsPerMember = 1000

// Pool draws n different sequences from f. Sequences that skip reports true for
// are passed over; skip may be nil. The pool depends on f, seed and skip alone.
// Where a new sequence cannot be found any more it returns what it has and a
// [ShortPoolError].
func Pool(f *Frozen, n int, seed uint64, skip func(seq []int) bool) ([][]int, error) {
	r := Stream(seed, "pool", 0)
	seen := make(map[string]bool, n)
	pool := make([][]int, 0, n)
	var buf []int
	limit := drawsPerMember * (n + 1)
	for draws := 0; len(pool) < n; draws++ {
		if draws == limit {
			return pool, &ShortPoolError{Want: n, Got: len(pool), Draws: draws}
		}
		buf = f.Append(buf[:0], r)
		k := key(buf)
		if seen[k] || skip != nil && skip(buf) {
			continue
		}
		seen[k] = true
		pool = append(pool, append([]int(nil), buf...))
	}
	return pool, nil
}
