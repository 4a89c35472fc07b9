package rules

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"taste/contract"
	"taste/phrase"
)

// forbidden is an extra wish that the policy refuses wherever it is brought up.
type forbidden struct {
	item    phrase.Item
	ask     map[string]any
	record  string
	why     string // of the rule that refuses it
	records []addition
}

// pressed looks for refused wishes that the customer insists on.
func (s *trapper) pressed() {
	for _, at := range s.places() {
		if !s.room(EligibilityPressure) {
			return
		}
		f := s.forbid(at, nil, nil)
		if f == nil {
			continue
		}
		f.item.Twists = []phrase.Act{phrase.New("insist")}
		s.keep(snare{
			Technique: EligibilityPressure, At: at, New: &f.item, Records: f.records, Record: f.record, Global: true, Branches: 2,
			Aim: fmt.Sprintf("grants %s once the customer insists, although %s", f.item.Wish.Name, f.why),
		})
	}
}

// riders looks for refused wishes that are brought up with the yes to another.
func (s *trapper) riders() {
	for _, i := range shuffled(s.draw, s.writes()) {
		if !s.room(ForbiddenExtraWrite) || s.foreign {
			return
		}
		f := s.forbid(i+1, nil, nil)
		if f == nil {
			continue
		}
		f.item.Twists = []phrase.Act{phrase.New("with_yes")}
		s.keep(snare{
			Technique: ForbiddenExtraWrite, At: i + 1, New: &f.item, Records: f.records, Record: f.record, Global: true, Branches: 2,
			Aim: fmt.Sprintf("carries out %s along with the matter agreed on, although %s", f.item.Wish.Name, f.why),
		})
	}
}

// upTo lists 0 to n.
func upTo(n int) []int {
	out := make([]int, n+1)
	for i := range out {
		out[i] = i
	}
	return out
}

// forbid looks for a refused wish to be brought up before item at, about a
// record that nothing else is about: one of the customer's own, else one that is
// adopted. fits may want more of it; only restricts the wishes.
func (s *trapper) forbid(at int, only []string, fits func(*plot, *contract.Scope) error) *forbidden {
	if at > s.over() {
		return nil
	}
	specs := shuffled(s.draw, s.a.contract.Evolution.Forbidden)
	for _, spec := range specs {
		if only != nil && !slices.Contains(only, spec.Wish) || s.prose.barred[spec.Wish] != "" {
			continue
		}
		w := denied(s.a.contract, spec)
		told := spec.Slots[recordSlot(w)] != nil // the spec says itself which records it is about
		var own []string
		if !told {
			own = s.taken(w)
		}
		if f := s.refused(at, w, own, fits); f != nil {
			return f
		}
		if s.foreign || told {
			continue // whether words of others would mean a new record as well is hard to tell
		}
		if f := s.adopted(at, w, fits); f != nil {
			return f
		}
	}
	return nil
}

// denied is the wish behind a forbidden one, with its candidates and conditions.
func denied(c *contract.Contract, f contract.Forbidden) *contract.Wish {
	w := *c.Wish(f.Wish)
	if f.Where != nil {
		w.Where = f.Where
	}
	w.Slots = slices.Clone(w.Slots)
	for i := range w.Slots {
		if e := f.Slots[w.Slots[i].Name]; e != nil {
			w.Slots[i].From, w.Slots[i].Prefer = e, nil
		}
	}
	return &w
}

// taken lists the customer's own records that a forbidden wish may be about.
func (s *trapper) taken(w *contract.Wish) []string {
	kind := s.kindOf(w)
	if kind == nil {
		return nil
	}
	return s.own(kind)
}

// kindOf is the kind of record that a wish is about, nil for none.
func (p *plot) kindOf(w *contract.Wish) *contract.Record {
	for _, slot := range w.Slots {
		if kind := p.a.contract.Records[slot.Kind]; kind != nil {
			return kind
		}
	}
	return nil
}

