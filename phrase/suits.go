package phrase

import (
	"fmt"
	"slices"
)

// suits reports whether a frame act may stand in a scenario.
func (b *Book) suits(a *Spec, brief Brief) bool {
	n := len(brief.Items)
	if n < a.min || a.max > 0 && n > a.max {
		return false
	}
	barred := b.has(brief.Items, a.bars) || b.knows(brief.Facts, a.bars)
	wanted := len(a.wants) == 0 || b.has(brief.Items, a.wants) || b.knows(brief.Facts, a.wants)
	return !barred && wanted &&
		!slices.ContainsFunc(brief.Items, func(i Item) bool { return !allows(a.only, i.Wish) })
}

// has reports whether one of the wishes or twists is one of the acts, or has
// one of the roles, in a list.
func (b *Book) has(items []Item, list []string) bool {
	listed := func(a Act) bool { return b.listed(a, list) }
	return slices.ContainsFunc(items, func(i Item) bool { return listed(i.Wish) || slices.ContainsFunc(i.Twists, listed) })
}

// knows reports whether one of the facts is in a list.
func (b *Book) knows(facts []Act, list []string) bool {
	return slices.ContainsFunc(facts, func(a Act) bool { return b.listed(a, list) })
}

// listed reports whether an act or its role is in a list.
func (b *Book) listed(a Act, list []string) bool {
	spec := b.byName[a.Name]
	return slices.Contains(list, a.Name) || spec != nil && slices.Contains(list, spec.Role)
}

// missingIn reports whether a default belongs to an item.
func (a *Spec) missingIn(item Item) bool {
	return slices.Contains(a.after, item.Wish.Name) &&
		!slices.ContainsFunc(item.Details, func(d Act) bool { return d.Name == a.unless })
}

// joins tells whether a twist has an item go out together with the one before.
func (b *Book) joins(item Item) bool {
	return slices.ContainsFunc(item.Twists, func(t Act) bool {
		spec := b.byName[t.Name]
		return spec != nil && spec.joins
	})
}

// allows checks a wish's slots against the values that something is about.
func allows(only map[string][]string, wish Act) bool {
	for slot, values := range only {
		if v, ok := wish.Slots[slot]; ok && !slices.Contains(values, fmt.Sprint(v)) {
			return false
		}
	}
	return true
}

// undoes tells whether wish i makes an earlier one vain: both are about the same
// thing, which this one gives up.
func (b *Book) undoes(items []Item, i int) bool {
	spec := b.byName[items[i].Wish.Name]
	if spec == nil || spec.undoes == "" {
		return false
	}
	thing := items[i].Wish.Str(spec.undoes)
	return slices.ContainsFunc(items[:i], func(it Item) bool {
		return slices.Contains(spec.vain, it.Wish.Name) && it.Wish.Str(spec.undoes) == thing
	})
}
