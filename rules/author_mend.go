package rules

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"taste/chat"
	"taste/contract"
	"taste/env"
	"taste/phrase"
	"taste/role"
	"taste/tau"
)

// breaking is one attempt to ground a casebook: faults and what wishes need are
// planted, gold is made live, and the reward is what it leads to.
type breaking struct {
	*drafting
	book   *casebook
	drawn  map[string]any           // slots that plants draw
	asks   map[*item]map[string]any // slots of wishes that are planted for
	plants []tau.EnvCall            // in order
	start  *env.Environment
	said   map[*complaint]map[string]any // slots of a trouble
	about  map[*item][]any               // what granted wishes have for themselves
	assert []tau.EnvAssertion
	rules  map[string]bool
	order  []mention // in which all is brought up
}

// breakings makes a task of a sequence by troubles.
func (a *Author) breakings(r *readings) (*breaking, error) {
	book, err := r.next()
	if err != nil {
		return nil, err
	}
	e := a.domain.Environment()
	return &breaking{
		drafting: &drafting{a: a, plan: &book.plan, draw: r.draw, adds: &additions{}, env: e, sample: &sampler{env: e, draw: r.draw}},
		book:     book,
	}, nil
}

// try grounds the casebook in one of the homes that suit it.
func (b *breaking) try() error {
	last := fmt.Errorf("choose customer and device: %w", errNoFit)
	for i, h := range b.homes() {
		if i == homesTried {
			break
		}
		if last = b.settleIn(h); last == nil {
			return nil
		}
	}
	return last
}