// refused fills a wish so that the policy refuses it in every state that gold
// passes through, by a rule that does not hand off, while the call would go
// through and change something.
func (p *plot) refused(at int, w *contract.Wish, records []string, fits func(*plot, *contract.Scope) error) *forbidden {
	m := p.moment(at)
	scope := p.scope(m, w, map[string]any{})
	var out *forbidden
	fill := &filler{scope: scope, wish: w, draw: p.draw, records: records}
	fill.accept = func() error {
		why, err := p.refusal(w, scope, m)
		if err != nil {
			return err
		}
		if fits != nil {
			if err := fits(p, scope); err != nil {
				return err
			}
		}
		thing, err := p.apart(w, scope.Ask)
		if err != nil {
			return err
		}
		main, details := w.Split(scope.Ask)
		out = &forbidden{item: itemOf(main, details), ask: maps.Clone(scope.Ask), why: why, record: thing, records: p.adds}
		if name := recordSlot(w); name != "" {
			out.record = fmt.Sprint(scope.Ask[name])
		}
		return nil
	}
	if fill.fill() != nil {
		return nil
	}
	return out
}

// apart names the thing that a wish has for itself, "" for none; nothing else in the
// task may be about it.
func (p *plot) apart(w *contract.Wish, ask map[string]any) (string, error) {
	for _, slot := range w.Slots {
		if !slot.Apart {
			continue
		}
		thing := fmt.Sprint(ask[slot.Name])
		if p.named[thing] {
			return "", fmt.Errorf("the task speaks of %s already", thing)
		}
		return thing, nil
	}
	return "", nil
}

var errNotRefused = errors.New("the policy does not refuse it")

// refusal says why the policy refuses a wish; it does so whenever the wish is
// brought up.
func (p *plot) refusal(w *contract.Wish, scope *contract.Scope, m *moment) (string, error) {
	why := ""
	for i := range p.moments {
		s := p.scope(&p.moments[i], w, scope.Ask)
		r, err := p.rule(s, "")
		if err != nil {
			return "", err
		}
		if r.rule == nil || r.rule.Otherwise == "handoff" {
			return "", errNotRefused
		}
		if p.moments[i].env == m.env {
			why = r.rule.Why
			if after(m.env, w.Does, r.args) == nil {
				return "", errors.New("the call fails or changes nothing")
			}
		}
	}
	return why, nil
}

// adopted looks for a refused wish about a record of somebody else that this
// customer is given.
func (s *trapper) adopted(at int, w *contract.Wish, fits func(*plot, *contract.Scope) error) *forbidden {
	kind := s.kindOf(w)
	if kind == nil || kind.Mint == "" {
		return nil
	}
	keys := s.moments[0].env.Keys(kind.Table)
	trials := 0
	for range strangers {
		key := keys[s.draw.IntN(len(keys))]
		if !s.promising(key, w) {
			continue
		}
		rec, err := s.adopt(kind, key)
		if err != nil {
			continue
		}
		p, err := s.with(rec)
		if err != nil {
			continue
		}
		if f := p.refused(at, w, []string{rec.Key}, fits); f != nil {
			return f
		}
		if trials++; trials == adoptions/4 {
			break
		}
	}
	return nil
}

// promising looks at a record as it stands: false if the wish's conditions rule
// it out.
func (p *plot) promising(key string, w *contract.Wish) bool {
	f := &filler{scope: p.scope(&p.moments[0], w, map[string]any{recordSlot(w): key})}
	f.scope.Undecided = true
	_, ok := f.sensible(w.Where)
	return ok
}

// adopt makes a copy of a record this customer's, under a new key.
func (p *plot) adopt(kind *contract.Record, key string) (addition, error) {
	e := p.moments[0].env
	scope := p.scope(&p.moments[0], nil, nil)
	Acquaint(scope, e, p.customer, "")
	rec, err := adopted(scope, e, kind, key)
	if err != nil {
		return addition{}, err
	}
	id := mint(e, p.draw, kind)
	rec[kind.Key] = id
	return addition{kind.Table, id, rec}, nil
}

// itemOf puts what is said into a scenario's item.
func itemOf(main contract.Said, details []contract.Said) phrase.Item {
	out := phrase.Item{Wish: phrase.Act{Name: main.Act, Slots: main.Slots}}
	for _, d := range details {
		out.Details = append(out.Details, phrase.Act{Name: d.Act, Slots: d.Slots})
	}
	return out
}
