package eval_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"taste/chat"
	"taste/domain/mock"
	"taste/env"
	"taste/eval"
	"taste/pyjson"
	"taste/tau"
)

// Each test here holds one row of the list of behaviours that a trusted harness
// gets right, by its number there.

// score scores a conversation about a task of the desk that its user ended.
func score(t *testing.T, criteria string, lines ...string) *eval.Score {
	t.Helper()
	d := desk(t)
	return eval.NewScorer(d, task(t, criteria)).Score(&eval.Conversation{Termination: "user_stop", Messages: talk(t, d, lines...)}, eval.Options{})
}

// rewards spells both rewards, "null" for none.
func rewards(s *eval.Score) string {
	compat, strict := "null", "null"
	if r, ok := s.CompatReward(); ok {
		compat = fmt.Sprint(r)
	}
	if s.Strict != nil {
		strict = fmt.Sprint(*s.Strict)
	}
	return compat + " " + strict
}

func check(t *testing.T, s *eval.Score, kind tau.RewardType) eval.Check {
	t.Helper()
	for _, c := range s.Checks {
		if c.Kind == kind {
			return c
		}
	}
	t.Fatalf("no check of %s in %+v", kind, s)
	return eval.Check{}
}

func gold(name, args string) string {
	return `{"action_id": "0", "name": "` + name + `", "arguments": ` + args + `}`
}

func TestRow06GoldRaises(t *testing.T) {
	s := score(t, `{"actions": [`+gold("send_certificate", `{"user_id": "bo", "amount": 5}`)+`]}`)
	if rewards(s) != "1 null" || s.Reason != eval.InvalidGold || len(s.Differs) != 1 {
		t.Errorf("%s, %+v", rewards(s), s)
	}
	// A look that finds nothing is part of many a sound task.
	if s := score(t, `{"actions": [`+gold("get_user_details", `{"user_id": "bo"}`)+`]}`); rewards(s) != "1 1" || s.Reason != "" {
		t.Errorf("a failing read: %s, %+v", rewards(s), s)
	}
}

func TestRow08EmptyGate(t *testing.T) {
	for criteria, want := range map[string]string{
		`{"actions": [], "communicate_info": [], "reward_basis": ["COMMUNICATE"]}`:         "1 null",
		`{"actions": [], "nl_assertions": [], "reward_basis": ["NL_ASSERTION"]}`:           "1 null",
		`{"actions": [], "env_assertions": [], "reward_basis": ["ENV_ASSERTION"]}`:         "1 null",
		`{"actions": [], "reward_basis": ["ACTION"]}`:                                      "1 null",
		`{"reward_basis": ["DB"]}`:                                                         "1 null",
		`{"actions": [], "reward_basis": []}`:                                              "1 null",
		`null`:                                                                             "1 null",
		`{"actions": [], "communicate_info": [], "reward_basis": ["DB", "COMMUNICATE"]}`:   "1 1",
		`{"actions": [` + goldSend + `], "reward_basis": ["DB", "COMMUNICATE", "ACTION"]}`: "0 0",
	} {
		s := score(t, criteria)
		if rewards(s) != want {
			t.Errorf("%s: %s, want %s", criteria, rewards(s), want)
		}
		if s.Strict == nil && (s.Reason != eval.EmptyGate || len(s.Differs) == 0) {
			t.Errorf("%s: reason %q, %q", criteria, s.Reason, s.Differs)
		}
	}
	s := score(t, `{"actions": [], "reward_basis": ["DB", "COMMUNICATE"]}`)
	if c := check(t, s, tau.Communicate); c.Strict != eval.Nothing || *c.Compat != 1 || c.Why == "" {
		t.Errorf("%+v", c)
	}
}

// decider is a judge of assertions with an answer ready.
type decider struct {
	verdicts []eval.Verdict
	err      error
	asked    int
}

func (d *decider) Decide(context.Context, []chat.Message, []string) ([]eval.Verdict, error) {
	d.asked++
	return d.verdicts, d.err
}

