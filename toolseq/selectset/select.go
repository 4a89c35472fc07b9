package selectset

import (
	"context"
	"errors"

	"taste/toolseq"
)

// Options are the settings of a selection.
type Options struct {
	// K is the size of the selection, fixed members included.
	K    int
	Goal Goal
	// Fixed sequences are members from the start and stay.
	Fixed [][]int
	// Start lists pool items to begin with, for instance medoids; the rest of the
	// first selection is drawn from the pool.
	Start []int
	// OK may reject sequences, for instance implausible ones: it answers for items of
	// the pool. It is asked only about members of an otherwise finished selection,
	// once about each; rejected ones are replaced by others. nil accepts all.
	OK func(ctx context.Context, items []int) ([]bool, error)
	// Marks lists what a sequence is good for beside its tools, by numbers into
	// Goal.Marked; nil where that is empty.
	Marks func(seq []int) []int
	// Seed fixes every random choice.
	Seed uint64
	// Proposals is the length of the search; 0 means 1,500 for each member.
	Proposals int
}

// Result is a selection.
type Result struct {
	// Seqs are the members: the fixed ones, then those of the pool.
	Seqs [][]int
	// Members are the pool items among Seqs, in the same order.
	Members []int
	// Rejected are the pool items that OK turned down.
	Rejected []int
	// Coverage is that of Seqs, and Shortfalls what it lacks of the goal, in words.
	Coverage   toolseq.Coverage
	Shortfalls []string
	// Swaps counts the exchanges that the search made.
	Swaps int
}

// ErrUsedUp says that a pool has too few members that are not rejected.
var ErrUsedUp = errors.New("the pool is used up")

const proposalsPerMember = 1500

// Select searches the pool for the K different sequences with the best score of
// [Goal]: by exchanging one member for one sequence outside at a time, accepted
// when the score rises and, early in the search, now and then when it falls
// (simulated annealing, Kirkpatrick, Gelatt, Vecchi 1983). It depends on nothing
// but its arguments. A pool that is too small is an error, ErrUsedUp where
// rejections left too little of it; a goal that was not reached is none, see
// Result.Shortfalls.
func Select(ctx context.Context, v toolseq.Vocab, pool [][]int, o Options) (Result, error) {
	s, err := newSearch(v, pool, o)
	if err != nil {
		return Result{}, err
	}
	proposals := o.Proposals
	if proposals <= 0 {
		proposals = proposalsPerMember * o.K
	}
	if err := s.anneal(ctx, proposals); err != nil {
		return Result{}, err
	}
	if o.OK != nil {
		if err := s.review(ctx, o.OK); err != nil {
			return Result{}, err
		}
	}
	return s.result()
}
