package gates_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"taste/chat"
	"taste/contract"
	"taste/domain/telecom"
	"taste/env"
	"taste/gates"
	"taste/phrase"
	"taste/pyjson"
	"taste/rules"
	"taste/tau"
)

// phones is the built-in telecom with its contract and no phrase book.
var phones = sync.OnceValues(func() (k kit, err error) {
	if k.domain, err = telecom.Builtin(1); err != nil {
		return k, err
	}
	k.contract, err = contract.Load(telecom.Contract())
	return k, err
})

func newPhones(tb testing.TB) kit {
	tb.Helper()
	k, err := phones()
	must(tb, err)
	return k
}

func envCall(side, function string, pairs ...any) tau.EnvCall {
	args := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		args[pairs[i].(string)] = pairs[i+1]
	}
	return tau.EnvCall{EnvType: side, FuncName: function, Arguments: args}
}

// byUser is a gold call of the user's.
func byUser(name string, pairs ...any) tau.Action {
	a := call(name, pairs...)
	a.Requestor = chat.User
	return a
}

// broken is a task of Ingrid Vasquez, whose bills are paid and who has an active
// line, that of her phone, and a suspended one. It asserts all that the contract
// lets be asserted in the state that gold reaches.
func broken(tb testing.TB, k kit, plants []tau.EnvCall, gold ...tau.Action) *tau.Task {
	tb.Helper()
	return brokenOf(tb, k, "Ingrid Vasquez", "555-318-4471", plants, gold...)
}

// brokenOf is broken for the customer of that name whose phone has that number.
func brokenOf(tb testing.TB, k kit, name, number string, plants []tau.EnvCall, gold ...tau.Action) *tau.Task {
	tb.Helper()
	t := &tau.Task{
		ID: "t", UserScenario: tau.UserScenario{Instructions: tau.Instructions{Plain: "You are " + name + ", " + number + "."}},
		InitialState: &tau.InitialState{InitializationActions: append([]tau.EnvCall{
			envCall(chat.User, "set_user_info", "name", name, "phone_number", number),
		}, plants...)},
		EvaluationCriteria: &tau.EvaluationCriteria{Actions: gold, RewardBasis: []tau.RewardType{tau.EnvAssertionReward}},
	}
	e := k.domain.Environment()
	must(tb, e.SetState(t.InitialState))
	s := &contract.Scope{Contract: k.contract}
	if s.Device, s.Customer = rules.DeviceOf(k.contract, k.domain.Environment(), t); s.Device == "" {
		tb.Fatalf("nobody called %s has a phone of the number %s", name, number)
	}
	for i := range gold {
		s.Calls = append(s.Calls, rules.CallAt(k.contract, e, gold[i].Name, gold[i].Arguments))
		if r := e.Act(&gold[i]); r.Error {
			tb.Fatal(r.Content)
		}
	}
	var err error
	t.EvaluationCriteria.EnvAssertions, err = rules.Assertions(s, e)
	must(tb, err)
	return t
}

// flight is a task of two faults: airplane mode, and no SIM card.
func flight(tb testing.TB, k kit) *tau.Task {
	return broken(tb, k, []tau.EnvCall{envCall(chat.User, "turn_airplane_mode_on"), envCall(chat.User, "unseat_sim_card")},
		byUser("toggle_airplane_mode"), byUser("reseat_sim_card"))
}

// without leaves out the assertions of a function.
func without(t *tau.Task, functions ...string) *tau.Task {
	crit := *t.EvaluationCriteria
	crit.EnvAssertions = slices.DeleteFunc(slices.Clone(crit.EnvAssertions), func(a tau.EnvAssertion) bool {
		return slices.Contains(functions, a.FuncName)
	})
	out := *t
	out.EvaluationCriteria = &crit
	return &out
}

// hard lists what failed, rules that only a reader of the scenario can hold aside.
func hard(r *gates.Result) []gates.Finding {
	return slices.DeleteFunc(slices.Clone(r.Failures), func(f gates.Finding) bool { return f.Rule == gates.Additive })
}