const inWords = `{"actions": [], "nl_assertions": ["a", "b"], "reward_basis": ["DB", "NL_ASSERTION"]}`

func judgedBy(t *testing.T, j eval.Judge) (*eval.Score, *eval.Conversation) {
	t.Helper()
	d, in := desk(t), task(t, inWords)
	c := &eval.Conversation{Termination: "user_stop", Messages: talk(t, d, ":hello")}
	if err := c.Decide(context.Background(), j, in); err != nil {
		t.Fatal(err)
	}
	return eval.NewScorer(d, in).Score(c, eval.Options{}), c
}

var decided = []eval.Verdict{{Text: "a", Met: true, Justification: "r"}, {Text: "b", Met: true, Justification: "s"}}

// That the judge alone is asked again after a short reply is for who asks it: see
// package models.
func TestRow09ShortJudgeReply(t *testing.T) {
	if s, _ := judgedBy(t, &decider{err: errors.New("it decides on 0 of 2 assertions")}); rewards(s) != "null null" || s.Reason != eval.NotJudged {
		t.Errorf("%s, %+v", rewards(s), s)
	}
	s, c := judgedBy(t, &decider{verdicts: decided})
	if rewards(s) != "1 1" || c.Verdicts[1].Justification != "s" {
		t.Errorf("%s, %+v", rewards(s), s)
	}
	// Verdicts that were recorded short: the reference takes them for a yes.
	d, in := desk(t), task(t, inWords)
	s = eval.NewScorer(d, in).Score(&eval.Conversation{Termination: "user_stop", Verdicts: []eval.Verdict{}}, eval.Options{})
	if rewards(s) != "1 null" || len(s.Differs) == 0 {
		t.Errorf("%s, %+v", rewards(s), s)
	}
}

func TestRow10JudgeFaultIsolated(t *testing.T) {
	j := &decider{err: errors.New("403 forbidden")}
	s, c := judgedBy(t, j)
	if rewards(s) != "null null" || len(c.Messages) != 1 || !strings.Contains(s.Detail, "403 forbidden") || j.asked != 1 {
		t.Errorf("%s, %+v, %d messages kept, asked %d times", rewards(s), s, len(c.Messages), j.asked)
	}
	if c := check(t, s, tau.DB); c.Strict != eval.Met {
		t.Errorf("the other checks stand: %+v", c)
	}
	// Scored again, the judge alone is asked.
	if err := c.Decide(context.Background(), &decider{verdicts: decided}, task(t, inWords)); err != nil {
		t.Fatal(err)
	}
	if s := eval.NewScorer(desk(t), task(t, inWords)).Score(c, eval.Options{}); rewards(s) != "1 1" {
		t.Errorf("after the judge's word: %s", rewards(s))
	}
}

