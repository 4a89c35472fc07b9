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
	for _, a := range slices.Concat(u.wish(), u.facts) {
		if !speaksOf(a, slot) || found && u.role(a) == phrase.Fact {
			continue
		}
		found = true
		if !among(out, a) {
			out = append(out, a)
		}
	}
	if !found && admit {
		out = append(out, u.unknown(slot))
	}
	return out
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
func (u *customer) consent(h heard) []phrase.Act {
	out := u.judge(h)
	if out[0].Name == "yes" {
		for _, slot := range asked(u.book, h.acts[h.sure:]) {
			out = u.particular(out, slot, false)
		}
		u.agreed = len(out) == 1
	}
	return out
}

// judge says yes or no to a proposal. Every wish, detail and fact in it must
// be one that the user was told.
func (u *customer) judge(h heard) []phrase.Act {
	for _, a := range h.acts {
		switch u.role(a) {
		case phrase.Wish, phrase.Ask, phrase.Detail:
			if !among(u.wish(), a) {
				return u.refuse(a)
			}
		case phrase.Fact:
			if !among(u.facts, a) {
				return u.refuse(a)
			}
		}
	}
	u.agreed = true
	return []phrase.Act{phrase.New("yes")}
}

func (u *customer) refuse(a phrase.Act) []phrase.Act {
	u.agreed = true
	why := "that is not what I asked for"
	if said, err := u.book.Render(a, phrase.First, u.draw); err == nil {
		why = "I never said this: " + clause(said)
	}
	return []phrase.Act{phrase.New("no", "why", why)}
}

func among(acts []phrase.Act, a phrase.Act) bool {
	return slices.ContainsFunc(acts, func(t phrase.Act) bool { return t.String() == a.String() })
}
