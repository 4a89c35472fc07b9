package rules

import (
	"fmt"
	"slices"

	"taste/contract"
	"taste/phrase"
)

// denials puts the claim that a fault is not there on the first trouble behind which
// it stands: there it is repaired, and the claim would be true later.
func (s *trapper) denials(c contract.Claim) {
	f := s.a.contract.Defect(c.Fault)
	i := slices.IndexFunc(s.wishes, func(w Wanted) bool { return slices.Contains(f.Troubles, w.Wish.Name) })
	if s.foreign {
		i = s.deniable(c, f)
	}
	if i >= 0 && slices.Contains(c.Wishes, s.wishes[i].Wish.Name) && s.stands(i, f) {
		s.keep(snare{
			Technique: FactualMisrepresentation, At: i, Twist: &phrase.Act{Name: c.Act}, Branches: 1,
			Aim: fmt.Sprintf("believes that %s is not what is wrong, and does not look", f.Name),
		})
	}
}

// deniable is the trouble that prose of others is about, if the claim can be made
// about it: the contract has words for how it is, and the prose uses none of them. −1
// if it cannot.
func (s *trapper) deniable(c contract.Claim, f *contract.Defect) int {
	i := s.calledAbout()
	if i < 0 || !slices.Contains(f.Troubles, s.wishes[i].Wish.Name) || !s.prose.mayClaim(c.Act) {
		return -1
	}
	return i
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
