package toolseq

import (
	"math"
	"math/bits"
)

// evidence collects, per tool, every judged call with the answers to all
// questions, as bit columns: bit i of a column belongs to the i-th call.
type evidence struct {
	layout
	vocab     Vocab
	questions []Question
	tools     []toolEvidence
}

type toolEvidence struct {
	calls   int
	answers [][]uint64 // by question
	class   [4][]uint64
}

// The classes of a call, in the order of the fields of Tally.
const (
	classGood = iota
	classBad
	classBefore
	classAfter
)

func newEvidence(v Vocab) *evidence {
	l := layout(v.Len())
	e := &evidence{layout: l, vocab: v, questions: l.questions(), tools: make([]toolEvidence, v.Len())}
	for t := range e.tools {
		e.tools[t].answers = make([][]uint64, len(e.questions))
	}
	return e
}

// add records all calls of one judged sequence.
func (e *evidence) add(seq []int, v Verdict) {
	bad := badSet(len(seq), v.Bad)
	flagged := false
	var r registers
	e.start(&r)
	for i, t := range seq {
		r[e.left()] = int16(len(seq) - 1 - i)
		class := classGood
		switch {
		case v.Plausible:
		case bad[i]:
			class, flagged = classBad, true
		case flagged:
			class = classAfter
		default:
			class = classBefore
		}
		e.record(t, class, &r)
		e.push(&r, i, t, readsKept(e.vocab.Types[t]))
	}
}

func (e *evidence) record(t, class int, r *registers) {
	te := &e.tools[t]
	if te.calls%64 == 0 {
		for q := range te.answers {
			te.answers[q] = append(te.answers[q], 0)
		}
		for c := range te.class {
			te.class[c] = append(te.class[c], 0)
		}
	}
	word, bit := te.calls/64, uint64(1)<<(te.calls%64)
	for q, question := range e.questions {
		if a, b, _ := e.compile(question, t); r[a] > r[b] {
			te.answers[q][word] |= bit
		}
	}
	te.class[class][word] |= bit
	te.calls++
}

// fit grows one gate per tool.
func (e *evidence) fit(p *GateParams) []gate {
	gates := make([]gate, len(e.tools))
	for t := range gates {
		te := &e.tools[t]
		all := make([]uint64, (te.calls+63)/64)
		for i := range te.calls {
			all[i/64] |= 1 << (i % 64)
		}
		g := gate{{}}
		e.grow(&g, 0, t, all, p, p.Depth)
		g.settle(p)
		gates[t] = g
	}
	return gates
}

// grow splits node n, whose calls are the set bits of mask, by the question with
// the largest information gain, and its answers in turn.
func (e *evidence) grow(g *gate, n, t int, mask []uint64, p *GateParams, depth int) {
	te := &e.tools[t]
	whole := te.tally(mask, nil)
	(*g)[n].tally = whole
	if depth == 0 {
		return
	}
	q := e.bestQuestion(te, mask, whole, p)
	if q < 0 || g.split(n, e.questions[q], e.layout, t) != nil {
		return
	}
	yes, no := make([]uint64, len(mask)), make([]uint64, len(mask))
	for i, m := range mask {
		yes[i], no[i] = m&te.answers[q][i], m&^te.answers[q][i]
	}
	child := (*g)[n].child
	e.grow(g, child, t, no, p, depth-1)
	e.grow(g, child+1, t, yes, p, depth-1)
}

// bestQuestion is the index of the question that tells good from bad best, the
// first of equals, or −1 if none tells enough.
func (e *evidence) bestQuestion(te *toolEvidence, mask []uint64, whole Tally, p *GateParams) int {
	good, bad := p.good(whole), float64(whole.Bad)
	best, bestGain := -1, p.MinGain
	for q := range e.questions {
		yes := te.tally(mask, te.answers[q])
		size := yes.Good + yes.Bad + yes.Before + yes.After
		rest := whole.Good + whole.Bad + whole.Before + whole.After - size
		if size < p.MinSplit || rest < p.MinSplit {
			continue
		}
		yesGood, yesBad := p.good(yes), float64(yes.Bad)
		gain := nats(good, bad) - nats(yesGood, yesBad) - nats(good-yesGood, bad-yesBad)
		if gain > bestGain {
			best, bestGain = q, gain
		}
	}
	return best
}

// nats is n times the entropy of a split of n = a + b calls.
func nats(a, b float64) float64 {
	if a <= 0 || b <= 0 {
		return 0
	}
	return -a*math.Log(a/(a+b)) - b*math.Log(b/(a+b))
}

// tally counts the calls in mask, and in answer where it is given, by class.
func (te *toolEvidence) tally(mask, answer []uint64) Tally {
	var n [4]int
	for c, column := range te.class {
		for i, m := range mask {
			if answer != nil {
				m &= answer[i]
			}
			n[c] += bits.OnesCount64(m & column[i])
		}
	}
	return Tally{Good: n[classGood], Bad: n[classBad], Before: n[classBefore], After: n[classAfter]}
}
