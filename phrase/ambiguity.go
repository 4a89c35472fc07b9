package phrase

import (
	"fmt"
	"slices"
	"strings"
)

// Ambiguity is a sentence that two acts of a book both account for.
type Ambiguity struct {
	Person  Person
	A, B    string // acts
	Example string // folded words, with the names of classes for slot values
}

func (a Ambiguity) String() string {
	return fmt.Sprintf("%s: %s and %s: %q", a.Person, a.A, a.B, a.Example)
}

// Ambiguities searches the whole language of the book, connectors included,
// for sentences of two different acts: it walks every pair of wordings side by
// side. Where the classes of two slots share a sample the pair goes on, so a
// reported example may be stricter than real values are; a book is sound when
// the list is empty.
func (b *Book) Ambiguities() []Ambiguity {
	out := b.nestedConnectors()
	reads := b.wordsOfClasses()
	for p := range persons {
		all := b.reachable(p, reads)
		for i, x := range all {
			for _, y := range all[:i] {
				if x.plain.wording.act == y.plain.wording.act || !b.mayMeet(x, y) {
					continue
				}
				if example, ok := b.meetAny(x, y); ok {
					out = append(out, Ambiguity{p, y.plain.wording.act.Name, x.plain.wording.act.Name, example})
				}
			}
		}
	}
	return out
}

// nestedConnectors reports a connector that is the beginning of another; since
// there is none in a sound book, two acts behind connectors can only meet as
// they do without.
func (b *Book) nestedConnectors() []Ambiguity {
	var out []Ambiguity
	for p := range persons {
		short := b.program(&wording{root: b.anyConnector(), act: &Spec{}}, p)
		long := b.program(&wording{root: seqNode{b.anyConnector(), slotNode{slot: "rest"}}, act: &Spec{Slots: map[string]string{"rest": restType}}}, p)
		if example, ok := b.meet(walked(short), walked(long)); ok {
			out = append(out, Ambiguity{p, "connector", "connector", example})
		}
	}
	return out
}

// restType is the built-in type of any words.
const restType = "any words"

func (b *Book) anyConnector() altNode {
	var any altNode
	for _, c := range b.connectors {
		any.add(c.root)
	}
	return any
}

// variants is a wording as it stands and behind a connector (nil where it takes
// none), with the tokens that it can read.
type variants struct {
	plain, behind *walker
	words         map[int32]bool
}

func (b *Book) reachable(p Person, reads [][]int32) []variants {
	var out []variants
	for _, prog := range b.readers[p].programs {
		v := variants{plain: walked(prog), words: map[int32]bool{}}
		if w := *prog.wording; w.connects() && len(b.connectors) > 0 {
			w.root = seqNode{b.anyConnector(), w.root}
			v.behind = walked(b.program(&w, p))
		}
		for _, p := range []*walker{v.plain, v.behind} {
			v.note(p, reads)
		}
		out = append(out, v)
	}
	return out
}

// wordsOfClasses lists, for each class, the literals of the book that it reads.
func (b *Book) wordsOfClasses() [][]int32 {
	out := make([][]int32, len(b.classes))
	for c := range out {
		for id := range b.spelled {
			if b.common(inst{op: opWord, arg: int32(id)}, inst{op: opClass, arg: int32(c)}, true) {
				out[c] = append(out[c], int32(id))
			}
		}
	}
	return out
}

func (v *variants) note(p *walker, reads [][]int32) {
	if p == nil {
		return
	}
	for _, in := range p.code {
		switch in.op {
		case opWord:
			v.words[in.arg] = true
		case opClass:
			for _, id := range reads[in.arg] {
				v.words[id] = true
			}
		}
	}
}

// mayMeet is a quick test: each must be able to read what the other needs.
func (b *Book) mayMeet(x, y variants) bool {
	return y.accepts(x.plain.need) && x.accepts(y.plain.need)
}

func (v *variants) accepts(need []int32) bool {
	return !slices.ContainsFunc(need, func(id int32) bool { return !v.words[id] })
}

// meetAny compares two wordings, at most one of them behind a connector.
func (b *Book) meetAny(x, y variants) (string, bool) {
	for _, pair := range [][2]*walker{{x.plain, y.plain}, {x.behind, y.plain}, {x.plain, y.behind}} {
		if pair[0] == nil || pair[1] == nil {
			continue
		}
		if example, ok := b.meet(pair[0], pair[1]); ok {
			return example, true
		}
	}
	return "", false
}

// common reports whether two instructions can read one token; the first of a
// sentence may be capitalised.
func (b *Book) common(x, y inst, first bool) bool {
	if x.op == opClass && y.op == opWord {
		x, y = y, x
	}
	switch {
	case x.op == opWord && y.op == opWord:
		return x.arg == y.arg
	case x.op == opWord && y.op == opClass:
		return slices.ContainsFunc(b.spelled[x.arg], func(word string) bool {
			return b.classes[y.arg].match(word) || first && b.classes[y.arg].match(raise(word))
		})
	case x.op == opClass && y.op == opClass:
		k, l := b.classes[x.arg], b.classes[y.arg]
		return x.arg == y.arg || slices.ContainsFunc(k.samples, l.match) || slices.ContainsFunc(l.samples, k.match)
	}
	return false
}

// meeting is a pair of places that two programs reach with the same tokens.
type meeting struct {
	x, y   int32
	parent int // index in the walk, −1 at the start
	word   string
}

// meet walks two programs side by side, breadth first.
func (b *Book) meet(x, y *walker) (string, bool) {
	walk := []meeting{{x.start, y.start, -1, ""}}
	known := map[[2]int32]bool{}
	for i := 0; i < len(walk); i++ {
		ys := y.reach(walk[i].y)
		for _, px := range x.reach(walk[i].x) {
			for _, py := range ys {
				ix, iy := x.code[px], y.code[py]
				if ix.op == opMatch && iy.op == opMatch {
					return trace(walk, i), true
				}
				key := [2]int32{px, py}
				if !known[key] && b.common(ix, iy, walk[i].parent < 0) {
					known[key] = true
					walk = append(walk, meeting{ix.next, iy.next, i, b.label(ix)})
				}
			}
		}
	}
	return "", false
}

// walker is a program that is walked, with the places found already.
type walker struct {
	*program
	ahead map[int32][]int32
}

func walked(p *program) *walker { return &walker{p, map[int32][]int32{}} }

// reach lists the reading instructions that follow without reading a token.
func (p *walker) reach(pc int32) []int32 {
	out, ok := p.ahead[pc]
	if !ok {
		out = p.find(pc)
		p.ahead[pc] = out
	}
	return out
}

func (p *program) find(pc int32) []int32 {
	var out []int32
	seen := map[int32]bool{}
	var visit func(int32)
	visit = func(pc int32) {
		if seen[pc] {
			return
		}
		seen[pc] = true
		switch in := p.code[pc]; in.op {
		case opWord, opClass, opMatch:
			out = append(out, pc)
		case opSplit:
			for _, o := range p.outs[in.arg] {
				visit(o)
			}
		default:
			visit(in.next)
		}
	}
	visit(pc)
	return out
}

func (b *Book) label(in inst) string {
	if in.op == opWord {
		return b.spelled[in.arg][0]
	}
	return "{" + b.classes[in.arg].name + "}"
}

func trace(walk []meeting, i int) string {
	var out []string
	for ; walk[i].parent >= 0; i = walk[i].parent {
		out = append(out, walk[i].word)
	}
	slices.Reverse(out)
	return strings.Join(out, " ")
}
