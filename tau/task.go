package tau

import (
	"taste/chat"
	"taste/pyjson"
)

// Task is one benchmark task.
type Task struct {
	ID                 string
	Description        *Description
	UserScenario       UserScenario
	Ticket             *string // what an agent without a user is given
	InitialState       *InitialState
	EvaluationCriteria *EvaluationCriteria
	UserTools          []string // the user's tools in this task; nil: all of the domain

	raw *pyjson.Object
}

// Description says what a task is about; neither agent nor user sees it.
type Description struct {
	Purpose          *string
	RelevantPolicies *string
	Notes            *string

	raw *pyjson.Object
}

// UserScenario is everything that the simulated user is told.
type UserScenario struct {
	Persona      *string
	Instructions Instructions

	raw *pyjson.Object
}

// Instructions are either one plain text or structured; Structured is nil
// where they are plain.
type Instructions struct {
	Plain      string
	Structured *StructuredInstructions
}

// StructuredInstructions is the usual form of a user's instructions.
type StructuredInstructions struct {
	Domain           string
	ReasonForCall    string
	KnownInfo        *string
	UnknownInfo      *string
	TaskInstructions string

	raw *pyjson.Object
}

// InitialState is what is done to a fresh environment before the task starts.
type InitialState struct {
	InitializationData    *InitializationData
	InitializationActions []EnvCall // nil: absent
	MessageHistory        []chat.Message

	raw *pyjson.Object
}

// InitializationData is merged into the databases. The objects keep their
// order and are shared: treat them as read-only, set new ones to change them.
type InitializationData struct {
	AgentData *pyjson.Object
	UserData  *pyjson.Object

	raw *pyjson.Object
}

// EnvCall is a call of any function of the agent's or user's side of an
// environment, tools or not.
type EnvCall struct {
	EnvType   string // chat.Assistant or chat.User
	FuncName  string
	Arguments map[string]any // as in chat.ToolCall

	args *pyjson.Object
	raw  *pyjson.Object
}

// EnvAssertion is an environment call that must return AssertValue.
type EnvAssertion struct {
	EnvCall
	AssertValue bool
	Message     *string
}

// Action is one gold tool call.
type Action struct {
	ActionID    string
	Requestor   string // chat.Assistant (also if empty) or chat.User
	Name        string
	Arguments   map[string]any // as in chat.ToolCall
	Info        *string
	CompareArgs []string // nil: compare all

	args *pyjson.Object
	raw  *pyjson.Object
}

// RewardType is one factor of a task's reward.
type RewardType string

// The reward types.
const (
	DB                 RewardType = "DB"
	EnvAssertionReward RewardType = "ENV_ASSERTION"
	NLAssertion        RewardType = "NL_ASSERTION"
	ActionReward       RewardType = "ACTION"
	Communicate        RewardType = "COMMUNICATE"
)

// DefaultBasis is the reward basis of a task that names none.
func DefaultBasis() []RewardType { return []RewardType{DB, Communicate} }

// EvaluationCriteria says how a conversation is scored.
type EvaluationCriteria struct {
	Actions         []Action // nil: null
	EnvAssertions   []EnvAssertion
	CommunicateInfo []string
	NLAssertions    []string
	RewardBasis     []RewardType // DefaultBasis where the file has none
	Alternatives    []Alternative

	raw *pyjson.Object
}

// StatesBasis tells whether the file says what the reward rests on; else it is
// DefaultBasis.
func (c *EvaluationCriteria) StatesBasis() bool {
	if c.raw == nil {
		return false
	}
	basis, _ := c.raw.Get("reward_basis")
	return basis != nil
}

// Alternative is another end state that is as good as the one that the gold
// actions lead to. τ²-bench knows nothing of it and passes over the field
// "alternatives" of a task's evaluation_criteria.
type Alternative struct {
	Name            string   // what is acceptable about it, in a few words
	Actions         []Action // what leads there from the initial state
	CommunicateInfo []string // in the place of the task's own; nil: the task's own

	raw *pyjson.Object
}
