package kmedoids

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
)

// Distances is a full symmetric matrix with zero diagonal, row by row:
// D[i*N+j] is the distance of items i and j in any integer unit.
type Distances struct {
	N int
	D []uint16
}

func (d Distances) row(i int) []uint16 { return d.D[i*d.N : (i+1)*d.N] }

// Options are the settings of a clustering.
type Options struct {
	// K is the number of medoids, frozen ones included; 1 ≤ K ≤ N.
	K int
	// Frozen items are medoids from the start. They take part in assignment and
	// are never moved, swapped or dropped.
	Frozen []int
	// Seed fixes every random choice.
	Seed uint64
	// MaxIterations bounds the passes; 0 means 100.
	MaxIterations int
	// Starts is the number of starts, of which the one with the least loss counts,
	// the first of equals; 0 means 1.
	Starts int
	// Workers is the number of starts made at a time; 0 means 1. The result does
	// not depend on it.
	Workers int
	// RandomStart begins with medoids drawn uniformly instead of by k-medoids++.
	RandomStart bool
}

// Result is a clustering.
type Result struct {
	// Medoids are item numbers: the frozen ones first, in the order given.
	Medoids []int
	// Assign[i] is the position in Medoids of the one nearest to item i; of
	// several equally near, the first. A medoid belongs to itself.
	Assign []int
	// Loss is the sum of the items' distances to their medoids.
	Loss int64
	// Iterations counts passes, the last one without a change included.
	Iterations int
}

const defaultIterations = 100

func (o Options) iterations() int {
	if o.MaxIterations > 0 {
		return o.MaxIterations
	}
	return defaultIterations
}

// check reports the first reason why no clustering can be made.
func (o Options) check(d Distances) error {
	if len(d.D) != d.N*d.N {
		return fmt.Errorf("cluster: %d distances for %d items, want %d", len(d.D), d.N, d.N*d.N)
	}
	if o.K < 1 || o.K > d.N || len(o.Frozen) > o.K {
		return fmt.Errorf("cluster %d items around %d medoids, %d of them frozen: want 1 <= K <= items and frozen <= K",
			d.N, o.K, len(o.Frozen))
	}
	seen := map[int]bool{}
	for _, f := range o.Frozen {
		if f < 0 || f >= d.N || seen[f] {
			return fmt.Errorf("cluster: frozen medoid %d is no item or given twice", f)
		}
		seen[f] = true
	}
	return nil
}

// bestStart runs an algorithm from each start and keeps the best result.
func bestStart(d Distances, o Options, run func(medoids []int) Result) (Result, error) {
	if err := o.check(d); err != nil {
		return Result{}, err
	}
	results := make([]Result, max(1, o.Starts))
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(max(1, o.Workers), len(results)) {
		group.Go(func() {
			for n := int(next.Add(1)) - 1; n < len(results); n = int(next.Add(1)) - 1 {
				results[n] = run(start(d, o, uint64(n)))
			}
		})
	}
	group.Wait()
	return slices.MinFunc(results, func(a, b Result) int { return cmp.Compare(a.Loss, b.Loss) }), nil
}

// start chooses the initial medoids of the n-th start. k-medoids++ (after Arthur, Vassilvitskii
// 2007): the first uniformly, each next in proportion to the squared distance to
// the nearest medoid so far. Where all those are zero, the choice is uniform.
func start(d Distances, o Options, n uint64) []int {
	r := rand.New(rand.NewPCG(o.Seed, n))
	medoids := append(make([]int, 0, o.K), o.Frozen...)
	taken := make([]bool, d.N)
	weight := make([]uint64, d.N)
	for i := range weight {
		weight[i] = 1 << 32
	}
	for _, m := range medoids {
		take(d, m, taken, weight)
	}
	for len(medoids) < o.K {
		m := weighted(r, weight, taken, o.RandomStart || len(medoids) == 0)
		take(d, m, taken, weight)
		medoids = append(medoids, m)
	}
	return medoids
}

// take lowers every item's weight to the squared distance to the new medoid.
func take(d Distances, m int, taken []bool, weight []uint64) {
	taken[m] = true
	for i, x := range d.row(m) {
		weight[i] = min(weight[i], uint64(x)*uint64(x))
	}
}

func weighted(r *rand.Rand, weight []uint64, taken []bool, uniform bool) int {
	total, free := uint64(0), uint64(0)
	for i, w := range weight {
		if !taken[i] {
			total += w
			free++
		}
	}
	uniform = uniform || total == 0
	if uniform {
		total = free
	}
	u := r.Uint64N(total)
	for i, w := range weight {
		if taken[i] {
			continue
		}
		if uniform {
			w = 1
		}
		if u < w {
			return i
		}
		u -= w
	}
	return -1 // unreachable: u < total
}

// assign sends each item to its nearest medoid.
func assign(d Distances, medoids []int) Result {
	res := Result{Medoids: medoids, Assign: make([]int, d.N)}
	best := append([]uint16(nil), d.row(medoids[0])...)
	for p, m := range medoids[1:] {
		for i, x := range d.row(m) {
			if x < best[i] {
				best[i], res.Assign[i] = x, p+1
			}
		}
	}
	for p, m := range medoids {
		res.Assign[m] = p
		best[m] = 0
	}
	for _, x := range best {
		res.Loss += int64(x)
	}
	return res
}