// settleIn grounds the casebook in a home.
func (b *breaking) settleIn(h home) error {
	b.customer, b.device, b.env = h.customer, h.device, b.a.domain.Environment()
	b.mine, b.calls, b.plants = b.own(), nil, nil
	b.done, b.seen, b.gold, b.about = map[*item]*filled{}, map[string]bool{}, make([]read, len(b.plan.seq)), map[*item][]any{}
	b.drawn, b.asks, b.said, b.rules = map[string]any{}, map[*item]map[string]any{}, map[*complaint]map[string]any{}, map[string]bool{}
	for _, step := range []func() error{b.introduce, b.part, b.drawSlots, b.plantAll, b.complain, b.live, b.solved, b.reward, b.arrange} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// at is the scope of an expression of the task in an environment.
func (b *breaking) at(e *env.Environment, w *contract.Wish, ask map[string]any) *contract.Scope {
	s := b.scope(w, ask, b.a.reader(e), b.calls)
	Acquaint(s, e, b.customer, b.device)
	return s
}

// introduce adds what the customer says of her device to what she says of herself.
func (b *breaking) introduce() error {
	if err := b.drafting.introduce(); err != nil {
		return err
	}
	facts, err := b.at(b.env, nil, nil).DeviceFacts()
	for _, f := range facts {
		if a := (phrase.Act{Name: f.Act, Slots: f.Slots}); !among(b.facts, a) {
			b.facts = append(b.facts, a)
		}
	}
	return err
}

// drawSlots draws what plants leave open; one name stands for one value.
func (b *breaking) drawSlots() error {
	for _, p := range b.book.patches {
		s := b.at(b.env, nil, b.drawn)
		for _, slot := range p.defect.Slots {
			if _, ok := b.drawn[slot.Name]; ok {
				continue
			}
			v, err := s.Eval(slot.From)
			list, _ := v.([]any)
			if err != nil || len(list) == 0 {
				return fmt.Errorf("fault %s: slot %s: %w", p.defect.Name, slot.Name, errors.Join(errNoFit, err))
			}
			b.drawn[slot.Name] = list[b.draw.IntN(len(list))]
		}
	}
	for _, it := range b.plan.items {
		if w := it.wishes[0]; len(w.Plant) > 0 {
			s := b.at(b.env, w, map[string]any{})
			maps.Copy(s.Ask, b.asks[it])
			for _, slot := range w.Slots {
				if v, ok := b.drawn[slot.Name]; ok {
					s.Ask[slot.Name] = v
				}
			}
			free := *w
			free.Where, free.Sole = nil, nil
			if err := (&filler{scope: s, wish: &free, draw: b.draw, records: b.mine, accept: func() error { return nil }}).fill(); err != nil {
				return err
			}
			b.asks[it] = s.Ask
		}
	}
	return nil
}

// plantAll brings a fresh environment into the state in which the task starts.
func (b *breaking) plantAll() error {
	b.start = b.a.domain.Environment()
	if err := b.plant("device", b.a.contract.Device.Setup, nil, nil); err != nil {
		return err
	}
	for _, p := range b.book.patches {
		if err := b.plant("fault "+p.defect.Name, p.defect.Plant, nil, b.drawn); err != nil {
			return err
		}
	}
	for _, it := range b.plan.items {
		if err := b.plant("wish "+it.wishes[0].Name, it.wishes[0].Plant, it.wishes[0], b.asks[it]); err != nil {
			return err
		}
	}
	b.env = b.start
	return nil
}

func (b *breaking) plant(whose string, list []contract.EnvCall, w *contract.Wish, ask map[string]any) error {
	for _, p := range list {
		if needed, err := b.at(b.start, w, ask).Holds(p.When); err != nil || !needed {
			if err != nil {
				return fmt.Errorf("plant for %s: %s: when: %w", whose, p.Func, err)
			}
			continue
		}
		args, err := evaluated(b.at(b.start, w, ask), p.Args)
		if err != nil {
			return fmt.Errorf("plant for %s: %s: %w", whose, p.Func, err)
		}
		call := tau.EnvCall{EnvType: p.Side, FuncName: p.Func, Arguments: args}
		if _, err := b.start.EnvCall(&call); err != nil {
			return fmt.Errorf("plant for %s: %s: %w", whose, p.Func, err)
		}
		b.plants = append(b.plants, call)
	}
	return nil
}

// complain checks that each trouble shows at the start, with what the customer
// says of it.
func (b *breaking) complain() error {
	for _, c := range b.book.complaints {
		ask := map[string]any{}
		for _, p := range c.patches {
			for _, slot := range p.defect.Slots {
				if c.trouble.Has(slot.Name) {
					ask[slot.Name] = b.drawn[slot.Name]
				}
			}
		}
		b.said[c] = ask
		s := b.at(b.start, &c.trouble.Wish, ask)
		for _, e := range c.trouble.Where {
			if ok, err := s.Holds(e); err != nil || !ok {
				return fmt.Errorf("trouble %s does not show at the start: %w", c.trouble.Name, errors.Join(errNoFit, err))
			}
		}
		if c.trouble.Solved != nil && shown(b.start, c.trouble.Solved) {
			return fmt.Errorf("trouble %s: %w: it counts as solved at the start", c.trouble.Name, errNoFit)
		}
	}
	return nil
}

// live makes the calls of gold in order, each with the coupling of the sides.
func (b *breaking) live() error {
	for i := range b.plan.seq {
		var err error
		if it := b.asking(i); it != nil {
			err = b.grant(it)
		} else {
			err = b.mend(i)
		}
		if err != nil {
			return fmt.Errorf("call %d (%s): %w", i, b.plan.seq[i], err)
		}
	}
	return nil
}

// grant fulfils a wish in the present state.
func (b *breaking) grant(it *item) error {
	f, err := b.fulfil(attempt{item: it, env: b.env, calls: b.calls, ask: b.asks[it], fits: func(f *filled) error { return b.apart(it, f) }})
	if err != nil {
		return err
	}
	b.done[it] = f
	for _, r := range f.rules {
		b.rules[r] = true
	}
	b.gold[it.call] = read{f.wish.Does, f.args}
	b.calls = append(b.calls, contract.Call{Name: f.wish.Does, Args: f.args, Ask: f.ask})
	b.env = f.after
	return nil
}

// apart checks that no other wish is about what a wish has for itself. Of wishes
// that are not granted yet it knows what their plants were for.
func (b *breaking) apart(it *item, f *filled) error {
	own, err := b.things(f.wish, f.ask)
	if err != nil {
		return err
	}
	for _, o := range b.plan.items {
		theirs, granted := b.about[o]
		if !granted {
			theirs = apartSlots(o.wishes[0], b.asks[o])
		}
		if i := slices.IndexFunc(own, func(v any) bool { return o != it && slices.Contains(theirs, v) }); i >= 0 {
			return fmt.Errorf("wish %s: %w: another wish is about %v", f.wish.Name, errNoFit, own[i])
		}
	}
	b.about[it] = own
	return nil
}

// things lists what a wish has for itself in the present state.
func (b *breaking) things(w *contract.Wish, ask map[string]any) ([]any, error) {
	out := apartSlots(w, ask)
	if w.Apart == nil {
		return out, nil
	}
	v, err := b.at(b.env, w, ask).Eval(w.Apart)
	return append(out, v), err
}

// apartSlots lists the values of slots that name what nothing else is about.
func apartSlots(w *contract.Wish, ask map[string]any) []any {
	var out []any
	for _, s := range w.Slots {
		if v, ok := ask[s.Name]; ok && s.Apart {
			out = append(out, v)
		}
	}
	return out
}

// mend makes the repair that call i is, for each of the faults that it is for.
func (b *breaking) mend(i int) error {
	var call *tau.Action
	for _, c := range b.book.complaints {
		for _, p := range c.patches {
			k := slices.Index(p.calls, i)
			if k < 0 {
				continue
			}
			a, err := b.repair(c, &p.defect.Repairs[k])
			if err != nil {
				return fmt.Errorf("fault %s: %w", p.defect.Name, err)
			}
			if call != nil && Spell(call.Name, call.Arguments) != Spell(a.Name, a.Arguments) {
				return fmt.Errorf("fault %s: %w: one call cannot be %s and %s", p.defect.Name, errNoFit, Spell(call.Name, call.Arguments), Spell(a.Name, a.Arguments))
			}
			call = a
		}
	}
	after := b.env.Clone()
	if res := after.Call(call.Owner(), call.Name, call.Arguments); res.Error {
		return fmt.Errorf("%w: it fails: %s", errNoFit, res.Content)
	}
	if call.Name != b.a.contract.Protocol.Handoff && after.Equal(b.env) {
		return fmt.Errorf("%w: it changes nothing", errNoFit)
	}
	b.gold[i] = read{call.Name, call.Arguments}
	b.calls = append(b.calls, contract.Call{Name: call.Name, Args: call.Arguments})
	b.env = after
	return nil
}

// repair works out the call of a repair, which the policy has to allow.
func (b *breaking) repair(c *complaint, r *contract.Repair) (*tau.Action, error) {
	s := b.at(b.env, &c.trouble.Wish, b.said[c])
	args, err := evaluated(s, r.Args)
	if err != nil {
		return nil, err
	}
	if r.Tool != b.a.contract.Protocol.Handoff {
		s.Args = args
		for _, rule := range rulesOf(b.a.contract, r.Tool) {
			b.rules[rule.ID] = true
			if ok, err := s.Holds(rule.Require); err != nil || !ok {
				return nil, fmt.Errorf("rule %s: %s: %w", rule.ID, rule.Why, errors.Join(errNoFit, err))
			}
		}
	}
	return &tau.Action{Name: r.Tool, Requestor: b.side(r.Tool), Arguments: args}, nil
}

func (b *breaking) side(tool string) string {
	if b.a.contract.OfUser(tool) {
		return chat.User
	}
	return chat.Assistant
}

// handedOff tells whether gold ends with a hand-off.
func (b *breaking) handedOff() bool {
	return b.plan.seq[len(b.plan.seq)-1] == b.a.contract.Protocol.Handoff
}

// solved checks that every trouble is over in the end, but for one that is handed
// off.
func (b *breaking) solved() error {
	for _, c := range b.book.complaints {
		off := slices.ContainsFunc(c.patches, func(p *patch) bool { return p.defect.HandsOff(b.a.contract) })
		if t := c.trouble.Solved; !off && t != nil && !shown(b.env, t) {
			return fmt.Errorf("trouble %s: %w: gold does not solve it", c.trouble.Name, errNoFit)
		}
	}
	return nil
}

// reward derives what the task asserts; each write of gold has to be needed for
// it.
func (b *breaking) reward() error {
	var err error
	if b.assert, err = Assertions(b.at(b.env, nil, nil), b.env); err != nil {
		return err
	}
	for k, t := range b.plan.seq {
		if t != b.a.contract.Protocol.Handoff && b.holds(b.without(k)) {
			return fmt.Errorf("call %d (%s): %w: the reward does not need it", k, t, errNoFit)
		}
	}
	return nil
}

// without is the end of gold without one of its calls.
func (b *breaking) without(k int) *env.Environment {
	e := b.start.Clone()
	for i, g := range b.gold {
		if i != k {
			e.Call(b.side(g.tool), g.tool, g.args)
		}
	}
	return e
}

// holds tells whether all assertions hold in a state.
func (b *breaking) holds(e *env.Environment) bool {
	return all(b.assert, func(a tau.EnvAssertion) bool { ok, err := e.Clone().Assert(&a); return ok && err == nil })
}

// draft makes the task of a grounded casebook; the scenario is still to be told.
func (b *breaking) draft(id string) (*role.Draft, error) {
	crit := &tau.EvaluationCriteria{EnvAssertions: b.assert, RewardBasis: []tau.RewardType{tau.EnvAssertionReward}}
	for i, g := range b.gold {
		crit.Actions = append(crit.Actions, tau.Action{
			ActionID: fmt.Sprintf("%s_%d", id, i), Requestor: b.side(g.tool), Name: g.tool, Arguments: g.args,
		})
	}
	if len(b.gold) == 1 && b.handedOff() { // no state tells that it was done
		crit.RewardBasis = append(crit.RewardBasis, tau.ActionReward)
		crit.Actions[0].CompareArgs = []string{}
	}
	brief := b.brief()
	out := &role.Draft{Task: tau.Task{ID: id, InitialState: &tau.InitialState{InitializationActions: b.plants}, EvaluationCriteria: crit}}
	out.Meta = role.Meta{Sequence: b.plan.seq, Rules: sortedKeys(b.rules), Adds: Changed(b.a.domain.Environment(), b.start)}
	for _, it := range brief.Items {
		out.Meta.Wishes = append(out.Meta.Wishes, it.Wish.Name)
	}
	for _, p := range b.book.patches {
		out.Meta.Faults = append(out.Meta.Faults, p.defect.Name)
	}
	var err error
	if out.Brief, err = json.Marshal(brief); err != nil {
		return nil, fmt.Errorf("keep brief: %w", err)
	}
	return out, b.sayable(out)
}

// brief says what the customer brings up, in the order that was rehearsed.
func (b *breaking) brief() phrase.Brief {
	out := phrase.Brief{Facts: b.facts, Persona: b.persona()}
	for _, m := range b.order {
		if m.wish != nil {
			out.Items = append(out.Items, b.done[m.wish].said())
		} else {
			out.Items = append(out.Items, b.tell(m.complaint))
		}
	}
	return out
}

// persona draws what kind of person the customer is, a third of the time nobody in
// particular.
func (b *breaking) persona() string {
	return []string{"", personaHandy, personaUnhandy}[b.draw.IntN(3)]
}

// tell puts a complaint into speech acts.
func (b *breaking) tell(c *complaint) phrase.Item {
	out := (&filled{wish: &c.trouble.Wish, ask: b.said[c]}).said()
	for _, p := range c.patches {
		for k, r := range p.defect.Repairs {
			will := phrase.New(willPrefix + r.Tool)
			if p.calls[k] >= 0 && b.a.book.Spec(will.Name) != nil && !among(out.Conduct, will) {
				out.Conduct = append(out.Conduct, will)
			}
		}
	}
	if t := c.trouble.Solved; t != nil {
		out.Conduct = append(out.Conduct, phrase.New(conductTest, "call", Spell(t.Tool, nil), "shown", t.Shows))
	}
	return out
}
