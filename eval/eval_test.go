package eval_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"taste/chat"
	"taste/domain/airline"
	"taste/env"
	"taste/eval"
	"taste/pyjson"
	"taste/tau"
)

// desk is a domain of two customers without reservations.
func desk(t *testing.T) *env.Domain {
	t.Helper()
	db := &airline.DB{}
	for _, id := range []string{"kim", "lee"} {
		db.AddUser(&airline.User{UserID: id, Membership: "regular"})
	}
	specs := []chat.ToolSpec{{Name: "send_certificate", Type: chat.Write, MutatesState: true}, {Name: "get_user_details", Type: chat.Read}, {Name: "calculate", Type: chat.Generic}}
	d, err := env.NewDomain(env.Domain{Name: "airline", Tools: specs}, airline.NewState(db))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func task(t *testing.T, criteria string) *tau.Task {
	t.Helper()
	tasks, err := tau.ParseTasks("t", []byte(`[{"id": "t", "user_scenario": {"instructions": "x"}, "evaluation_criteria": `+criteria+`}]`))
	if err != nil {
		t.Fatal(err)
	}
	return &tasks[0]
}

// talk makes a conversation of calls, written NAME ARGS, whose answers are the
// domain's own, and assistant texts, written with a leading ":".
func talk(t *testing.T, d *env.Domain, lines ...string) []chat.Message {
	t.Helper()
	e := d.Environment()
	var out []chat.Message
	for i, l := range lines {
		if text, ok := strings.CutPrefix(l, ":"); ok {
			out = append(out, chat.Text(chat.Assistant, text))
			continue
		}
		name, args, _ := strings.Cut(l, " ")
		o, err := pyjson.DecodeObject([]byte(args))
		if err != nil {
			t.Fatal(err)
		}
		c := chat.ToolCall{ID: fmt.Sprint(i), Name: name, Arguments: pyjson.PlainMap(o)}
		r := e.Do(&c)
		out = append(out, chat.Calls(chat.Assistant, c), chat.Answer(&c, r.Content, r.Error))
	}
	return out
}

const (
	send     = `send_certificate {"user_id": "kim", "amount": 50}`
	goldSend = `{"action_id": "0", "name": "send_certificate", "arguments": {"user_id": "kim", "amount": 50}}`
)

func TestCompat(t *testing.T) {
	for _, c := range []struct {
		name, criteria string
		lines          []string
		want           float64
	}{
		{"gold", `{"actions": [` + goldSend + `]}`, []string{send}, 1},
		{"nothing done", `{"actions": [` + goldSend + `]}`, nil, 0},
		{"an extra read changes nothing", `{"actions": [` + goldSend + `]}`, []string{`get_user_details {"user_id": "lee"}`, send, `no_such_tool {}`}, 1},
		{"twice", `{"actions": [` + goldSend + `]}`, []string{send, send}, 0},
		{"another amount", `{"actions": [` + goldSend + `]}`, []string{`send_certificate {"user_id": "kim", "amount": 51}`}, 0},
		{"another spelling, the same state", `{"actions": [` + goldSend + `]}`, []string{`send_certificate {"user_id": "kim", "amount": "50.0"}`}, 1},
		{"no actions and no assertions named", `{"reward_basis": ["DB"]}`, []string{send}, 1},
		{"empty actions", `{"actions": []}`, []string{send}, 0},
		{"failing gold is skipped", `{"actions": [{"action_id": "0", "name": "send_certificate", "arguments": {"user_id": "bo", "amount": 5}}]}`, nil, 1},
		{"said with commas and capitals", `{"actions": [], "communicate_info": ["1628", "Gold Member"]}`, []string{":You pay 1,628 as a GOLD member."}, 1},
		{"a comma in the wanted text is never found", `{"actions": [], "communicate_info": ["1,628"]}`, []string{":1,628"}, 0},
		{"said in two messages", `{"actions": [], "communicate_info": ["a b"]}`, []string{":a", ":b"}, 0},
		{"basis decides", `{"actions": [` + goldSend + `], "communicate_info": ["x"], "reward_basis": ["COMMUNICATE"]}`, []string{":x"}, 1},
		{"action by its call", `{"actions": [` + goldSend + `], "reward_basis": ["ACTION"]}`, []string{`send_certificate {"user_id": "kim", "amount": 50.0}`}, 1},
		{"action with another argument", `{"actions": [` + goldSend + `], "reward_basis": ["ACTION"]}`, []string{`send_certificate {"user_id": "kim", "amount": 51}`}, 0},
		{"a call with fewer arguments matches", `{"actions": [` + goldSend + `], "reward_basis": ["ACTION"]}`, []string{`send_certificate {"user_id": "kim"}`}, 1},
		{"a call without arguments matches", `{"actions": [` + goldSend + `], "reward_basis": ["ACTION"]}`, []string{`send_certificate {}`}, 1},
		{"a call with more arguments does not", `{"actions": [` + goldSend + `], "reward_basis": ["ACTION"]}`, []string{`send_certificate {"user_id": "kim", "amount": 50, "x": 1}`}, 0},
		{"compare_args", `{"actions": [` + strings.Replace(goldSend, `"name"`, `"compare_args": ["user_id"], "name"`, 1) + `], "reward_basis": ["ACTION"]}`, []string{`send_certificate {"user_id": "kim", "amount": 7}`}, 1},
		{"compare_args of neither side", `{"actions": [` + strings.Replace(goldSend, `"name"`, `"compare_args": ["zzz"], "name"`, 1) + `], "reward_basis": ["ACTION"]}`, []string{`send_certificate {"user_id": "lee"}`}, 1},
	} {
		d := desk(t)
		info, err := eval.Compat(d, task(t, c.criteria), &eval.Conversation{Termination: "user_stop", Messages: talk(t, d, c.lines...)})
		if err != nil || info.Reward != c.want {
			t.Errorf("%s: reward %+v, %v, want %v", c.name, info, err, c.want)
		}
	}
}

func TestCompatWithoutScoring(t *testing.T) {
	d := desk(t)
	info, err := eval.Compat(d, task(t, `{"actions": []}`), &eval.Conversation{Termination: "max_steps"})
	if err != nil || pyjson.Dumps(info.JSON()) != `{"reward": 0.0, "db_check": null, "env_assertions": null, "action_checks": null, "nl_assertions": null, "communicate_checks": null, "reward_basis": null, "reward_breakdown": null, "info": {"note": "Simulation terminated prematurely. Termination reason: max_steps"}}` {
		t.Errorf("unfinished: %s, %v", pyjson.Dumps(info.JSON()), err)
	}
	info, err = eval.Compat(d, task(t, `null`), &eval.Conversation{Termination: "agent_stop"})
	if err != nil || info.Reward != 1 || info.Basis != nil {
		t.Errorf("no criteria: %+v, %v", info, err)
	}
}

func TestCompatRaises(t *testing.T) {
	d := desk(t)
	messages := talk(t, d, send)
	other := "Certificate certificate_3221322 added to user kim with amount 51."
	messages[1].Content = &other
	_, err := eval.Compat(d, task(t, `{"actions": []}`), &eval.Conversation{Termination: "user_stop", Messages: messages})
	if !errors.Is(err, eval.ErrRaised) || !errors.Is(err, env.ErrReplay) {
		t.Errorf("an answer that does not replay: %v", err)
	}
}

func verdicts(met ...bool) []eval.Verdict {
	out := make([]eval.Verdict, len(met))
	for i, m := range met {
		out[i].Met = m
	}
	return out
}

func TestAssertionsInWords(t *testing.T) {
	d := desk(t)
	in := task(t, `{"actions": [], "nl_assertions": ["a", "b"], "reward_basis": ["NL_ASSERTION"]}`)
	out := task(t, `{"actions": [], "nl_assertions": ["a", "b"]}`)
	for _, c := range []struct {
		task     *tau.Task
		verdicts []eval.Verdict
		want     float64
	}{{in, verdicts(true, true), 1}, {in, verdicts(true, false), 0}, {in, verdicts(true), 1}, {out, verdicts(false, false), 1}} {
		info, err := eval.Compat(d, c.task, &eval.Conversation{Termination: "user_stop", Verdicts: c.verdicts})
		if err != nil || info.Reward != c.want {
			t.Errorf("%v: %+v, %v", c.verdicts, info, err)
		}
	}
}

func TestTarget(t *testing.T) {
	d := desk(t)
	target, err := eval.NewTarget(d, task(t, `{"actions": [`+goldSend+`, {"action_id": "1", "name": "calculate", "arguments": {"expression": "1/0"}},
		{"action_id": "2", "requestor": "user", "name": "send_certificate", "arguments": {"user_id": "lee", "amount": 5}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if len(target.Errors) != 2 || target.Errors[0].Exception != "ZeroDivisionError" || target.Errors[1].Message != "User tools not available" {
		t.Errorf("gold errors %+v", target.Errors)
	}
	e := target.Start()
	if target.Reached(e) || strings.Join(target.Diff(e), "") != "users.kim.payment_methods.certificate_3221322: {'source': 'certificate', 'id': 'certificate_3221322', 'amount': 50.0} → absent" {
		t.Errorf("at the start: %v", target.Diff(e))
	}
	e.Call(chat.Assistant, "send_certificate", map[string]any{"user_id": "kim", "amount": 50})
	if !target.Reached(e) || len(target.Diff(e)) != 0 {
		t.Errorf("after gold: %v", target.Diff(e))
	}
	info, err := target.Score(e, nil, nil)
	if err != nil || info.Reward != 1 {
		t.Errorf("score %+v, %v", info, err)
	}
	if again := target.Start(); target.Reached(again) {
		t.Error("the start was changed")
	}
}
