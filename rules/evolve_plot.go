package rules

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"taste/chat"
	"taste/contract"
	"taste/env"
	"taste/phrase"
	"taste/pyjson"
	"taste/tau"
)

// plot is a task as an evolver sees it: what is wished for, and the states that
// gold passes through.
type plot struct {
	a        *Author
	draw     *rand.Rand
	task     *tau.Task
	brief    phrase.Brief
	wishes   []Wanted // per item
	call     []int    // per item: the gold action that fulfils it, the first of several, −1 for a question
	behind   []int    // per gold action: the item that it is for, −1 for none
	customer string
	device   string
	live     bool            // gold is made with the two sides coupled
	named    map[string]bool // keys of records that wishes or gold name
	moments  []moment        // before each gold action that writes or hands off, and at the end
	adds     []addition      // on top of the task's own
	plants   []tau.EnvCall   // likewise, behind the task's own
	foreign  bool            // the wishes are inferred from gold
	prose    prose           // of such a task
	near     miss            // what comes nearest to a gold call that nothing explains
}

// moment is a state that gold passes through.
type moment struct {
	env   *env.Environment // not written to
	calls []contract.Call  // so far
}

// plot reads a task. why is set where it cannot be evolved.
func (a *Author) plot(t *tau.Task) (p *plot, why string, err error) {
	story, err := ReadStory(a.contract, a.book, t.UserScenario)
	if err != nil {
		return nil, "", err
	}
	if len(story.Unread) > 0 {
		return a.strange(t)
	}
	brief, _ := phrase.Read(a.book, scenarioText(t.UserScenario))
	return a.plotOf(t, brief, story.Wishes)
}

// plotOf makes the plot of a task whose wishes are known.
func (a *Author) plotOf(t *tau.Task, brief phrase.Brief, wishes []Wanted) (p *plot, why string, err error) {
	if t.EvaluationCriteria == nil || len(wishes) == 0 {
		return nil, "nothing is asked for", nil
	}
	p = &plot{a: a, task: t, brief: brief, wishes: wishes, named: map[string]bool{}, live: liveGold(t)}
	if why := p.assign(factsOf(brief)); why != "" {
		return nil, why, nil
	}
	for _, a := range t.EvaluationCriteria.Actions {
		collectTexts(a.Arguments, p.named)
	}
	for i, w := range wishes {
		collectTexts(w.Slots, p.named)
		if w.Wish.Apart == nil {
			continue
		}
		if v, err := p.scope(p.moment(i), w.Wish, w.Slots).Eval(w.Wish.Apart); err == nil {
			collectTexts(v, p.named)
		}
	}
	for _, w := range Words(t.UserScenario) {
		p.named[w] = true
	}
	return p, "", nil
}

// assign finds out who the customer is and which gold actions are for which wish.
// why is set where that cannot be told.
func (p *plot) assign(facts map[string]any) (why string) {
	c, t := p.a.contract, p.task
	start := p.a.domain.Environment()
	p.device, p.customer = DeviceOf(c, start, t)
	if err := start.SetState(t.InitialState); err != nil {
		return fmt.Sprintf("set up task %s: %v", t.ID, err)
	}
	if p.customer == "" {
		p.customer = CustomerOf(c, start, t, facts)
	}
	leads := leading(p.wishes, t.EvaluationCriteria.Actions, start, p.live, func(r contract.Reader) contract.Scope {
		return contract.Scope{Contract: c, Reader: r, Customer: p.customer, Device: p.device, Extra: authorless()}
	})
	behind, err := (Story{Wishes: p.wishes}).Behind(c, t.EvaluationCriteria.Actions, leads)
	if err != nil {
		return err.Error()
	}
	p.behind = behind
	p.call = make([]int, len(p.wishes))
	for i := range p.call {
		p.call[i] = slices.Index(p.behind, i)
	}
	if err := p.replay(); err != nil {
		return err.Error()
	}
	if p.customer == "" {
		return "neither scenario nor gold names exactly one customer"
	}
	return ""
}

// with is the same plot in a database with more records.
func (p *plot) with(adds ...addition) (*plot, error) {
	out := *p
	out.adds = slices.Concat(p.adds, adds)
	return &out, out.replay()
}

