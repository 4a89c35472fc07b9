package rules

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"taste/contract"
	"taste/env"
	"taste/phrase"
	"taste/tau"
)

// Story is what a scenario says, read from its own text.
type Story struct {
	Wishes  []Wanted       // in the order of the text
	Facts   map[string]any // what the customer says of herself, by slot
	Ordered bool           // the wishes are to be brought up in this order
	Unread  []string       // sentences that the phrase book does not account for
}

// Wanted is one wish with its slots, values as contract.Scope.Ask takes them,
// the twists by which it is made hard, and how the customer is to behave about it.
type Wanted struct {
	Wish    *contract.Wish
	Slots   map[string]any
	Twists  []phrase.Act
	Conduct []phrase.Act
}

// test is what the customer takes a trouble as solved by: what she is told, else what
// the contract says; nil if neither says anything.
func (w Wanted) test(c *contract.Contract) *contract.Test {
	i := slices.IndexFunc(w.Conduct, func(a phrase.Act) bool { return a.Name == conductTest })
	if i < 0 {
		return c.Trouble(w.Wish.Name).Solved
	}
	tool, _, _ := strings.Cut(w.Conduct[i].Str("call"), "(")
	return &contract.Test{Tool: tool, Shows: w.Conduct[i].Str("shown")}
}

// extra tells whether the policy has to refuse the wish: nobody insists on
// what is granted, nor brings it up beside a yes.
func (w Wanted) extra() bool { return w.has(twistInsist) || w.has(twistWithYes) }

func (w Wanted) has(twist string) bool {
	return slices.ContainsFunc(w.Twists, func(a phrase.Act) bool { return a.Name == twist })
}

// Trouble tells whether it is a trouble, which faults stand behind.
func (w Wanted) Trouble() bool { return w.Wish.Trouble() }

// doubtful tells whether the wish may be one that the policy has to refuse: a
// claim may be what would earn it.
func (w Wanted) doubtful(c *contract.Contract) bool {
	return slices.ContainsFunc(w.Twists, func(a phrase.Act) bool { return c.Evolution.Claim(a.Name) != nil })
}

// ReadStory reads a scenario with a phrase book. Prose that is none of the
// book's ends up in Unread; without a book all of it does.
func ReadStory(c *contract.Contract, b *phrase.Book, s tau.UserScenario) (Story, error) {
	text := scenarioText(s)
	var st Story
	if b == nil {
		st.Unread = []string{text.ReasonForCall, text.TaskInstructions}
		return st, nil
	}
	brief, unread := phrase.Read(b, text)
	st.Unread, st.Facts = unread, factsOf(brief)
	for _, item := range brief.Items {
		w, err := wanted(c, item)
		if err != nil {
			return st, err
		}
		st.Wishes = append(st.Wishes, w)
	}
	st.Ordered = ordered(b, text.ReasonForCall) || ordered(b, text.TaskInstructions)
	return st, nil
}

func wanted(c *contract.Contract, item phrase.Item) (Wanted, error) {
	w := c.Wish(item.Wish.Name)
	if w == nil {
		return Wanted{}, fmt.Errorf("read scenario: the contract knows no wish %s", item.Wish.Name)
	}
	var details []contract.Said
	for _, d := range item.Details {
		details = append(details, contract.Said{Act: d.Name, Slots: d.Slots})
	}
	ask, err := w.Join(contract.Said{Act: item.Wish.Name, Slots: item.Wish.Slots}, details)
	if err != nil {
		return Wanted{}, fmt.Errorf("read scenario: %w", err)
	}
	return Wanted{Wish: w, Slots: ask, Twists: item.Twists, Conduct: item.Conduct}, nil
}

// ordered tells whether the text says that the order of the wishes counts.
func ordered(b *phrase.Book, text string) bool {
	acts, _ := b.Parse(text, phrase.Second)
	return slices.ContainsFunc(acts, func(a phrase.Act) bool { return b.Spec(a.Name).Role == phrase.Order })
}

// acts tells whether a tool fulfils wishes: it writes or hands off.
func acts(c *contract.Contract, tool string) bool {
	t := c.Tools[tool]
	return tool == c.Protocol.Handoff || t != nil && t.Type == "WRITE"
}

// factsOf lists what a customer says of herself, by slot.
func factsOf(brief phrase.Brief) map[string]any {
	out := map[string]any{}
	for _, f := range brief.Facts {
		maps.Copy(out, f.Slots)
	}
	return out
}

// CustomerOf finds the customer of a task in its initial state: the key of a
// customer's record that the scenario names, or the one who is identified by
// what she says of herself, or whom the gold actions find or whose records they
// speak of. It returns "" where none of this names exactly one.
func CustomerOf(c *contract.Contract, e *env.Environment, t *tau.Task, facts map[string]any) string {
	found := map[string]bool{}
	for _, word := range Words(t.UserScenario) {
		if e.RecordJSON(c.Customer.Table, word) != nil {
			found[word] = true
		}
	}
	if len(found) == 0 {
		s := &contract.Scope{Contract: c, Reader: Reader(e), Said: facts}
		if key, err := s.Identify(); err == nil {
			return key
		}
	}
	if len(found) == 0 && t.EvaluationCriteria != nil {
		for i := range t.EvaluationCriteria.Actions {
			a := &t.EvaluationCriteria.Actions[i]
			owners(c, e, a.Arguments, found)
			if key := foundBy(c, e, a); key != "" {
				found[key] = true
			}
		}
	}
	if len(found) != 1 {
		return ""
	}
	return slices.Sorted(maps.Keys(found))[0]
}

// foundBy is the customer whom an action finds that is there to identify one.
func foundBy(c *contract.Contract, e *env.Environment, a *tau.Action) string {
	for _, w := range c.Customer.Identify {
		if !slices.Contains(w.Tools(), a.Name) {
			continue
		}
		v, err := e.Read(a.Name, a.Arguments)
		if key, ok := v.(string); err == nil && ok && e.RecordJSON(c.Customer.Table, key) != nil {
			return key
		}
	}
	return ""
}

// OwnKeys lists the keys of a customer's records of a kind, as listed.
func OwnKeys(c *contract.Contract, e *env.Environment, kind *contract.Record, customer string) []any {
	list, _ := e.Record(c.Customer.Table, customer)[kind.Listed].([]any)
	return list
}

// owners adds the customers whose records a value names.
func owners(c *contract.Contract, e *env.Environment, v any, found map[string]bool) {
	switch x := v.(type) {
	case string:
		if e.RecordJSON(c.Customer.Table, x) != nil {
			found[x] = true
		}
		for _, kind := range c.Records {
			if r := e.Record(kind.Table, x); r != nil {
				found[fmt.Sprint(r[kind.Owner])] = true
			}
		}
	case []any:
		for _, e2 := range x {
			owners(c, e, e2, found)
		}
	case map[string]any:
		for _, e2 := range x {
			owners(c, e, e2, found)
		}
	}
}

// Words splits the strings of a scenario at everything that no name or id
// holds, in order of the text.
func Words(s tau.UserScenario) []string {
	t := scenarioText(s)
	text := strings.Join([]string{t.ReasonForCall, t.KnownInfo, t.UnknownInfo, t.TaskInstructions}, "\n")
	return strings.FieldsFunc(text, func(r rune) bool {
		return !(r == '_' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r > 127)
	})
}
