package toolseq

// Eight edit distances at once in one 64-bit word, without assembly.
//
// 1. With T an alignment's cost in thirds (1, 2, 3 for 33, 66, 100) and r the
// number of its steps that cost 100, its cost is 33·T + r. For sequences of at
// most 15 tools r ≤ 15 in any best alignment, so the best one is the best by
// (T, r) in that order, and stays it if 16·T + r is minimised instead. Costs then
// are 0, 16, 32 and 49, and 33·T + r = x + 17·⌊x/16⌋ of the minimum x.
//
// 2. Neighbouring cells of the dynamic programme differ by at most 49 either way.
// Its state is kept as these differences (after Myers 1999 and Hyyrö 2003 for unit
// costs). With h the difference from the cell left of the one above, v that of the
// cell to the left from the one above it, both plus 49, and s the substitution
// cost, a cell takes z = min(s, h, v), and its own differences are
//
//	h' = z − v + 98, v' = z − h + 98
//
// 3. All of these numbers fit seven bits, so eight cells fit a word, and the eighth
// bit of each byte tells the larger of two. What is stored is H = h + 128 − 98 and
// S = s − 98 in each byte, borrows running freely between the bytes of a stored
// word, and V = 98 − v. Then with (x)+ for max(x, 0)
//
//	h − z = (h − s)+ + (min(h, s) − v)+ = V', H' = H + V − V'
//
// which needs fourteen operations for eight cells.

const (
	lanes     = 8
	maxPacked = 15 // longest sequence that may be packed
	step      = 49 // insertion, deletion, or substitution by another type

	ones    = 0x0101010101010101
	guards  = 0x80 * ones
	borders = 2 * step * ones
	noCost  = 1<<64 - borders
	seven   = 0x007f007f007f007f
)

// packedCost is the packed form of a substitution cost.
func packedCost(cost uint16) uint8 {
	switch cost {
	case 0:
		return 0
	case sameGroup:
		return 16
	case sameType:
		return 32
	}
	return step
}

// packedRow is one row of cells, or of costs, for eight targets.
type packedRow [maxPacked + 1]uint64

// cell computes one cell in each lane. guards comes as an argument, so that it
// stays in a register.
func cell(h, v, s, guards uint64) (h2, v2 uint64) {
	t := h - s // guard bit: h ≥ s; below it: h − s
	m := t & guards
	x := t & (m - m>>7)
	t = h - x + v // guard bit: min(h, s) ≥ v; below it their difference
	m = t & guards
	x += t & (m - m>>7)
	return h + v - x, x
}

// nextRow computes the row of one more source tool over n columns from the row
// above it.
func nextRow(above, row, sub *packedRow, n int, guards uint64) {
	v := uint64(0)
	from := above[:n]
	to, costs := row[:len(from)], sub[:len(from)]
	for j, h := range from {
		to[j], v = cell(h, v, costs[j], guards)
	}
}

// octet is a group of up to eight targets and the work space to measure sources
// against them. Target k of the group has lane 2k if k < 4, else 2(k−4)+1: then
// even and odd bytes widen to targets 0–3 and 4–7 in order.
type octet struct {
	columns int         // of the longest target
	sub     []packedRow // by tool: the costs against each column
	mask    packedRow   // by column: seven bits in each lane that has one
	base    [2]uint64   // 16-bit lanes: −step·length of each target
	rows    [maxPacked + 1]packedRow
	source  []byte // the source whose rows are in place
}

func laneOf(k int) int { return k%4*2 + k/4 }

func newOctet(c Costs) *octet {
	o := &octet{sub: make([]packedRow, c.tools)}
	for j := range o.rows[0] {
		o.rows[0][j] = guards
	}
	return o
}

// load takes up a new group of targets.
func (o *octet) load(c Costs, targets [][]byte) {
	o.columns, o.source, o.base, o.mask = 0, o.source[:0], [2]uint64{}, packedRow{}
	for t := range o.sub {
		for j := range o.sub[t] {
			o.sub[t][j] = noCost
		}
	}
	for k, target := range targets {
		shift := 8 * laneOf(k)
		o.columns = max(o.columns, len(target))
		o.base[k/4] -= uint64(step*len(target)) << (16 * (k % 4))
		for j, u := range target {
			o.mask[j] |= 0x7f << shift
			costs := c.packed[int(u)*c.tools : (int(u)+1)*c.tools]
			for t := range o.sub {
				o.sub[t][j] += uint64(costs[t]) << shift
			}
		}
	}
}

// measure returns the distances of source to the targets in 16-bit lanes.
func (o *octet) measure(source []byte) (first, second uint64) {
	shared := commonPrefix(o.source, source)
	o.source = append(o.source[:shared], source[shared:]...)
	return o.measureFrom(shared, source)
}

// measureFrom is measure where source shares so many tools at its start with the
// source before. Their rows are not computed again, so sources should come in
// lexicographic order.
func (o *octet) measureFrom(shared int, source []byte) (first, second uint64) {
	for i := shared; i < len(source); i++ {
		nextRow(&o.rows[i], &o.rows[i+1], &o.sub[source[i]], o.columns, guards)
	}
	return o.total(len(source))
}

// total adds up the last row: the distance is that of the empty target, which is
// length·step, plus all differences on the way to each target's last column.
func (o *octet) total(length int) (first, second uint64) {
	first, second = o.base[0], o.base[1]
	row := o.rows[length][:o.columns]
	mask := o.mask[:len(row)]
	for j, h := range row {
		h = (h + borders) & mask[j]
		first += h & seven
		second += h >> 8 & seven
	}
	const ones16 = 0x0001000100010001
	offset := uint64(step*length) * ones16
	return unpack(first + offset), unpack(second + offset)
}

// unpack turns 16·T + r into 33·T + r in each 16-bit lane.
func unpack(x uint64) uint64 {
	const high12 = 0x0fff0fff0fff0fff
	return x + 17*(x>>4&high12)
}

func commonPrefix(a, b []byte) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}
