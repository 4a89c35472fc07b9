package rules

import (
	"maps"
	"slices"

	"taste/chat"
	"taste/contract"
	"taste/phrase"
)

// troubles looks for the words of troubles and of their repairs, and holds what
// faults are made of to the domain.
func (f *fitCheck) troubles() {
	for _, name := range slices.Sorted(maps.Keys(f.c.Tools)) {
		if spec := f.domain.Tool(name); spec != nil && f.c.OfUser(name) != (spec.Requestor == chat.User) {
			f.fault("contract: tool %s: side: the domain says that it is the %s's", name, spec.Requestor)
		}
	}
	for _, fact := range f.c.Device.Facts {
		f.act("contract: device", fact.Act, phrase.Fact, slices.Sorted(maps.Keys(fact.Slots)))
	}
	for _, t := range f.c.Troubles {
		where := "contract: trouble " + t.Name
		f.said(where, phrase.Wish, &t.Wish)
		f.says(where, phrase.New("done", "wish", t.Name))
		if t.Solved != nil {
			f.test(where, t.Solved)
		}
	}
	for _, d := range f.c.Faults {
		for _, r := range d.Repairs {
			where := "contract: fault " + d.Name
			f.call(where, r.Tool, slices.Sorted(maps.Keys(r.Args)))
			f.restated(where, r.Restate)
		}
	}
}

// test wants a tool of the customer's that takes no arguments, and words for it.
func (f *fitCheck) test(where string, t *contract.Test) {
	if !f.c.OfUser(t.Tool) {
		f.fault("%s: solved: %s is no tool of the customer's", where, t.Tool)
	}
	f.call(where, t.Tool, nil)
	f.act(where, conductTest, phrase.Conduct, []string{"call", "shown"})
}
