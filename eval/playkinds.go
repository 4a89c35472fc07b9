package eval

import (
	"errors"
	"fmt"
	"strings"

	"taste/chat"
	"taste/pyjson"
	"taste/tau"
)

// initialized replays a trace that starts from merged initialization data.
func (p *player) initialized() error {
	r := chat.NewReader(p.trace.obj, "")
	state := &tau.InitialState{InitializationData: &tau.InitializationData{
		AgentData: r.Object("agent_data"), UserData: r.Object("user_data"),
	}}
	if err := r.Err(); err != nil {
		return err
	}
	p.calls++
	p.request = "merge " + pyjson.Dumps(state.InitializationData.JSON())
	p.env = p.domain.Environment()
	err := p.env.SetState(state)
	raised := r.OptString("raised")
	switch {
	case raised != nil && err == nil:
		p.differ(-1, "raised", *raised, "no error")
	case raised == nil && err != nil:
		p.differ(-1, "raised", "no error", err.Error())
	case raised == nil:
		p.checkHash0()
		return p.replayCalls()
	}
	return nil
}

// gold replays a task's gold actions as calls and checks the target state.
func (p *player) gold() error {
	task, err := p.task("id")
	if err != nil {
		return err
	}
	if task == nil {
		return fmt.Errorf("%w: the trace has no id", ErrFormat)
	}
	target, err := NewTarget(p.domain, task)
	if err != nil {
		return err
	}
	if err := p.start(task); err != nil {
		return err
	}
	p.assertions("assertions_before", task)
	if err := p.replayCalls(); err != nil {
		return err
	}
	p.assertions("assertions_after", task)
	p.target(target)
	return nil
}

// target compares target state and failing gold actions.
func (p *player) target(t *Target) {
	p.calls++
	p.request = "gold of task " + t.Task.ID
	p.env = t.Gold()
	p.rehash()
	if want, _ := p.trace.obj.Get("gold_hash"); !pyjson.Same(want, p.hashes()) {
		p.differ(-1, "gold_hash", want, p.hashes())
	}
	want, _ := p.trace.obj.Get("gold_errors")
	list, _ := want.([]any)
	same := len(list) == len(t.Errors)
	got := make([]any, len(t.Errors))
	for i, e := range t.Errors {
		got[i] = pyjson.NewObject("index", e.Index, "message", e.Message, "exception", e.Exception)
		same = same && (pyjson.Equal(list[i], asValue(got[i])) || e.Inexact)
	}
	if !same {
		p.differ(-1, "gold_errors", want, got)
	}
}

func asValue(v any) any {
	g, err := pyjson.FromGo(v)
	if err != nil {
		return nil
	}
	return g
}

// assertions evaluates the task's assertions on a copy of the state.
func (p *player) assertions(key string, task *tau.Task) {
	want, ok := p.trace.obj.Get(key)
	if !ok || task.EvaluationCriteria == nil {
		return
	}
	p.calls++
	p.request = key + " of task " + task.ID
	e := p.env.Clone()
	got := []any{}
	for i := range task.EvaluationCriteria.EnvAssertions {
		met, err := e.Assert(&task.EvaluationCriteria.EnvAssertions[i])
		if err != nil {
			got = append(got, "raised "+exception(err))
			continue
		}
		got = append(got, met)
	}
	if !pyjson.Same(want, got) {
		p.differ(-1, key, want, got)
	}
}

// reward scores a conversation and compares the whole record.
func (p *player) reward() error {
	task, err := p.task("task")
	if err != nil {
		return err
	}
	r := chat.NewReader(p.trace.obj, "")
	c := &Conversation{Termination: r.String("termination_reason"), Messages: chat.ReadList(r, "messages", chat.ReadMessage)}
	verdicts, judged := r.List("nl_verdicts")
	if judged {
		c.Verdicts = []Verdict{}
	}
	for i, v := range verdicts {
		b, ok := v.(bool)
		if !ok {
			r.Fail(fmt.Sprintf("nl_verdicts[%d]", i), "want a boolean")
		}
		c.Verdicts = append(c.Verdicts, Verdict{Text: assertionText(task, i), Met: b})
	}
	raised := r.OptString("raised")
	if raised == nil {
		r.NeedObject("reward_info")
	}
	if err := r.Err(); err != nil {
		return err
	}
	p.calls++
	p.request = "score"
	info, err := Compat(p.domain, task, c)
	p.compareScore(raised, info, err)
	return nil
}

// assertionText is the i-th assertion in words.
func assertionText(t *tau.Task, i int) string {
	if t == nil || t.EvaluationCriteria == nil || i >= len(t.EvaluationCriteria.NLAssertions) {
		return ""
	}
	return t.EvaluationCriteria.NLAssertions[i]
}

func (p *player) compareScore(raised *string, info *RewardInfo, err error) {
	switch {
	case err != nil && raised == nil:
		p.differ(-1, "raised", "no error", err.Error())
	case err != nil:
		if class, _, _ := strings.Cut(*raised, ":"); class != exception(err) {
			p.differ(-1, "raised", *raised, err.Error())
		}
	case raised != nil:
		p.differ(-1, "raised", *raised, "no error: "+pyjson.Dumps(info.traced()))
	default:
		want, _ := p.trace.obj.Get("reward_info")
		if got := info.traced(); !pyjson.Equal(want, asValue(got)) {
			p.differ(-1, "reward_info", want, got)
		}
	}
}

// traced is the record as traces hold it: of each check the outcome alone, and
// no null fields.
func (r *RewardInfo) traced() *pyjson.Object {
	full := r.JSON()
	for key, drop := range map[string][]string{
		"env_assertions": {"env_assertion"}, "action_checks": {"action"}, "nl_assertions": {"justification"}, "communicate_checks": {"justification"},
	} {
		v, _ := full.Get(key)
		list, _ := v.([]any)
		for _, e := range list {
			for _, k := range drop {
				e.(*pyjson.Object).Delete(k)
			}
		}
	}
	return withoutNulls(full)
}

// withoutNulls drops null fields at every level.
func withoutNulls(o *pyjson.Object) *pyjson.Object {
	out := pyjson.NewObject()
	for k, v := range o.All() {
		switch x := v.(type) {
		case nil:
			continue
		case *pyjson.Object:
			v = withoutNulls(x)
		case []any:
			list := make([]any, len(x))
			for i, e := range x {
				if o, ok := e.(*pyjson.Object); ok {
					e = withoutNulls(o)
				}
				list[i] = e
			}
			v = list
		}
		out.Set(k, v)
	}
	return out
}

// exception names the Python exception class of an error.
func exception(err error) string {
	var f interface{ Exception() string }
	if errors.As(err, &f) {
		return f.Exception()
	}
	return "ValueError"
}
