package contract

import (
	"maps"
	"slices"
)

// Restate is something that an agent works out of a wish and spells out before
// it asks for the customer's yes, such as the price: a speech act whose slots
// are expressions.
type Restate struct {
	Act   string           `yaml:"act"`
	When  *Expr            `yaml:"when"` // said where this holds; nil: always
	Slots map[string]*Expr `yaml:"slots"`
}

// Restated works out what has to be spelt out for the wish of the scope.
func (s *Scope) Restated() ([]Said, error) { return s.SpellOut(s.Wish.Restate) }

// SpellOut works out what has to be spelt out.
func (s *Scope) SpellOut(list []Restate) ([]Said, error) {
	var out []Said
	for _, r := range list {
		if r.When != nil {
			ok, err := s.Holds(r.When)
			if err != nil {
				return nil, err
			}
			if !ok {
				continue
			}
		}
		said := Said{Act: r.Act, Slots: map[string]any{}}
		for _, name := range slices.Sorted(maps.Keys(r.Slots)) {
			v, err := s.Eval(r.Slots[name])
			if err != nil {
				return nil, err
			}
			said.Slots[name] = v
		}
		out = append(out, said)
	}
	return out, nil
}

// exprs lists the expressions of r.
func (r *Restate) exprs() []*Expr {
	return append(values(r.Slots), r.When)
}
