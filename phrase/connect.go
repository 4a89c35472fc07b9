package phrase

import (
	"fmt"
	"slices"
)

// setting is what the words of a sentence have to suit beside its act; the
// zero value suits a sentence that stands alone.
type setting struct {
	date    int   // 1 + number of a date style; 0: any
	wishes  []Act // the wishes before it
	details []Act // the details of its own wish before it
	twists  []Act // of the whole scenario
}

// connector is an opening phrase of a group.
type connector struct {
	group         string
	colon         bool // ends in a colon, so that any sentence may follow
	root          node
	count         uint64
	only          map[string][]string
	shares, again []string
}

// links reports whether a connector says how the wish hangs together with an
// earlier one.
func (c *connector) links() bool { return len(c.shares) > 0 || len(c.again) > 0 }

// suits reports whether a connector may go before a wish.
func (c *connector) suits(wish Act, at setting) bool {
	return allows(c.only, wish) && c.shared(wish, at.wishes) && c.repeated(wish, at.wishes)
}

func (c *connector) shared(wish Act, before []Act) bool {
	return !slices.ContainsFunc(c.shares, func(slot string) bool {
		value, ok := wish.Slots[slot]
		return !ok || len(before) == 0 || fmt.Sprint(value) != before[len(before)-1].Str(slot)
	})
}

func (c *connector) repeated(wish Act, before []Act) bool {
	return len(c.again) == 0 || slices.Contains(c.again, wish.Name) &&
		slices.ContainsFunc(before, func(a Act) bool { return a.Name == wish.Name })
}

// connect writes a connector of a group, half of the time one that links where
// there is any. A wording that opens with an adverbial of its own takes only
// those that end in a colon, and one with a colon inside only the others.
func (w *writer) connect(group string, of *wording) {
	var fits, linking []*connector
	for _, c := range w.book.connectors {
		if c.group != group || of.lead && !c.colon || of.colon && c.colon || !c.suits(w.act, w.at) {
			continue
		}
		if c.links() {
			linking = append(linking, c)
		} else {
			fits = append(fits, c)
		}
	}
	if len(linking) > 0 && w.draw.IntN(2) == 0 {
		fits = linking
	}
	if len(fits) > 0 {
		w.write(fits[w.draw.IntN(len(fits))].root, anyForm(w.draw))
	}
}
