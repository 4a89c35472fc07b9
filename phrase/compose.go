package phrase

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// Connector groups that Compose uses; a book that lacks one goes without.
const (
	firstGroup   = "first"   // before the first of several wishes
	thenGroup    = "then"    // before a wish behind another
	backGroup    = "back"    // before a wish behind a question
	asideGroup   = "aside"   // before a question behind a wish
	moreGroup    = "more"    // before a question behind another
	lastGroup    = "last"    // before the last wish
	rethinkGroup = "rethink" // before a wish that undoes an earlier one
)

// candidates is how many wordings Compose weighs for each sentence, patience
// how many it tries where all of them tell what is to be hidden.
const (
	candidates = 16
	patience   = 200
)

// composer words one scenario.
type composer struct {
	book   *Book
	draw   *rand.Rand
	used   *Variety
	local  Variety
	at     setting
	hidden []string // in plain form
	err    error
}

// Compose words a brief as the texts of a scenario: the reason for the call
// opens with a story that suits the wishes and states the first wish; the
// instructions hold the other wishes in order, each with its details behind it,
// and how the customer behaves. A terse brief has nothing but a story as its
// reason, all wishes with their twists in the instructions, and there the terms
// that the customer goes by. Of several wordings it takes the one least
// worn by the scenarios in used, which it only reads: Add what is kept. The
// result is a function of its arguments. Errors wrap ErrAct.
func Compose(b *Book, brief Brief, draw *rand.Rand, used *Variety) (Scenario, error) {
	if used == nil {
		used = &Variety{}
	}
	c := &composer{book: b, draw: draw, used: used}
	c.at.date = 1 + draw.IntN(dateStyles)
	for _, item := range brief.Items {
		c.at.twists = append(c.at.twists, item.Twists...)
	}
	for _, h := range brief.Hidden {
		c.hidden = append(c.hidden, plain(h))
	}
	var s Scenario
	s.ReasonForCall = c.reason(brief)
	s.KnownInfo = c.facts(brief)
	s.TaskInstructions = c.instructions(brief)
	s.UnknownInfo = c.unknown(brief)
	if brief.Persona != "" {
		s.Persona = c.say(New(brief.Persona), "")
	}
	return s, c.err
}

