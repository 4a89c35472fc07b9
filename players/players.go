package players

import (
	"context"
	"errors"
	"net/http"

	"taste/contract"
	"taste/env"
	"taste/llm"
	"taste/person"
	"taste/phrase"
	"taste/results"
	"taste/sim"
	"taste/tau"
)

// Agents makes the agents of one specification, for all conversations of a
// run. It is safe for concurrent use.
type Agents interface {
	Info() Info
	// Fits says why no agent can work on a task, by an error that wraps
	// ErrUnfit; nil: it can. It costs nothing: no agent is called.
	Fits(t *tau.Task) error
	// New makes the agent of one conversation about a task. Of the task it
	// hands on only what its specification says.
	New(ctx context.Context, t *tau.Task, s sim.AgentStart) (sim.Agent, error)
}

// Users makes the users of one specification, as Agents makes agents.
type Users interface {
	Info() Info
	Fits(t *tau.Task) error
	New(ctx context.Context, t *tau.Task, s sim.UserStart) (sim.User, error)
}

// Info describes a specification.
type Info struct {
	results.Party        // as results record it
	Fingerprint   string // of all that its conduct depends on beside seed and messages: what resumes a run must have the same
	Solo          bool   // of an agent: it works on a ticket, without a user; of a user: there is none
	Serial        bool   // one conversation at a time
}

// ErrUnfit marks a task that a party cannot work on.
var ErrUnfit = errors.New("the task is not for this party")

// Deps are what parties are made from; a party says what it misses.
type Deps struct {
	Domain   *env.Domain
	Contract *contract.Contract // nil: the domain has none
	Book     *phrase.Book       // nil: the domain has none
	Terminal *person.Terminal   // nil: there is none
	HTTP     *http.Client       // nil: one that keeps many connections
	Session  string             // tells this run from others that talk to the same program

	// Model makes the model that a specification stands for, for an "agent" or a
	// "user"; nil: none can be called. What its requests say beside the prompt goes
	// into the record if it has a method Options() map[string]any.
	Model func(spec, role string) (llm.Model, error)
	// Price says what calls of a model cost in dollars, nil where it is not known; it
	// may be missing.
	Price func(model string, u llm.Usage) *float64

	// Knowledge is the sum of the files of contract and book: another one is
	// another agent, and another user.
	Knowledge string
}
