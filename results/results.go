package results

import (
	"taste/chat"
	"taste/pyjson"
	"taste/tau"
)

// Results is the record of one run of a benchmark.
type Results struct {
	Timestamp   *string
	Info        Info
	Tasks       []tau.Task
	Simulations []Simulation

	raw *pyjson.Object
}

// Info says how the simulations were made.
type Info struct {
	GitCommit  string
	NumTrials  int // planned, of each task
	MaxSteps   int
	MaxErrors  int
	User       Party
	Agent      Party
	DomainName string
	Policy     string // the agent's
	Seed       *int

	raw, environment *pyjson.Object
}

// Solo tells whether the agent worked without a user, as τ²-bench tells it.
func (i *Info) Solo() bool {
	return i.Agent.Implementation == "llm_agent_solo" && i.User.Implementation == "dummy_user"
}

// AgentName names the agent; behind solo/, as it is called for, where it worked alone.
func (i *Info) AgentName() string {
	if i.Solo() {
		return "solo/" + i.Agent.Name()
	}
	return i.Agent.Name()
}

// Party is one side of the simulations.
type Party struct {
	Implementation string
	LLM            *string
	LLMArgs        *pyjson.Object // nil: null
	Guidelines     *string        // of a user

	raw *pyjson.Object
}

// Name names a party: its model where it has one, else its implementation.
func (p *Party) Name() string {
	if p.LLM != nil {
		return *p.LLM
	}
	return p.Implementation
}

// Simulation is one conversation and its score.
type Simulation struct {
	ID          string
	TaskID      string
	Timestamp   *string
	StartTime   string
	EndTime     string
	Duration    float64 // seconds
	Termination string  // e.g. user_stop
	AgentCost   *float64
	UserCost    *float64
	RewardInfo  *pyjson.Object // as eval.RewardInfo.JSON; nil: not scored
	Messages    []chat.Message // nil: null, as of voice
	Trial       *int           // from 0
	Seed        *int
	Mode        string         // half_duplex, or full_duplex of voice
	Info        *pyjson.Object // diagnostics

	raw *pyjson.Object
}

// HalfDuplex is the mode of conversations in text, message by message.
const HalfDuplex = "half_duplex"

// Reward is the recorded reward; nil where there is none.
func (s *Simulation) Reward() *float64 {
	return chat.NewReader(orEmpty(s.RewardInfo), "").OptFloat("reward")
}

func orEmpty(o *pyjson.Object) *pyjson.Object {
	if o == nil {
		return &pyjson.Object{}
	}
	return o
}

// Task returns the task of an id, or nil.
func (r *Results) Task(id string) *tau.Task {
	for i := range r.Tasks {
		if r.Tasks[i].ID == id {
			return &r.Tasks[i]
		}
	}
	return nil
}
