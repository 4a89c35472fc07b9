package phrase

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// Connector groups that Compose uses; a book that lacks one goes without.
const (
	thenGroup  = "then"  // before a further wish
	asideGroup = "aside" // before something the customer asks in between
	lastGroup  = "last"  // before the last wish
)

// candidates is how many wordings Compose weighs for each sentence.
const candidates = 16

// composer words one scenario.
type composer struct {
	book  *Book
	draw  *rand.Rand
	used  *Variety
	local Variety
	style Style
	err   error
}

// Compose words a brief as the texts of a scenario: the reason for the call
// opens with a story that suits the wishes and states the first wish; the
// instructions hold the other wishes in order, each with its details behind it,
// and how the customer behaves. Of several wordings it takes the one least
// worn by the scenarios in used, which it only reads: Add what is kept. The
// result is a function of its arguments. Errors wrap ErrAct.
func Compose(b *Book, brief Brief, draw *rand.Rand, used *Variety) (Scenario, error) {
	if used == nil {
		used = &Variety{}
	}
	c := &composer{book: b, draw: draw, used: used}
	c.style.Date = 1 + draw.IntN(dateStyles)
	var s Scenario
	s.ReasonForCall = c.reason(brief)
	s.KnownInfo = c.facts(brief)
	s.TaskInstructions = c.instructions(brief)
	s.UnknownInfo = c.frame(brief, Unknown, 1+draw.IntN(2))
	return s, c.err
}

func (c *composer) reason(brief Brief) string {
	var out []string
	if brief.Theme != "" {
		out = append(out, c.say(New(storyPrefix+brief.Theme), ""))
	} else {
		out = append(out, c.frame(brief, Story, 1))
	}
	if len(brief.Items) > 2 && c.draw.IntN(2) == 0 {
		out = append(out, c.say(New(Gist, "count", len(brief.Items)), ""))
	}
	if len(brief.Items) > 0 {
		out = append(out, c.item(brief.Items[0], ""))
	}
	return join(out...)
}

// storyPrefix precedes the theme in the name of a story act.
const storyPrefix = "story."

func (c *composer) facts(brief Brief) string {
	var out []string
	for _, f := range brief.Facts {
		out = append(out, c.say(f, ""))
	}
	return join(out...)
}

func (c *composer) instructions(brief Brief) string {
	var out []string
	for i, item := range brief.Items {
		if i > 0 {
			out = append(out, c.item(item, c.groups(brief, i)...))
		}
	}
	out = append(out, c.frame(brief, Mood, 1), c.frame(brief, Order, 1), c.frame(brief, Finish, 1))
	return join(out...)
}

// groups lists the connector groups that may open the i-th wish.
func (c *composer) groups(brief Brief, i int) []string {
	group := thenGroup
	if spec := c.book.Spec(brief.Items[i].Wish.Name); spec != nil && spec.Role == Ask {
		group = asideGroup
	}
	if i == len(brief.Items)-1 {
		return []string{group, lastGroup}
	}
	return []string{group, group, ""}
}

func (c *composer) item(item Item, groups ...string) string {
	out := []string{c.say(item.Wish, groups...)}
	for _, d := range item.Details {
		out = append(out, c.say(d, ""))
	}
	for _, a := range c.book.acts {
		if a.Role == Default && a.missingIn(item) {
			out = slices.Insert(out, 1, c.say(New(a.Name), ""))
		}
	}
	return join(out...)
}

// frame words up to n acts of a role that suit the brief.
func (c *composer) frame(brief Brief, role string, n int) string {
	var fits []*Spec
	for _, a := range c.book.acts {
		if a.Role == role && a.suitsBrief(brief) {
			fits = append(fits, a)
		}
	}
	if len(fits) == 0 {
		if role == Story {
			c.fail(fmt.Errorf("%w: no story suits %v", ErrAct, brief.Items))
		}
		return ""
	}
	var out []string
	for range min(n, len(fits)) {
		best, spec := c.best(fits)
		out = append(out, best)
		fits = slices.DeleteFunc(fits, func(a *Spec) bool { return a == spec })
	}
	return join(out...)
}

// best words several of the acts and keeps the least worn sentence.
func (c *composer) best(acts []*Spec) (string, *Spec) {
	var text string
	var spec *Spec
	low := 0.0
	for range candidates {
		a := acts[c.draw.IntN(len(acts))]
		s, err := c.book.render(New(a.Name), Second, "", c.draw, c.style)
		if err != nil {
			c.fail(err)
			return "", a
		}
		if cost := c.used.cost(s, &c.local); spec == nil || cost < low {
			text, spec, low = s, a, cost
		}
	}
	c.keep(text)
	return text, spec
}

// say words an act behind a connector of one of the groups, least worn first.
func (c *composer) say(act Act, groups ...string) string {
	text, low := "", 0.0
	for range candidates {
		s, err := c.book.render(act, Second, groups[c.draw.IntN(len(groups))], c.draw, c.style)
		if err != nil {
			c.fail(err)
			return ""
		}
		if cost := c.used.cost(s, &c.local); text == "" || cost < low {
			text, low = s, cost
		}
	}
	c.keep(text)
	return text
}

func (c *composer) keep(text string) { c.local.Add(Scenario{TaskInstructions: text}) }

func (c *composer) fail(err error) {
	if c.err == nil {
		c.err = fmt.Errorf("compose scenario: %w", err)
	}
}

// suitsBrief reports whether a frame act may stand in a scenario.
func (a *Spec) suitsBrief(brief Brief) bool {
	n := len(brief.Items)
	if n < a.min || a.max > 0 && n > a.max {
		return false
	}
	has := func(names []string) bool {
		return slices.ContainsFunc(brief.Items, func(i Item) bool { return slices.Contains(names, i.Wish.Name) })
	}
	return !has(a.bars) && (len(a.wants) == 0 || has(a.wants)) &&
		!slices.ContainsFunc(brief.Items, func(i Item) bool { return !a.allows(i.Wish) })
}

// missingIn reports whether a default belongs to an item.
func (a *Spec) missingIn(item Item) bool {
	return slices.Contains(a.after, item.Wish.Name) &&
		!slices.ContainsFunc(item.Details, func(d Act) bool { return d.Name == a.unless })
}

// allows checks a wish's slots against the values that a frame act is about.
func (a *Spec) allows(wish Act) bool {
	for slot, values := range a.only {
		if v, ok := wish.Slots[slot]; ok && !slices.Contains(values, fmt.Sprint(v)) {
			return false
		}
	}
	return true
}

func join(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " ")
}
