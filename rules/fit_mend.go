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
	if len(f.c.Troubles) > 0 {
		f.act("contract: troubles", leadsOver, phrase.Lead, nil)
	}
	for _, t := range f.c.Troubles {
		where := "contract: trouble " + t.Name
		f.said(where, phrase.Wish, &t.Wish)
		f.says(where, phrase.New("done", "wish", t.Name))
		f.says(where, phrase.New(forPeople, "wish", t.Name, "why", helpless))
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

// tickets looks for the words of a ticket, which tasks get where there are troubles.
func (f *fitCheck) tickets() {
	if len(f.c.Troubles) == 0 {
		return
	}
	acts := []string{conductTest}
	for _, w := range f.c.Customer.Identify {
		acts = append(acts, named(w.Facts)...)
	}
	acts = append(acts, named(f.c.Device.Facts)...)
	wishes := slices.Clone(f.c.Wishes)
	for _, t := range f.c.Troubles {
		wishes = append(wishes, &t.Wish)
	}
	for _, w := range wishes {
		acts = append(acts, w.Name)
		for _, d := range w.Details {
			acts = append(acts, d.Act)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(f.c.Tools)) {
		if f.book.Spec(willPrefix+name) != nil {
			acts = append(acts, willPrefix+name)
		}
	}
	for i, name := range acts {
		if forms, _ := f.book.Wordings(name, phrase.Ticket); forms == 0 && !slices.Contains(acts[:i], name) && f.book.Spec(name) != nil {
			f.fault("phrase book: tickets: no words for %s", name)
		}
	}
}

func named(facts []contract.Identity) []string {
	var out []string
	for _, x := range facts {
		out = append(out, x.Act)
	}
	return out
}

// test wants a tool of the customer's that takes no arguments, and words for it.
func (f *fitCheck) test(where string, t *contract.Test) {
	if !f.c.OfUser(t.Tool) {
		f.fault("%s: solved: %s is no tool of the customer's", where, t.Tool)
	}
	f.call(where, t.Tool, nil)
	f.act(where, conductTest, phrase.Conduct, []string{"call", "shown"})
}
