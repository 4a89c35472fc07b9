package contract_test

import (
	"fmt"
	"slices"
	"strings"

	"taste/contract"
	"taste/gates"
	"taste/phrase"
	"taste/rules"
	"taste/tau"
)

// Broken is what a case says of the customer's device: which it is, what is wrong
// with it, and what the customer complains of. Gold is then the repairs, fault by
// fault, and what the wishes lead to; the reward is by assertions.
type Broken struct {
	Device   string         `yaml:"device"`
	Faults   []string       `yaml:"faults"`
	Troubles []string       `yaml:"troubles"`
	Ask      map[string]any `yaml:"ask"`  // what plants draw and the customer says
	Lost     bool           `yaml:"lost"` // the customer does not say whose device it is
}

// broken makes the case's task.
func (m *maker) broken(k checked) *tau.Task {
	m.device, m.live = k.Device, true
	ask, _ := plain(k.Ask).(map[string]any)
	start := m.b.domain.Environment()
	var plants []tau.EnvCall
	plant := func(list []contract.EnvCall, w *contract.Wish, ask map[string]any) {
		for _, p := range list {
			if needed, err := m.at(w, ask).Holds(p.When); err != nil || !needed {
				continue
			}
			call := tau.EnvCall{EnvType: p.Side, FuncName: p.Func, Arguments: m.eval(m.at(w, ask), p.Args)}
			if _, err := start.EnvCall(&call); err != nil {
				m.t.Fatalf("%v: plant %s: %v", k.About, p.Func, err)
			}
			plants = append(plants, call)
		}
	}
	m.env = start
	plant(m.c.Device.Setup, nil, nil)
	for _, f := range k.Faults {
		plant(m.c.Defect(f).Plant, nil, ask)
	}
	for _, want := range k.Wants {
		w := m.c.Wish(fmt.Sprint(want["wish"]))
		plant(w.Plant, w, asked(want))
	}
	for _, name := range k.Troubles {
		m.complain(m.c.Trouble(name), ask)
	}
	for _, f := range k.Faults {
		for _, r := range m.c.Defect(f).Repairs {
			if !slices.ContainsFunc(m.actions, func(a tau.Action) bool { return r.Shared && a.Name == r.Tool }) {
				m.act(r.Tool, m.eval(m.at(nil, ask), r.Args))
			}
		}
	}
	for _, want := range k.Wants {
		m.want(want)
	}
	if k.Gold != nil {
		m.actions, m.calls, m.env = []tau.Action{}, nil, start
		for _, g := range k.Gold {
			for name, args := range g {
				m.act(name, plain(args).(map[string]any))
			}
		}
	}
	return m.asserted(k, plants)
}

// claims lists what a task's start changes.
func (b bench) claims(t *tau.Task) *gates.Claims {
	start := b.domain.Environment()
	if err := start.SetState(t.InitialState); err != nil {
		return &gates.Claims{} // which is for the gates to find
	}
	return &gates.Claims{Adds: rules.Changed(b.domain.Environment(), start)}
}

func asked(want map[string]any) map[string]any {
	ask := plain(want).(map[string]any)
	delete(ask, "wish")
	return ask
}

// at is the scope of the device and its owner, as things stand.
func (m *maker) at(w *contract.Wish, ask map[string]any) *contract.Scope {
	d := m.b.domain.Environment()
	return &contract.Scope{
		Contract: m.c, Reader: rules.Reader(m.env), Wish: w, Ask: ask, Customer: m.user, Device: m.device, Calls: m.calls,
		Extra: map[string]any{
			"me": d.Record(m.c.Customer.Table, m.user), "own": d.Record(m.c.Records[m.c.Device.Record].Table, m.device),
			"learnt": []any{}, "served": []any{},
		},
	}
}

func (m *maker) eval(s *contract.Scope, exprs map[string]*contract.Expr) map[string]any {
	args := map[string]any{}
	for name, e := range exprs {
		v, err := s.Eval(e)
		if err != nil {
			m.t.Fatalf("%s: %v", e.Text, err)
		}
		args[name] = v
	}
	return args
}

// complain puts a trouble into words, with what the customer goes by.
func (m *maker) complain(tr *contract.Trouble, ask map[string]any) {
	said := map[string]any{}
	for _, s := range tr.Slots {
		if v, ok := ask[s.Name]; ok {
			said[s.Name] = v
		}
	}
	m.speak(&tr.Wish, said)
	if tr.Solved != nil {
		m.said = append(m.said, m.say(phrase.New("goes_by", "call", tr.Solved.Tool+"()", "shown", tr.Solved.Shows)))
	}
	if tr.Name == "bill_due" || tr.Name == "no_service" {
		m.said = append(m.said, m.say(phrase.New("will_make_payment")))
	}
}

// asserted completes the task: what holds after gold is its reward.
func (m *maker) asserted(k checked, plants []tau.EnvCall) *tau.Task {
	s := m.at(nil, nil)
	assertions, err := rules.Assertions(s, m.env)
	if err != nil {
		m.t.Fatal(err)
	}
	known := ""
	if !k.Mute {
		known = m.facts(k.Way)
	}
	said, err := s.DeviceFacts()
	if err != nil {
		m.t.Fatal(err)
	}
	for _, f := range said {
		if k.Way > 0 && !k.Lost {
			known += " " + m.say(phrase.Act{Name: f.Act, Slots: f.Slots})
		}
	}
	if k.Prose != "" {
		m.said = []string{k.Prose}
	}
	lone := len(m.actions) == 1 && m.actions[0].Name == m.c.Protocol.Handoff
	basis := []tau.RewardType{tau.EnvAssertionReward}
	if lone {
		basis = append(basis, tau.ActionReward)
		m.actions[0].CompareArgs = []string{}
	}
	return &tau.Task{
		ID:           k.About[0],
		InitialState: &tau.InitialState{InitializationActions: plants},
		UserScenario: tau.UserScenario{Instructions: tau.Instructions{Structured: &tau.StructuredInstructions{
			Domain: m.b.domain.Name, ReasonForCall: strings.Join(m.said, " "), KnownInfo: &known, TaskInstructions: m.say(phrase.New("order")),
		}}},
		EvaluationCriteria: &tau.EvaluationCriteria{Actions: m.actions, EnvAssertions: assertions, RewardBasis: basis},
	}
}
