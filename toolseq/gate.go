package toolseq

import "fmt"

// GateParams switch on what goes beyond the method: one gate per tool. A gate is
// a small decision tree over [Question]s whose leaves count verdicts; its value
// G(t|state) estimates how probably a call of t in that state is unproblematic.
// With the n-gram contrast the next tool is drawn in proportion to
//
//	((S+ / S−^λneg)^α · G^γ)^e
//
// A trigram cannot know that it stands at the last position, nor what was called
// more than two steps ago; the gates can. As they carry the validity, the
// contrast may be weak (small α), which leaves more of the space open.
type GateParams struct {
	// Contrast is α, the weight of the n-gram part; 1 is the method's own.
	Contrast float64 `json:"contrast"`
	// Weight is γ.
	Weight float64 `json:"weight"`
	// Depth bounds the questions asked in a row; MinSplit is the least number of
	// calls on either side of one, MinGain its least information gain in nats.
	Depth    int     `json:"depth"`
	MinSplit int     `json:"min_split"`
	MinGain  float64 `json:"min_gain"`
	// Prior is how many calls' worth of the parent's value a node is mixed with.
	Prior float64 `json:"prior"`
	// Before and After are what an unflagged call of an implausible sequence
	// counts, against 1 in a plausible one: before the first flagged position,
	// where the judge had its eyes, and after it.
	Before float64 `json:"before"`
	After  float64 `json:"after"`
	// Refit: gates are fitted anew before every Refit-th attempt.
	Refit int `json:"refit"`
	// Explore: every Explore-th attempt lifts the tool with the fewest plausible
	// calls so far to at least Lift times the probability of the likeliest, so that
	// a tool that was flagged early on is not lost for good. All else is drawn as
	// usual: where the rest is sound, the verdict tells of the lifted tool. 0
	// switches it off.
	Explore int     `json:"explore"`
	Lift    float64 `json:"lift"`
}

// maxDepth keeps the nodes of all gates within 16-bit numbers.
const maxDepth = 8

// BestParams are the paper's settings with gates, chosen on a made-up domain.
func BestParams() Params {
	p := PaperParams()
	p.Gates = &GateParams{
		Contrast: 0.3, Weight: 10, Depth: 6, MinSplit: 5, MinGain: 2, Prior: 1,
		Before: 0.3, After: 0.06, Refit: 100, Explore: 10, Lift: 0.3,
	}
	return p
}

// NoisyParams are BestParams for a judge that contradicts itself now and then, as
// language models do: gates ask for more evidence, n-grams have more weight, and
// what was paid for is learnt from soon. Chosen with scripted judges.
func NoisyParams() Params {
	p := BestParams()
	p.Gates.Contrast, p.Gates.MinSplit, p.Gates.Refit = 0.6, 10, 20
	return p
}

func (g *GateParams) validate() error {
	switch {
	case !(g.Contrast >= 0) || !(g.Weight >= 0):
		return fmt.Errorf("check parameters: contrast %v and weight %v of gates, want at least 0", g.Contrast, g.Weight)
	case g.Depth < 0 || g.Depth > maxDepth:
		return fmt.Errorf("check parameters: depth of gates is %d, want 0 to %d", g.Depth, maxDepth)
	case g.MinSplit < 1 || !(g.MinGain >= 0) || !(g.Prior > 0):
		return fmt.Errorf("check parameters: min_split %d, min_gain %v, prior %v of gates, want >= 1, >= 0, > 0",
			g.MinSplit, g.MinGain, g.Prior)
	case !(g.Before >= 0) || !(g.After >= 0):
		return fmt.Errorf("check parameters: before %v and after %v of gates, want at least 0", g.Before, g.After)
	case g.Refit < 1 || g.Explore < 0 || !(g.Lift >= 0 && g.Lift <= 1):
		return fmt.Errorf("check parameters: refit %d, explore %d, lift %v of gates, want >= 1, >= 0, 0 to 1",
			g.Refit, g.Explore, g.Lift)
	}
	return nil
}

// Tally counts calls of one tool by what the judge said of them: in a plausible
// sequence; flagged; unflagged in an implausible one, before the first flag and
// after it.
type Tally struct {
	Good   int `json:"good"`
	Bad    int `json:"bad"`
	Before int `json:"before,omitempty"`
	After  int `json:"after,omitempty"`
}

// good is the weighted number of unproblematic calls.
func (g *GateParams) good(c Tally) float64 {
	return float64(c.Good) + g.Before*float64(c.Before) + g.After*float64(c.After)
}

// gateNode is a node of a gate: a leaf where child is 0, else a question whose
// answers lead to child (no) and child+1 (yes).
type gateNode struct {
	question Question
	a, b     uint8
	child    int
	tally    Tally
	value    float64
}

// gate is the tree of one tool; node 0 is the root.
type gate []gateNode

// leaf finds where a state ends up.
func (g gate) leaf(r *registers) int {
	n := 0
	for g[n].child != 0 {
		next := g[n].child
		if r[g[n].a] > r[g[n].b] {
			next++
		}
		n = next
	}
	return n
}

// settle derives the values from the tallies: each node's share of good calls,
// smoothed towards its parent's and the root's towards one half.
func (g gate) settle(p *GateParams) {
	g.settleFrom(p, 0, 0.5)
}

func (g gate) settleFrom(p *GateParams, n int, parent float64) {
	node := &g[n]
	good := p.good(node.tally)
	node.value = (good + p.Prior*parent) / (good + float64(node.tally.Bad) + p.Prior)
	if node.child != 0 {
		g.settleFrom(p, node.child, node.value)
		g.settleFrom(p, node.child+1, node.value)
	}
}

// gateJSON is the file form of a node.
type gateJSON struct {
	Tally
	Question *Question `json:"question,omitempty"`
	No       *gateJSON `json:"no,omitempty"`
	Yes      *gateJSON `json:"yes,omitempty"`
}

// file writes the tree below node n, node by node with its tally.
func (g gate) file(n int) *gateJSON {
	j := &gateJSON{Tally: g[n].tally}
	if g[n].child != 0 {
		j.Question = &g[n].question
		j.No, j.Yes = g.file(g[n].child), g.file(g[n].child+1)
	}
	return j
}

// readGate is the inverse of file, for tool t.
func readGate(j *gateJSON, l layout, t int, p *GateParams) (gate, error) {
	g := gate{{}}
	if err := g.read(j, 0, l, t, p.Depth); err != nil {
		return nil, err
	}
	g.settle(p)
	return g, nil
}

func (g *gate) read(j *gateJSON, n int, l layout, t, depth int) error {
	(*g)[n].tally = j.Tally
	if j.Question == nil {
		return nil
	}
	if j.No == nil || j.Yes == nil || depth == 0 {
		return fmt.Errorf("read gate of tool %d: a question needs two answers and at most the depth of the parameters", t)
	}
	if err := g.split(n, *j.Question, l, t); err != nil {
		return err
	}
	child := (*g)[n].child
	if err := g.read(j.No, child, l, t, depth-1); err != nil {
		return err
	}
	return g.read(j.Yes, child+1, l, t, depth-1)
}

// split turns leaf n into a question with two empty leaves.
func (g *gate) split(n int, q Question, l layout, t int) error {
	a, b, err := l.compile(q, t)
	if err != nil {
		return err
	}
	node := &(*g)[n]
	node.question, node.a, node.b, node.child = q, a, b, len(*g)
	*g = append(*g, gateNode{}, gateNode{})
	return nil
}
