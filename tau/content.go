package tau

import (
	"taste/chat"
	"taste/pyjson"
)

// Content returns what playing and scoring a task depend on, spelt in one way
// only: with all defaults, without null fields and fields that are for the
// reader (description, notes, times). Two tasks of equal content are the same
// task, whoever wrote their files.
func (t *Task) Content() *pyjson.Object {
	o := pyjson.NewObject("id", t.ID, "user_scenario", t.UserScenario.content())
	setText(o, "ticket", t.Ticket)
	if s := t.InitialState.content(); s.Len() > 0 {
		o.Set("initial_state", s)
	}
	if t.EvaluationCriteria != nil {
		o.Set("evaluation_criteria", t.EvaluationCriteria.content())
	}
	if t.UserTools != nil { // an empty list takes all of them away
		v, _ := pyjson.FromGo(t.UserTools)
		o.Set("user_tools", v)
	}
	return o
}

func (s *UserScenario) content() *pyjson.Object {
	o := pyjson.NewObject()
	setText(o, "persona", s.Persona)
	i := s.Instructions.Structured
	if i == nil {
		o.Set("instructions", s.Instructions.Plain)
		return o
	}
	n := pyjson.NewObject("domain", i.Domain, "reason_for_call", i.ReasonForCall)
	setText(n, "known_info", i.KnownInfo)
	setText(n, "unknown_info", i.UnknownInfo)
	n.Set("task_instructions", i.TaskInstructions)
	o.Set("instructions", n)
	return o
}

func (s *InitialState) content() *pyjson.Object {
	o := pyjson.NewObject()
	if s == nil {
		return o
	}
	if d := s.InitializationData; d != nil {
		if d.AgentData != nil {
			o.Set("agent_data", d.AgentData)
		}
		if d.UserData != nil {
			o.Set("user_data", d.UserData)
		}
	}
	setAll(o, "initialization_actions", s.InitializationActions, func(c *EnvCall) *pyjson.Object { return c.content() })
	setAll(o, "message_history", s.MessageHistory, messageContent)
	return o
}

func (c *EnvCall) content() *pyjson.Object {
	return pyjson.NewObject("env_type", c.EnvType, "func_name", c.FuncName, "arguments", c.Args())
}

// messageContent is what was said and done in a message.
func messageContent(m *chat.Message) *pyjson.Object {
	o := pyjson.NewObject("role", m.Role)
	setText(o, "content", m.Content)
	if m.Role == chat.Tool {
		o.Set("id", m.ID)
		o.Set("error", m.Error)
	}
	setAll(o, "tool_calls", m.ToolCalls, func(c *chat.ToolCall) *pyjson.Object {
		return pyjson.NewObject("id", c.ID, "name", c.Name, "arguments", c.Args(), "requestor", c.Owner())
	})
	setAll(o, "tool_messages", m.ToolMessages, messageContent)
	return o
}

func (c *EvaluationCriteria) content() *pyjson.Object {
	basis, _ := pyjson.FromGo(c.RewardBasis)
	o := pyjson.NewObject("reward_basis", basis)
	if c.Actions != nil { // an empty list asks for something: that nothing is done
		o.Set("actions", []any{})
	}
	setAll(o, "actions", c.Actions, actionContent)
	setAll(o, "env_assertions", c.EnvAssertions, func(a *EnvAssertion) *pyjson.Object {
		e := a.content()
		e.Set("assert_value", a.AssertValue)
		return e
	})
	setAll(o, "communicate_info", c.CommunicateInfo, nil)
	setAll(o, "nl_assertions", c.NLAssertions, nil)
	setAll(o, "alternatives", c.Alternatives, func(a *Alternative) *pyjson.Object {
		e := pyjson.NewObject("name", a.Name)
		setAll(e, "actions", a.Actions, actionContent)
		setAll(e, "communicate_info", a.CommunicateInfo, nil)
		return e
	})
	return o
}

func actionContent(a *Action) *pyjson.Object {
	o := pyjson.NewObject("requestor", a.Owner(), "name", a.Name, "arguments", a.Args())
	setAll(o, "compare_args", a.CompareArgs, nil)
	return o
}

func setText(o *pyjson.Object, key string, s *string) {
	if s != nil {
		o.Set(key, *s)
	}
}

// setAll sets a list that is not empty; nil takes the elements as they are.
func setAll[T any](o *pyjson.Object, key string, l []T, content func(*T) *pyjson.Object) {
	if len(l) == 0 {
		return
	}
	out := make([]any, len(l))
	for i := range l {
		if content != nil {
			out[i] = content(&l[i])
		} else {
			out[i], _ = pyjson.FromGo(l[i])
		}
	}
	o.Set(key, out)
}