// added are the tools of the calls that mutants add to gold.
func added(r *gates.Result, gold int) map[string]int {
	out := map[string]int{}
	for _, m := range r.Mutants {
		switch {
		case len(m.Actions) != gold+1:
		case m.Kind == gates.AddAfter:
			out[m.Actions[gold].Name]++
		case m.Kind == gates.AddBefore:
			out[m.Actions[0].Name]++
		}
	}
	return out
}

// Where two sides share a world, gold is made with both coupled, and the reward
// rests on assertions: no wrong variant may satisfy all of them.
func TestAssertionsTellGoldFromMutants(t *testing.T) {
	k := newPhones(t)
	for name, task := range map[string]*tau.Task{
		"repairs": flight(t, k),
		"a line held, and a restart": broken(t, k, []tau.EnvCall{envCall(chat.Assistant, "suspend_line", "customer_id", "C20417", "line_id", "L31002", "reason", "x"), envCall(chat.User, "simulate_network_search")},
			call("resume_line", "customer_id", "C20417", "line_id", "L31002"), byUser("reboot_device")),
		"a bill that is paid before": broken(t, k, []tau.EnvCall{envCall(chat.Assistant, "suspend_line_for_overdue_bill", "customer_id", "C20417", "line_id", "L31002", "new_bill_id", "B99", "contract_ended", false), envCall(chat.User, "simulate_network_search")},
			call("send_payment_request", "customer_id", "C20417", "bill_id", "B99"), byUser("make_payment"),
			call("resume_line", "customer_id", "C20417", "line_id", "L31002"), byUser("reboot_device")),
	} {
		r := check(t, k, task)
		if f := hard(r); len(f) > 0 {
			t.Errorf("%s: %v", name, f)
		}
		gold := len(task.EvaluationCriteria.Actions)
		tools := added(r, gold)
		for _, tool := range []string{"suspend_line", "refuel_data", "send_payment_request"} {
			if tools[tool] == 0 {
				t.Errorf("%s: no mutant adds %s: %v", name, tool, tools)
			}
		}
		for _, tool := range []string{"toggle_wifi", "toggle_wifi_calling", "reset_apn_settings"} {
			if tools[tool] > 0 {
				t.Errorf("%s: %s touches nothing that is asserted", name, tool)
			}
		}
	}
}

// Each assertion that is left out lets a mutant pass, and it is named.
func TestMissingAssertionsAreFound(t *testing.T) {
	k := newPhones(t)
	for function, passes := range map[string]string{
		"assert_line_status":           "(suspend_line|resume_line)",
		"assert_data_refueling_amount": "refuel_data",
		"assert_no_overdue_bill":       "send_payment_request",
	} {
		found := hard(check(t, k, without(flight(t, k), function)))
		if len(found) == 0 {
			t.Errorf("without %s nothing passes", function)
		}
		for _, f := range found {
			if !strings.HasPrefix(f.Rule, "mutant.add") || !regexp.MustCompile("^(first|then) "+passes).MatchString(f.Evidence) {
				t.Errorf("without %s: %v", function, f)
			}
		}
	}
}

// Abroad whoever switches the line's roaming off takes the data away.
func TestRoamingAbroadIsAsserted(t *testing.T) {
	k := newPhones(t)
	task := broken(t, k, []tau.EnvCall{
		envCall(chat.User, "set_user_location", "abroad", true), envCall(chat.User, "turn_roaming_off"),
		envCall(chat.Assistant, "enable_roaming", "customer_id", "C20417", "line_id", "L31002"),
	}, byUser("toggle_roaming"))
	r := check(t, k, task)
	if f := hard(r); len(f) > 0 || added(r, 1)["disable_roaming"] == 0 {
		t.Errorf("failures %v, added %v", f, added(r, 1))
	}
	at := without(task, "assert_mobile_data_status", "assert_internet_speed", "assert_can_send_mms")
	if !slices.ContainsFunc(hard(check(t, k, at)), func(f gates.Finding) bool { return strings.Contains(f.Evidence, "disable_roaming") }) {
		t.Error("without any assertion about data nobody sees that roaming is off")
	}
}

