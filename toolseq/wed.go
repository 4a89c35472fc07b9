package toolseq

// Distances are whole hundredths: an insertion or deletion costs Unit, and so
// does the substitution of a tool by one of another type.
const (
	Unit      = 100
	sameType  = 66 // same type, another group
	sameGroup = 33 // same type and group
)

// Costs holds the substitution costs of a vocabulary: 0 for the same tool, 33
// for the same type and group, 66 for the same type, 100 otherwise, GENERIC
// taken as READ.
type Costs struct {
	tools  int
	sub    []uint16 // tools × tools
	packed []uint8  // the same, see swar.go
}

// NewCosts derives the costs from types and groups.
func NewCosts(v Vocab) Costs {
	cells := v.Len() * v.Len()
	c := Costs{tools: v.Len(), sub: make([]uint16, cells), packed: make([]uint8, cells)}
	for a := range c.tools {
		for b := range c.tools {
			cost := substitution(v, a, b)
			c.sub[a*c.tools+b], c.packed[a*c.tools+b] = cost, packedCost(cost)
		}
	}
	return c
}

func substitution(v Vocab, a, b int) uint16 {
	switch {
	case a == b:
		return 0
	case v.Types[a].comparable() != v.Types[b].comparable():
		return Unit
	case v.Group(a) == v.Group(b):
		return sameGroup
	}
	return sameType
}

// Substitution is the cost of replacing tool a by tool b.
func (c Costs) Substitution(a, b int) int { return int(c.sub[a*c.tools+b]) }

// Distance is the weighted edit distance (WED) of two sequences in hundredths:
// Levenshtein's, by dynamic programming over two rows.
func (c Costs) Distance(a, b []int) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j * Unit
	}
	for i, t := range a {
		diagonal := row[0]
		row[0] = (i + 1) * Unit
		sub := c.sub[t*c.tools : (t+1)*c.tools]
		for j, u := range b {
			best := min(diagonal+int(sub[u]), row[j]+Unit, row[j+1]+Unit)
			diagonal, row[j+1] = row[j+1], best
		}
	}
	return row[len(b)]
}