// home is a domain whose user has a tool of its own, with one task, t1, and one
// notification, n1.
func home(t *testing.T) *env.Domain {
	t.Helper()
	agent, _ := pyjson.Decode([]byte(`{"tasks": {"t1": {"task_id": "t1", "title": "x", "description": null, "status": "pending"}}, "users": {"ann": {"user_id": "ann", "name": "Ann", "tasks": ["t1"]}}}`))
	user, _ := pyjson.Decode([]byte(`{"notifications": {"n1": {"notification_id": "n1", "message": "y", "status": "unread"}}}`))
	state, err := mock.Native.Load(agent, user)
	if err != nil {
		t.Fatal(err)
	}
	specs := []chat.ToolSpec{
		{Name: "create_task", Type: chat.Write, MutatesState: true, Schema: []byte(`{"function": {"parameters": {"properties": {"user_id": {}, "title": {}, "description": {"default": null}}, "required": ["user_id", "title"]}}}`)},
		{Name: "update_task_status", Type: chat.Write, MutatesState: true},
		{Name: "dismiss_notification", Requestor: chat.User, Type: chat.Write, MutatesState: true},
	}
	d, err := env.NewDomain(env.Domain{Name: "mock", Tools: specs}, state)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// both makes one message of several calls and their answers by the domain.
func both(d *env.Domain, calls ...chat.ToolCall) []chat.Message {
	e := d.Environment()
	out := []chat.Message{chat.Calls(chat.Assistant, calls...)}
	for i := range calls {
		r := e.Do(&calls[i])
		out = append(out, chat.Answer(&calls[i], r.Content, r.Error))
	}
	return out
}

func TestRow13ParallelCalls(t *testing.T) {
	d := home(t)
	in := task(t, `{"actions": [`+gold("update_task_status", `{"task_id": "t1", "status": "completed"}`)+`], "reward_basis": ["DB"]}`)
	messages := both(d,
		chat.ToolCall{ID: "a", Name: "update_task_status", Arguments: map[string]any{"task_id": "t9", "status": "completed"}},
		chat.ToolCall{ID: "b", Name: "update_task_status", Arguments: map[string]any{"task_id": "t1", "status": "completed"}})
	if !messages[1].Error || messages[2].Error {
		t.Fatalf("answers %+v", messages[1:])
	}
	none := chat.Message{Role: chat.Assistant, ToolCalls: []chat.ToolCall{}}
	messages = append([]chat.Message{none}, append(messages, none)...)
	of := func(m []chat.Message) *eval.Score {
		return eval.NewScorer(d, in).Score(&eval.Conversation{Termination: "user_stop", Messages: m}, eval.Options{})
	}
	if s := of(messages); rewards(s) != "1 1" || len(s.Drift) > 0 {
		t.Errorf("the second runs although the first fails: %s, %+v", rewards(s), s)
	}
	// Answers go by their ids, which the reference insists on in order.
	messages[2], messages[3] = messages[3], messages[2]
	if s := of(messages); rewards(s) != "null 1" || len(s.Differs) == 0 || len(s.Drift) != 2 {
		t.Errorf("answers in another order: %s, %+v", rewards(s), s)
	}
}

func TestRow15WrongOwner(t *testing.T) {
	d := home(t)
	act := `{"action_id": "0", "requestor": "user", "name": "dismiss_notification", "arguments": {"notification_id": "n1"}}`
	in := task(t, `{"actions": [`+act+`], "reward_basis": ["DB", "ACTION"]}`)
	by := func(who string) *eval.Score {
		c := chat.ToolCall{ID: "1", Name: "dismiss_notification", Arguments: map[string]any{"notification_id": "n1"}, Requestor: who}
		e := d.Environment()
		r := e.Do(&c)
		if failed := who == chat.Assistant; r.Error != failed || e.Equal(d.Environment()) != failed {
			t.Errorf("called by the %s: %+v", who, r)
		}
		m := []chat.Message{chat.Calls(who, c), chat.Answer(&c, r.Content, r.Error)}
		return eval.NewScorer(d, in).Score(&eval.Conversation{Termination: "user_stop", Messages: m}, eval.Options{})
	}
	if s := by(chat.User); rewards(s) != "1 1" {
		t.Errorf("the owner: %s, %+v", rewards(s), s)
	}
	s := by(chat.Assistant)
	if rewards(s) != "0 0" || len(s.Drift) > 0 || check(t, s, tau.DB).Strict != eval.Failed {
		t.Errorf("the other side: %s, %+v", rewards(s), s)
	}
	if c := check(t, s, tau.ActionReward); *c.Compat != 1 || c.Strict != eval.Failed || c.Why == "" {
		t.Errorf("a call by the other side does not do it: %+v", c)
	}
}

// An agent without a user has the user's tools, and its calls count.
func TestSoloAgentActsForTheUser(t *testing.T) {
	d := home(t)
	act := `{"action_id": "0", "requestor": "user", "name": "dismiss_notification", "arguments": {"notification_id": "n1"}}`
	in := task(t, `{"actions": [`+act+`], "reward_basis": ["DB", "ACTION"]}`)
	c := chat.ToolCall{ID: "1", Name: "dismiss_notification", Arguments: map[string]any{"notification_id": "n1"}}
	r := d.Solo().Environment().Do(&c)
	conversation := &eval.Conversation{Termination: "agent_stop", Messages: []chat.Message{chat.Calls(chat.Assistant, c), chat.Answer(&c, r.Content, r.Error)}, Solo: true}
	s := eval.NewScorer(d, in).Score(conversation, eval.Options{})
	if rewards(s) != "1 1" || len(s.Drift) > 0 {
		t.Errorf("%s, %+v", rewards(s), s)
	}
}

func TestRow16Numbers(t *testing.T) {
	send := func(amount string) string { return `send_certificate {"user_id": "kim", "amount": ` + amount + `}` }
	for _, c := range []struct{ gold, called, db, action string }{
		{"25", "25.0", "1 1", "1 1"},
		{"0.6", "0.6000000000000001", "0 1", "0 1"},
		{"0.0", "-0.0", "0 1", "1 1"},
		{"1", "true", "1 1", "1 0"},
		{"25", "25.01", "0 0", "0 0"},
	} {
		for basis, want := range map[string]string{"DB": c.db, "ACTION": c.action} {
			s := score(t, `{"actions": [`+gold("send_certificate", `{"user_id": "kim", "amount": `+c.gold+`}`)+`], "reward_basis": ["`+basis+`"]}`, send(c.called))
			if rewards(s) != want {
				t.Errorf("%s: %s for %s: %s, want %s: %+v", basis, c.called, c.gold, rewards(s), want, s.Checks)
			}
			if want[0] != want[2] && len(s.Differs) == 0 {
				t.Errorf("%s: %s for %s: the modes differ without a why", basis, c.called, c.gold)
			}
		}
	}
}

// In strict all arguments count, those that are left out by their defaults.
func TestActionsByAllArguments(t *testing.T) {
	d := home(t)
	for _, c := range []struct{ gold, called, want string }{
		{`{"user_id": "ann", "title": "y"}`, `{"user_id": "ann", "title": "y", "description": null}`, "0 1"},
		{`{"user_id": "ann", "title": "y", "description": null}`, `{"user_id": "ann", "title": "y"}`, "1 1"},
		{`{"user_id": "ann", "title": "y"}`, `{"user_id": "ann", "title": "y", "description": "z"}`, "0 0"},
		{`{"user_id": "ann", "title": "y", "description": "z"}`, `{"user_id": "ann", "title": "y"}`, "1 0"},
		{`{"user_id": "ann", "title": "y"}`, `{}`, "1 0"},
	} {
		in := task(t, `{"actions": [`+gold("create_task", c.gold)+`], "reward_basis": ["ACTION"]}`)
		s := eval.NewScorer(d, in).Score(&eval.Conversation{Termination: "user_stop", Messages: talk(t, d, "create_task "+c.called)}, eval.Options{})
		if rewards(s) != c.want || (c.want[0] != c.want[2]) != (len(s.Differs) == 1) {
			t.Errorf("%s for %s: %s, want %s: %+v", c.called, c.gold, rewards(s), c.want, s)
		}
		if a := check(t, s, tau.ActionReward); a.Strict == eval.Failed && !strings.Contains(a.Evidence[0], "the nearest call, in message 0, differs: ") {
			t.Errorf("%s for %s: %q", c.called, c.gold, a.Evidence)
		}
	}
}

func TestRow18ExtraRead(t *testing.T) {
	criteria := `{"actions": [` + goldSend + `], "reward_basis": ["DB", "ACTION", "COMMUNICATE"], "communicate_info": ["done"]}`
	for _, lines := range [][]string{{send, ":done"}, {`get_user_details {"user_id": "lee"}`, send, `get_user_details {"user_id": "kim"}`, ":done"}} {
		if s := score(t, criteria, lines...); rewards(s) != "1 1" || len(s.Differs) != 0 {
			t.Errorf("%q: %s, %+v", lines, rewards(s), s)
		}
	}
}

func TestRow19AlternativeEndStates(t *testing.T) {
	criteria := `{"actions": [` + goldSend + `], "communicate_info": ["50"], "reward_basis": ["DB", "COMMUNICATE"],
		"alternatives": [{"name": "the higher sum", "actions": [` + gold("send_certificate", `{"user_id": "kim", "amount": 100}`) + `], "communicate_info": ["100"]}]}`
	for _, c := range []struct{ amount, said, want, goal string }{
		{"50", "you get 50", "1 1", "gold"},
		{"100", "you get 100", "0 1", "the higher sum"},
		{"100", "you get 50", "0 0", "gold"},
	} {
		s := score(t, criteria, `send_certificate {"user_id": "kim", "amount": `+c.amount+`}`, ":"+c.said)
		if rewards(s) != c.want || c.want[2] == '1' && s.Goal != c.goal {
			t.Errorf("%+v: %s by %s: %+v", c, rewards(s), s.Goal, s)
		}
		if c.want == "0 1" && !strings.Contains(strings.Join(s.Differs, "; "), "the higher sum") {
			t.Errorf("%+v: %q", c, s.Differs)
		}
	}
	// What fails is shown against the nearest.
	s := score(t, criteria, `send_certificate {"user_id": "kim", "amount": 101}`, ":you get 100")
	db := check(t, s, tau.DB)
	if rewards(s) != "0 0" || s.Goal != "the higher sum" || len(db.Evidence) != 1 || !strings.HasSuffix(db.Evidence[0], ".amount: 100.0 → 101.0") {
		t.Errorf("%s by %s: %q", rewards(s), s.Goal, db.Evidence)
	}
}

func TestRow30Unfinished(t *testing.T) {
	d := desk(t)
	in := task(t, `{"actions": [`+goldSend+`], "communicate_info": ["done"], "reward_basis": ["DB", "COMMUNICATE"]}`)
	messages := talk(t, d, send, ":almost done")
	messages = append(messages, chat.Calls(chat.Assistant, chat.ToolCall{ID: "p", Name: "send_certificate", Arguments: map[string]any{"user_id": "lee", "amount": 50}}))
	s := eval.NewScorer(d, in).Score(&eval.Conversation{Termination: "max_steps", Messages: messages}, eval.Options{})
	if rewards(s) != "0 0" || s.Reason != "max_steps" || len(s.Differs) != 0 || len(s.Drift) != 0 {
		t.Errorf("%s, %+v", rewards(s), s)
	}
	if check(t, s, tau.DB).Strict != eval.Met || check(t, s, tau.Communicate).Strict != eval.Met || check(t, s, tau.ActionReward).Strict != eval.Met {
		t.Errorf("sub-scores %+v", s.Checks)
	}
	s = eval.NewScorer(d, in).Score(&eval.Conversation{Termination: "infrastructure_error", Messages: messages}, eval.Options{})
	if rewards(s) != "0 null" || s.Reason != eval.Infrastructure {
		t.Errorf("a fault is never a score: %s, %+v", rewards(s), s)
	}
}

// Whoever gives up has failed, and counts; a fault outside of both sides does
// not.
func TestRow12GivingUpIsInTheDenominator(t *testing.T) {
	d, in := desk(t), task(t, `{"actions": []}`)
	for termination, want := range map[string]string{
		"agent_error": "0 0", "user_error": "0 0", "too_many_errors": "0 0", "max_steps": "0 0", "timeout": "0 0", "context_window_exceeded": "0 0",
		"unexpected_error": "0 0", "infrastructure_error": "0 null", "agent_stop": "1 1", "user_stop": "1 1",
	} {
		s := eval.NewScorer(d, in).Score(&eval.Conversation{Termination: termination}, eval.Options{})
		if rewards(s) != want {
			t.Errorf("%s: %s, want %s", termination, rewards(s), want)
		}
	}
}
