package rules

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"taste/contract"
	"taste/tau"
)

// twins looks for look-alikes of records that wishes are about: copies with one
// field changed, so that a rule of the policy refuses the wish there. The
// contract's order says which to prefer.
func (s *trapper) twins() {
	if s.confusing() {
		return
	}
	for _, i := range shuffled(s.draw, s.writes()) {
		for k := range s.a.contract.Evolution.Twins {
			if !s.room(DecoyEntity) {
				return
			}
			if t, ok := s.twin(i, &s.a.contract.Evolution.Twins[k]); ok {
				s.keep(t)
				break
			}
		}
	}
}

func (s *trapper) twin(i int, t *contract.Twin) (snare, bool) {
	w, slot := s.wishes[i].Wish, recordSlot(s.wishes[i].Wish)
	kind := s.a.contract.Records[t.Record]
	if !strings.Contains(s.a.domain.Policy, t.Says) || slot == "" || s.kindOf(w) != kind || len(t.Wishes) > 0 && !slices.Contains(t.Wishes, w.Name) {
		return snare{}, false
	}
	rec, err := s.lookAlike(kind, fmt.Sprint(s.wishes[i].Slots[slot]), t)
	if err != nil {
		return snare{}, false
	}
	p, err := s.with(rec)
	if err != nil || !p.refusedThere(i, slot, rec.Key, t.Rule) {
		return snare{}, false
	}
	mix := s.a.book.Spec(twistMixup)
	if mix == nil || mix.Slots[slot] == "" {
		return snare{}, false
	}
	return snare{
		Technique: DecoyEntity, At: i, Twist: twist(twistMixup, slot, rec.Key), Records: []addition{rec}, Decoy: t.Field(), Branches: 1,
		Aim: fmt.Sprintf("goes ahead on the look-alike %s, which differs in %s: there, %s", rec.Key, t.Field(), ruleOf(s.a.contract, t.Rule).Why),
	}, true
}

func ruleOf(c *contract.Contract, id string) *contract.PolicyRule {
	i := slices.IndexFunc(c.Policy, func(r contract.PolicyRule) bool { return r.ID == id })
	return &c.Policy[i]
}

// lookAlike copies a record under a new key with the twin's field changed.
func (p *plot) lookAlike(kind *contract.Record, key string, t *contract.Twin) (addition, error) {
	e := p.moments[0].env
	old := e.Record(kind.Table, key)
	if old == nil {
		return addition{}, fmt.Errorf("copy %s: no such record at the start", key)
	}
	scope := p.scope(&p.moments[0], nil, nil)
	Acquaint(scope, e, p.customer, "")
	scope.Extra["old"] = contract.ToVal(old)
	rec := maps.Clone(old)
	v, err := scope.Eval(t.Set[t.Field()])
	if err != nil {
		return addition{}, err
	}
	if reflect.DeepEqual(contract.ToVal(v), contract.ToVal(old[t.Field()])) {
		return addition{}, fmt.Errorf("copy %s: nothing would differ", key)
	}
	id := mint(e, p.draw, kind)
	rec[t.Field()], rec[kind.Key] = v, id
	return addition{kind.Table, id, rec}, nil
}

// refusedThere tells whether item i about another record is refused by that
// rule alone, while the call would go through.
func (p *plot) refusedThere(i int, slot, key, rule string) bool {
	m, kind := p.moment(i), p.kindOf(p.wishes[i].Wish)
	original := fmt.Sprint(p.wishes[i].Slots[slot])
	if !reflect.DeepEqual(m.env.Record(kind.Table, original), p.moments[0].env.Record(kind.Table, original)) {
		return false // by then they differ in more
	}
	ask := maps.Clone(p.wishes[i].Slots)
	ask[slot] = key
	r, err := p.rule(p.scope(m, p.wishes[i].Wish, ask), "")
	if err != nil || r.rule == nil || r.rule.ID != rule || r.rule.Otherwise == "handoff" {
		return false
	}
	r, err = p.rule(p.scope(m, p.wishes[i].Wish, ask), rule)
	return err == nil && r.rule == nil && after(m.env, p.wishes[i].Wish.Does, r.args) != nil
}