// Where nothing but a hand-off is to be done, the call itself has to count.
func TestLoneHandOff(t *testing.T) {
	k := newPhones(t)
	task := broken(t, k, []tau.EnvCall{envCall(chat.User, "lock_sim_card", "mode", "pin")}, call("transfer_to_human_agents", "summary", "The SIM card is locked."))
	if got := rulesOf(hard(check(t, k, task))); !slices.Equal(got, []string{gates.NothingLost}) {
		t.Errorf("by assertions alone: %v", got)
	}
	crit := task.EvaluationCriteria
	crit.RewardBasis, crit.Actions[0].CompareArgs = append(crit.RewardBasis, tau.ActionReward), []string{}
	if f := hard(check(t, k, task)); len(f) > 0 {
		t.Error(f)
	}
}

func TestTasksOfTwoSidesThatFail(t *testing.T) {
	k := newPhones(t)
	idle := broken(t, k, nil, byUser("toggle_wifi"))
	early := flight(t, k)
	early.EvaluationCriteria.Actions = early.EvaluationCriteria.Actions[:1]
	data := flight(t, k)
	data.InitialState.InitializationData = &tau.InitializationData{AgentData: pyjson.NewObject("lines", []any{})}
	vain := broken(t, k, []tau.EnvCall{envCall(chat.User, "unseat_sim_card")}, byUser("reboot_device"), byUser("reseat_sim_card"))
	barred, misspelt := flight(t, k), flight(t, k)
	barred.UserTools, misspelt.UserTools = []string{"check_status_bar"}, []string{"no_such_tool"}
	for name, c := range map[string]struct {
		task *tau.Task
		want []string
	}{
		"a user without the tools of gold":    {barred, []string{gates.UserTools}},
		"a tool that no user has":             {misspelt, []string{gates.UserTools}},
		"assertions that hold from the start": {idle, []string{gates.NothingLost, "mutant.drop"}},
		"gold that ends too early":            {early, []string{gates.GoldEarns}},
		"a write that no assertion sees":      {vain, []string{"mutant.drop"}},
		"one database for both sides":         {data, []string{gates.SetUp}},
	} {
		got := rulesOf(hard(check(t, k, c.task)))
		for _, rule := range c.want {
			if !slices.Contains(got, rule) {
				t.Errorf("%s: fails %v, want %v", name, got, c.want)
			}
		}
	}
}

// packPhones is the telecom domain on the public pack, which is in the folder dir.
func packPhones(t *testing.T) (k kit, p *env.Pack, dir string) {
	t.Helper()
	p, dir = packOf(t, "telecom", telecom.Native)
	k = newPhones(t)
	k.domain = p.Domain
	return k, p, dir
}

// TestRewardSeesTheWholeOfASmallDatabase: whose line ever is changed beside gold, and
// whichever bill is paid that is not overdue, costs the reward.
func TestRewardSeesTheWholeOfASmallDatabase(t *testing.T) {
	k, _, _ := packPhones(t)
	task := brokenOf(t, k, "John Smith", "555-123-2002", []tau.EnvCall{envCall(chat.User, "turn_airplane_mode_on")}, byUser("toggle_airplane_mode"))
	end := k.domain.Environment()
	must(t, end.SetState(task.InitialState))
	end.Act(&task.EvaluationCriteria.Actions[0])

	wrong := [][]tau.Action{
		{call("send_payment_request", "customer_id", "C1001", "bill_id", "B1002"), byUser("make_payment")},
		{call("send_payment_request", "customer_id", "C1001", "bill_id", "B1003"), byUser("make_payment")},
	}
	for _, c := range end.Records("customers") {
		for _, line := range c["line_ids"].([]any) {
			wrong = append(wrong, []tau.Action{call("refuel_data", "customer_id", c["customer_id"], "line_id", line, "gb_amount", 1.0)})
		}
	}
	if len(wrong) != 2+9 {
		t.Fatalf("%d ways to go wrong, want two bills and nine lines", len(wrong))
	}
	for _, calls := range wrong {
		e := end.Clone()
		for i := range calls {
			if r := e.Act(&calls[i]); r.Error {
				t.Fatalf("%s: %s", calls[i].Name, r.Content)
			}
		}
		if !slices.ContainsFunc(task.EvaluationCriteria.EnvAssertions, func(a tau.EnvAssertion) bool { ok, err := e.Assert(&a); return err == nil && !ok }) {
			t.Errorf("%v earns the reward", calls)
		}
	}
}

