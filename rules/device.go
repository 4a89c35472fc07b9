package rules

import (
	"fmt"
	"slices"
	"strings"

	"taste/chat"
	"taste/contract"
	"taste/env"
	"taste/tau"
)

// DeviceOf finds whose device a task is about: the keys of its record and of the
// customer, "" where none or several are set up. It is the record of which the
// contract's setup of a device stands among the task's initialization actions;
// d is in the domain's initial state.
func DeviceOf(c *contract.Contract, d *env.Environment, t *tau.Task) (device, customer string) {
	kind := c.Records[c.Device.Record]
	if kind == nil || t.InitialState == nil || len(c.Device.Setup) == 0 {
		return "", ""
	}
	s := &contract.Scope{Contract: c, Reader: Reader(d)}
	for _, owner := range d.Keys(c.Customer.Table) {
		for _, key := range OwnKeys(c, d, kind, owner) {
			s.Customer, s.Device = owner, fmt.Sprint(key)
			Acquaint(s, d, owner, s.Device)
			switch {
			case !setUp(s, t.InitialState.InitializationActions):
			case device != "":
				return "", ""
			default:
				device, customer = s.Device, owner
			}
		}
	}
	return device, customer
}

// Acquaint adds to the names of a scope the record of a customer, me, and that of her
// device, own, as an environment has them; device is "" where there is none.
func Acquaint(s *contract.Scope, e *env.Environment, customer, device string) {
	if s.Extra == nil {
		s.Extra = map[string]any{}
	}
	s.Extra["me"] = contract.ToVal(e.Record(s.Contract.Customer.Table, customer))
	if kind := s.Contract.Records[s.Contract.Device.Record]; kind != nil && device != "" {
		s.Extra["own"] = contract.ToVal(e.Record(kind.Table, device))
	}
}

// setUp tells whether one of the calls that set up a device of the scope stands
// among actions.
func setUp(s *contract.Scope, actions []tau.EnvCall) bool {
	for _, call := range s.Contract.Device.Setup {
		args, err := evaluated(s, call.Args)
		if err != nil {
			return false
		}
		want := Spell(call.Func, args)
		if slices.ContainsFunc(actions, func(a tau.EnvCall) bool {
			return a.EnvType == call.Side && Spell(a.FuncName, a.Arguments) == want
		}) {
			return true
		}
	}
	return false
}

// OwnerOf is the customer whom a record belongs to: the one that it names, else
// the one whose record lists it. "" if there is none.
func OwnerOf(c *contract.Contract, e *env.Environment, kind *contract.Record, key string) string {
	if kind.Owner != "" {
		owner, _ := e.Record(kind.Table, key)[kind.Owner].(string)
		return owner
	}
	for owner := range e.Records(c.Customer.Table) {
		if slices.Contains(OwnKeys(c, e, kind, owner), any(key)) {
			return owner
		}
	}
	return ""
}

// Changed lists the records of the agent's side, table/key, in which two states
// differ, in order. The user's own is in nobody else's hands.
func Changed(a, b *env.Environment) []string {
	var out []string
	for _, line := range a.Diff(b) {
		path, _, _ := strings.Cut(line, ": ")
		parts := strings.SplitN(path, ".", 3)
		if len(parts) < 2 || parts[0] == chat.User {
			continue
		}
		key, _, _ := strings.Cut(parts[1], "[")
		if r := parts[0] + "/" + key; !slices.Contains(out, r) {
			out = append(out, r)
		}
	}
	return out
}