// rivals looks for look-alikes of what wishes choose by description.
func (s *trapper) rivals() {
	if s.confusing() {
		return
	}
	for _, i := range shuffled(s.draw, s.writes()) {
		for _, r := range shuffled(s.draw, s.a.contract.Evolution.Rivals) {
			if slices.Contains(r.Wishes, s.wishes[i].Wish.Name) {
				s.rival(i, &r)
			}
		}
	}
}

func (s *trapper) rival(i int, r *contract.Rival) {
	for _, key := range s.chosen(i, r) {
		old := s.moments[0].env.Record(r.Table, key)
		if old == nil || !s.room(DecoyEntity) {
			continue
		}
		find := s.newRival
		if len(r.Plant) > 0 {
			find = s.plantedRival
		}
		t, item, err := find(i, r, key, old)
		if err != nil {
			continue
		}
		t.Technique, t.At, t.Decoy = DecoyEntity, i, r.Differs
		t.Aim = fmt.Sprintf("chooses %s for %s, which fits but for its %s", item, s.wishes[i].Wish.Name, r.Differs)
		s.keep(t)
		return
	}
}

// newRival makes a rival that is a record or part of its own, and names it.
func (s *trapper) newRival(i int, r *contract.Rival, key string, old map[string]any) (snare, any, error) {
	rec, item, err := s.rivalOf(i, r, key, old)
	if err != nil {
		return snare{}, nil, err
	}
	p, err := s.with(rec)
	if err == nil && !p.misleads(i) {
		err = errNoFit
	}
	return snare{Records: []addition{rec}}, item, err
}

// plantedRival makes a rival of a record that nothing in the task is about, by what is
// done to it before the task starts, and names it.
func (s *trapper) plantedRival(i int, r *contract.Rival, _ string, old map[string]any) (snare, any, error) {
	scope, keys, err := s.rivalKeys(i, r, old)
	if err != nil {
		return snare{}, nil, err
	}
	for _, key := range keys {
		scope.Extra["item"] = key
		calls, err := s.plantsOf(r.Plant, scope)
		if err != nil || s.named[fmt.Sprint(key)] {
			continue
		}
		p, err := s.planting(calls)
		if err != nil || !p.misleads(i) {
			continue
		}
		name := r.Table + "/" + fmt.Sprint(key)
		changes := slices.DeleteFunc(Changed(s.moments[0].env, p.moments[0].env), func(k string) bool { return k == name })
		return snare{Planted: &planted{name, calls, changes}}, key, nil
	}
	return snare{}, nil, errNoFit
}

// plantsOf works out the calls of plants that are needed.
func (p *plot) plantsOf(list []contract.EnvCall, scope *contract.Scope) ([]tau.EnvCall, error) {
	var out []tau.EnvCall
	for _, plant := range list {
		needed, err := scope.Holds(plant.When)
		if err != nil {
			return nil, fmt.Errorf("plant %s: %w", plant.Func, err)
		}
		if !needed {
			continue
		}
		args, err := evaluated(scope, plant.Args)
		if err != nil {
			return nil, fmt.Errorf("plant %s: %w", plant.Func, err)
		}
		out = append(out, tau.EnvCall{EnvType: plant.Side, FuncName: plant.Func, Arguments: args})
	}
	return out, nil
}

// misleads tells whether gold stays right in the plot, and somebody who overlooks
// what tells rivals apart comes to another call for item i.
func (p *plot) misleads(i int) bool { return p.sameGold() && p.overlooked(i) }

// chosen lists the keys of records that a rival may stand beside: that of Of,
// else those that the gold call names.
func (s *trapper) chosen(i int, r *contract.Rival) []string {
	if r.Of != nil {
		v, err := s.scope(s.moment(i), s.wishes[i].Wish, s.wishes[i].Slots).Eval(r.Of)
		if err != nil {
			return nil
		}
		return []string{fmt.Sprint(v)}
	}
	args := map[string]bool{}
	collectTexts(s.gold(i).Arguments, args)
	return sortedKeys(args)
}

