package rules

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"cel.dev/cel-go/common/types/ref"

	"taste/contract"
	"taste/env"
	"taste/phrase"
)

// supervisors makes the customer ask for a supervisor about something that it
// brings up.
func (s *trapper) supervisors() {
	for _, i := range shuffled(s.draw, s.open()) {
		demand := twist(twistSupervisor)
		if s.wishes[i].Trouble() {
			demand = twist(twistBalk)
		}
		s.keep(snare{
			Technique: ConditionalEscalation, At: i, Twist: demand, Global: true, Branches: 2,
			Aim: fmt.Sprintf("hands the customer over when asked for a supervisor, instead of settling %s", s.wishes[i].Wish.Name),
		})
	}
}

func twist(name string, pairs ...any) *phrase.Act {
	a := phrase.New(name, pairs...)
	return &a
}

// slips looks for particulars that the customer may say wrongly at first: the
// wrong wish is one that the policy grants too, and leads to something else.
func (s *trapper) slips() {
	for _, i := range shuffled(s.draw, s.writes()) {
		for _, slip := range shuffled(s.draw, s.a.contract.Evolution.Slips) {
			if !s.room(ArgumentMisdirection) {
				return
			}
			if t, ok := s.slip(i, slip); ok {
				s.keep(t)
				break
			}
		}
	}
}

func (s *trapper) slip(i int, slip contract.Slip) (snare, bool) {
	want := s.wishes[i]
	name := slip.Of(want.Wish)
	if name == "" || want.Slots[name] == nil || !strings.Contains(s.a.domain.Policy, slip.Says) {
		return snare{}, false
	}
	for _, v := range s.others(i, name) {
		ask := maps.Clone(want.Slots)
		ask[name] = v
		if !s.leadsElsewhere(i, ask) {
			continue
		}
		return snare{
			Technique: ArgumentMisdirection, At: i, Twist: twist(slip.Act, slip.Slot, v), Branches: 1,
			Aim: fmt.Sprintf("makes the call without reading back, with %s = %v", name, v),
		}, true
	}
	return snare{}, false
}

// others lists other values that a slot of item i could have, shuffled.
func (s *trapper) others(i int, slot string) []any {
	want := s.wishes[i]
	scope := s.scope(s.moment(i), want.Wish, want.Slots)
	var list []any
	for _, sl := range want.Wish.Slots {
		if sl.Name != slot {
			continue
		}
		for _, e := range []*contract.Expr{sl.Prefer, sl.From} {
			if e == nil {
				continue
			}
			if v, err := scope.Eval(e); err == nil {
				l, _ := v.([]any)
				list = append(list, l...)
			}
		}
	}
	list = slices.DeleteFunc(list, func(v any) bool { return v == nil || fmt.Sprint(v) == fmt.Sprint(want.Slots[slot]) })
	s.draw.Shuffle(len(list), func(a, b int) { list[a], list[b] = list[b], list[a] })
	return distinct(list, valuesPerSlot)
}

// leadsElsewhere tells whether item i with other words is a sensible wish that
// the policy grants and that ends otherwise than gold.
func (s *trapper) leadsElsewhere(i int, ask map[string]any) bool {
	m := s.moment(i)
	scope := s.scope(m, s.wishes[i].Wish, ask)
	if !sensible(scope) {
		return false
	}
	r, err := s.rule(scope, "")
	if err != nil || r.rule != nil {
		return false
	}
	e := after(m.env, scope.Wish.Does, r.args)
	return e != nil && !e.Equal(s.moments[s.number(i)+1].env)
}

// withholding looks for particulars that, taken for granted, come out wrong.
func (s *trapper) withholding() {
	for _, i := range shuffled(s.draw, s.open()) {
		for _, name := range shuffled(s.draw, s.a.contract.Evolution.Withheld) {
			if !s.room(InformationWithholding) {
				return
			}
			if said := s.guessedWrong(i, name); said != "" && s.mayWithhold(i, said) {
				s.keep(snare{
					Technique: InformationWithholding, At: i, Twist: twist("withhold", "slot", name), Global: true, Branches: 1,
					Aim: fmt.Sprintf("takes %s for granted instead of asking", said),
				})
				break
			}
		}
	}
}

// guessedWrong names a slot of item i that is said by the particular, and whose
// first candidate is not what the customer wants; "" if there is none.
func (s *trapper) guessedWrong(i int, particular string) string {
	want := s.wishes[i]
	ask := maps.Clone(want.Slots)
	var hidden []string
	for _, d := range s.brief.Items[i].Details {
		if !speaksOf(d, particular) {
			continue
		}
		for _, detail := range want.Wish.Details {
			if detail.Act == d.Name {
				hidden = append(hidden, slices.Sorted(maps.Values(detail.Set))...)
			}
		}
	}
	for _, slot := range hidden {
		delete(ask, slot)
	}
	scope := s.scope(s.moment(i), want.Wish, ask)
	for _, sl := range want.Wish.Slots {
		if !slices.Contains(hidden, sl.Name) || sl.From == nil {
			continue
		}
		first := sl.From
		if sl.Prefer != nil {
			first = sl.Prefer
		}
		v, err := scope.Eval(first)
		if list, _ := v.([]any); err == nil && len(list) > 0 && list[0] != nil && fmt.Sprint(list[0]) != fmt.Sprint(want.Slots[sl.Name]) {
			return sl.Name
		}
	}
	return ""
}

