package rules

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	"taste/contract"
	"taste/role"
)

// patch is a fault of a planned task. calls[k] is the position of the call that
// makes its repair k, −1 where another call does as well.
type patch struct {
	defect *contract.Defect
	calls  []int
}

// complaint is a trouble that the customer brings up, and the faults behind it.
type complaint struct {
	trouble *contract.Trouble
	patches []*patch
}

// casebook is a sequence read as wishes, one call each, and as repairs of faults:
// each call is for something.
type casebook struct {
	plan
	patches    []*patch
	complaints []*complaint // in the order in which they are brought up
}

// covering looks for the pieces, wishes and faults, that a sequence is made of.
type covering struct {
	c       *contract.Contract
	seq     []string
	draw    *rand.Rand
	taken   []bool
	items   []*item
	patches []*patch
	wanted  *contract.Defect // has to be one of the pieces; nil: whatever fits
}

// newCasebook reads a gold sequence, with the wanted fault among its pieces if there
// is one. Where several readings are possible, draw decides.
func newCasebook(c *contract.Contract, seq []string, wanted *contract.Defect, draw *rand.Rand) (*casebook, error) {
	s := &covering{c: c, seq: seq, draw: draw, wanted: wanted, taken: make([]bool, len(seq))}
	if !s.cover() {
		return nil, fmt.Errorf("plan %v: %w: no wishes and faults take just these calls", seq, role.ErrUnbuildable)
	}
	slices.SortFunc(s.items, func(a, b *item) int { return a.call - b.call })
	slices.SortFunc(s.patches, func(a, b *patch) int { return cmp.Compare(s.order(a), s.order(b)) })
	out := &casebook{plan: plan{seq: seq, items: s.items, serving: make([]*item, len(seq))}, patches: s.patches}
	out.complaints = s.complain()
	return out, nil
}

// readings draws casebooks of a sequence, different ones as long as there are any.
type readings struct {
	c      *contract.Contract
	seq    []string
	draw   *rand.Rand
	wanted *contract.Defect // a piece of all of them; nil: any that fit
	drawn  map[string]bool
}

// redraws is how many casebooks are drawn in a row to find a new one.
const redraws = 100

// next draws a casebook. Once those with the wanted fault seem to be used up, it need
// not be in them any more; once all seem to be, they come again.
func (r *readings) next() (book *casebook, err error) {
	for range 2 {
		for range redraws {
			if book, err = newCasebook(r.c, r.seq, r.wanted, r.draw); err != nil {
				return nil, err
			}
			if k := book.key(); !r.drawn[k] {
				r.drawn[k] = true
				return book, nil
			}
		}
		r.wanted = nil
	}
	return book, nil
}

// key tells casebooks of a sequence apart.
func (b *casebook) key() string {
	var out []any
	for _, it := range b.items {
		out = append(out, it.call, it.wishes[0].Name)
	}
	for _, c := range b.complaints {
		out = append(out, c.trouble.Name)
		for _, p := range c.patches {
			out = append(out, p.defect.Name, p.calls)
		}
	}
	return fmt.Sprint(out...)
}

// order is the place of a fault in the catalogue.
func (s *covering) order(p *patch) int { return slices.Index(s.c.Faults, p.defect) }

// cover finds pieces for the calls that are not taken yet, the first of them
// first.
func (s *covering) cover() bool {
	i := slices.Index(s.taken, false)
	if i < 0 {
		return s.wanted == nil || slices.ContainsFunc(s.patches, func(p *patch) bool { return p.defect == s.wanted })
	}
	for _, piece := range s.pieces(i) {
		if piece.wish != nil && s.wish(i, piece.wish) || piece.defect != nil && s.repair(&patch{defect: piece.defect}, i, i) {
			return true
		}
	}
	return false
}

// piece is a wish or a fault, one of the two.
type piece struct {
	wish   *contract.Wish
	defect *contract.Defect
}

// pieces lists what call i may be the first call of, in the order to try: at
// random, those with a larger share more often first.
func (s *covering) pieces(i int) []piece {
	var out []piece
	at := map[piece]float64{}
	add := func(p piece, share float64) {
		out, at[p] = append(out, p), s.draw.ExpFloat64()/cmp.Or(share, 1)
	}
	for _, w := range s.c.Wishes {
		if w.Does == s.seq[i] && !s.clashes(w.Name, w.Excludes) {
			add(piece{wish: w}, w.Share)
		}
	}
	for _, f := range s.c.Faults {
		if f.Repairs[0].Tool == s.seq[i] && !s.clashes(f.Name, f.Excludes) {
			add(piece{defect: f}, f.Share)
		}
	}
	slices.SortFunc(out, func(a, b piece) int { return cmp.Compare(at[a], at[b]) })
	return out
}

