package phrase

import (
	"fmt"
	"regexp"
	"slices"
)

// hearing recognises an act in free English by patterns: all of All, one of
// Any (where given) and none of None must occur, ignoring case.
type hearing struct {
	act            Act
	by             Person
	all, any, none []*regexp.Regexp
}

func (b *Book) addHearing(f *hearFile) error {
	p := Person(slices.IndexFunc([]string{Second.String(), First.String(), Agent.String()}, func(s string) bool { return s == f.By }))
	if p < 0 {
		return fmt.Errorf("unknown speaker %q", f.By)
	}
	act, _, err := b.canonAct(Act{Name: f.Act, Slots: f.Slots})
	if err != nil {
		return err
	}
	h := &hearing{act: act, by: p}
	for _, group := range []struct {
		from []string
		to   *[]*regexp.Regexp
	}{{f.All, &h.all}, {f.Any, &h.any}, {f.None, &h.none}} {
		for _, pattern := range group.from {
			re, err := regexp.Compile("(?is)" + pattern)
			if err != nil {
				return err
			}
			*group.to = append(*group.to, re)
		}
	}
	b.hear = append(b.hear, h)
	return nil
}

// Hear recognises acts in free English of a person, in the order of the book,
// each at most once. It guesses: use it only for what Parse leaves unread.
func (b *Book) Hear(text string, p Person) []Act {
	var out []Act
	for _, h := range b.hear {
		if h.by == p && h.matches(text) && !slices.ContainsFunc(out, func(a Act) bool { return a.String() == h.act.String() }) {
			out = append(out, h.act)
		}
	}
	return out
}

func (h *hearing) matches(text string) bool {
	hit := func(re *regexp.Regexp) bool { return re.MatchString(text) }
	miss := func(re *regexp.Regexp) bool { return !hit(re) }
	return !slices.ContainsFunc(h.all, miss) && !slices.ContainsFunc(h.none, hit) &&
		(len(h.any) == 0 || slices.ContainsFunc(h.any, hit))
}
