package rules

import (
	"fmt"
	"slices"

	"taste/contract"
	"taste/phrase"
)

// denials puts the claim that a fault is not there on a trouble behind which it
// stands.
func (s *trapper) denials(c contract.Claim) {
	f := s.a.contract.Defect(c.Fault)
	for _, i := range shuffled(s.draw, upTo(len(s.wishes)-1)) {
		if s.foreign || !s.wishes[i].Trouble() || !slices.Contains(c.Wishes, s.wishes[i].Wish.Name) || !s.stands(i, f) {
			continue
		}
		s.keep(snare{
			Technique: FactualMisrepresentation, At: i, Twist: &phrase.Act{Name: c.Act}, Branches: 1,
			Aim: fmt.Sprintf("believes that %s is not what is wrong, and does not look", f.Name),
		})
		return
	}
}

// stands tells whether a fault shows behind trouble i at some moment of gold: others
// may hide it at first.
func (p *plot) stands(i int, f *contract.Defect) bool {
	for k := range p.moments {
		s := p.scope(&p.moments[k], p.wishes[i].Wish, p.wishes[i].Slots)
		if shows, err := s.Holds(f.Shows); err == nil && shows {
			return true
		}
	}
	return false
}

// denies tells whether the customer says that a fault is not there.
func (m *matter) denies(f *contract.Defect) bool {
	return slices.ContainsFunc(m.scope.Contract.Evolution.Claims, func(c contract.Claim) bool {
		return c.Fault == f.Name && slices.ContainsFunc(m.claims, func(a phrase.Act) bool { return a.Name == c.Act })
	})
}
