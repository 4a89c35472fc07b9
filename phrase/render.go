package phrase

import (
	"errors"
	"fmt"
	"math/rand/v2"
)

// ErrAct is wrapped where an act cannot be rendered: unknown name, missing or
// wrong slots, no wording for the person.
var ErrAct = errors.New("act cannot be worded")

// piece is a chunk of rendered text.
type piece struct {
	text    string
	glue    bool // no space before it
	keep    bool // never capitalised: it is a value
	article bool // "a" or "an"
}

// writer renders one wording.
type writer struct {
	book   *Book
	person Person
	draw   *rand.Rand
	at     setting
	act    Act
	spec   *Spec
	value  string // of valueNode
	out    []piece
}

// Render words an act for a person. All wordings are equally likely, and
// within one all its surface forms.
func (b *Book) Render(act Act, p Person, draw *rand.Rand) (string, error) {
	return b.render(act, p, "", draw, setting{})
}

// RenderNext words a further wish of the customer behind a connector that suits
// it; last says that no other follows.
func (b *Book) RenderNext(act Act, p Person, last bool, draw *rand.Rand) (string, error) {
	group := b.group(act)
	if last {
		group = lastGroup
	}
	return b.render(act, p, group, draw, setting{})
}

// group is the connector group of a wish in the middle.
func (b *Book) group(act Act) string {
	if spec := b.byName[act.Name]; spec != nil && spec.Role == Ask {
		return asideGroup
	}
	return thenGroup
}

// render words an act behind a connector of a group ("" is none).
func (b *Book) render(act Act, p Person, group string, draw *rand.Rand, at setting) (string, error) {
	act, spec, err := b.canonAct(act)
	if err != nil {
		return "", err
	}
	fits := b.fitting(spec, act, p, at)
	if len(fits) == 0 {
		return "", fmt.Errorf("%w: %s has no wording for %s", ErrAct, act, p)
	}
	w := fits[draw.IntN(len(fits))]
	out := &writer{book: b, person: p, draw: draw, at: at, act: act, spec: spec}
	if group != "" {
		out.connect(group, w)
	}
	out.write(w.root, anyForm(draw))
	return out.finish(), nil
}

// canonAct checks an act against the book and brings its values into
// canonical form.
func (b *Book) canonAct(act Act) (Act, *Spec, error) {
	spec := b.byName[act.Name]
	if spec == nil {
		return act, nil, fmt.Errorf("%w: no act %q", ErrAct, act.Name)
	}
	if len(act.Slots) != len(spec.Slots) {
		return act, nil, fmt.Errorf("%w: %s has slots %v", ErrAct, act, spec.Slots)
	}
	out := Act{Name: act.Name}
	for _, slot := range spec.names {
		v, err := b.types[spec.Slots[slot]].canon(act.Slots[slot])
		if err != nil {
			return act, nil, fmt.Errorf("%w: %s: %s: %w", ErrAct, act.Name, slot, err)
		}
		if out.Slots == nil {
			out.Slots = make(map[string]any, len(spec.Slots))
		}
		out.Slots[slot] = v
	}
	return out, spec, nil
}

// fitting lists the wordings of a person that may word the act where it stands.
func (b *Book) fitting(spec *Spec, act Act, p Person, at setting) []*wording {
	var out []*wording
	for _, w := range spec.wordings {
		if w.persons[p] && w.fits(act) && w.behind(at.details) && w.bears(at.twists) {
			out = append(out, w)
		}
	}
	return out
}

// behind checks what a wording wants to stand behind.
func (w *wording) behind(details []Act) bool {
	n := 0
	for _, d := range details {
		if d.Name == w.after {
			n++
		}
	}
	return n >= w.afterN
}

func (w *wording) fits(act Act) bool {
	for slot, v := range w.fixed {
		if act.Slots[slot] != v {
			return false
		}
	}
	for slot, v := range w.barred {
		if act.Slots[slot] == v {
			return false
		}
	}
	return true
}

func (w *writer) write(n node, choose chooser) {
	switch n := n.(type) {
	case seqNode:
		for _, c := range n {
			w.write(c, choose)
		}
	case altNode:
		w.write(n.alts[choose(n.counts)], choose)
	case litNode:
		w.add(piece{text: n.text, glue: n.glue})
	case pronNode:
		w.add(piece{text: w.book.pronouns[n.token][w.person]})
	case artNode:
		w.add(piece{article: true})
	case valueNode:
		w.add(piece{text: w.value, keep: true})
	case slotNode:
		w.slot(n)
	}
}

func (w *writer) add(p piece) { w.out = append(w.out, p) }

// slot writes a value in one of the spellings of its type.
func (w *writer) slot(n slotNode) {
	t, v := w.book.types[w.spec.Slots[n.slot]], w.act.Slots[n.slot]
	agreeing := n.many
	if t.isOne(v) {
		agreeing = n.one
	}
	if !n.only {
		w.spell(t, n, v)
	}
	if agreeing != "" {
		w.add(piece{text: agreeing})
	}
}

func (w *writer) spell(t *slotType, n slotNode, v any) {
	switch t.kind {
	case intKind:
		w.add(piece{text: sayInt(v.(int), n.many != "", w.draw)})
	case dateKind:
		how := w.at.date - 1
		if how < 0 {
			how = w.draw.IntN(dateStyles)
		}
		w.add(piece{text: t.sayDate(v.(string), how), keep: true})
	case moneyKind:
		w.add(piece{text: sayMoney(v.(string)), keep: true})
	case quoteKind:
		w.add(piece{text: quoted(v.(string)), keep: true})
	case addressKind, textKind, callKind:
		w.add(piece{text: v.(string), keep: true})
	default:
		w.value = v.(string)
		if f := t.caseOf(w.value).form(n.form); f != nil {
			w.write(f, anyForm(w.draw))
			return
		}
		w.add(piece{text: w.value, keep: true})
	}
}
