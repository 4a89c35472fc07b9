package rules

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"taste/contract"
	"taste/eval"
	"taste/phrase"
	"taste/pyjson"
	"taste/tau"
)

// needs tells which sentences carry a gold argument that no read reveals.
type needs struct {
	contract *contract.Contract
	target   *eval.Target
	whole    phrase.Brief
	extras   []int // wishes that gold does not fulfil
}

// newNeeds reads a task; of one whose wishes do not fit gold no wish is taken
// to be an extra one.
func newNeeds(c *contract.Contract, b *phrase.Book, t *eval.Target) (*needs, error) {
	n := &needs{contract: c, target: t}
	n.whole, _ = phrase.Read(b, scenarioText(t.Task.UserScenario))
	story, err := ReadStory(c, b, t.Task.UserScenario)
	if err != nil {
		return nil, err
	}
	if gold := t.Task.EvaluationCriteria; gold != nil {
		if behind, err := story.Behind(c, gold.Actions, nil); err == nil {
			n.extras = story.Extras(behind)
		}
	}
	return n, nil
}

// carries decides about a sentence, read as an act, that says or belongs to the
// wish of that number (−1: it stands before all). A wish or detail carries an
// argument if without its slots the arguments of the wish's gold call, or the
// answer to be communicated, can no longer be worked out from everything that
// can be read, or come out otherwise. A fact by which customers are known carries
// one if without it nobody could tell who calls, any other fact, and what is said
// beside a trouble, if its value is an argument of a gold call that is not a read.
func (n *needs) carries(a phrase.Act, wish int) bool {
	if among(n.whole.Facts, a) {
		if n.contract.Identifies(a.Name) {
			return n.identifies(a)
		}
		return n.isArgument(a)
	}
	if wish < 0 {
		return false
	}
	item := n.whole.Items[wish]
	if n.contract.Trouble(item.Wish.Name) != nil {
		return among(item.Details, a) && n.isArgument(a)
	}
	w := n.contract.Wish(item.Wish.Name)
	if w == nil || !n.counts(w, wish) {
		return false
	}
	without := item
	if item.Wish.String() == a.String() {
		without.Wish = phrase.New(a.Name)
	} else {
		without.Details = slices.DeleteFunc(slices.Clone(item.Details), func(d phrase.Act) bool { return d.String() == a.String() })
		if len(without.Details) == len(item.Details) {
			return false // a frame sentence
		}
	}
	less, lacking := n.outcome(w, without)
	var missing *contract.MissingSlot
	if errors.As(lacking, &missing) {
		return true
	}
	full, err := n.outcome(w, item)
	return err == nil && (lacking != nil || !reflect.DeepEqual(full, less))
}

// counts reports whether gold has something to show for a wish: a call that is
// about the same records, or something to communicate. An extra wish, which
// gold does not fulfil, has nothing.
func (n *needs) counts(w *contract.Wish, number int) bool {
	c := n.target.Task.EvaluationCriteria
	if w.Does == "" {
		return len(c.CommunicateInfo) > 0
	}
	if slices.Contains(n.extras, number) {
		return false
	}
	want := Wanted{Wish: w, Slots: n.whole.Items[number].Wish.Slots}
	return slices.ContainsFunc(c.Actions, func(a tau.Action) bool { return a.Name == w.Does && about(n.contract, &a, want) })
}

// identifies reports whether the customer is known by the facts, and no longer
// without this one.
func (n *needs) identifies(a phrase.Act) bool {
	less := slices.DeleteFunc(slices.Clone(n.whole.Facts), func(f phrase.Act) bool { return f.String() == a.String() })
	return n.contract.Protocol.Identify && n.customer(n.whole.Facts) != "" && n.customer(less) == ""
}

// isArgument reports whether a slot of the act is an argument of a gold call
// that is no read.
func (n *needs) isArgument(a phrase.Act) bool {
	for _, call := range n.target.Task.EvaluationCriteria.Actions {
		if !acts(n.contract, call.Name) {
			continue
		}
		for _, v := range call.Arguments {
			for _, s := range a.Slots {
				if pyjson.Equal(v, s) {
					return true
				}
			}
		}
	}
	return false
}

// errFree says that a wish has no arguments but free ones.
var errFree = errors.New("no argument matters")

// outcome works out the wish's arguments, without the free ones, or its answer,
// from the initial state. The error says what is missing.
func (n *needs) outcome(w *contract.Wish, item phrase.Item) (any, error) {
	m := &matter{wish: w, said: item.Wish, details: item.Details}
	s := &contract.Scope{
		Contract: n.contract, Reader: newEnvReader(n.target.Start()), Wish: w, Ask: m.join(),
		Customer: n.customer(n.whole.Facts), Extra: authorless(),
	}
	if w.Does == "" {
		return s.Eval(w.Tells)
	}
	out := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(w.Args)) {
		if a := n.contract.Tools[w.Does].Args[name]; a != nil && a.Source == "free" {
			continue
		}
		v, err := s.Eval(w.Args[name])
		if err != nil {
			return nil, fmt.Errorf("argument %s: %w", name, err)
		}
		out[name] = v
	}
	if len(out) == 0 {
		return nil, errFree
	}
	return out, nil
}

// customer is whom facts identify, "" for nobody.
func (n *needs) customer(facts []phrase.Act) string {
	s := &contract.Scope{Contract: n.contract, Reader: newEnvReader(n.target.Start()), Said: factsOf(phrase.Brief{Facts: facts})}
	key, err := s.Identify()
	if err != nil {
		return ""
	}
	return key
}