// claims looks for false statements that would change what the policy allows or
// what a call has to say.
func (s *trapper) claims() {
	for _, c := range shuffled(s.draw, s.a.contract.Evolution.Claims) {
		if c.Fault != "" {
			s.denials(c)
			continue
		}
		for _, i := range shuffled(s.draw, s.writes()) {
			if !s.foreign && slices.Contains(c.Wishes, s.wishes[i].Wish.Name) {
				s.claimOn(i, c)
			}
		}
		places := s.places()
		for _, at := range places[:min(2, len(places))] {
			s.claimRefused(at, c)
		}
	}
}

// claimOn puts a claim on a wish that gold fulfils.
func (s *trapper) claimOn(i int, c contract.Claim) {
	want := s.wishes[i]
	truth, err := s.rule(s.scope(s.moment(i), want.Wish, want.Slots), "")
	if err != nil || truth.rule != nil || s.decided(c, want.Wish, want.Slots, i) {
		return
	}
	for _, slots := range s.claimed(s.scope(s.moment(i), want.Wish, want.Slots), c) {
		scope, err := s.believing(s.moment(i), want.Wish, want.Slots, c, slots)
		if err != nil {
			continue
		}
		r, err := s.rule(scope, "")
		if err != nil || r.rule != nil || reflect.DeepEqual(r.args, truth.args) {
			continue
		}
		if after(s.moment(i).env, want.Wish.Does, r.args) == nil {
			continue
		}
		s.keep(snare{
			Technique: FactualMisrepresentation, At: i, Twist: &phrase.Act{Name: c.Act, Slots: slots}, Branches: 1,
			Aim: fmt.Sprintf("believes what the customer says about %s, against the records", c.Field),
		})
		return
	}
}

// claimRefused puts a claim on a wish that is refused and would be granted if
// the claim were true.
func (s *trapper) claimRefused(at int, c contract.Claim) {
	if !s.room(FactualMisrepresentation) {
		return
	}
	var slots map[string]any
	f := s.forbid(at, c.Wishes, func(p *plot, scope *contract.Scope) error {
		if p.decided(c, scope.Wish, scope.Ask, -1) {
			return errors.New("the customer has the field changed")
		}
		for _, slots = range p.claimed(p.scope(p.moment(at), scope.Wish, scope.Ask), c) {
			b, err := p.believing(p.moment(at), scope.Wish, scope.Ask, c, slots)
			if err != nil {
				return err
			}
			if r, err := p.rule(b, ""); err == nil && r.rule == nil {
				return nil
			}
		}
		return errors.New("the claim does not matter")
	})
	if f == nil {
		return
	}
	f.item.Twists = []phrase.Act{{Name: c.Act, Slots: slots}}
	s.keep(snare{
		Technique: FactualMisrepresentation, At: at, New: &f.item, Records: f.records, Record: f.record, Branches: 1,
		Aim: fmt.Sprintf("grants %s as the customer says so, although %s", f.item.Wish.Name, f.why),
	})
}

// decided tells whether a gold call other than wish i's sets the field that a
// claim is about: nobody is mistaken about what was changed a minute ago.
func (p *plot) decided(c contract.Claim, w *contract.Wish, ask map[string]any, i int) bool {
	kind := p.kindOf(w)
	if kind == nil || kind.Read != c.Read {
		return false
	}
	for j := range p.wishes {
		if j == i || p.call[j] < 0 {
			continue
		}
		args := p.gold(j).Arguments
		if _, sets := args[c.Field]; sets && args[kind.Key] == ask[recordSlot(w)] {
			return true
		}
	}
	return false
}

// claimed lists the slots with which a claim can be made.
func (p *plot) claimed(s *contract.Scope, c contract.Claim) []map[string]any {
	out := []map[string]any{{}}
	for _, name := range sortedKeys(c.Slots) {
		v, err := s.Eval(c.Slots[name])
		list, _ := v.([]any)
		if err != nil {
			return nil
		}
		var longer []map[string]any
		for _, slots := range out {
			for _, x := range shuffled(p.draw, list) {
				more := maps.Clone(slots)
				more[name] = x
				longer = append(longer, more)
			}
		}
		out = longer
	}
	return out
}

// believing is the scope of a wish for somebody who takes a claim for true.
func (p *plot) believing(m *moment, w *contract.Wish, ask map[string]any, c contract.Claim, slots map[string]any) (*contract.Scope, error) {
	s := p.scope(m, w, ask)
	for k, v := range slots {
		s.Extra[k] = v
	}
	is, err := s.Eval(c.Is)
	if err != nil {
		return nil, err
	}
	read := p.a.contract.Reads[c.Read]
	args := map[string]any{}
	for i, e := range c.Args {
		if args[read.Args[i]], err = s.Eval(e); err != nil {
			return nil, err
		}
	}
	s = p.scope(m, w, ask)
	s.Reader = &claimReader{Reader: s.Reader, env: m.env, tool: read.Tool, key: readKey(read.Tool, args), field: c.Field, is: is}
	return s, nil
}

// claimReader reads a field of one record as somebody claims that it is.
type claimReader struct {
	contract.Reader
	env       *env.Environment
	tool, key string
	field     string
	is        any
}

// Read implements contract.Reader.
func (b *claimReader) Read(tool string, args map[string]any) (ref.Val, error) {
	if tool != b.tool || readKey(tool, args) != b.key {
		return b.Reader.Read(tool, args)
	}
	v, err := b.env.Read(tool, args)
	rec, ok := v.(map[string]any)
	if err != nil || !ok {
		return b.Reader.Read(tool, args)
	}
	rec = maps.Clone(rec)
	rec[b.field] = b.is
	return contract.ToVal(rec), nil
}
