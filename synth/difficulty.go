package synth

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"taste/role"
	"taste/stats"
	"taste/tau"
)

// Case is a task in its forms: as first made, made harder, and made harder but
// for one technique.
type Case struct {
	Base       *tau.Task
	Evolved    *tau.Task // the base again where it could not be made harder
	Level      role.Level
	Traps      []Trap
	Length     int     // gold calls
	WriteShare float64 // of WRITE among them
}

// Trap is a technique that a task carries.
type Trap struct {
	Technique string
	Without   *tau.Task // the evolved task without its sentences and records
}

// Player holds the conversation of a reference agent about a task, with the
// user that its scenario describes. It is safe for concurrent use and
// deterministic.
type Player interface {
	Play(ctx context.Context, agent string, t *tau.Task, seed uint64) (role.Attempt, error)
}

// DifficultyInput is what Measure works on.
type DifficultyInput struct {
	Cases    []Case
	Agents   []string                      // played over base and evolved tasks
	Flawed   func(technique string) string // the agent that lacks a technique's skill
	Player   Player
	Memory   Memory
	Trials   int // conversations of each agent about each task
	Seed     uint64
	Workers  int
	Observer Observer
}

// Difficulty says which agents fail on which tasks. A task counts as solved if
// all trials of it succeed.
type Difficulty struct {
	Tasks      int            `json:"tasks"`
	Trials     int            `json:"trials"`
	Levels     []LevelCount   `json:"levels"`
	Agents     []AgentRow     `json:"agents"`
	Techniques []TechniqueRow `json:"techniques"`
	Groups     []GroupRow     `json:"groups"` // by level, gold length and write share
	Surprises  []Surprise     `json:"surprises"`
}

// LevelCount is how many tasks reached a level.
type LevelCount struct {
	Level role.Level `json:"level"`
	Tasks int        `json:"tasks"`
}

// AgentRow compares an agent on base and evolved tasks, task by task. Drop is the share of its base successes that is lost, null
// without any.
type AgentRow struct {
	Agent   string       `json:"agent"`
	Base    stats.Share  `json:"base"`
	Evolved stats.Share  `json:"evolved"`
	Drop    *float64     `json:"drop"`
	Paired  stats.Paired `json:"paired"` // first: base, second: evolved
}

// TechniqueRow compares the agent that lacks a technique's skill on the tasks
// that carry it, with it and without it.
type TechniqueRow struct {
	Technique string       `json:"technique"`
	Agent     string       `json:"agent"`
	Tasks     int          `json:"tasks"`
	With      stats.Share  `json:"with"`
	Without   stats.Share  `json:"without"`
	Paired    stats.Paired `json:"paired"` // first: with, second: without
}

// GroupRow is an agent on a group of the tasks.
type GroupRow struct {
	By      string      `json:"by"` // level, length or write_share
	Group   string      `json:"group"`
	Agent   string      `json:"agent"`
	Base    stats.Share `json:"base"`
	Evolved stats.Share `json:"evolved"`
}

// Surprise is an outcome that tells against a task: careful or the oracle fail,
// noop succeeds, a flawed agent sees through its trap or fails without it.
type Surprise struct {
	Task  string `json:"task"`
	Form  string `json:"form"` // base, evolved, or the technique that was taken out
	Agent string `json:"agent"`
	Why   string `json:"why"`
}

// The forms of a task; without a technique it is named for that.
const (
	formBase    = "base"
	formEvolved = "evolved"
)

// duel is one agent against one form of one task, in all trials.
type duel struct {
	kase  int
	form  string
	agent string
	task  *tau.Task
	tries []role.Attempt
}

// won tells whether every trial earned the reward (pass^k). The unit of all
// statistics is the task: trials about one task are not independent.
func (d *duel) won() bool {
	return !slices.ContainsFunc(d.tries, func(a role.Attempt) bool { return a.Reward < Success })
}

// Measure plays every agent over base and evolved tasks, and each flawed agent
// also over the tasks of its technique without it.
func Measure(ctx context.Context, in DifficultyInput) (*Difficulty, error) {
	duels := in.duels()
	in.Observer.Begin("play", len(duels))
	err := inOrder(ctx, in.Workers, len(duels), func(ctx context.Context, i int) error {
		return in.fight(ctx, &duels[i])
	}, func(int) error {
		in.Observer.Advance(1)
		return nil
	})
	in.Observer.End(fmt.Sprintf("%d agents and flaws in %d settings", len(in.Agents), len(duels)))
	if err != nil {
		return nil, fmt.Errorf("measure difficulty: %w", err)
	}
	return in.sum(duels), nil
}

func (in *DifficultyInput) duels() []duel {
	var out []duel
	for i, c := range in.Cases {
		for _, a := range in.Agents {
			out = append(out, duel{kase: i, form: formBase, agent: a, task: c.Base})
			out = append(out, duel{kase: i, form: formEvolved, agent: a, task: c.Evolved})
		}
		for _, t := range c.Traps {
			agent := in.Flawed(t.Technique)
			if !slices.Contains(in.Agents, agent) {
				out = append(out, duel{kase: i, form: formEvolved, agent: agent, task: c.Evolved})
			}
			out = append(out, duel{kase: i, form: t.Technique, agent: agent, task: t.Without})
		}
	}
	return out
}

func (in *DifficultyInput) fight(ctx context.Context, d *duel) error {
	for trial := range in.Trials {
		seed := derive(in.Seed, "play/"+d.agent+"/"+d.task.ID, trial)
		sum := sha256.Sum256(fmt.Appendf(nil, "%s %s %d %d", ContentHash(d.task), d.agent, in.Seed, trial))
		a, err := paid(in.Memory, "play "+d.task.ID+" "+d.form+" "+hex.EncodeToString(sum[:8]), func() (role.Attempt, error) {
			return in.Player.Play(ctx, d.agent, d.task, seed)
		})
		if err != nil {
			return fmt.Errorf("play %s on %s (%s): %w", d.agent, d.task.ID, d.form, err)
		}
		d.tries = append(d.tries, a)
	}
	return nil
}
