package phrase

import (
	"errors"
	"fmt"
	"maps"
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
	Consent = "consent"  // what the customer agrees to
	Finish  = "finish"   // when the conversation may end
	Unknown = "unknown"  // what the customer cannot say
	Default = "default"  // stands behind a wish where a detail is missing
	Twist   = "twist"    // belongs to the wish before it: how it is made hard
	Lead    = "lead"     // leads over to twists of what prose of others is about
	Conduct = "conduct"  // belongs to the wish before it: what the customer does about it, unsaid
	Persona = "persona"  // what kind of person the customer is
	Terms   = "terms"    // what a customer who makes things hard goes by, and settles for
	ByUser  = "customer" // conversational acts of the customer
	ByHelp  = "agent"    // acts of the agent
)

// speakers lists who may utter an act of a role.
var speakers = map[string][]Person{
	Wish: {Second, First, Agent}, Ask: {Second, First, Agent}, Detail: {Second, First, Agent},
	Fact: {Second, First, Agent}, Story: {Second}, Gist: {Second}, Mood: {Second}, Order: {Second},
	Consent: {Second}, Finish: {Second}, Unknown: {Second}, Default: {Second, First, Agent},
	Twist: {Second}, Lead: {Second}, Conduct: {Second}, Persona: {Second}, Terms: {Second}, ByUser: {First}, ByHelp: {Agent},
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
	undoes     string
	vain       []string
	joins      bool
	only       map[string][]string
	min, max   int
	wordings   []*wording
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
	words      map[string]int32   // folded literals by number
	literals   map[string][]int32 // numbers of the words of each literal
	scratch    []inst             // of the program being compiled
	spelled    [][]string         // by number, as the book spells them
	classes    []class
	readers    [persons]*reader
}

// ErrBook is wrapped by every error about a book's content.
var ErrBook = errors.New("phrase book")

// Load reads a book from YAML files; later files may use what earlier ones
// declare and the other way round. It refuses unknown keys, unknown types,
// pronouns and forms, and wordings that lack a slot or name it twice.
func Load(files ...[]byte) (*Book, error) {
	b := &Book{pronouns: map[string][]string{}, macros: map[string]string{}, types: map[string]*slotType{restType: {name: restType, kind: textKind}}, byName: map[string]*Spec{}, words: map[string]int32{}, literals: map[string][]int32{}}
	var parsed []*bookFile
	for _, data := range files {
		docs, err := decodeFile(data)
		if err != nil {
			return nil, err
		}
		for _, f := range docs {
			if err := b.declare(f); err != nil {
				return nil, fmt.Errorf("%w: %w", ErrBook, err)
			}
		}
		parsed = append(parsed, docs...)
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

// define takes over connectors, acts, their words in tickets, and recognisers.
func (b *Book) define(f *bookFile) error {
	for _, c := range f.Connectors {
		for _, line := range wordingLines(c.Say) {
			n, err := b.template(line)
			if err != nil {
				return err
			}
			b.connectors = append(b.connectors, &connector{group: c.Group, colon: strings.HasSuffix(line, ":"), root: n, count: count(n), only: c.Only, shares: c.Shares, again: c.Again})
		}
	}
	for i := range f.Acts {
		if err := b.addAct(&f.Acts[i]); err != nil {
			return fmt.Errorf("act %s: %w", f.Acts[i].Act, err)
		}
	}
	for _, t := range f.Tickets {
		a := b.byName[t.Act]
		if a == nil {
			return fmt.Errorf("ticket: unknown act %q", t.Act)
		}
		if err := b.addWordings(a, t.Say, Ticket); err != nil {
			return fmt.Errorf("ticket: act %s: %w", t.Act, err)
		}
	}
	for i := range f.Hear {
		if err := b.addHearing(&f.Hear[i]); err != nil {
			return fmt.Errorf("hear %s: %w", f.Hear[i].Act, err)
		}
	}
	return nil
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
