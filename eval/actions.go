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
	for i := range g.actions {
		a := &g.actions[i]
		at, differs := v.nearest(a)
		if at != nil && len(differs) == 0 {
			c.Evidence = append(c.Evidence, fmt.Sprintf("%s is called in message %d", a.Name, at.message))
			continue
		}
		c.Strict = Failed
		text := fmt.Sprintf("%s%s by the %s is never called", a.Name, pyjson.Dumps(a.Args()), a.Owner())
		if at != nil {
			text += fmt.Sprintf("; the nearest call, in message %d, differs: %s", at.message, strings.Join(differs, ", "))
		}
		c.Evidence = append(c.Evidence, text)
	}
	return c
}

// nearest finds the call of an action's tool that differs least from it, and
// how it differs.
func (v *view) nearest(a *tau.Action) (best *call, differs []string) {
	defaults := v.s.defaults(a.Name)
	for i := range v.calls {
		c := &v.calls[i]
		if c.name != a.Name {
			continue
		}
		d := departs(c, a, defaults)
		if c.owner != a.Owner() && !v.c.Solo {
			d = append(d, fmt.Sprintf("made by the %s", c.owner))
		}
		if best == nil || len(d) < len(differs) {
			best, differs = c, d
		}
	}
	return best, differs
}

// departs lists how the arguments of a call differ from an action's.
func departs(c *call, a *tau.Action, defaults map[string]any) []string {
	var out []string
	want := a.Args()
	for _, n := range compared(c.args, want, a.CompareArgs) {
		x, okX := argument(want, n, defaults)
		y, okY := argument(c.args, n, defaults)
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

func argument(args *pyjson.Object, name string, defaults map[string]any) (v any, ok bool) {
	if v, ok = args.Get(name); ok {
		return v, true
	}
	v, ok = defaults[name]
	return v, ok
}

func orAbsent(v any, ok bool) string {
	if !ok {
		return "absent"
	}
	return pyjson.Repr(v)
}

// defaults are what arguments of a tool are taken to be where they are left
// out, as far as its schema says so.
func (s *Scorer) defaults(tool string) map[string]any {
	spec := s.domain.Tool(tool)
	if spec == nil || len(spec.Schema) == 0 {
		return nil
	}
	params, err := spec.Parameters()
	if err != nil {
		return nil
	}
	out := map[string]any{}
	for _, p := range params {
		if v, ok := p.Schema.Get("default"); ok {
			out[p.Name] = v
		}
	}
	return out
}
