package phrase

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Roles of acts. They say who may utter an act and where Compose uses it.
const (
	Wish    = "wish"     // a request that changes something
	Ask     = "ask"      // something the customer wants to be told
	Detail  = "detail"   // belongs to the wish before it
	Fact    = "fact"     // what the customer knows about herself
	Story   = "story"    // opens the reason for the call
	Gist    = "gist"     // announces several wishes
	Mood    = "mood"     // how the customer behaves
	Order   = "order"    // how the wishes are brought up
	Finish  = "finish"   // when the conversation may end
	Unknown = "unknown"  // what the customer cannot say
	Default = "default"  // stands behind a wish where a detail is missing
	ByUser  = "customer" // conversational acts of the customer
	ByHelp  = "agent"    // acts of the agent
)

// speakers lists who may utter an act of a role.
var speakers = map[string][]Person{
	Wish: {Second, First, Agent}, Ask: {Second, First, Agent}, Detail: {Second, First, Agent},
	Fact: {Second, First, Agent}, Story: {Second}, Gist: {Second}, Mood: {Second}, Order: {Second},
	Finish: {Second}, Unknown: {Second}, Default: {Second, First, Agent}, ByUser: {First}, ByHelp: {Agent},
}

// Spec describes an act of the book. Slots maps slot names to type names.
type Spec struct {
	Name, Role string
	Slots      map[string]string
	names      []string // of the slots, sorted
	wants      []string
	bars       []string
	after      []string
	unless     string
	only       map[string][]string
	min, max   int
	wordings   []*wording
}

// wording is one template of an act.
type wording struct {
	act     *Spec
	source  string
	root    node
	count   uint64
	lead    bool           // opens with an adverbial: only a connector with a colon fits
	fixed   map[string]any // values that the wording stands for without naming them
	barred  map[string]any // values for which it is not used
	persons [persons]bool
}

// Book is a loaded phrase book, safe for concurrent use.
type Book struct {
	pronouns   map[string][]string
	macros     map[string]string
	types      map[string]*slotType
	acts       []*Spec
	byName     map[string]*Spec
	connectors []*connector
	hear       []*hearing
	words      map[string]int32 // folded literals by number
	spelled    [][]string       // by number, as the book spells them
	classes    []class
	readers    [persons]*reader
}

// connector is an opening phrase of a group.
type connector struct {
	group string
	colon bool // ends in a colon, so that any sentence may follow
	root  node
	count uint64
}

// ErrBook is wrapped by every error about a book's content.
var ErrBook = errors.New("phrase book")

// Load reads a book from YAML files; later files may use what earlier ones
// declare and the other way round. It refuses unknown keys, unknown types,
// pronouns and forms, and wordings that lack a slot or name it twice.
func Load(files ...[]byte) (*Book, error) {
	b := &Book{pronouns: map[string][]string{}, macros: map[string]string{}, types: map[string]*slotType{restType: {name: restType, kind: textKind}}, byName: map[string]*Spec{}, words: map[string]int32{}}
	var parsed []*bookFile
	for _, data := range files {
		f, err := decodeFile(data)
		if err != nil {
			return nil, err
		}
		if err := b.declare(f); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrBook, err)
		}
		parsed = append(parsed, f)
	}
	for _, f := range parsed {
		if err := b.define(f); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrBook, err)
		}
	}
	for p := range persons {
		b.readers[p] = b.compile(p)
	}
	return b, nil
}

// declare takes over pronouns, macros and types.
func (b *Book) declare(f *bookFile) error {
	maps.Copy(b.macros, f.Macros)
	for token, forms := range f.Pronouns {
		if len(forms) != int(persons) {
			return fmt.Errorf("pronoun <%s> needs %d spellings", token, persons)
		}
		b.pronouns[token] = forms
	}
	for i := range f.Types {
		t, err := f.Types[i].slotType()
		if err != nil {
			return err
		}
		if b.types[t.name] != nil {
			return fmt.Errorf("type %s is declared twice", t.name)
		}
		b.types[t.name] = t
	}
	return nil
}

// define takes over connectors, acts and recognisers.
func (b *Book) define(f *bookFile) error {
	for _, c := range f.Connectors {
		for _, line := range wordingLines(c.Say) {
			n, err := b.template(line)
			if err != nil {
				return err
			}
			b.connectors = append(b.connectors, &connector{c.Group, strings.HasSuffix(line, ":"), n, count(n)})
		}
	}
	for i := range f.Acts {
		if err := b.addAct(&f.Acts[i]); err != nil {
			return fmt.Errorf("act %s: %w", f.Acts[i].Act, err)
		}
	}
	for i := range f.Hear {
		if err := b.addHearing(&f.Hear[i]); err != nil {
			return fmt.Errorf("hear %s: %w", f.Hear[i].Act, err)
		}
	}
	return nil
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
	a := &Spec{Name: f.Act, Role: f.Role, Slots: f.Slots, wants: f.Wants, bars: f.Bars, after: f.After, unless: f.Unless, only: f.Only, min: f.Min, max: f.Max}
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
	w.root, w.count = n, count(n)
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

// Acts lists the acts of the book in its order.
func (b *Book) Acts() []*Spec { return slices.Clone(b.acts) }

// Spec returns the declaration of an act, nil for an unknown one.
func (b *Book) Spec(act string) *Spec { return b.byName[act] }

// Wordings counts the surface forms of an act for a person, the spellings of
// slot values counting once, and its templates (skeletons).
func (b *Book) Wordings(act string, p Person) (forms uint64, templates int) {
	if s := b.byName[act]; s != nil {
		for _, w := range s.wordings {
			if w.persons[p] {
				forms, templates = forms+w.count, templates+1
			}
		}
	}
	return forms, templates
}
