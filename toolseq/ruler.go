package toolseq

// Ruler measures sequences against a small set of others that changes now and
// then. It is not safe for concurrent use.
type Ruler struct {
	costs   Costs
	targets [][]int
	octets  []*octet
	tooLong int // targets that cannot be packed
}

// NewRuler makes a ruler of the given targets, which must be of the vocabulary.
func NewRuler(v Vocab, targets [][]int) *Ruler {
	r := &Ruler{costs: NewCosts(v), targets: append([][]int(nil), targets...)}
	for i := 0; i < len(targets); i += lanes {
		r.octets = append(r.octets, newOctet(r.costs))
		r.reload(i / lanes)
	}
	for _, t := range targets {
		r.countLong(t, 1)
	}
	return r
}

func (r *Ruler) countLong(seq []int, sign int) {
	if len(seq) > maxPacked {
		r.tooLong += sign
	}
}

// Set replaces target i.
func (r *Ruler) Set(i int, seq []int) {
	r.countLong(r.targets[i], -1)
	r.countLong(seq, 1)
	r.targets[i] = seq
	r.reload(i / lanes)
}

// reload packs group g, where it can be packed.
func (r *Ruler) reload(g int) {
	group := r.targets[g*lanes : min((g+1)*lanes, len(r.targets))]
	packed := make([][]byte, len(group))
	for k, t := range group {
		if len(t) > maxPacked {
			return
		}
		packed[k] = []byte(key(t))
	}
	r.octets[g].load(r.costs, packed)
}

// Measure appends the distance of seq to each target to dst, in hundredths.
func (r *Ruler) Measure(dst []int, seq []int) []int {
	if r.tooLong > 0 || len(seq) > maxPacked {
		for _, t := range r.targets {
			dst = append(dst, r.costs.Distance(seq, t))
		}
		return dst
	}
	var buf [maxPacked]byte
	source := buf[:len(seq)]
	for i, t := range seq {
		source[i] = byte(t)
	}
	for g, o := range r.octets {
		first, second := o.measure(source)
		for k := range min(lanes, len(r.targets)-g*lanes) {
			if k == 4 {
				first = second
			}
			dst = append(dst, int(uint16(first)))
			first >>= 16
		}
	}
	return dst
}
