package toolseq

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
)

// Matrix is a full symmetric matrix of distances in hundredths, row by row:
// D[i*N+j] is that of items i and j.
type Matrix struct {
	N int
	D []uint16
}

// At is the distance of items i and j.
func (m Matrix) At(i, j int) int { return int(m.D[i*m.N+j]) }

// maxMeasured keeps every distance within 16 bits.
const maxMeasured = 65535 / Unit

// DistanceMatrix computes the WED of every pair of seqs on the given number of
// workers (at least 1). The result does not depend on that number. A sequence
// of more than 655 tools is an error.
func DistanceMatrix(ctx context.Context, v Vocab, seqs [][]int, workers int) (Matrix, error) {
	longest := 0
	for i, s := range seqs {
		if err := v.check(s); err != nil {
			return Matrix{}, fmt.Errorf("measure distances: sequence %d: %w", i, err)
		}
		longest = max(longest, len(s))
	}
	if longest > maxMeasured {
		return Matrix{}, fmt.Errorf("measure distances: a sequence of %d tools, at most %d are possible", longest, maxMeasured)
	}
	m := Matrix{N: len(seqs), D: make([]uint16, len(seqs)*len(seqs))}
	c := NewCosts(v)
	if longest > maxPacked {
		m.fillPlain(ctx, c, seqs, workers)
	} else {
		newTriangle(c, seqs).fill(ctx, m, workers)
	}
	if err := ctx.Err(); err != nil {
		return Matrix{}, fmt.Errorf("measure distances: %w", err)
	}
	return m, nil
}

// fillPlain computes pair by pair, for sequences of any length.
func (m Matrix) fillPlain(ctx context.Context, c Costs, seqs [][]int, workers int) {
	parallel(ctx, m.N, workers, func() func(int) {
		return func(i int) {
			for j := range i {
				d := uint16(c.Distance(seqs[i], seqs[j]))
				m.D[i*m.N+j], m.D[j*m.N+i] = d, d
			}
		}
	})
}

// parallel calls a worker's function for every number below n, each number once,
// in ascending order as workers become free, until ctx ends.
func parallel(ctx context.Context, n, workers int, worker func() func(int)) {
	var next atomic.Int64
	var group sync.WaitGroup
	for range max(1, min(workers, n)) {
		group.Go(func() {
			do := worker()
			for i := int(next.Add(1)) - 1; i < n && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	group.Wait()
}

// triangle computes a matrix eight pairs at a time. Sequences are ranked by
// length, so that the eight targets of a group are about equally long. The group
// of ranks 8g to 8g+7 meets the sources of lower rank and its own, which makes
// the upper triangle: sources are the shorter of a pair, as what sources share is
// saved once per column of the longer.
type triangle struct {
	costs Costs
	items []int    // by rank
	bytes [][]byte // by rank
	order []int    // ranks in lexicographic order of their sequences
	alike []int    // by place in that order: the tools at the start that the one before has too
	// pairs holds, by group and source rank, the distances to the eight targets.
	pairs [][][2]uint64
}

func newTriangle(c Costs, seqs [][]int) *triangle {
	n := len(seqs)
	t := &triangle{costs: c, items: make([]int, n), bytes: make([][]byte, n), order: make([]int, n)}
	keys := make([][]byte, n)
	for i, s := range seqs {
		t.items[i], t.order[i], keys[i] = i, i, []byte(key(s))
	}
	slices.SortStableFunc(t.items, func(a, b int) int { return len(keys[a]) - len(keys[b]) })
	for r, i := range t.items {
		t.bytes[r] = keys[i]
	}
	slices.SortStableFunc(t.order, func(a, b int) int { return bytes.Compare(t.bytes[a], t.bytes[b]) })
	t.alike = make([]int, n)
	for k := 1; k < n; k++ {
		t.alike[k] = commonPrefix(t.bytes[t.order[k-1]], t.bytes[t.order[k]])
	}
	t.pairs = make([][][2]uint64, (n+lanes-1)/lanes)
	return t
}

// fill computes the triangle, then writes the matrix in the order of the items.
func (t *triangle) fill(ctx context.Context, m Matrix, workers int) {
	parallel(ctx, len(t.pairs), workers, func() func(int) {
		o := newOctet(t.costs)
		return func(g int) { t.measure(o, len(t.pairs)-1-g) }
	})
	parallel(ctx, len(t.pairs), workers, func() func(int) {
		return func(g int) { t.write(m, g) }
	})
}

// end is the rank after the last of group g.
func (t *triangle) end(g int) int { return min((g+1)*lanes, len(t.bytes)) }

func (t *triangle) measure(o *octet, g int) {
	end := t.end(g)
	o.load(t.costs, t.bytes[g*lanes:end])
	pairs := make([][2]uint64, end)
	shared := 0 // with the source before, of those that meet this group
	for k, r := range t.order {
		if shared = min(shared, t.alike[k]); r < end {
			pairs[r][0], pairs[r][1] = o.measureFrom(shared, t.bytes[r])
			shared = maxPacked
		}
	}
	t.pairs[g] = pairs
}

// write fills the matrix rows of the items of group g: towards lower ranks and
// its own as the group's targets, towards higher ranks as their sources.
func (t *triangle) write(m Matrix, g int) {
	first, end := g*lanes, t.end(g)
	var rows [lanes][]uint16
	for k, i := range t.items[first:end] {
		rows[k] = m.D[i*m.N : (i+1)*m.N]
	}
	for r, p := range t.pairs[g] {
		i := t.items[r]
		for k, row := range rows[:end-first] {
			row[i] = uint16(p[k/4])
			p[k/4] >>= 16
		}
	}
	for h := g + 1; h < len(t.pairs); h++ {
		items := t.items[h*lanes : t.end(h)]
		for k, p := range t.pairs[h][first:end] {
			row := rows[k]
			for c, i := range items {
				row[i] = uint16(p[c/4])
				p[c/4] >>= 16
			}
		}
	}
}
