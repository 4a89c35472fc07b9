package tau

import (
	"slices"

	"taste/chat"
	"taste/pyjson"
)

// JSON returns the task's JSON object.
func (t *Task) JSON() *pyjson.Object {
	w := chat.NewWriter(t.raw)
	w.Put("id", t.ID)
	put(w, true, "description", t.Description)
	w.Put("user_scenario", t.UserScenario.JSON())
	w.Opt(false, "ticket", t.Ticket)
	put(w, true, "initial_state", t.InitialState)
	put(w, true, "evaluation_criteria", t.EvaluationCriteria)
	w.Strings(false, "user_tools", t.UserTools)
	return w.Object()
}

// put writes an optional part; nil is null.
func put[T any, P interface {
	*T
	JSON() *pyjson.Object
}](w *chat.Writer, spell bool, key string, p P) {
	var v any
	if p != nil {
		v = p.JSON()
	}
	w.PutUnless(p == nil, spell, key, v)
}

// JSON returns the description's JSON object.
func (d *Description) JSON() *pyjson.Object {
	w := chat.NewWriter(d.raw)
	w.Opt(true, "purpose", d.Purpose)
	w.Opt(true, "relevant_policies", d.RelevantPolicies)
	w.Opt(true, "notes", d.Notes)
	return w.Object()
}

// JSON returns the scenario's JSON object.
func (s *UserScenario) JSON() *pyjson.Object {
	w := chat.NewWriter(s.raw)
	w.Opt(true, "persona", s.Persona)
	if s.Instructions.Structured != nil {
		w.Put("instructions", s.Instructions.Structured.JSON())
	} else {
		w.Put("instructions", s.Instructions.Plain)
	}
	return w.Object()
}

// JSON returns the instructions' JSON object.
func (i *StructuredInstructions) JSON() *pyjson.Object {
	w := chat.NewWriter(i.raw)
	w.Put("domain", i.Domain)
	w.Put("reason_for_call", i.ReasonForCall)
	w.Opt(true, "known_info", i.KnownInfo)
	w.Opt(true, "unknown_info", i.UnknownInfo)
	w.Put("task_instructions", i.TaskInstructions)
	return w.Object()
}

// JSON returns the initial state's JSON object.
func (s *InitialState) JSON() *pyjson.Object {
	w := chat.NewWriter(s.raw)
	put(w, true, "initialization_data", s.InitializationData)
	chat.List(w, true, "initialization_actions", s.InitializationActions, func(c *EnvCall) any { return c.JSON() })
	chat.List(w, true, "message_history", s.MessageHistory, func(m *chat.Message) any { return m.JSON() })
	return w.Object()
}

// JSON returns the initialization data's JSON object.
func (d *InitializationData) JSON() *pyjson.Object {
	w := chat.NewWriter(d.raw)
	putObject(w, "agent_data", d.AgentData)
	putObject(w, "user_data", d.UserData)
	return w.Object()
}

func putObject(w *chat.Writer, key string, o *pyjson.Object) {
	var v any
	if o != nil {
		v = o
	}
	w.PutUnless(o == nil, true, key, v)
}

// Args returns the arguments as an ordered object, as chat.ToolCall.Args does.
func (c *EnvCall) Args() *pyjson.Object { return pyjson.Ordered(c.args, c.Arguments) }

func (c *EnvCall) writer() *chat.Writer {
	w := chat.NewWriter(c.raw)
	w.Put("env_type", c.EnvType)
	w.Put("func_name", c.FuncName)
	w.Put("arguments", c.Args())
	return w
}

// JSON returns the call's JSON object.
func (c *EnvCall) JSON() *pyjson.Object { return c.writer().Object() }

// MarshalJSON writes the call.
func (c EnvCall) MarshalJSON() ([]byte, error) { return c.JSON().MarshalJSON() }

// UnmarshalJSON reads a call.
func (c *EnvCall) UnmarshalJSON(data []byte) error {
	v, err := pyjson.Decode(data)
	if err != nil {
		return err
	}
	*c, err = ReadEnvCall(v, "")
	return err
}

// MarshalJSON writes the assertion.
func (a EnvAssertion) MarshalJSON() ([]byte, error) { return a.JSON().MarshalJSON() }

// UnmarshalJSON reads an assertion.
func (a *EnvAssertion) UnmarshalJSON(data []byte) error {
	v, err := pyjson.Decode(data)
	if err != nil {
		return err
	}
	*a, err = ReadEnvAssertion(v, "")
	return err
}

// JSON returns the assertion's JSON object.
func (a *EnvAssertion) JSON() *pyjson.Object {
	w := a.writer()
	w.PutUnless(a.AssertValue, true, "assert_value", a.AssertValue)
	w.Opt(true, "message", a.Message)
	return w.Object()
}

// Args returns the arguments as an ordered object, as chat.ToolCall.Args does.
func (a *Action) Args() *pyjson.Object { return pyjson.Ordered(a.args, a.Arguments) }

// Owner returns the requestor with the default filled in.
func (a *Action) Owner() string {
	if a.Requestor == "" {
		return chat.Assistant
	}
	return a.Requestor
}

// JSON returns the action's JSON object.
func (a *Action) JSON() *pyjson.Object {
	w := chat.NewWriter(a.raw)
	w.Put("action_id", a.ActionID)
	w.PutUnless(a.Owner() == chat.Assistant, true, "requestor", a.Owner())
	w.Put("name", a.Name)
	w.Put("arguments", a.Args())
	w.Opt(true, "info", a.Info)
	w.Strings(false, "compare_args", a.CompareArgs)
	return w.Object()
}

// JSON returns the criteria's JSON object.
func (c *EvaluationCriteria) JSON() *pyjson.Object {
	w := chat.NewWriter(c.raw)
	chat.List(w, true, "actions", c.Actions, func(a *Action) any { return a.JSON() })
	chat.List(w, false, "env_assertions", c.EnvAssertions, func(a *EnvAssertion) any { return a.JSON() })
	w.Strings(true, "communicate_info", c.CommunicateInfo)
	w.Strings(true, "nl_assertions", c.NLAssertions)
	basis := c.RewardBasis
	if basis == nil {
		basis = DefaultBasis()
	}
	v, _ := pyjson.FromGo(basis)
	w.PutUnless(slices.Equal(basis, DefaultBasis()), true, "reward_basis", v)
	chat.List(w, false, "alternatives", c.Alternatives, func(a *Alternative) any { return a.JSON() })
	return w.Object()
}

// JSON returns the alternative's JSON object.
func (a *Alternative) JSON() *pyjson.Object {
	w := chat.NewWriter(a.raw)
	w.Put("name", a.Name)
	chat.List(w, true, "actions", a.Actions, func(a *Action) any { return a.JSON() })
	w.Strings(false, "communicate_info", a.CommunicateInfo)
	return w.Object()
}

// MarshalJSON writes the task.
func (t Task) MarshalJSON() ([]byte, error) { return t.JSON().MarshalJSON() }

// UnmarshalJSON reads a task.
func (t *Task) UnmarshalJSON(data []byte) error {
	v, err := pyjson.Decode(data)
	if err != nil {
		return err
	}
	n, err := ReadTask(v)
	if err != nil {
		return err
	}
	*t = n
	return nil
}
