package rules

import (
	"strings"

	"taste/phrase"
)

// notice takes outcomes of the errand under way and of one that was brought up
// with it.
func (u *customer) notice(h heard) {
	for _, a := range h.acts {
		e := u.current()
		if u.over() || e.closed || !u.settles(a, e.Wish.Name) {
			continue
		}
		if a.Name == "refuse" || a.Name == "cannot_answer" {
			if u.objects = e.objects(); u.objects != nil {
				continue
			}
			u.admits = e.admits()
		}
		if e.closed = true; u.errands[u.at+1].raised {
			u.at++
		}
	}
}

// settles reports whether an act of the agent is the outcome of a wish.
func (u *customer) settles(a phrase.Act, wish string) bool {
	switch {
	case a.Name == "done" || a.Name == "refuse":
		return a.Str("wish") == wish
	case strings.HasPrefix(a.Name, tellPrefix):
		return askFor(a.Name) == wish
	}
	return a.Name == "cannot_answer" || a.Name == "cannot_without"
}
