package tau

import (
	"taste/chat"
	"taste/pyjson"
)

// ReadTask reads a task from its JSON value; errors are *chat.FieldError with
// paths from the task on.
func ReadTask(v any) (Task, error) {
	r := chat.NewReader(v, "")
	t := Task{raw: r.Obj}
	t.ID = r.String("id")
	t.Ticket = r.OptString("ticket")
	t.Description = child(r, "description", readDescription)
	if s := child(r, "user_scenario", readScenario); s != nil {
		t.UserScenario = *s
	} else {
		r.Fail("user_scenario", "required object is missing")
	}
	t.InitialState = child(r, "initial_state", readInitialState)
	t.EvaluationCriteria = child(r, "evaluation_criteria", readCriteria)
	t.UserTools = r.Strings("user_tools")
	return t, r.Err()
}

// child reads the optional object at key.
func child[T any](r *chat.Reader, key string, read func(*chat.Reader) T) *T {
	v, ok := r.Value(key)
	if !ok {
		return nil
	}
	c := chat.NewReader(v, r.At(key))
	var out T
	if c.Err() == nil {
		out = read(c)
	}
	if err := c.Err(); err != nil {
		r.Adopt(err)
	}
	return &out
}

func readDescription(r *chat.Reader) Description {
	return Description{
		Purpose:          r.OptString("purpose"),
		RelevantPolicies: r.OptString("relevant_policies"),
		Notes:            r.OptString("notes"),
		raw:              r.Obj,
	}
}

func readScenario(r *chat.Reader) UserScenario {
	s := UserScenario{Persona: r.OptString("persona"), raw: r.Obj}
	v, ok := r.Value("instructions")
	if !ok {
		r.Fail("instructions", "required text or object is missing")
		return s
	}
	if plain, ok := v.(string); ok {
		s.Instructions.Plain = plain
		return s
	}
	s.Instructions.Structured = child(r, "instructions", readInstructions)
	return s
}

func readInstructions(r *chat.Reader) StructuredInstructions {
	return StructuredInstructions{
		Domain:           r.String("domain"),
		ReasonForCall:    r.String("reason_for_call"),
		KnownInfo:        r.OptString("known_info"),
		UnknownInfo:      r.OptString("unknown_info"),
		TaskInstructions: r.String("task_instructions"),
		raw:              r.Obj,
	}
}

// ReadInitialState reads an initial state from its JSON value.
func ReadInitialState(v any) (*InitialState, error) {
	r := chat.NewReader(v, "")
	if r.Err() != nil {
		return nil, r.Err()
	}
	s := readInitialState(r)
	return &s, r.Err()
}

func readInitialState(r *chat.Reader) InitialState {
	return InitialState{
		InitializationData:    child(r, "initialization_data", readInitData),
		InitializationActions: chat.ReadList(r, "initialization_actions", ReadEnvCall),
		MessageHistory:        chat.ReadList(r, "message_history", chat.ReadMessage),
		raw:                   r.Obj,
	}
}

func readInitData(r *chat.Reader) InitializationData {
	return InitializationData{AgentData: r.Object("agent_data"), UserData: r.Object("user_data"), raw: r.Obj}
}

// ReadEnvCall reads an environment call from its JSON value standing at path.
func ReadEnvCall(v any, path string) (EnvCall, error) {
	r := chat.NewReader(v, path)
	c := EnvCall{EnvType: side(r, "env_type", ""), FuncName: r.String("func_name"), raw: r.Obj}
	c.args = r.NeedObject("arguments")
	c.Arguments = pyjson.PlainMap(c.args)
	return c, r.Err()
}

// side reads who a call belongs to; def "" makes it required.
func side(r *chat.Reader, key, def string) string {
	s := r.StringOr(key, def)
	if s != chat.Assistant && s != chat.User {
		r.Fail(key, "want assistant or user, got "+pyjson.Repr(s))
	}
	return s
}

// ReadEnvAssertion reads an assertion from its JSON value standing at path.
func ReadEnvAssertion(v any, path string) (EnvAssertion, error) {
	call, err := ReadEnvCall(v, path)
	r := chat.NewReader(v, path)
	if err != nil {
		return EnvAssertion{}, err
	}
	a := EnvAssertion{EnvCall: call, AssertValue: r.BoolOr("assert_value", true), Message: r.OptString("message")}
	return a, r.Err()
}

// ReadAction reads a gold action from its JSON value standing at path.
func ReadAction(v any, path string) (Action, error) {
	r := chat.NewReader(v, path)
	a := Action{ActionID: r.String("action_id"), Name: r.String("name"), raw: r.Obj}
	a.Requestor = side(r, "requestor", chat.Assistant)
	a.args = r.NeedObject("arguments")
	a.Arguments = pyjson.PlainMap(a.args)
	a.Info = r.OptString("info")
	a.CompareArgs = r.Strings("compare_args")
	return a, r.Err()
}

var rewardTypes = map[RewardType]bool{DB: true, EnvAssertionReward: true, NLAssertion: true, ActionReward: true, Communicate: true}

func readCriteria(r *chat.Reader) EvaluationCriteria {
	c := EvaluationCriteria{
		Actions:         chat.ReadList(r, "actions", ReadAction),
		EnvAssertions:   chat.ReadList(r, "env_assertions", ReadEnvAssertion),
		CommunicateInfo: r.Strings("communicate_info"),
		NLAssertions:    r.Strings("nl_assertions"),
		RewardBasis:     DefaultBasis(),
		Alternatives:    chat.ReadList(r, "alternatives", ReadAlternative),
		raw:             r.Obj,
	}
	if basis := r.Strings("reward_basis"); basis != nil {
		c.RewardBasis = []RewardType{}
		for _, b := range basis {
			if !rewardTypes[RewardType(b)] {
				r.Fail("reward_basis", "unknown reward type "+pyjson.Repr(b))
			}
			c.RewardBasis = append(c.RewardBasis, RewardType(b))
		}
	}
	return c
}

// ReadAlternative reads an alternative end state from its JSON value standing
// at path.
func ReadAlternative(v any, path string) (Alternative, error) {
	r := chat.NewReader(v, path)
	a := Alternative{Name: r.String("name"), CommunicateInfo: r.Strings("communicate_info"), raw: r.Obj}
	r.NeedList("actions")
	a.Actions = chat.ReadList(r, "actions", ReadAction)
	return a, r.Err()
}
