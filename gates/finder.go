package gates

import (
	"errors"
	"fmt"
	"slices"

	"cel.dev/cel-go/common/types/ref"

	"taste/chat"
	"taste/contract"
	"taste/rules"
)

// Limits of the search for further writes: values tried a slot, assignments
// tried a wish and record, calls kept of them, and rows of a table shown to the
// expressions that list candidates.
const (
	extraValues = 3
	extraTries  = 24
	extraCalls  = 2
	extraRows   = 4
)

// finder collects the writes of one moment.
type finder struct {
	w     *walk
	m     *moment
	steps []Step
	seen  map[string]bool
	found map[string]int // per tool
	only  []string       // records, table/key, to look at; nil: all
}

func (f *finder) wishes() {
	for _, wish := range f.w.g.contract.Wishes {
		if wish.Does != "" && f.w.g.mutates(wish.Does) {
			f.wish(wish)
		}
	}
}

// keep takes a call that succeeds and changes the state.
func (f *finder) keep(name string, args map[string]any) bool {
	key := rules.Spell(name, args)
	if f.seen[key] {
		return false
	}
	f.seen[key] = true
	if rules.Names(args, f.m.env.Drawn(chat.Assistant)) {
		return false
	}
	s := f.w.g.step(name, args)
	e := f.m.env.Clone()
	if e.Act(s.action()).Error || e.Equal(f.m.env) {
		return false
	}
	f.steps = append(f.steps, s)
	f.found[name]++
	return true
}

// wish finds calls for a wish: for each record that it could be about, or once.
func (f *finder) wish(wish *contract.Wish) {
	for i := range wish.Slots {
		kind := f.w.g.contract.Records[wish.Slots[i].Kind]
		if kind == nil {
			continue
		}
		for _, key := range rules.OwnKeys(f.w.g.contract, f.m.env, kind, f.w.customer) {
			if f.only == nil || slices.Contains(f.only, kind.Table+"/"+fmt.Sprint(key)) {
				f.search(wish, map[string]any{wish.Slots[i].Name: key})
			}
		}
		return
	}
	if f.only == nil {
		f.search(wish, map[string]any{})
	}
}

// search fills the slots of a wish, depth first, and keeps the first calls.
func (f *finder) search(wish *contract.Wish, ask map[string]any) {
	s := &slotSearch{f: f, scope: f.w.scope(f.m, wish, ask, nil)}
	s.slot(0)
}

type slotSearch struct {
	f           *finder
	scope       *contract.Scope
	tries, kept int
}

func (s *slotSearch) done() bool { return s.tries >= extraTries || s.kept >= extraCalls }

func (s *slotSearch) slot(i int) {
	if i == len(s.scope.Wish.Slots) {
		s.leaf()
		return
	}
	slot := &s.scope.Wish.Slots[i]
	if _, preset := s.scope.Ask[slot.Name]; preset {
		s.slot(i + 1)
		return
	}
	for _, v := range s.values(slot) {
		if s.done() {
			break
		}
		s.scope.Ask[slot.Name] = v
		s.scope.Forget()
		if s.sensible() {
			s.slot(i + 1)
		}
	}
	delete(s.scope.Ask, slot.Name)
	s.scope.Forget()
}

// values takes a few candidates of a slot, spread over the list.
func (s *slotSearch) values(slot *contract.Slot) []any {
	var list []any
	for _, e := range []*contract.Expr{slot.Prefer, slot.From} {
		if e == nil {
			continue
		}
		if v, err := s.scope.Eval(e); err == nil {
			l, _ := v.([]any)
			list = append(list, l...)
		}
	}
	return spread(list, extraValues)
}

// spread picks n elements at even distances, the first among them.
func spread(list []any, n int) []any {
	if len(list) <= n {
		return list
	}
	out := make([]any, n)
	for i := range out {
		out[i] = list[i*len(list)/n]
	}
	return out
}

// sensible is false once a condition of the wish is known to fail.
func (s *slotSearch) sensible() bool {
	s.tries++
	for _, e := range s.scope.Wish.Where {
		ok, err := s.scope.Holds(e)
		var missing *contract.MissingSlot
		if errors.As(err, &missing) {
			continue
		}
		if err != nil || !ok {
			return false
		}
	}
	return true
}

func (s *slotSearch) leaf() {
	args, err := rules.Arguments(s.scope)
	if err == nil && s.f.keep(s.scope.Wish.Does, args) {
		s.kept++
	}
}

// tools makes up calls of the tools wanted that write, those aside of which no
// assertion can tell what they do.
func (f *finder) tools(wanted func(tool string) bool) {
	for _, tool := range sortedKeys(f.w.g.contract.Tools) {
		if f.w.g.mutates(tool) && !f.w.g.contract.Tools[tool].Unseen && wanted(tool) {
			f.tool(tool)
		}
	}
}

// tool makes calls up from the values that the contract knows for each
// argument: the first of each, and every other one in turn. Tools with an
// argument of unknown values, or of lists, are left out.
func (f *finder) tool(name string) {
	args, values := map[string]any{}, map[string][]any{}
	for path, arg := range f.w.g.contract.Tools[name].Args {
		values[path] = f.argument(arg)
		if len(values[path]) == 0 {
			return
		}
		args[path] = values[path][0]
	}
	for _, path := range sortedKeys(values) {
		for _, v := range values[path] {
			f.keep(name, put(args, path, v))
		}
	}
}

// argument lists the values of an argument that depend on no other one.
func (f *finder) argument(arg *contract.Arg) []any {
	if arg.Others == nil {
		return nil
	}
	v, err := f.w.scope(f.m, nil, map[string]any{}, nil).Eval(arg.Others)
	if err != nil {
		return nil
	}
	list, _ := v.([]any)
	return list
}

// table shows expressions the first rows of a table: enough for candidates.
func (g *Gate) table(name string) (ref.Val, error) {
	return rules.Tables(g.domain.Environment(), extraRows)(name)
}
