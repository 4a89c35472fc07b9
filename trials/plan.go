package trials

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"taste/chat"
	"taste/env"
	"taste/players"
	"taste/pyjson"
	"taste/run"
	"taste/sim"
	"taste/tau"
)

// Files of a system's directory.
const (
	PlanFile    = "eval.json"     // what is made, by whom
	JournalFile = "journal.jsonl" // simulations in the order in which they ended, faults included
	ResultsFile = "results.json"  // all of them in τ²-bench's format, once there are no more to make
)

// System is an agent and a user on a set of tasks.
type System struct {
	Name   string
	Domain *env.Domain // of agents without a user: that of players.Solo
	Agents players.Agents
	Users  players.Users
	Tasks  []tau.Task
}

// Settings are the choices of an evaluation that its outcomes depend on.
type Settings struct {
	Program string // name and version of what makes it
	Trials  int    // of each task
	Seed    uint64 // that of each simulation follows from it
	Limits  sim.Limits
	Compat  bool   // see sim.Setup
	Enforce bool   // see sim.Setup
	Judge   string // names who decides on assertions in words; "" for nobody
}

// Plan fixes the outcomes of a system's simulations, so far as its parties are
// their own masters. Hashes are SHA-256 in hex.
type Plan struct {
	Format      int               `json:"format"`
	Program     string            `json:"program"`
	Domain      Domain            `json:"domain"`
	Agent       Party             `json:"agent"`
	User        Party             `json:"user"`
	Trials      int               `json:"num_trials"`
	Seed        uint64            `json:"seed"`
	Steps       int               `json:"max_steps"`
	Errors      int               `json:"max_errors"`
	ErrorsInRow int               `json:"max_errors_in_row"`
	Timeout     float64           `json:"timeout"` // in seconds
	Protocol    string            `json:"protocol"`
	Enforce     bool              `json:"enforce_communication_protocol"`
	Judge       string            `json:"nl_judge"`
	Tasks       map[string]string `json:"tasks"` // hash of the content by id
	Order       string            `json:"task_order"`
}

// Domain is where the simulations take place.
type Domain struct {
	Name      string `json:"name"`
	Pack      string `json:"pack"`
	Semantics string `json:"semantics"`
	Database  string `json:"database"`
	User      string `json:"user_database"`
	Policy    string `json:"policy"`
	Tools     string `json:"tools"`
}

// Party is one side of the simulations.
type Party struct {
	Implementation string         `json:"implementation"`
	LLM            *string        `json:"llm"`
	LLMArgs        *pyjson.Object `json:"llm_args"`
	Fingerprint    string         `json:"fingerprint"` // of all that its conduct depends on beside that
}

// plan says what a system makes.
func plan(s *System, c *Settings) *Plan {
	p := &Plan{
		Format: run.Format, Program: c.Program, Domain: place(s.Domain), Agent: party(s.Agents.Info()), User: party(s.Users.Info()),
		Trials: c.Trials, Seed: c.Seed, Steps: c.Limits.Steps, Errors: c.Limits.Errors, ErrorsInRow: c.Limits.ErrorsInRow,
		Timeout: c.Limits.Time.Seconds(), Protocol: protocol(c.Compat), Enforce: c.Enforce, Judge: c.Judge, Tasks: map[string]string{},
	}
	order := sha256.New()
	for i := range s.Tasks {
		t := &s.Tasks[i]
		p.Tasks[t.ID] = content(t)
		fmt.Fprintf(order, "%q\n", t.ID)
	}
	p.Order = hex.EncodeToString(order.Sum(nil))
	return p
}

// Drift holds tasks to those of the plan: which of them are others, by id, and which it
// lacks.
func (p *Plan) Drift(tasks []tau.Task) (others, unknown []string) {
	for i := range tasks {
		t := &tasks[i]
		switch p.Tasks[t.ID] {
		case content(t):
		case "":
			unknown = append(unknown, t.ID)
		default:
			others = append(others, t.ID)
		}
	}
	return others, unknown
}

// content is the hash of what a task says.
func content(t *tau.Task) string { return digest(pyjson.Append(nil, t.Content(), pyjson.Hash)) }

func protocol(compat bool) string {
	if compat {
		return "compat"
	}
	return "strict"
}

func place(d *env.Domain) Domain {
	e := d.Environment()
	tools := pyjson.NewObject()
	for i := range d.Tools {
		tools.Set(d.Tools[i].Requestor+" "+d.Tools[i].Name, d.Tools[i].JSON())
	}
	return Domain{
		Name: d.Name, Pack: d.Pack, Semantics: d.Semantics, Database: e.Hash(), User: e.UserHash(),
		Policy: digest([]byte(d.Policy)), Tools: digest(pyjson.Append(nil, tools, pyjson.Hash)),
	}
}

func party(i players.Info) Party {
	return Party{i.Implementation, i.LLM, i.LLMArgs, i.Fingerprint}
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// grown allows for more trials than there were.
func (p *Plan) grown(there Plan) Plan {
	if there.Trials < p.Trials {
		there.Trials = p.Trials
	}
	return there
}

// seeds are the numbers from which the simulations of a task follow.
type seeds struct {
	base uint64
	task string
	who  string // fingerprints of the parties
}

// of is the seed of a trial: a function of the evaluation's seed, the task's id
// and the trial alone, so that systems meet equal chance.
func (s seeds) of(trial int) uint64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "simulation %d %d %s", s.base, trial, s.task))
	var n uint64
	for _, b := range sum[:8] {
		n = n<<8 | uint64(b)
	}
	return n >> 11 // what readers of JSON hold exactly
}

// id names the simulation of a trial in the shape of a UUID (version 8).
func (s seeds) id(trial int) string {
	h := sha256.Sum256(fmt.Appendf(nil, "id %d %d %s %s", s.base, trial, s.who, s.task))
	h[6], h[8] = h[6]&0x0f|0x80, h[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", h[0:4], h[4:6], h[6:8], h[8:10], h[10:16])
}

// stamp spells a time as τ²-bench does.
func stamp(t time.Time) string { return t.Format("2006-01-02T15:04:05.000000") }

// toolsOf are the specifications of one side's tools.
func toolsOf(all []chat.ToolSpec, side string) []chat.ToolSpec {
	var out []chat.ToolSpec
	for i := range all {
		if all[i].Requestor == side {
			out = append(out, all[i])
		}
	}
	return out
}
