package eval

import (
	"fmt"
	"slices"
	"strings"

	"taste/pyjson"
	"taste/tau"
)

// actions looks for a call that makes each action of an accepted end state: of
// the same side, with the same arguments.
func (v *view) actions(g *goal) Check {
	c := Check{Kind: tau.ActionReward, Strict: Nothing, Why: "there are no actions: " + askNothing}
	if len(g.actions) == 0 {
		return c
	}
	c.Strict = Met
	c.Why = "all arguments count, left out ones by their defaults, numbers by value, and whose call it is"
	var found evidence
	for i := range g.actions {
		a := &g.actions[i]
		at, differs := v.nearest(a)
		if at != nil && len(differs) == 0 {
			found.add(true, fmt.Sprintf("%s is called in message %d", a.Name, at.message))
			continue
		}
		c.Strict = Failed
		text := fmt.Sprintf("%s%s by the %s is never called", a.Name, pyjson.Dumps(a.Args()), a.Owner())
		if at != nil {
			text += fmt.Sprintf("; the nearest call, in message %d, differs: %s", at.message, strings.Join(differs, ", "))
		}
		found.add(false, text)
	}
	c.Evidence = found.all()
	return c
}

// nearest finds the call of an action's tool that differs least from it, and
// how it differs.
func (v *view) nearest(a *tau.Action) (best *call, differs []string) {
	for i := range v.calls {
		c := &v.calls[i]
		if c.name != a.Name {
			continue
		}
		d := v.s.departs(c, a)
		if c.owner != a.Owner() && !v.c.Solo {
			d = append(d, fmt.Sprintf("made by the %s", c.owner))
		}
		if best == nil || len(d) < len(differs) {
			best, differs = c, d
		}
	}
	return best, differs
}

// departs lists how the arguments of a call differ from an action's. One that a
// side leaves out has the default of the tool's schema there.
func (s *Scorer) departs(c *call, a *tau.Action) []string {
	var out []string
	want := a.Args()
	for _, n := range compared(c.args, want, a.CompareArgs) {
		x, okX := want.Get(n)
		y, okY := c.args.Get(n)
		switch {
		case okX && !okY:
			y, okY = s.byDefault(a.Name, n)
		case okY && !okX:
			x, okX = s.byDefault(a.Name, n)
		}
		if okX != okY || okX && !alike(x, y) {
			out = append(out, fmt.Sprintf("%s: %s → %s", n, orAbsent(x, okX), orAbsent(y, okY)))
		}
	}
	return out
}

// compared names the arguments that count: those that the task names, else all
// of either side.
func compared(call, want *pyjson.Object, named []string) []string {
	if named != nil {
		return named
	}
	names := slices.Clone(want.Keys())
	for _, n := range call.Keys() {
		if !want.Has(n) {
			names = append(names, n)
		}
	}
	return names
}

func orAbsent(v any, ok bool) string {
	if !ok {
		return "absent"
	}
	return pyjson.Repr(v)
}

// byDefault is what an argument of a tool is taken to be where it is left out,
// as far as the tool's schema says so.
func (s *Scorer) byDefault(tool, argument string) (v any, ok bool) {
	spec := s.domain.Tool(tool)
	if spec == nil || len(spec.Schema) == 0 {
		return nil, false
	}
	params, err := spec.Parameters()
	if err != nil {
		return nil, false
	}
	for _, p := range params {
		if p.Name == argument {
			return p.Schema.Get("default")
		}
	}
	return nil, false
}
