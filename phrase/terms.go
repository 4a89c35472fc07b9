package phrase

import (
	"slices"
	"strings"
)

// A terse scenario has at least fewestDirectives conditional directives and,
// as long as its twists leave room for the terms that it needs, at most
// mostDirectives. A book lists its terms by weight: the first neededTerms of
// those that suit stand in every such scenario.
const (
	fewestDirectives = 4
	mostDirectives   = 10
	neededTerms      = 3
)

// terms words the terms of a terse brief: those that are needed, as many more
// as make up the number of directives, and now and then another.
func (c *composer) terms(brief Brief) []string {
	twists := len(c.at.twists)
	n := min(neededTerms+c.draw.IntN(2), mostDirectives-twists)
	fits := c.fitting(brief, Terms)
	fits = fits[:min(max(n, neededTerms, fewestDirectives-twists), len(fits))]
	c.draw.Shuffle(len(fits), func(i, j int) { fits[i], fits[j] = fits[j], fits[i] })
	var out []string
	for _, a := range fits {
		text, _ := c.any([]*Spec{a})
		out = append(out, text)
	}
	return out
}

// bears reports whether a wording may stand beside the twists of a scenario.
func (w *wording) bears(twists []Act) bool {
	return !slices.ContainsFunc(twists, func(t Act) bool {
		return slices.ContainsFunc(w.shuns, func(prefix string) bool { return strings.HasPrefix(t.Name, prefix) })
	})
}