// planting is the same plot once more was done before the task starts.
func (p *plot) planting(calls []tau.EnvCall) (*plot, error) {
	out := *p
	out.plants = slices.Concat(p.plants, calls)
	return &out, out.replay()
}

// initial is the task's initial state with the plot's additions and plants.
func (p *plot) initial() (*tau.InitialState, error) {
	s, err := addTo(p.a.contract, p.a.domain, p.task.InitialState, p.adds)
	if err != nil || len(p.plants) == 0 {
		return s, err
	}
	out := tau.InitialState{}
	if s != nil {
		out = *s
	}
	out.InitializationActions = slices.Concat(out.InitializationActions, p.plants)
	return &out, nil
}

// replay makes the states that gold passes through.
func (p *plot) replay() error {
	s, err := p.initial()
	if err != nil {
		return err
	}
	e := p.a.domain.Environment()
	if err := e.SetState(s); err != nil {
		return fmt.Errorf("set up task %s: %w", p.task.ID, err)
	}
	p.moments = nil
	var calls []contract.Call
	for i := range p.task.EvaluationCriteria.Actions {
		a := &p.task.EvaluationCriteria.Actions[i]
		if acts(p.a.contract, a.Name) {
			p.moments = append(p.moments, moment{e, calls})
			call := CallAt(p.a.contract, e, a.Name, a.Arguments)
			if w := p.item(i); w >= 0 {
				call.Ask = p.wishes[w].Slots
			}
			calls = append(slices.Clip(calls), call)
			e = e.Clone()
		}
		if r := act(e, a, p.live); r.Error {
			return fmt.Errorf("gold action %d (%s): %s", i, a.Name, r.Content)
		}
	}
	p.moments = append(p.moments, moment{e, calls})
	return nil
}

// item is the item that gold action a is for, −1 where none is known.
func (p *plot) item(a int) int {
	if a < len(p.behind) {
		return p.behind[a]
	}
	return -1
}

// moment is the state in which item i is brought up; len(items) is the end.
func (p *plot) moment(i int) *moment {
	return &p.moments[p.number(i)]
}

// number is how many gold actions that write or hand off come before item i.
func (p *plot) number(i int) int {
	n := 0
	for _, a := range p.task.EvaluationCriteria.Actions[:Position(p.behind, i)] {
		if acts(p.a.contract, a.Name) {
			n++
		}
	}
	return n
}

// writes lists the items that gold fulfils with the call that they lead to.
func (p *plot) writes() []int {
	var out []int
	for i, c := range p.call {
		if c >= 0 && p.gold(i).Name == p.wishes[i].Wish.Does && p.gold(i).Name != p.a.contract.Protocol.Handoff {
			out = append(out, i)
		}
	}
	return out
}

// settled lists the items that gold sees to by calls of theirs: writes, and troubles
// that are not handed off.
func (p *plot) settled() []int {
	out := p.writes()
	for i, w := range p.wishes {
		if w.Trouble() && i != p.over() {
			out = append(out, i)
		}
	}
	return out
}

func (p *plot) gold(i int) *tau.Action { return &p.task.EvaluationCriteria.Actions[p.call[i]] }

// over is the item from which on nothing new can be brought up: the hand-off,
// or the end.
func (p *plot) over() int {
	for a, i := range p.behind {
		if i >= 0 && p.task.EvaluationCriteria.Actions[a].Name == p.a.contract.Protocol.Handoff {
			return i
		}
	}
	return len(p.call)
}

// own lists the customer's records of a kind that neither wishes nor gold speak
// of.
func (p *plot) own(kind *contract.Record) []string {
	var out []string
	for _, k := range OwnKeys(p.a.contract, p.moments[0].env, kind, p.customer) {
		if s := fmt.Sprint(k); !p.named[s] {
			out = append(out, s)
		}
	}
	return out
}

// scope is what a wish is evaluated in at a moment.
func (p *plot) scope(m *moment, w *contract.Wish, ask map[string]any) *contract.Scope {
	sample := &sampler{env: m.env, draw: p.draw}
	var mine []string
	for _, k := range sortedKeys(p.a.contract.Records) {
		for _, key := range OwnKeys(p.a.contract, p.moments[0].env, p.a.contract.Records[k], p.customer) {
			if s := fmt.Sprint(key); p.named[s] {
				mine = append(mine, s)
			}
		}
	}
	return &contract.Scope{
		Contract: p.a.contract, Reader: newEnvReader(m.env), Wish: w, Ask: ask, Customer: p.customer, Device: p.device, Calls: m.calls,
		Mine: mine, Extra: map[string]any{"learnt": none, "served": none}, Table: sample.table, Steady: true,
	}
}

