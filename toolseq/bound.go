package toolseq

import "slices"

// span is what an n-gram context tells of the registers: the least and the
// largest value of each.
type span struct{ low, high registers }

// certain reports the answer to "a > b?" where the spans decide it.
func (s *span) certain(a, b uint8) (answer, known bool) {
	if s.low[a] > s.high[b] {
		return true, true
	}
	return false, s.high[a] <= s.low[b]
}

const manyCalls = 1 << 12 // more calls than any sequence has

// bounds derives the spans in context ctx with left calls to come; the largest
// left stands for itself and all above. The tools of the context were called
// last, in its order; all others, if at all, before them.
func (g *gated) bounds(ctx, left int) span {
	s := span{low: g.begin, high: g.begin}
	recent := g.recent(ctx)
	short := len(recent) < g.order-1 // the whole sequence so far is known
	first := int16(manyCalls)        // position of recent[0]
	if short {
		first = 0
	} else {
		for t := range g.tools {
			s.high[g.last(t)], s.high[g.count(t)] = first-1, manyCalls
		}
		s.high[g.reads()] = manyCalls
	}
	for i, t := range recent {
		g.see(&s, t, first+int16(i))
	}
	s.low[g.left()], s.high[g.left()] = int16(left), int16(left)
	if left == ends-1 {
		s.high[g.left()] = manyCalls
	}
	return s
}

// recent lists the tools of a context, oldest first, without BOS. (A context
// with BOS after a tool never occurs; what it gets does not matter.)
func (g *gated) recent(ctx int) []int {
	return slices.DeleteFunc(g.digits(ctx), func(t int) bool { return t < 0 })
}

func (g *gated) see(s *span, t int, position int16) {
	s.low[g.last(t)], s.high[g.last(t)] = position, position
	s.low[g.count(t)]++
	s.high[g.count(t)]++
	s.low[g.reads()]++
	s.high[g.reads()]++
	if g.keeps[t] == 0 {
		s.low[g.reads()], s.high[g.reads()] = 0, 0
	}
}
