package rules

import (
	"errors"
	"fmt"

	"taste/chat"
	"taste/contract"
	"taste/env"
	"taste/tau"
)

// Asserted lists what a task asserts whose gold is right: all that the contract
// lets a reward look at, as it is when gold was made live from the initial state
// on. The error says what keeps from finding out: the initial state cannot be set
// up, nobody can tell whose task it is, a gold call fails, or what can be asserted
// is so from the start.
func Asserted(c *contract.Contract, d *env.Domain, t *tau.Task) ([]tau.EnvAssertion, error) {
	e := d.Environment()
	device, customer := DeviceOf(c, e, t)
	if err := e.SetState(t.InitialState); err != nil {
		return nil, err
	}
	if customer == "" {
		if customer = CustomerOf(c, e, t, nil); customer == "" {
			return nil, errors.New("neither what is set up nor scenario nor gold names exactly one customer")
		}
	}
	start := e.Clone()
	s := &contract.Scope{Contract: c, Customer: customer, Device: device}
	for i := range t.EvaluationCriteria.Actions {
		a := &t.EvaluationCriteria.Actions[i]
		call := CallAt(c, e, a.Name, a.Arguments)
		if r := e.Do(&chat.ToolCall{Name: a.Name, Arguments: a.Arguments, Requestor: a.Owner()}); r.Error {
			return nil, fmt.Errorf("action %d: %s: %s", i, Spell(a.Name, a.Arguments), r.Content)
		}
		if acts(c, a.Name) {
			s.Calls = append(s.Calls, call)
		}
	}
	all, err := Assertions(s, e)
	if err != nil {
		return nil, err
	}
	for i := range all {
		if ok, err := start.Clone().Assert(&all[i]); err != nil || !ok {
			return all, nil
		}
	}
	if handsOffAlone(c, t) {
		return all, nil
	}
	return nil, errors.New("gold changes nothing that can be asserted")
}

// handsOffAlone tells whether all that gold does is to hand the customer over.
func handsOffAlone(c *contract.Contract, t *tau.Task) bool {
	a := t.EvaluationCriteria.Actions
	return len(a) == 1 && a[0].Name == c.Protocol.Handoff
}
