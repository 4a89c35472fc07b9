package rules

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"taste/chat"
	"taste/contract"
	"taste/env"
	"taste/phrase"
)

// filled is a wish with its slots, and what fulfils it.
type filled struct {
	wish     *contract.Wish
	ask      map[string]any
	args     map[string]any   // of the write; nil for a question
	tells    string           // answer to a question
	reads    []read           // reads that fulfilling it makes, in order
	named    []read           // those of them that its arguments need
	rules    []string         // policy rules that were checked
	restated []contract.Said  // what is spelt out before the customer agrees
	after    *env.Environment // state after the write
}

// drafting is one attempt to ground a plan in the database.
type drafting struct {
	a        *Author
	plan     *plan
	draw     *rand.Rand
	customer string
	device   string       // key of the record of her device, "" if she has none
	facts    []phrase.Act // by which the customer can be identified
	mine     []string     // concrete record per symbolic one
	adds     *additions
	sample   *sampler
	env      *env.Environment
	state    []*env.Environment // state[n] is the environment after n writes
	calls    []contract.Call    // writes so far
	done     map[*item]*filled
	gold     []read // per call of the sequence
	seen     map[string]bool
}

var none = contract.ToVal([]any{})

// scope makes the evaluation scope of a wish in an environment.
func (d *drafting) scope(w *contract.Wish, ask map[string]any, r contract.Reader, calls []contract.Call) *contract.Scope {
	return &contract.Scope{
		Contract: d.a.contract, Reader: r, Wish: w, Ask: ask, Customer: d.customer, Device: d.device, Calls: calls,
		Mine: d.grounded(), Extra: map[string]any{"learnt": none, "served": none}, Table: d.sample.table, Steady: true,
	}
}

// grounded lists the records that are found already.
func (d *drafting) grounded() []string {
	return slices.DeleteFunc(slices.Clone(d.mine), func(id string) bool { return id == "" })
}

// attempt is the place of one item: where it is tried, and what it has to fit.
type attempt struct {
	item   *item
	env    *env.Environment // state before; not changed
	calls  []contract.Call
	record string // the record that the wish is about, "" if it is free
	fits   func(*filled) error
	learnt []any
	ask    map[string]any // slots that are settled
}

// fulfil fills one of the item's wishes and, for a write, makes the call.
func (d *drafting) fulfil(t attempt) (*filled, error) {
	var last error
	for _, w := range t.item.wishes {
		f, err := d.fulfilWish(t, w)
		if err == nil {
			return f, nil
		}
		last = err
	}
	return nil, last
}

func (d *drafting) fulfilWish(t attempt, w *contract.Wish) (*filled, error) {
	reader := d.a.reader(t.env)
	ask := map[string]any{}
	maps.Copy(ask, t.ask)
	if name := recordSlot(w); t.record != "" && name != "" {
		ask[name] = t.record
	}
	scope := d.scope(w, ask, reader, t.calls)
	if t.learnt != nil {
		scope.Extra["learnt"] = contract.ToVal(t.learnt)
	}
	scope.Extra["served"], scope.Extra["later"] = contract.ToVal(d.servedTools(t.item)), contract.ToVal(d.laterTools(t.item))
	var out *filled
	fill := &filler{scope: scope, wish: w, draw: d.draw, records: d.mine}
	fill.accept = func() error {
		f, err := d.resolve(t, scope, reader)
		if err == nil && t.fits != nil {
			err = t.fits(f)
		}
		out = f
		return err
	}
	if err := fill.fill(); err != nil {
		return nil, err
	}
	return out, nil
}

// servedTools names the tools of the reads that the sequence makes for the item;
// a question is served by its own call.
func (d *drafting) servedTools(it *item) []any {
	out := []any{}
	if it.wishes[0].Does == "" {
		out = append(out, d.plan.seq[it.call])
	}
	for _, i := range it.serves {
		out = append(out, d.plan.seq[i])
	}
	return out
}