func (c *composer) reason(brief Brief) string {
	var out []string
	if brief.Theme != "" {
		out = append(out, c.say(New(storyPrefix+brief.Theme), ""))
	} else {
		out = append(out, c.story(brief))
	}
	if brief.Terse {
		return join(out...)
	}
	opening := ""
	switch n, half := len(brief.Items), c.draw.IntN(2) == 0; {
	case n > 2 && half:
		out = append(out, c.say(New(Gist, "count", n), ""))
	case n > 1 && c.draw.IntN(2) == 0:
		opening = firstGroup
	}
	if len(brief.Items) > 0 {
		out = append(out, c.item(brief.Items[0], opening))
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

// instructions of a terse scenario have a line for each wish, so that it is seen
// what a twist speaks of, and one for how the customer behaves.
func (c *composer) instructions(brief Brief) string {
	var out []string
	for i, item := range brief.Items {
		if i > 0 || brief.Terse {
			out = append(out, c.item(item, c.opening(brief, i)))
		}
	}
	if brief.Terse {
		manner := append([]string{c.frame(brief, Mood, 1), c.frame(brief, Order, 1)}, c.terms(brief)...)
		return strings.Join(append(out, join(manner...)), "\n")
	}
	out = append(out, c.frame(brief, Mood, 1), c.frame(brief, Order, 1))
	return join(append(out, c.frame(brief, Consent, c.draw.IntN(2)), c.frame(brief, Finish, 1))...)
}

// opening draws the connector group that opens the i-th wish: one time in four
// none in the middle, half of the time that of an ending at the end, and that of
// a beginning before the first of several. A wish that goes out together with the
// one before it has none.
func (c *composer) opening(brief Brief, i int) string {
	if i == 0 {
		return []string{"", firstGroup}[c.draw.IntN(min(2, len(brief.Items)))]
	}
	if c.book.undoes(brief.Items, i) {
		return rethinkGroup
	}
	if c.book.joins(brief.Items[i]) {
		return ""
	}
	group := c.book.group(brief.Items[i].Wish)
	if c.book.group(brief.Items[i-1].Wish) == asideGroup {
		group = map[string]string{thenGroup: backGroup, asideGroup: moreGroup}[group]
	}
	last := i == len(brief.Items)-1
	switch draw := c.draw.IntN(4); {
	case last && draw < 2:
		return lastGroup
	case !last && draw == 0:
		return ""
	}
	return group
}

func (c *composer) item(item Item, group string) string {
	out := []string{c.say(item.Wish, group)}
	for _, d := range item.Details {
		out = append(out, c.say(d, ""))
		c.at.details = append(c.at.details, d)
	}
	for _, t := range slices.Concat(item.Conduct, item.Twists) {
		out = append(out, c.say(t, ""))
	}
	c.at.details, c.at.wishes = nil, append(c.at.wishes, item.Wish)
	for _, a := range c.book.acts {
		if a.Role == Default && a.missingIn(item) {
			out = slices.Insert(out, 1, c.say(New(a.Name), ""))
		}
	}
	return join(out...)
}

// story words a story that suits the brief; most of the time one that is about
// its first wish, or else about another, where there is one not yet worn.
func (c *composer) story(brief Brief) string {
	fits := c.fitting(brief, Story)
	if len(fits) == 0 {
		c.fail(fmt.Errorf("%w: no story suits %v", ErrAct, brief.Items))
		return ""
	}
	for _, items := range [][]Item{brief.Items[:min(1, len(brief.Items))], brief.Items} {
		about := slices.DeleteFunc(slices.Clone(fits), func(a *Spec) bool { return !c.book.has(items, a.wants) })
		if len(about) == 0 || c.draw.IntN(3) == 0 {
			continue
		}
		if text, _ := c.any(about); c.used.sentences[Mask(text)] == 0 {
			return text
		}
	}
	text, _ := c.any(fits)
	return text
}

// fitting lists the acts of a role that suit the brief.
func (c *composer) fitting(brief Brief, role string) []*Spec {
	var fits []*Spec
	for _, a := range c.book.acts {
		if a.Role == role && c.book.suits(a, brief) {
			fits = append(fits, a)
		}
	}
	return fits
}

// unknown words what the customer cannot say: everything that goes with the facts
// that it knows (who gives a name may have no e-mail address at hand), and one or
// two things beside.
func (c *composer) unknown(brief Brief) string {
	n := 1 + c.draw.IntN(2)
	var must, may []*Spec
	for _, a := range c.fitting(brief, Unknown) {
		if c.book.knows(brief.Facts, a.wants) {
			must = append(must, a)
		} else {
			may = append(may, a)
		}
	}
	return join(c.words(must, len(must)), c.words(may, n))
}

// frame words up to n acts of a role that suit the brief.
func (c *composer) frame(brief Brief, role string, n int) string {
	return c.words(c.fitting(brief, role), n)
}

// words up to n of the acts, each once.
func (c *composer) words(fits []*Spec, n int) string {
	var out []string
	for range min(n, len(fits)) {
		text, spec := c.any(fits)
		out = append(out, text)
		fits = slices.DeleteFunc(fits, func(a *Spec) bool { return a == spec })
	}
	return join(out...)
}

// say words an act behind a connector of a group.
func (c *composer) say(act Act, group string) string {
	text, _ := c.best(func() (string, *Spec, error) {
		s, err := c.book.render(act, Second, group, c.draw, c.at)
		return s, nil, err
	})
	return text
}

// any words one of the acts and tells which.
func (c *composer) any(acts []*Spec) (string, *Spec) {
	return c.best(func() (string, *Spec, error) {
		a := acts[c.draw.IntN(len(acts))]
		s, err := c.book.render(New(a.Name), Second, "", c.draw, c.at)
		return s, a, err
	})
}

// best draws several sentences and keeps the least worn that spoils nothing.
func (c *composer) best(draw func() (string, *Spec, error)) (string, *Spec) {
	var text string
	var spec *Spec
	low := 0.0
	for i := 0; i < candidates || text == "" && i < patience; i++ {
		s, a, err := draw()
		if err != nil {
			c.fail(err)
			return "", a
		}
		if c.spoils(s) {
			continue
		}
		if cost := c.used.cost(s, &c.local); text == "" || cost < low {
			text, spec, low = s, a, cost
		}
	}
	if text == "" {
		c.fail(fmt.Errorf("%w: every wording tells what is to be hidden", ErrAct))
	}
	c.local.Add(Scenario{TaskInstructions: text})
	return text, spec
}

// spoils reports whether a sentence holds a hidden text.
func (c *composer) spoils(s string) bool {
	return slices.ContainsFunc(c.hidden, func(h string) bool { return strings.Contains(plain(s), h) })
}

// plain is how scoring compares messages: lower case, without commas.
func plain(s string) string { return strings.ReplaceAll(strings.ToLower(s), ",", "") }

func (c *composer) fail(err error) {
	if c.err == nil {
		c.err = fmt.Errorf("compose scenario: %w", err)
	}
}

func join(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " ")
}
