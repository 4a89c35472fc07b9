package toolseq

import "fmt"

// A gate asks yes-or-no questions about a call that is about to be made: about
// the calls before it and the number of calls still to come. They name no tool by
// meaning, only by index, so they serve every domain.
//
// All questions have one form, "is register a greater than register b?", over
// the registers below. That keeps fitting, drawing and bounding one piece of code.

// registers describe the state of a sequence before a call:
//
//	0..V−1   position of the latest call of each tool, −1 if there was none
//	V..2V−1  number of calls of each tool
//	2V       calls left after this one
//	2V+1     calls since the latest WRITE, or since the start
//	2V+2...  the constants 0..maxConst
type registers [256]int16

const (
	maxLeft     = 5 // questions ask for 0..maxLeft−1 calls left
	maxReads    = 6 // and for more than 1..maxReads reads in a row
	maxConst    = 6
	maxGateTool = 120 // so that all registers fit
)

// layout gives the numbers of the registers for a vocabulary of |V| tools.
type layout int

func (l layout) last(t int) int     { return t }
func (l layout) count(t int) int    { return int(l) + t }
func (l layout) left() int          { return 2 * int(l) }
func (l layout) reads() int         { return 2*int(l) + 1 }
func (l layout) constant(c int) int { return 2*int(l) + 2 + c }

// start sets the registers of an empty sequence.
func (l layout) start(r *registers) {
	for t := range int(l) {
		r[l.last(t)], r[l.count(t)] = -1, 0
	}
	r[l.reads()] = 0
	for c := range maxConst + 1 {
		r[l.constant(c)] = int16(c)
	}
}

// push records the call of tool t at position i; reads is the readsKept of its
// type.
func (l layout) push(r *registers, i, t int, reads int16) {
	r[uint8(l.last(t))] = int16(i)
	r[uint8(l.count(t))]++
	at := uint8(l.reads())
	r[at] = (r[at] + 1) & reads
}

// readsKept is what a call leaves of the number of calls since the latest WRITE, as
// a mask, since a branch on what is drawn would be guessed wrong too often.
func readsKept(t Type) int16 {
	if t == Write {
		return 0
	}
	return -1
}

// Ask names a kind of question.
type Ask string

// The questions about a call of tool t, each with an argument.
const (
	AskUsed  Ask = "used"  // was tool Arg called before?
	AskSince Ask = "since" // was tool Arg called after the latest call of t?
	AskMore  Ask = "more"  // was tool Arg called more often than t?
	AskLeft  Ask = "left"  // are at most Arg calls left after this one?
	AskReads Ask = "reads" // were the last Arg+1 calls, or more, no WRITE?
)

// Question is one question of a gate.
type Question struct {
	Ask Ask `json:"ask"`
	Arg int `json:"arg"`
}

// questions lists all questions for a vocabulary, in a fixed order.
func (l layout) questions() []Question {
	var qs []Question
	for _, ask := range []Ask{AskUsed, AskSince, AskMore} {
		for s := range int(l) {
			qs = append(qs, Question{ask, s})
		}
	}
	for r := range maxLeft {
		qs = append(qs, Question{AskLeft, r})
	}
	for m := 1; m <= maxReads; m++ {
		qs = append(qs, Question{AskReads, m})
	}
	return qs
}

// compile turns a question about tool t into the pair of registers to compare.
func (l layout) compile(q Question, t int) (a, b uint8, err error) {
	tool := q.Arg >= 0 && q.Arg < int(l)
	switch {
	case q.Ask == AskUsed && tool:
		return uint8(l.count(q.Arg)), uint8(l.constant(0)), nil
	case q.Ask == AskSince && tool:
		return uint8(l.last(q.Arg)), uint8(l.last(t)), nil
	case q.Ask == AskMore && tool:
		return uint8(l.count(q.Arg)), uint8(l.count(t)), nil
	case q.Ask == AskLeft && q.Arg >= 0 && q.Arg < maxLeft:
		return uint8(l.constant(q.Arg + 1)), uint8(l.left()), nil
	case q.Ask == AskReads && q.Arg >= 1 && q.Arg <= maxReads:
		return uint8(l.reads()), uint8(l.constant(q.Arg)), nil
	}
	return 0, 0, fmt.Errorf("read gate: no question %q about %d", q.Ask, q.Arg)
}
