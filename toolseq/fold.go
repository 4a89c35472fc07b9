package toolseq

import "math"

// folder partially evaluates a model's gates for the contexts of a sampler.
// Equal nodes are kept once, whichever gate and context they come from.
type folder struct {
	model  *Model
	scale  float64 // γ·e
	nodes  []foldedNode
	places map[foldedNode]uint16
}

// foldedNode is a node of a gate whose decided questions are gone.
type foldedNode struct {
	question bool
	a, b     uint8     // "is register a greater than b?"
	tool     uint8     // of the gate
	child    [2]uint16 // after no and yes
	weight   float32   // value^(γ·e); above the leaves, the largest below
}

func newFolder(m *Model, e float64) *folder {
	return &folder{model: m, scale: e * m.params.Gates.Weight, places: map[foldedNode]uint16{}}
}

// fold adds what the spans leave open of tool t's gate from node n down, and
// returns the place of its top.
func (f *folder) fold(t, n int, s *span) uint16 {
	node := &f.model.gates[t][n]
	if node.child == 0 {
		return f.keep(foldedNode{tool: uint8(t), weight: float32(math.Exp(f.scale * math.Log(node.value)))})
	}
	answer, known := s.certain(node.a, node.b)
	switch known = known && len(f.nodes) < maxFolded; {
	case known && answer:
		return f.fold(t, node.child+1, s)
	case known:
		return f.fold(t, node.child, s)
	}
	no, yes := f.fold(t, node.child, s), f.fold(t, node.child+1, s)
	if no == yes {
		return no
	}
	return f.keep(foldedNode{
		question: true, a: node.a, b: node.b, tool: uint8(t), child: [2]uint16{no, yes},
		weight: max(f.nodes[no].weight, f.nodes[yes].weight),
	})
}

// maxFolded keeps the places of nodes within 16 bits. It leaves room for all
// gates as they are, at most maxGateTool of maxDepth.
const maxFolded = 1<<16 - maxGateTool*(1<<(maxDepth+1)-1)

// keep returns the place of a node, which it may have already.
func (f *folder) keep(n foldedNode) uint16 {
	at, ok := f.places[n]
	if !ok {
		at = uint16(len(f.nodes))
		f.nodes, f.places[n] = append(f.nodes, n), at
	}
	return at
}

// forks lays the nodes out for walking, each at its place.
func (f *folder) forks() []fork {
	forks := make([]fork, len(f.nodes))
	for i, n := range f.nodes {
		s := fork{question: n.question, tool: n.tool, weight: n.weight}
		s.ask[0] = [2]uint8{n.a, n.b}
		for side, c := range n.child {
			s.next[2*side], s.next[2*side+1] = c, c
			if below := f.nodes[c]; below.question {
				s.ask[1+side] = [2]uint8{below.a, below.b}
				s.next[2*side], s.next[2*side+1] = below.child[0], below.child[1]
			}
		}
		forks[i] = s
	}
	return forks
}
