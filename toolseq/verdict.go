package toolseq

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
// the same sequence, must not keep or change seq, and is called from one
// goroutine at a time.
type Judge func(seq []int) Verdict

// key packs a sequence into a comparable value, the identity that duplicates
// are told by.
func key(seq []int) string {
	b := make([]byte, len(seq))
	for i, t := range seq {
		b[i] = byte(t)
	}
	return string(b)
}
