package phrase

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// wording is one template of an act.
type wording struct {
	act     *Spec
	source  string
	root    node
	count   uint64
	lead    bool           // opens with an adverbial: only a connector with a colon fits
	colon   bool           // has a colon inside: no connector with another fits
	after   string         // act of details that it stands behind,
	afterN  int            // and how many of them at least
	fixed   map[string]any // values that the wording stands for without naming them
	barred  map[string]any // values for which it is not used
	shuns   []string       // beginnings of twists that it does not go with
	persons [persons]bool
}

var macroPattern = regexp.MustCompile(`\$\w+`)

// template parses a wording with its macros filled in; macros do not nest.
func (b *Book) template(text string) (node, error) {
	var missing error
	full := macroPattern.ReplaceAllStringFunc(text, func(name string) string {
		body, ok := b.macros[name[1:]]
		if !ok {
			missing = fmt.Errorf("unknown macro %s", name)
		}
		return body
	})
	if missing != nil {
		return nil, missing
	}
	return parseTemplate(full)
}

func (b *Book) addAct(f *actFile) error {
	who, ok := speakers[f.Role]
	if !ok {
		return fmt.Errorf("unknown role %q", f.Role)
	}
	if b.byName[f.Act] != nil {
		return errors.New("defined twice")
	}
	a := &Spec{Name: f.Act, Role: f.Role, Slots: f.Slots, wants: f.Wants, bars: f.Bars, after: f.After, unless: f.Unless, undoes: f.Undoes, vain: f.Vain, joins: f.Joins, only: f.Only, min: f.Min, max: f.Max}
	a.names = slices.Sorted(maps.Keys(f.Slots))
	for _, slot := range a.names {
		if b.types[f.Slots[slot]] == nil {
			return fmt.Errorf("unknown type %q", f.Slots[slot])
		}
	}
	b.acts, b.byName[a.Name] = append(b.acts, a), a
	return errors.Join(b.addWordings(a, f.Say, who...), b.addWordings(a, f.Scenario, Second),
		b.addWordings(a, f.Customer, First), b.addWordings(a, f.Agent, Agent))
}

func (b *Book) addWordings(a *Spec, block string, who ...Person) error {
	for _, line := range wordingLines(block) {
		w := &wording{act: a, source: line}
		for _, p := range who {
			w.persons[p] = true
		}
		if err := b.readWording(w); err != nil {
			return fmt.Errorf("wording %q: %w", line, err)
		}
		a.wordings = append(a.wordings, w)
	}
	return nil
}

// readWording parses the marks before a wording and the wording itself.
func (b *Book) readWording(w *wording) error {
	text, lead := strings.CutPrefix(w.source, "^")
	w.lead = lead
	for strings.HasPrefix(text, "{") {
		head, rest, _ := strings.Cut(text[1:], "}")
		if list, ok := strings.CutPrefix(head, "no "); ok {
			w.shuns, text = strings.Split(list, "|"), strings.TrimSpace(rest)
			continue
		}
		if n, act, ok := strings.Cut(head, " "); ok {
			if w.afterN, _ = strconv.Atoi(n); w.afterN > 0 {
				w.after, text = act, strings.TrimSpace(rest)
				continue
			}
		}
		slot, value, ok := strings.Cut(head, "=")
		if !ok {
			break
		}
		values := &w.fixed
		if strings.HasSuffix(slot, "!") {
			slot, values = strings.TrimSuffix(slot, "!"), &w.barred
		}
		if err := b.fix(w.act, slot, value, values); err != nil {
			return err
		}
		text = strings.TrimSpace(rest)
	}
	n, err := b.template(text)
	if err != nil {
		return err
	}
	w.root, w.count, w.colon = n, count(n), strings.Contains(text, ":")
	if err := b.checkNode(n, w.act.Slots); err != nil {
		return err
	}
	return w.checkSlots()
}

// fix notes a value that a wording stands for or bars.
func (b *Book) fix(a *Spec, slot, value string, values *map[string]any) error {
	t := b.types[a.Slots[slot]]
	if t == nil {
		return fmt.Errorf("no slot %q", slot)
	}
	v, err := t.canon(value)
	if err != nil {
		return err
	}
	if *values == nil {
		*values = map[string]any{}
	}
	(*values)[slot] = v
	return nil
}

// checkNode refuses references to what neither book nor act declares.
func (b *Book) checkNode(n node, slots map[string]string) error {
	switch n := n.(type) {
	case seqNode:
		for _, c := range n {
			if err := b.checkNode(c, slots); err != nil {
				return err
			}
		}
	case altNode:
		return b.checkNode(seqNode(n.alts), slots)
	case pronNode:
		if b.pronouns[n.token] == nil {
			return fmt.Errorf("unknown pronoun <%s>", n.token)
		}
	case slotNode:
		t := b.types[slots[n.slot]]
		if t == nil {
			return fmt.Errorf("no slot %q", n.slot)
		}
		if !t.hasForm(n.form) {
			return fmt.Errorf("type %s has no form %q for every value", t.name, n.form)
		}
	}
	return nil
}

// checkSlots requires every slot once in every surface form.
func (w *wording) checkSlots() error {
	for _, slot := range w.act.names {
		if _, ok := w.fixed[slot]; ok {
			continue
		}
		if least, most := mentions(w.root, slot); least != 1 || most != 1 {
			return fmt.Errorf("slot %q stands %d to %d times", slot, least, most)
		}
	}
	return nil
}

// mentions counts how often a slot stands in a form of the node, at least and
// at most.
func mentions(n node, slot string) (least, most int) {
	switch n := n.(type) {
	case seqNode:
		for _, c := range n {
			l, m := mentions(c, slot)
			least, most = least+l, most+m
		}
	case altNode:
		for i, c := range n.alts {
			l, m := mentions(c, slot)
			if i == 0 {
				least = l
			}
			least, most = min(least, l), max(most, m)
		}
	case slotNode:
		if n.slot == slot && !n.only {
			return 1, 1
		}
	}
	return least, most
}
