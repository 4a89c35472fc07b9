package toolseq

import "context"

// Verdict is what a judge says about one sequence.
type Verdict struct {
	// Plausible: some realistic case exists in which a competent agent makes
	// exactly these calls in this order.
	Plausible bool `json:"plausible"`
	// Reason says why not, in words; empty for a plausible sequence.
	Reason string `json:"reason,omitempty"`
	// Bad lists the 0-based problematic positions of an implausible sequence.
	// An empty list is allowed; such a verdict teaches the model nothing.
	Bad []int `json:"bad,omitempty"`
}

// Judge decides whether a sequence is plausible. It must answer the same for
// the same sequence and must not keep or change seq. An error is no verdict:
// it ends what asked.
type Judge func(ctx context.Context, seq []int) (Verdict, error)

// Teacher is what a training learns from.
type Teacher struct {
	// Judge is asked about at most InFlight sequences side by side.
	Judge Judge
	// Certain answers at once, where it can, for sequences whose verdict needs no
	// judge; nil: the judge is asked about all. As Judge, it answers the same for the
	// same sequence.
	Certain func(seq []int) (Verdict, bool)
	// InFlight is how many verdicts of the judge may be under way at a time; 0 is 1.
	// While verdicts are, attempts are drawn from a model that has not learnt of
	// them, so the number has a part in what a training produces.
	InFlight int
	// Enough is asked before each attempt whether to end the training there; nil: it
	// goes on to the last.
	Enough func() bool
	// Learnt is told of each judgement when it was learnt, in the order of attempts;
	// nil: nobody is.
	Learnt func(Judgement) error
}

// Sure is a teacher whose verdicts cost nothing and do not fail.
func Sure(judge func(seq []int) Verdict) Teacher {
	return Teacher{Judge: func(_ context.Context, seq []int) (Verdict, error) { return judge(seq), nil }}
}

// key packs a sequence into a comparable value, the identity that duplicates
// are told by.
func key(seq []int) string {
	b := make([]byte, len(seq))
	for i, t := range seq {
		b[i] = byte(t)
	}
	return string(b)
}