// laterTools names the tools of the calls that are made about the item's record
// after it.
func (d *drafting) laterTools(it *item) []any {
	out := []any{}
	for _, x := range d.plan.items {
		if it.record >= 0 && x.record == it.record && x.call > it.call {
			out = append(out, d.plan.seq[x.call])
		}
	}
	return out
}

// recordSlot names the first slot of a wish that holds a record, or "".
func recordSlot(w *contract.Wish) string {
	for _, s := range w.Slots {
		if s.Kind != "" {
			return s.Name
		}
	}
	return ""
}

// resolve evaluates a filled wish; a write must be allowed, succeed and change
// the state, a denied wish must be handed off, a question must have an answer.
func (d *drafting) resolve(t attempt, s *contract.Scope, r *envReader) (*filled, error) {
	f := &filled{wish: s.Wish, ask: maps.Clone(s.Ask)}
	var err error
	f.reads, err = r.traced(func() error {
		s.Forget()
		if s.Wish.Does == "" {
			return d.answer(f, s)
		}
		if err := f.arguments(s); err != nil {
			return err
		}
		f.named = slices.Clone(r.trace)
		return d.allowed(f, s, t.item.denied)
	})
	if err != nil || s.Wish.Does == "" {
		return f, err
	}
	if f.restated, err = s.Restated(); err != nil {
		return f, err
	}
	if t.item.denied {
		f.after = t.env
		return f, d.handOff(f, s)
	}
	return f, execute(t.env, f)
}

// MinLiteral is the shortest answer that is asked for: shorter ones would stand
// in a message by chance.
const MinLiteral = 3

func (d *drafting) answer(f *filled, s *contract.Scope) error {
	v, err := s.Eval(s.Wish.Tells)
	if err != nil {
		return err
	}
	f.tells = fmt.Sprint(v)
	if len(f.tells) < MinLiteral {
		return fmt.Errorf("the answer %q is too short to be recognised", f.tells)
	}
	return nil
}

func (f *filled) arguments(s *contract.Scope) error {
	f.args = map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(s.Wish.Args)) {
		v, err := s.Eval(s.Wish.Args[name])
		if err != nil {
			return fmt.Errorf("argument %s: %w", name, err)
		}
		f.args[name] = v
	}
	return nil
}

// allowed checks the policy rules of the wish's tool in their order; of a
// denied wish the first rule that fails must be one that hands off.
func (d *drafting) allowed(f *filled, s *contract.Scope, denied bool) error {
	for i := range d.a.contract.Policy {
		rule := &d.a.contract.Policy[i]
		if !slices.Contains(rule.Tools, s.Wish.Does) {
			continue
		}
		s.Args = f.args
		ok, err := s.Holds(rule.Require)
		if err != nil {
			return fmt.Errorf("rule %s: %w", rule.ID, err)
		}
		f.rules = append(f.rules, rule.ID)
		if ok {
			continue
		}
		if denied && rule.Otherwise == "handoff" {
			return nil
		}
		return fmt.Errorf("rule %s: %s", rule.ID, rule.Why)
	}
	if denied {
		return errors.New("the policy grants the wish that should be handed off")
	}
	return nil
}

// handOff turns a denied wish into the call of the hand-off tool.
func (d *drafting) handOff(f *filled, s *contract.Scope) error {
	var err error
	if f.args, err = evaluated(s, d.a.contract.Protocol.HandoffArgs); err != nil {
		return fmt.Errorf("hand-off: %w", err)
	}
	return nil
}

// execute makes the wish's call in a copy of e, which becomes f.after.
func execute(e *env.Environment, f *filled) error {
	f.after = e.Clone()
	res := f.after.Call(chat.Assistant, f.wish.Does, f.args)
	if res.Error {
		return fmt.Errorf("%s fails: %s", f.wish.Does, res.Content)
	}
	if spec := e.Domain().Tool(f.wish.Does); spec != nil && spec.MutatesState && f.after.Equal(e) {
		return fmt.Errorf("%s changes nothing", f.wish.Does)
	}
	return nil
}
