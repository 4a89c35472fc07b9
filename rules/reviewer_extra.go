package rules

import (
	"fmt"

	"taste/contract"
	"taste/env"
	"taste/phrase"
	"taste/role"
)

// vain is something that a customer asks for in vain: an extra wish, or a wish
// as it is first brought up about a look-alike.
type vain struct {
	Wanted
	number int // of the wish
	before int // number of the action before which it is brought up
}

// vain lists what the scenario asks for in vain; behind is what Behind returns.
func (s Story) vain(behind []int) []vain {
	var out []vain
	for _, i := range s.Extras(behind) {
		out = append(out, vain{s.Wishes[i], i, Position(behind, i)})
	}
	for i, w := range s.Wishes {
		for _, t := range w.Twists {
			if t.Name == twistMixup {
				w.Slots = replaced(phrase.Act{Slots: w.Slots}, t).Slots
				out = append(out, vain{w, i, Position(behind, i)})
			}
		}
	}
	return out
}

// refuses checks that the policy refuses what is asked for in vain before
// action i.
func (v *review) refuses(i int, e *env.Environment, r contract.Reader) {
	for _, w := range v.vain {
		if w.before != i {
			continue
		}
		s := v.scope(r)
		s.Wish, s.Ask = w.Wish, w.Slots
		if severity, why := refusal(v.c, e, s); why != "" {
			v.find(severity, ExtraWish, fmt.Sprintf("wish %d (%s) before action %d: %s", w.number, w.Wish.Name, i, why))
		}
	}
}

// refusal says why a wish is not refused for certain; "" if it is.
func refusal(c *contract.Contract, e *env.Environment, s contract.Scope) (role.Severity, string) {
	if s.Wish.Does == "" {
		return role.Critical, "a question is not refused"
	}
	args, err := Arguments(&s)
	if err != nil {
		return role.Unchecked, err.Error()
	}
	s.Args = args
	p := &petition{c: c, env: e, tool: s.Wish.Does, scope: s}
	for _, o := range p.verdicts() {
		switch {
		case o.fault != "" && o.rule.Otherwise == "handoff":
			return role.Critical, "the policy hands it off"
		case o.fault != "":
			return "", ""
		case o.open != "":
			return role.Unchecked, o.rule.ID + ": " + o.open
		}
	}
	return role.Critical, "the policy does not refuse it"
}
