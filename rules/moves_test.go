package rules

import (
	"math/rand/v2"
	"slices"
	"testing"

	"taste/chat"
	"taste/tau"
)

// What a contract says that a write leaves alone answers as before it: writes of
// both sides are made at random in the states of tasks, all reads before and after.
func TestWritesMoveWhatTheContractSays(t *testing.T) {
	w := worldOf(t, "telecom", false)
	draw := rand.New(rand.NewPCG(7, 7))
	tried := map[string]int{}
	for n, seq := range troubled {
		task := drafted(t, w, seq, uint64(n))
		if task == nil {
			continue
		}
		e := w.domain.Environment()
		if err := e.SetState(task.InitialState); err != nil {
			t.Fatal(err)
		}
		device, customer := DeviceOf(w.contract, w.domain.Environment(), task)
		for range 60 {
			call := randomWrite(w, draw, device, customer)
			reads := readsOf(w, device, customer)
			before := make([]string, len(reads))
			for i, r := range reads {
				before[i] = e.Call(r.Owner(), r.Name, r.Arguments).Content
			}
			if e.Call(call.Owner(), call.Name, call.Arguments).Error {
				continue
			}
			tried[call.Name]++
			for i, r := range reads {
				if after := e.Call(r.Owner(), r.Name, r.Arguments).Content; after != before[i] && !w.contract.MovedBy(call.Name, r.Name) {
					t.Errorf("%s moves %s: %q, then %q", Spell(call.Name, call.Arguments), Spell(r.Name, r.Arguments), before[i], after)
				}
			}
		}
	}
	for _, name := range sortedKeys(w.contract.Tools) {
		if tool := w.contract.Tools[name]; tool.Moves != nil && tried[name] == 0 {
			t.Errorf("%s was not tried", name)
		}
	}
}

// randomWrite is a call of a write that the contract says something about.
func randomWrite(w testWorld, draw *rand.Rand, device, customer string) *tau.Action {
	names := slices.DeleteFunc(sortedKeys(w.contract.Tools), func(n string) bool { return w.contract.Tools[n].Moves == nil })
	name := names[draw.IntN(len(names))]
	args := map[string]any{}
	values := map[string][]any{
		"customer_id": {customer}, "line_id": {device}, "reason": {"lost"}, "gb_amount": {1.5}, "mode": {"2g_only", "4g_5g_preferred"},
		"app_name": {"messaging"}, "permission": {"sms", "storage"},
	}
	values["bill_id"] = w.domain.Environment().Record("customers", customer)["bill_ids"].([]any)
	params, _ := w.domain.Tool(name).Parameters()
	for _, p := range params {
		if l := values[p.Name]; len(l) > 0 {
			args[p.Name] = l[draw.IntN(len(l))]
		}
	}
	return &tau.Action{Name: name, Requestor: w.domain.Tool(name).Requestor, Arguments: args}
}

// readsOf are the reads of the contract about a customer and her device.
func readsOf(w testWorld, device, customer string) []*tau.Action {
	e := w.domain.Environment()
	line, me := e.Record("lines", device), e.Record("customers", customer)
	args := map[string]map[string]any{
		"get_customer_by_phone": {"phone_number": line["phone_number"]}, "get_customer_by_id": {"customer_id": customer},
		"get_customer_by_name": {"full_name": me["full_name"], "dob": me["date_of_birth"]}, "get_bills_for_customer": {"customer_id": customer},
		"check_app_permissions": {"app_name": "messaging"},
	}
	var out []*tau.Action
	for _, name := range sortedKeys(w.contract.Reads) {
		tool := w.contract.Reads[name].Tool
		a := &tau.Action{Name: tool, Requestor: w.domain.Tool(tool).Requestor, Arguments: args[tool]}
		switch name {
		case "line":
			a.Arguments = map[string]any{"id": device}
		case "plan":
			a.Arguments = map[string]any{"id": line["plan_id"]}
		}
		if a.Requestor == "" {
			a.Requestor = chat.Assistant
		}
		out = append(out, a)
	}
	return out
}
