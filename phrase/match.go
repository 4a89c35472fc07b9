package phrase

import (
	"math/bits"
	"slices"
)

// capture is where a slot's value stands and, for closed lists, which it is.
type capture struct {
	from, to int
	value    int32 // of program.values, −1 where the tokens are the value
}

// matcher runs programs over one sentence.
type matcher struct {
	book   *Book
	text   string
	tokens []token
	ids    []int32 // literal numbers of the tokens, −1 for unknown words
	seen   marks
	stack  []capture // by slot of the running program
	prog   *program
}

func (b *Book) newMatcher(text string, s sentence) *matcher {
	m := &matcher{book: b, text: text, tokens: s.tokens, ids: make([]int32, len(s.tokens))}
	for i, t := range s.tokens {
		id, ok := b.words[fold(t.raw)]
		if !ok {
			id = -1
		}
		m.ids[i] = id
	}
	return m
}

// run tries a program from a token on. accept is called at each end that the
// program can reach, with the captures in m.stack; it stops the search by
// returning true.
func (m *matcher) run(p *program, from int, accept func(end int) bool) bool {
	m.prog = p
	m.seen = m.seen.size(len(p.code) * (len(m.tokens) + 1))
	m.stack = append(m.stack[:0], make([]capture, len(p.slots))...)
	return m.step(p.start, from, -1, accept)
}

func (m *matcher) step(pc int32, pos int, open int32, accept func(int) bool) bool {
	for {
		if !m.seen.add(int(pc)*(len(m.tokens)+1) + pos) {
			return false
		}
		in := &m.prog.code[pc]
		switch in.op {
		case opMatch:
			return accept(pos)
		case opWord:
			if pos == len(m.ids) || m.ids[pos] != in.arg {
				return false
			}
			pos++
		case opClass:
			if pos == len(m.tokens) || !m.book.classes[in.arg].match(m.tokens[pos].raw) {
				return false
			}
			pos++
		case opOpen:
			open = in.arg
			m.stack[open] = capture{from: pos, value: -1}
		case opClose:
			m.stack[open].to = pos
		case opValue:
			m.stack[open].value = in.arg
		case opSplit:
			for _, out := range m.prog.outs[in.arg] {
				if m.step(out, pos, open, accept) {
					return true
				}
			}
			return false
		}
		pc = in.next
	}
}

// act reads the captures of a match; false where a value is none of its type.
func (m *matcher) act() (Act, bool) {
	w := m.prog.wording
	a := Act{Name: w.act.Name}
	if len(w.act.Slots) > 0 {
		a.Slots = make(map[string]any, len(w.act.Slots))
	}
	for slot, v := range w.fixed {
		a.Slots[slot] = v
	}
	for i, slot := range m.prog.slots {
		v, ok := m.slotValue(m.book.types[w.act.Slots[slot]], m.stack[i])
		if !ok {
			return a, false
		}
		a.Slots[slot] = v
	}
	return a, true
}

func (m *matcher) slotValue(t *slotType, c capture) (any, bool) {
	if c.value >= 0 {
		return m.prog.values[c.value], true
	}
	tokens := m.tokens[c.from:c.to]
	switch t.kind {
	case intKind:
		n, _ := readInt(tokens[0].raw)
		v, err := t.canon(n)
		return v, err == nil
	case dateKind:
		return t.readDate(tokens)
	case moneyKind:
		return canonMoney(tokens[0].raw)
	case addressKind:
		return canonAddress(m.text[tokens[0].start:tokens[len(tokens)-1].end])
	case textKind:
		return m.text[tokens[0].start:tokens[len(tokens)-1].end], true
	case casesKind:
		return t.find(tokens)
	case quoteKind:
		return unquoted(tokens[0].raw), true
	}
	return joinRaw(tokens), true
}

// find picks the value out of a spelling that has words around it: the last
// run of tokens that a pattern takes.
func (t *slotType) find(tokens []token) (any, bool) {
	for from := len(tokens) - 1; from >= 0; from-- {
		for i := range t.cases {
			n := len(t.cases[i].pattern)
			if from+n <= len(tokens) && t.cases[i].matches(joinRaw(tokens[from:from+n])) {
				return joinRaw(tokens[from : from+n]), true
			}
		}
	}
	return nil, false
}

// marks is a set of (instruction, position) pairs.
type marks []uint64

func (m marks) size(n int) marks {
	need := (n + bits.UintSize - 1) / bits.UintSize
	m = slices.Grow(m[:0], need)[:need]
	clear(m)
	return m
}

// add puts a pair in and reports whether it was new.
func (m marks) add(i int) bool {
	bit := uint64(1) << (i % bits.UintSize)
	old := m[i/bits.UintSize]
	m[i/bits.UintSize] = old | bit
	return old&bit == 0
}
