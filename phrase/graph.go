package phrase

import (
	"slices"
)

// A wording is compiled, for each person, to a small nondeterministic program
// over tokens; matching walks it with backtracking and remembers where it
// failed, so that it stays linear in program × sentence.

type opcode uint8

const (
	opWord  opcode = iota // a literal, by number
	opClass               // a token of a class
	opSplit               // any of the targets
	opOpen                // a slot begins
	opClose               // a slot ends
	opValue               // the open slot has this value
	opMatch
)

type inst struct {
	op   opcode
	arg  int32
	next int32
}

type program struct {
	wording *wording
	code    []inst
	start   int32
	outs    [][]int32 // by argument of opSplit
	slots   []string  // by argument of opOpen
	values  []string  // by argument of opValue
	need    []int32   // literals that every form contains
}

// class is a set of tokens.
type class struct {
	name    string
	match   func(raw string) bool
	samples []string
}

// reader holds what a person's sentences are matched against.
type reader struct {
	programs   []*program
	byWord     map[int32][]int // programs by their rarest needed literal
	always     []int           // programs that need none
	connectors []*program
}

// builder compiles one template.
type builder struct {
	book   *Book
	person Person
	prog   *program
	slots  map[string]string // types
	kase   *valueCase        // whose form is being compiled
}

func (b *Book) compile(p Person) *reader {
	r := &reader{byWord: map[int32][]int{}}
	for _, c := range b.connectors {
		r.connectors = append(r.connectors, b.program(&wording{root: c.root, act: &Spec{}}, p))
	}
	uses := map[int32]int{}
	for _, a := range b.acts {
		for _, w := range a.wordings {
			if !w.persons[p] {
				continue
			}
			prog := b.program(w, p)
			r.programs = append(r.programs, prog)
			for _, id := range prog.need {
				uses[id]++
			}
		}
	}
	for i, prog := range r.programs {
		if len(prog.need) == 0 {
			r.always = append(r.always, i)
			continue
		}
		rarest := slices.MinFunc(prog.need, func(a, b int32) int { return uses[a] - uses[b] })
		r.byWord[rarest] = append(r.byWord[rarest], i)
	}
	return r
}

func (b *Book) program(w *wording, p Person) *program {
	c := &builder{book: b, person: p, prog: &program{wording: w, code: b.scratch[:0]}, slots: w.act.Slots}
	end := c.emit(inst{op: opMatch})
	c.prog.start = c.node(w.root, end)
	c.prog.need = c.needs(w.root)
	b.scratch, c.prog.code = c.prog.code, slices.Clone(c.prog.code)
	return c.prog
}

func (c *builder) emit(i inst) int32 {
	c.prog.code = append(c.prog.code, i)
	return int32(len(c.prog.code) - 1)
}

func (c *builder) split(outs ...int32) int32 {
	c.prog.outs = append(c.prog.outs, outs)
	return c.emit(inst{op: opSplit, arg: int32(len(c.prog.outs) - 1)})
}

// leads sets where a split goes, for one that is part of a loop.
func (p *program) leads(split int32, outs ...int32) { p.outs[p.code[split].arg] = outs }

// node compiles backwards: it returns where to enter so as to match the node
// and then go on at next.
func (c *builder) node(n node, next int32) int32 {
	switch n := n.(type) {
	case seqNode:
		for i := len(n) - 1; i >= 0; i-- {
			next = c.node(n[i], next)
		}
	case altNode:
		outs := make([]int32, len(n.alts))
		for i, alt := range n.alts {
			outs[i] = c.node(alt, next)
		}
		return c.split(outs...)
	case litNode:
		return c.literal(n.text, next)
	case pronNode:
		return c.literal(c.book.pronouns[n.token][c.person], next)
	case artNode:
		return c.split(c.literal("a", next), c.literal("an", next))
	case valueNode:
		return c.patterns(c.kase.pattern, next)
	case slotNode:
		return c.slot(n, next)
	}
	return next
}

func (c *builder) literal(text string, next int32) int32 {
	for _, id := range slices.Backward(c.book.literalIDs(text)) {
		next = c.emit(inst{op: opWord, arg: id, next: next})
	}
	return next
}

// literalIDs numbers the words of a literal. A book says the same ones again and
// again, so it keeps them.
func (b *Book) literalIDs(text string) []int32 {
	ids, ok := b.literals[text]
	if !ok {
		for _, w := range words(text) {
			ids = append(ids, b.wordID(w))
		}
		b.literals[text] = ids
	}
	return ids
}

// wordID numbers a literal, ignoring case, and notes how it is spelled.
func (b *Book) wordID(raw string) int32 {
	word := fold(raw)
	id, ok := b.words[word]
	if !ok {
		id = int32(len(b.words))
		b.words[word] = id
		b.spelled = append(b.spelled, nil)
	}
	if !slices.Contains(b.spelled[id], raw) {
		b.spelled[id] = append(b.spelled[id], raw)
	}
	return id
}

// needs lists the literals that stand in every form of a node.
func (c *builder) needs(n node) []int32 {
	switch n := n.(type) {
	case seqNode:
		var out []int32
		for _, child := range n {
			out = append(out, c.needs(child)...)
		}
		return out
	case altNode:
		out := c.needs(n.alts[0])
		for _, alt := range n.alts[1:] {
			other := c.needs(alt)
			out = slices.DeleteFunc(out, func(id int32) bool { return !slices.Contains(other, id) })
		}
		return out
	case litNode:
		return slices.Clone(c.book.literalIDs(n.text))
	case pronNode:
		return slices.Clone(c.book.literalIDs(c.book.pronouns[n.token][c.person]))
	}
	return nil
}
