package toolseq

import (
	"math"
	"math/bits"
	"math/rand/v2"
)

// gated samples from the product of n-gram contrast and gates by rejection. What
// the n-gram context and the distance from the end tell of a gate's questions is
// answered once and for all. A tool is proposed from contrast × the largest value
// below the node that its gate comes to so, and kept with the probability that
// the value in the true state bears to that largest one. What is kept follows the
// product exactly, and only proposed tools' gates are looked at.
type gated struct {
	contexts
	layout
	exponent float64
	model    *Model
	begin    registers
	write    []bool
	slots    []gatedSlot  // by context, calls left, column
	nodes    []frozenNode // the gates of all tools
	root     []uint16     // by tool
}

// gatedSlot is a slot of an alias table whose two tools, own and alias, stand as
// the nodes at which their gates are entered.
type gatedSlot struct {
	threshold uint32
	entry     [2]uint16
}

// frozenNode is a gateNode reduced to what a walk needs. In a leaf, which has no
// child, a is the tool.
type frozenNode struct {
	a, b   uint8
	child  uint16
	weight float32 // value^(γ·e); above the leaves, the largest below
}

// ends is the number of distances from the end that are told apart.
const ends = maxLeft + 1

func newGated(m *Model, e float64) *gated {
	g := &gated{
		contexts: m.pos.contexts, layout: layout(m.vocab.Len()), exponent: e, model: m.copyForSampling(),
		write: make([]bool, m.vocab.Len()),
		slots: make([]gatedSlot, len(m.pos.cells)*ends),
	}
	g.start(&g.begin)
	for t := range g.write {
		g.write[t] = m.vocab.Types[t] == Write
	}
	g.freezeGates(m)
	for ctx := range g.size {
		for left := range ends {
			g.freezeContext(m, ctx, left)
		}
	}
	return g
}

func (g *gated) freezeGates(m *Model) {
	for t, tree := range m.gates {
		base := len(g.nodes)
		g.root = append(g.root, uint16(base))
		for _, n := range tree {
			f := frozenNode{a: n.a, b: n.b}
			if n.child != 0 {
				f.child = uint16(base + n.child)
			} else {
				f.a = uint8(t)
				f.weight = float32(math.Exp(g.exponent * m.params.Gates.Weight * math.Log(n.value)))
			}
			g.nodes = append(g.nodes, f)
		}
	}
	// Children stand behind their parents.
	for i := len(g.nodes) - 1; i >= 0; i-- {
		if n := &g.nodes[i]; n.child != 0 {
			n.weight = max(g.nodes[n.child].weight, g.nodes[n.child+1].weight)
		}
	}
}

func (g *gated) freezeContext(m *Model, ctx, left int) {
	p := make([]float64, g.tools)
	m.logContrast(p, ctx)
	softmax(p, g.exponent)
	known := g.bounds(ctx, left)
	entry := make([]uint16, g.tools)
	for t := range p {
		entry[t] = g.enter(g.root[t], &known)
		p[t] *= float64(g.nodes[entry[t]].weight)
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
	regs := g.begin
	ctx, from := 0, len(dst)
	for left := length - 1; left >= 0; left-- {
		regs[g.left()] = int16(left)
		t, ok := g.propose(g.row(ctx, left), &regs, r)
		if !ok {
			t = g.exact(dst[from:], left, r)
		}
		dst = append(dst, t)
		g.push(&regs, length-1-left, t, g.write[t])
		ctx = g.next(ctx, t)
	}
	return dst
}

// propose spends one random word on a proposal: column, alias and acceptance
// take disjoint parts of it.
func (g *gated) propose(row []gatedSlot, regs *registers, r *rand.PCG) (tool int, ok bool) {
	nodes := g.nodes
	for range patience {
		column, rest := bits.Mul64(r.Uint64(), uint64(len(row)))
		s := &row[column]
		pick := (uint64(s.threshold) - rest>>32 - 1) >> 63 // 1 at or above the threshold
		node := &nodes[s.entry[pick]]
		bound := node.weight
		for node.child != 0 {
			yes := uint16(regs[node.b]-regs[node.a]) >> 15
			node = &nodes[node.child+yes]
		}
		if float32(int32(uint32(rest)>>8))*(1.0/(1<<24))*bound < node.weight {
			return int(node.a), true
		}
	}
	return 0, false
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
