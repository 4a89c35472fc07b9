package toolseq

import (
	"math/bits"
	"math/rand/v2"
)

// gated samples from the product of n-gram contrast and gates by rejection. What
// the n-gram context and the distance from the end tell of a gate's questions is
// answered once and for all; the gate is folded to what is left. A tool is
// proposed from contrast × the largest value in its folded gate, and kept with
// the probability that the value in the true state bears to that largest one.
// What is kept follows the product exactly, and only proposed tools' gates are
// looked at.
type gated struct {
	contexts
	layout
	exponent float64
	model    *Model
	begin    registers
	keeps    []int16     // by tool, see readsKept
	slots    []gatedSlot // by context, calls left, column
	forks    []fork      // the folded gates of all tools and contexts
}

// gatedSlot is a slot of an alias table whose two tools, own and alias, stand as
// the forks at which their gates are entered.
type gatedSlot struct {
	threshold uint32
	entry     [2]uint16
}

// fork is a node of a folded gate, laid out for a quick walk: it asks its own
// question and the one that follows at once, so that a walk takes half as many
// steps. A side that is a leaf is reached whatever the second answer.
type fork struct {
	ask      [3][2]uint8 // of the node, of its no, of its yes: "is [0] greater than [1]?"
	question bool        // else a leaf
	tool     uint8       // of the gate
	next     [4]uint16   // after no no, no yes, yes no, yes yes
	weight   float32     // value^(γ·e); above the leaves, the largest below
}

// ends is the number of distances from the end that are told apart.
const ends = maxLeft + 1

func newGated(m *Model, e float64) *gated {
	g := &gated{
		contexts: m.pos.contexts, layout: layout(m.vocab.Len()), exponent: e, model: m.copyForSampling(),
		keeps: make([]int16, m.vocab.Len()),
		slots: make([]gatedSlot, len(m.pos.cells)*ends),
	}
	g.start(&g.begin)
	for t := range g.keeps {
		g.keeps[t] = readsKept(m.vocab.Types[t])
	}
	f := newFolder(m, e)
	for ctx := range g.size {
		for left := range ends {
			g.freezeContext(f, ctx, left)
		}
	}
	g.forks = f.forks()
	return g
}

func (g *gated) freezeContext(f *folder, ctx, left int) {
	p := make([]float64, g.tools)
	f.model.logContrast(p, ctx)
	softmax(p, g.exponent)
	known := g.bounds(ctx, left)
	entry := make([]uint16, g.tools)
	for t := range p {
		entry[t] = f.fold(t, 0, &known)
		p[t] *= float64(f.nodes[entry[t]].weight)
	}
	plain := make([]slot, g.tools)
	fillAlias(plain, p)
	row := g.row(ctx, left)
	for i, s := range plain {
		row[i] = gatedSlot{s.threshold, [2]uint16{entry[s.own], entry[s.alias]}}
	}
}

func (g *gated) row(ctx, left int) []gatedSlot {
	i := (ctx*ends + min(left, ends-1)) * g.tools
	return g.slots[i : i+g.tools]
}

// patience is the number of proposals after which the next tool is drawn from
// its distribution outright. It changes the time, not the distribution.
const patience = 50

func (g *gated) append(dst []int, length int, r *rand.PCG) []int {
	var regs registers
	copy(regs[:], g.begin[:g.constant(maxConst+1)]) // those in use
	ctx, from := 0, len(dst)
	word := r.Uint64()
	for left := length - 1; left >= 0; left-- {
		regs[uint8(g.left())] = int16(left)
		var t int
		if t, word = g.propose(g.row(ctx, left), &regs, r, word); t < 0 {
			t = g.exact(dst[from:], left, r)
		}
		dst = append(dst, t)
		g.push(&regs, length-1-left, t, g.keeps[t])
		ctx = g.next(ctx, t)
	}
	return dst
}

// propose spends one random word on a proposal: column, alias and acceptance
// take disjoint parts of it. It draws the word after the one that it is at, so
// that a processor that took the wrong branch need not wait for it. The tool is
// −1 where patience ran out.
func (g *gated) propose(row []gatedSlot, regs *registers, r *rand.PCG, word uint64) (tool int, next uint64) {
	forks := g.forks
	for range patience {
		next = r.Uint64()
		column, rest := bits.Mul64(word, uint64(len(row)))
		s := &row[column]
		pick := (uint64(s.threshold) - rest>>32 - 1) >> 63 // 1 at or above the threshold
		at := &forks[s.entry[pick]]
		limit := float32(int32(uint32(rest)>>8)) * (1.0 / (1 << 24)) * at.weight
		if leaf := at.walk(forks, regs); limit < leaf.weight {
			return int(leaf.tool), next
		}
		word = next
	}
	return -1, next
}

// walk follows a gate to the leaf of the state in regs.
func (f *fork) walk(forks []fork, regs *registers) *fork {
	for f.question {
		first, no, yes := regs.yes(f.ask[0]), regs.yes(f.ask[1]), regs.yes(f.ask[2])
		f = &forks[f.next[first<<1|no&^first|yes&first]]
	}
	return f
}

// yes is 1 where the first register is greater than the second, else 0.
func (r *registers) yes(ask [2]uint8) uint16 {
	return uint16(r[ask[1]]-r[ask[0]]) >> 15
}

func (g *gated) exact(prefix []int, left int, r *rand.PCG) int {
	w := newWalk(g.model)
	for _, t := range prefix {
		w.push(t)
	}
	p := make([]float64, g.tools)
	w.next(p, left, g.exponent)
	return pick(p, unit(r.Uint64()))
}
