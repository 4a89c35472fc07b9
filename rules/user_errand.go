package rules

import (
	"maps"
	"slices"
	"strings"

	"taste/phrase"
)

// Twists of the phrase book and what customers say about them. A slip's act is
// named for the slot or detail that it is about, a claim has a wording of the
// customer's own.
const (
	twistInsist     = "insist"
	twistWithYes    = "with_yes"
	twistSupervisor = "supervisor"
	twistBalk       = "supervisor_first"
	twistWithhold   = "withhold"
	twistMixup      = "mixup"
	slipPrefix      = "slip_"
	claimPrefix     = "claim_"

	saysPress      = "press"
	saysSupervisor = "want_supervisor"
	saysCorrect    = "correct"
	saysWrongOne   = "wrong_one"
	saysAccept     = "accept"
	hearsStay      = "stay"
)

// errand is one wish of a customer, what of its twists is still to come, and
// how far it has got.
type errand struct {
	phrase.Item
	slips     []phrase.Act // wrong values that the customer still believes
	mixup     phrase.Act   // look-alike that it still believes to be meant
	withheld  []string     // slots that it says only when asked
	claims    []phrase.Act
	insists   bool // it will press once after a refusal
	escalates bool // it will ask once for a supervisor before it says yes
	balks     bool // it will ask once for one before it does anything
	withYes   bool // it is brought up with the yes before it
	waits     bool // it asked for a supervisor and has had no proposal since
	mistaken  bool // it was wrong about something, which it has to admit

	raised bool // it was brought up
	agreed bool // yes or no was said about it
	urged  bool // it was repeated against a hasty ending
	closed bool // it has had its outcome
}

func newErrand(item phrase.Item) *errand {
	e := &errand{Item: item}
	for _, t := range item.Twists {
		switch {
		case t.Name == twistInsist:
			e.insists = true
		case t.Name == twistWithYes:
			e.withYes = true
		case t.Name == twistSupervisor:
			e.escalates = true
		case t.Name == twistBalk:
			e.balks = true
		case t.Name == twistWithhold:
			e.withheld = append(e.withheld, t.Str("slot"))
		case t.Name == twistMixup:
			e.mixup = t
		case strings.HasPrefix(t.Name, slipPrefix):
			e.slips = append(e.slips, t)
		case strings.HasPrefix(t.Name, claimPrefix):
			e.claims, e.mistaken = append(e.claims, t), true
		}
	}
	return e
}

// means lists the wish and its details as the customer would agree to them.
func (e *errand) means() []phrase.Act {
	out := append([]phrase.Act{e.Wish}, e.Details...)
	for i := range out {
		out[i] = replaced(out[i], e.mixup)
	}
	return out
}

// believes lists the same with the slips that were not corrected yet.
func (e *errand) believes() []phrase.Act {
	out := e.means()
	for _, s := range e.slips {
		if i := slipped(out, s); i >= 0 {
			out[i] = replaced(out[i], s)
		}
	}
	return out
}

// brings lists what the customer says to bring the wish up.
func (e *errand) brings() []phrase.Act {
	e.raised = true
	out := slices.DeleteFunc(e.believes(), func(a phrase.Act) bool {
		return slices.ContainsFunc(e.withheld, func(slot string) bool { return speaksOf(a, slot) })
	})
	return append(out, e.claims...)
}

// reveals notes that the customer has said an act.
func (e *errand) reveals(a phrase.Act) {
	e.withheld = slices.DeleteFunc(e.withheld, func(slot string) bool { return speaksOf(a, slot) })
}

// corrects drops the slips of what an agent has shown, which are numbers in the
// order of means, and lists what the customer says instead.
func (e *errand) corrects(shown []int) []phrase.Act {
	means := e.means()
	e.slips = slices.DeleteFunc(e.slips, func(s phrase.Act) bool { return slices.Contains(shown, slipped(means, s)) })
	e.mistaken = true
	out := []phrase.Act{phrase.New(saysCorrect)}
	for i, a := range means {
		if slices.Contains(shown, i) {
			out = append(out, a)
		}
	}
	return out
}

// objects lists what the customer says against a refusal: that it meant another
// record, else once that there should be an exception; nil where it lets go.
func (e *errand) objects() []phrase.Act {
	switch {
	case e.mixup.Name != "":
		e.mixup, e.mistaken = phrase.Act{}, true
		return append([]phrase.Act{phrase.New(saysWrongOne)}, e.brings()...)
	case e.insists:
		e.insists = false
		return []phrase.Act{phrase.New(saysPress)}
	}
	return nil
}

// admits is what the customer says, once, where it was wrong about something.
func (e *errand) admits() []phrase.Act {
	if !e.mistaken {
		return nil
	}
	e.mistaken = false
	return []phrase.Act{phrase.New(saysAccept)}
}

// slipped finds the act that a slip is about, −1 if there is none.
func slipped(acts []phrase.Act, slip phrase.Act) int {
	about := strings.TrimPrefix(slip.Name, slipPrefix)
	return slices.IndexFunc(acts, func(a phrase.Act) bool {
		return speaksOf(a, about) && replaced(a, slip).String() != a.String()
	})
}

// replaced puts the slots of another act in place of those of the same name.
func replaced(a, by phrase.Act) phrase.Act {
	slots := maps.Clone(a.Slots)
	for name, v := range by.Slots {
		if _, ok := slots[name]; ok {
			slots[name] = v
		}
	}
	return phrase.Act{Name: a.Name, Slots: slots}
}