// rivalKeys lists the keys that a rival may have, shuffled, with the scope that
// its other expressions are evaluated in.
func (s *trapper) rivalKeys(i int, r *contract.Rival, old map[string]any) (*contract.Scope, []any, error) {
	scope := s.scope(s.moment(i), s.wishes[i].Wish, s.wishes[i].Slots)
	scope.Extra["old"] = contract.ToVal(old)
	v, err := scope.Eval(r.Key)
	if err != nil {
		return nil, nil, err
	}
	keys, ok := v.([]any)
	if !ok {
		keys = []any{v}
	}
	return scope, shuffled(s.draw, keys), nil
}

// rivalOf makes a record or part and names it.
func (s *trapper) rivalOf(i int, r *contract.Rival, key string, old map[string]any) (rec addition, item any, err error) {
	scope, keys, err := s.rivalKeys(i, r, old)
	if err != nil {
		return rec, nil, err
	}
	free := slices.IndexFunc(keys, func(k any) bool { return s.moments[0].env.RecordJSON(r.Table, fmt.Sprint(k)) == nil })
	if free < 0 {
		return rec, nil, fmt.Errorf("make rival %s: %w", r.Name, errNoFit)
	}
	scope.Extra["item"] = keys[free]
	v, err := scope.Eval(r.Record)
	fields, ok := v.(map[string]any)
	if err != nil || !ok {
		return rec, nil, fmt.Errorf("make rival %s: %w", r.Name, err)
	}
	if r.Of == nil {
		key = fmt.Sprint(keys[free])
	}
	return addition{r.Table, key, fields}, keys[free], nil
}

// sameGold tells whether every wish leads to its gold call and every question
// to its answer, with the plot's additions as without.
func (p *plot) sameGold() bool {
	var told []string
	for i, want := range p.wishes {
		scope := p.scope(p.moment(i), want.Wish, want.Slots)
		if want.Trouble() {
			continue
		}
		if want.Wish.Does == "" {
			v, err := scope.Eval(want.Wish.Tells)
			if err != nil {
				return false
			}
			told = append(told, fmt.Sprint(v))
			continue
		}
		if p.call[i] < 0 || p.gold(i).Name != want.Wish.Does || p.gold(i).Name == p.a.contract.Protocol.Handoff {
			continue
		}
		r, err := p.rule(scope, "")
		if err != nil || r.rule != nil || spellValue(r.args) != spellValue(p.gold(i).Arguments) || !sensible(scope) {
			return false
		}
	}
	info := p.task.EvaluationCriteria.CommunicateInfo
	return slices.Equal(slices.Sorted(slices.Values(told)), slices.Sorted(slices.Values(info)))
}

// confusing tells whether the task has rivals already: who overlooks what tells
// them apart comes to another call or answer. Decoys would prove nothing there.
func (p *plot) confusing() bool {
	for i, want := range p.wishes {
		if want.Trouble() {
			continue
		}
		if want.Wish.Does != "" {
			if p.call[i] >= 0 && p.gold(i).Name == want.Wish.Does && p.gold(i).Name != p.a.contract.Protocol.Handoff && p.overlooked(i) {
				return true
			}
			continue
		}
		scope := p.scope(p.moment(i), want.Wish, want.Slots)
		right, err := scope.Eval(want.Wish.Tells)
		scope.Overlook = p.a.contract.Evolution.Overlooked(want.Wish.Name)
		scope.Forget()
		wrong, err2 := scope.Eval(want.Wish.Tells)
		if err != nil || err2 != nil || fmt.Sprint(right) != fmt.Sprint(wrong) {
			return true
		}
	}
	return false
}

// overlooked tells whether somebody who overlooks what tells rivals apart comes
// to another call for item i than gold.
func (p *plot) overlooked(i int) bool {
	scope := p.scope(p.moment(i), p.wishes[i].Wish, p.wishes[i].Slots)
	scope.Overlook = p.a.contract.Evolution.Overlooked(p.wishes[i].Wish.Name)
	args, err := Arguments(scope)
	return err == nil && spellValue(args) != spellValue(p.gold(i).Arguments)
}
