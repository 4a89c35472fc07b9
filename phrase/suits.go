package phrase

import (
	"fmt"
	"slices"
)

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

// undoes tells whether wish i makes an earlier one vain: both are about the same
// thing, which this one gives up. Questions are never in vain.
func (b *Book) undoes(items []Item, i int) bool {
	spec := b.byName[items[i].Wish.Name]
	if spec == nil || spec.undoes == "" {
		return false
	}
	thing := items[i].Wish.Str(spec.undoes)
	return slices.ContainsFunc(items[:i], func(it Item) bool {
		earlier := b.byName[it.Wish.Name]
		return earlier != nil && earlier.Role == Wish && it.Wish.Str(spec.undoes) == thing
	})
}