// clashes tells whether a piece does not go with those that are there or wanted: it
// is one of them, as only wishes may be twice, or one of two excludes the other.
func (s *covering) clashes(name string, excludes []string) bool {
	if w := s.wanted; w != nil && w.Name != name && (slices.Contains(excludes, w.Name) || slices.Contains(w.Excludes, name)) {
		return true
	}
	return slices.ContainsFunc(s.patches, func(p *patch) bool {
		return p.defect.Name == name || slices.Contains(excludes, p.defect.Name) || slices.Contains(p.defect.Excludes, name)
	}) || slices.ContainsFunc(s.items, func(it *item) bool {
		return slices.Contains(excludes, it.wishes[0].Name) || slices.Contains(it.wishes[0].Excludes, name)
	})
}

func (s *covering) wish(i int, w *contract.Wish) bool {
	s.taken[i] = true
	s.items = append(s.items, &item{call: i, record: -1, wishes: []*contract.Wish{w}})
	if s.cover() {
		return true
	}
	s.taken[i], s.items = false, s.items[:len(s.items)-1]
	return false
}

// repair places the repairs of a patch that have no place yet, from position from
// on; the first of all takes call first.
func (s *covering) repair(p *patch, first, from int) bool {
	k := len(p.calls)
	if k == len(p.defect.Repairs) {
		s.patches = append(s.patches, p)
		if s.cover() {
			return true
		}
		s.patches = s.patches[:len(s.patches)-1]
		return false
	}
	r := &p.defect.Repairs[k]
	later := slices.ContainsFunc(s.seq[min(from, len(s.seq)):], func(t string) bool { return slices.Contains(r.Or, t) })
	if k > 0 && later { // a call for this alone would not be needed
		return s.repair(p.with(-1), first, from)
	}
	for i := from; i < len(s.seq); i++ {
		own := s.seq[i] == r.Tool
		if k == 0 && i > first {
			break
		}
		if !own || s.taken[i] && !r.Shared {
			continue
		}
		was := s.taken[i]
		s.taken[i] = true
		if s.repair(p.with(i), first, i+1) {
			return true
		}
		s.taken[i] = was
	}
	return false
}

// with returns the patch with a place for one more repair.
func (p *patch) with(call int) *patch {
	return &patch{defect: p.defect, calls: append(slices.Clip(p.calls), call)}
}

// complain chooses what the customer complains of: as few troubles as account for
// all faults, in the order of the contract but for one that people take over at
// the end. The first trouble that a fault can stand behind is the one it stands
// behind.
func (s *covering) complain() []*complaint {
	var out []*complaint
	for _, t := range s.fewest() {
		c := &complaint{trouble: t}
		for _, p := range s.patches {
			if slices.Contains(p.defect.Troubles, t.Name) && !slices.ContainsFunc(out, func(o *complaint) bool { return slices.Contains(o.patches, p) }) {
				c.patches = append(c.patches, p)
			}
		}
		if len(c.patches) > 0 {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b *complaint) int { return cmp.Compare(s.handsOff(a), s.handsOff(b)) })
	return out
}

// handsOff is 1 for a complaint that ends with a hand-off, else 0.
func (s *covering) handsOff(c *complaint) int {
	if slices.ContainsFunc(c.patches, func(p *patch) bool { return p.defect.HandsOff(s.c) }) {
		return 1
	}
	return 0
}

// fewest finds a smallest set of troubles of which each fault can stand behind
// one; of several, one at random.
func (s *covering) fewest() []*contract.Trouble {
	var best [][]*contract.Trouble
	for set := range 1 << len(s.c.Troubles) {
		var list []*contract.Trouble
		for i, t := range s.c.Troubles {
			if set>>i&1 == 1 {
				list = append(list, t)
			}
		}
		switch {
		case !all(s.patches, func(p *patch) bool { return p.behindAny(list) }):
		case len(best) == 0 || len(list) < len(best[0]):
			best = [][]*contract.Trouble{list}
		case len(list) == len(best[0]):
			best = append(best, list)
		}
	}
	if len(best) == 0 {
		return nil
	}
	return best[s.draw.IntN(len(best))]
}

func (p *patch) behindAny(list []*contract.Trouble) bool {
	return slices.ContainsFunc(list, func(t *contract.Trouble) bool { return slices.Contains(p.defect.Troubles, t.Name) })
}

// CanBeBehind tells whether a fault can be what calls of a gold sequence are for,
// as sequences go; a world may lack what it takes.
func CanBeBehind(c *contract.Contract, f *contract.Defect, gold []string) bool {
	s := &covering{c: c, seq: gold, draw: rand.New(rand.NewPCG(1, 1)), wanted: f, taken: make([]bool, len(gold))}
	return slices.Contains(gold, f.Repairs[0].Tool) && s.cover()
}

// wantedFault draws a fault that can be behind a gold sequence, those with a larger
// share more often; nil where there is none.
func wantedFault(c *contract.Contract, gold []string, draw *rand.Rand) *contract.Defect {
	var out *contract.Defect
	best := 0.
	for _, f := range c.Faults {
		at := draw.ExpFloat64() / cmp.Or(f.Share, 1)
		if (out == nil || at < best) && CanBeBehind(c, f, gold) {
			out, best = f, at
		}
	}
	return out
}
