package rules

import (
	"slices"
	"strings"

	"taste/phrase"
)

// particulars answers the questions of a message: with what was told of the
// wish under way or of the customer, else by saying that it is unknown. Of
// questions that were only guessed, those that can be answered count.
func (u *customer) particulars(h heard) []phrase.Act {
	var out []phrase.Act
	sure := asked(u.book, h.acts[:h.sure])
	for _, slot := range sure {
		out = u.particular(out, slot, true)
	}
	guessed := asked(u.book, h.acts[h.sure:])
	for _, slot := range guessed {
		out = u.particular(out, slot, false)
	}
	if len(out) == 0 {
		out = append(out, u.unknown(guessed[0]))
	}
	return out
}

// particular adds what was told of a slot, each act once.
func (u *customer) particular(out []phrase.Act, slot string, admit bool) []phrase.Act {
	found := false
	for _, a := range slices.Concat(u.knows(), u.facts) {
		if !speaksOf(a, slot) || found && u.role(a) == phrase.Fact {
			continue
		}
		found = true
		u.current().reveals(a)
		if !among(out, a) {
			out = append(out, a)
		}
	}
	if !found && admit {
		out = append(out, u.unknown(slot))
	}
	return out
}

// knows lists what the customer believes about the errand under way.
func (u *customer) knows() []phrase.Act {
	if u.over() {
		return nil
	}
	return u.current().believes()
}

// unknown says that a particular is unknown, in plain words for one that the
// book has no word for.
func (u *customer) unknown(slot string) phrase.Act {
	a := phrase.New("dont_know", "slot", slot)
	if _, err := u.book.Render(a, phrase.First, u.draw); err != nil {
		return phrase.New("any_is_fine")
	}
	return a
}

// speaksOf reports whether an act says the particular: it has the slot, or is
// named for it (pay_split answers a question about pay).
func speaksOf(a phrase.Act, slot string) bool {
	_, ok := a.Slots[slot]
	return ok || a.Name == slot || strings.HasPrefix(a.Name, slot+"_")
}

// consent answers a proposal, and what may be questions in it besides: "could
// you confirm your user id?" is hard to tell from "could you confirm that?".
// Before a yes the customer may want a supervisor, behind one it may bring up
// what comes next.
func (u *customer) consent(h heard) []phrase.Act {
	e, guessed := u.current(), asked(u.book, h.acts[h.sure:])
	if e.escalates && len(guessed) == 0 {
		e.escalates, e.waits = false, true
		return []phrase.Act{phrase.New(saysSupervisor)}
	}
	e.waits = false
	if out := u.corrects(h); out != nil {
		return out
	}
	out := []phrase.Act{phrase.New("yes")}
	for _, slot := range guessed {
		out = u.particular(out, slot, false)
	}
	if e.agreed = len(out) == 1; !e.agreed {
		return out
	}
	out = append(out, e.admits()...)
	if !u.over() && u.errands[u.at+1].withYes && !u.errands[u.at+1].raised {
		out = append(out, u.errands[u.at+1].brings()...)
	}
	return out
}

// corrects checks a proposal: every wish, detail and fact in it must be one
// that the user was told. It answers no to another, and takes its own slips
// back; nil if all is right.
func (u *customer) corrects(h heard) []phrase.Act {
	e := u.current()
	var means, believes []phrase.Act
	if !u.over() {
		means, believes = e.means(), e.believes()
	}
	var shown []int
	for _, a := range h.acts {
		switch u.role(a) {
		case phrase.Wish, phrase.Ask, phrase.Detail:
			i := indexOf(believes, a)
			if !among(means, a) && i < 0 {
				return u.refuse(a)
			}
			if !among(means, a) {
				shown = append(shown, i)
			}
		case phrase.Fact:
			if !among(u.facts, a) {
				return u.refuse(a)
			}
		}
	}
	if shown == nil {
		return nil
	}
	return e.corrects(shown)
}

func (u *customer) refuse(a phrase.Act) []phrase.Act {
	u.current().agreed = true
	why := "that is not what I asked for"
	if said, err := u.book.Render(a, phrase.First, u.draw); err == nil {
		why = "I never said this: " + clause(said)
	}
	return []phrase.Act{phrase.New("no", "why", why)}
}

func among(acts []phrase.Act, a phrase.Act) bool { return indexOf(acts, a) >= 0 }

func indexOf(acts []phrase.Act, a phrase.Act) int {
	return slices.IndexFunc(acts, func(t phrase.Act) bool { return t.String() == a.String() })
}