// Upstream's own tasks look at few of the quantities that can be asserted: most
// mutants that add a call earn the reward there.
func TestMutantsOfUpstreamsTasksThatPass(t *testing.T) {
	if testing.Short() {
		t.Skip("validates 114 tasks")
	}
	k, p, dir := packPhones(t)
	all, err := p.Tasks("default")
	must(t, err)
	base := baseOf(t, dir, all)
	passing := map[string]int{}
	tasks := map[string]map[string]bool{}
	for _, f := range validate(t, k, base...) {
		if f.Kind != gates.Ungated {
			continue
		}
		if tasks[f.Rule] == nil {
			tasks[f.Rule] = map[string]bool{}
		}
		passing[f.Rule] += 1 + f.More
		tasks[f.Rule][f.Task] = true
	}
	t.Logf("passing mutants %v", passing)
	for rule, want := range map[string]int{"mutant.add_after": 114, "mutant.add_before": 114, "mutant.replace": 31, "mutant.drop": 5} {
		if len(tasks[rule]) != want {
			t.Errorf("%s passes on %d tasks, want %d", rule, len(tasks[rule]), want)
		}
	}
}

// baseOf keeps the tasks of a pack's split base.
func baseOf(t *testing.T, dir string, all []tau.Task) []tau.Task {
	t.Helper()
	var splits map[string][]string
	data, err := os.ReadFile(filepath.Join(dir, "splits.json"))
	must(t, err)
	must(t, json.Unmarshal(data, &splits))
	return slices.DeleteFunc(slices.Clone(all), func(x tau.Task) bool { return !slices.Contains(splits["base"], x.ID) })
}

// TestMutantsNameNoDrawnKey: the id of a bill that data added before the task
// have brought about is another one in the reference.
func TestMutantsNameNoDrawnKey(t *testing.T) {
	k := newPhones(t)
	more := envCall(chat.Assistant, "refuel_data", "customer_id", "C20533", "line_id", "L31011", "gb_amount", 2.0)
	task := brokenOf(t, k, "Tobias Lindqvist", "555-407-6620", []tau.EnvCall{more},
		call("send_payment_request", "customer_id", "C20533", "bill_id", "B410032"), byUser("make_payment"))
	e := k.domain.Environment()
	must(t, e.SetState(task.InitialState))
	drawn := e.Drawn(chat.Assistant)
	if len(drawn) != 1 {
		t.Fatalf("drawn are %v, want the next bill", drawn)
	}
	for _, a := range task.EvaluationCriteria.EnvAssertions {
		if a.Arguments["overdue_bill_id"] == drawn[0] {
			t.Errorf("%s asserts something of %s", a.FuncName, drawn[0])
		}
	}
	r := check(t, k, task)
	asked := 0
	for _, m := range r.Mutants {
		if strings.Contains(m.Detail, drawn[0]) {
			t.Errorf("%s: %s", m.Kind, m.Detail)
		}
		if strings.Contains(m.Detail, "send_payment_request") {
			asked++
		}
	}
	if asked == 0 {
		t.Error("no mutant asks for a payment")
	}
}

// TestTicketsAreTried: a ticket has to suffice by itself, where it can be read.
func TestTicketsAreTried(t *testing.T) {
	k := newPhones(t)
	var err error
	k.book, err = phrase.Load(append([][]byte{phrase.Common}, telecom.Phrases()...)...)
	must(t, err)
	for ticket, want := range map[string]gates.Kind{
		"It is about the phone with the number 555-318-4471. The phone has no signal.": "",
		"It is about the phone with the number 555-318-4471.":                          gates.Wording,
		"No signal!": gates.NotChecked,
	} {
		task := *flight(t, k)
		task.Ticket = &ticket
		var got gates.Kind
		for _, f := range validate(t, k, task) {
			if f.Rule == gates.Ticket {
				got = f.Kind
			}
		}
		if got != want {
			t.Errorf("%q is %q, want %q", ticket, got, want)
		}
	}
}