// ruling is what the policy says of a wish.
type ruling struct {
	args map[string]any
	rule *contract.PolicyRule // the first that fails; nil: granted
}

// rule works out the call that a wish leads to and holds it to the policy,
// passing over the rule of that id.
func (p *plot) rule(s *contract.Scope, over string) (ruling, error) {
	s.Forget()
	args, err := Arguments(s)
	if err != nil {
		return ruling{}, err
	}
	s.Args = args
	defer func() { s.Args = nil }()
	for _, r := range rulesOf(p.a.contract, s.Wish.Does) {
		if r.ID == over {
			continue
		}
		ok, err := s.Holds(r.Require)
		if err != nil {
			return ruling{}, fmt.Errorf("rule %s: %w", r.ID, err)
		}
		if !ok {
			return ruling{args, r}, nil
		}
	}
	return ruling{args: args}, nil
}

// sensible tells whether the wish's own conditions hold.
func sensible(s *contract.Scope) bool {
	for _, e := range append(slices.Clone(s.Wish.Where), s.Wish.Sole) {
		if e == nil {
			continue
		}
		if ok, err := s.Holds(e); err != nil || !ok {
			return false
		}
	}
	return true
}

// after makes a call in a copy of a state; nil if it fails or changes nothing.
func after(e *env.Environment, tool string, args map[string]any) *env.Environment {
	out := e.Clone()
	if out.Call(chat.Assistant, tool, args).Error || out.Equal(e) {
		return nil
	}
	return out
}

// collectTexts gathers the strings in a value.
func collectTexts(v any, into map[string]bool) {
	switch x := v.(type) {
	case string:
		into[x] = true
	case []any:
		for _, e := range x {
			collectTexts(e, into)
		}
	case map[string]any:
		for _, e := range x {
			collectTexts(e, into)
		}
	}
}

// addTo adds records to an initial state. Records that belong to a customer are
// listed in the owner's record, whose list is restated in full.
func addTo(c *contract.Contract, d *env.Domain, s *tau.InitialState, adds []addition) (*tau.InitialState, error) {
	if len(adds) == 0 {
		return s, nil
	}
	e := d.Environment()
	if err := e.SetState(s); err != nil {
		return nil, fmt.Errorf("set up initial state: %w", err)
	}
	data, err := additional(c, e, adds)
	if err != nil {
		return nil, err
	}
	out := &tau.InitialState{}
	if s != nil {
		*out = *s
	}
	init := tau.InitializationData{}
	if out.InitializationData != nil {
		init = *out.InitializationData
	}
	if init.AgentData != nil {
		data = env.MergeObject(init.AgentData, data)
	}
	init.AgentData = data
	out.InitializationData = &init
	return out, nil
}

func additional(c *contract.Contract, e *env.Environment, adds []addition) (*pyjson.Object, error) {
	all := &additions{tables: map[string]map[string]map[string]any{}}
	listed := map[string]map[string][]any{} // owner, field
	for _, a := range adds {
		all.set(a.Table, a.Key, a.Fields)
		for _, kind := range c.Records {
			if kind.Table != a.Table {
				continue
			}
			owner := fmt.Sprint(a.Fields[kind.Owner])
			if listed[owner] == nil {
				listed[owner] = map[string][]any{}
			}
			if listed[owner][kind.Listed] == nil {
				list, _ := e.Record(c.Customer.Table, owner)[kind.Listed].([]any)
				listed[owner][kind.Listed] = slices.Clone(list)
			}
			listed[owner][kind.Listed] = append(listed[owner][kind.Listed], a.Key)
		}
	}
	for owner, fields := range listed {
		rec := maps.Clone(all.tables[c.Customer.Table][owner])
		if rec == nil {
			rec = map[string]any{}
		}
		for f, list := range fields {
			rec[f] = list
		}
		all.set(c.Customer.Table, owner, rec)
	}
	s, err := all.initial()
	if err != nil {
		return nil, err
	}
	return s.InitializationData.AgentData, nil
}
