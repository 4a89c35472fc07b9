package rules

import (
	"context"
	"fmt"
	"slices"

	"taste/chat"
	"taste/eval"
	"taste/sim"
	"taste/tau"
)

// Play is a conversation about a task, to be held and scored.
type Play struct {
	Target   *eval.Target
	Agent    sim.NewAgent
	User     sim.NewUser       // nil: the agent works on the task's ticket, and Target is of a domain for that
	Scenario *tau.UserScenario // instead of the task's own; nil: the task's
	Seed     uint64
	Name     string // of the conversation, to tell it from others at the same time; may be empty
	Limits   sim.Limits
}

// Outcome is a conversation with its score.
type Outcome struct {
	sim.Result
	Reward float64
	Why    string // what is missing, where the reward is below 1
}

// Run holds the conversation. A conversation that no party ended earns 0.
func (p Play) Run(ctx context.Context) (Outcome, error) {
	setup, err := p.setup(ctx)
	if err != nil {
		return Outcome{}, fmt.Errorf("play task %s: %w", p.Target.Task.ID, err)
	}
	r, err := sim.Run(ctx, setup)
	if err != nil {
		return Outcome{Result: r}, fmt.Errorf("play task %s: %w", p.Target.Task.ID, err)
	}
	out := Outcome{Result: r}
	if r.Termination != sim.AgentStop && r.Termination != sim.UserStop {
		out.Why = fmt.Sprintf("the conversation ended with %s", r.Termination)
		if r.Err != nil {
			out.Why += ": " + r.Err.Error()
		}
		return out, nil
	}
	info, err := p.Target.Score(setup.Env, r.Messages, nil)
	if err != nil {
		return out, fmt.Errorf("score task %s: %w", p.Target.Task.ID, err)
	}
	out.Reward = info.Reward
	if out.Reward < 1 {
		out.Why = p.shortfall(info, setup)
	}
	return out, nil
}

func (p Play) setup(ctx context.Context) (sim.Setup, error) {
	d, t := p.Target.Domain, p.Target.Task
	scenario := p.Scenario
	if scenario == nil {
		scenario = &t.UserScenario
	}
	s := sim.Setup{Env: p.Target.Start(), Limits: p.Limits}
	if t.InitialState != nil {
		s.History = t.InitialState.MessageHistory
	}
	start := sim.AgentStart{Policy: d.Policy, Tools: toolsOf(chat.Assistant, d.Tools), Seed: p.Seed, Conversation: p.Name}
	if p.User == nil {
		start.Tools, start.Ticket = d.Tools, *t.Ticket
		var err error
		s.Agent, err = p.Agent(ctx, start)
		return s, err
	}
	tools, err := d.UserTools(t.UserTools)
	if err != nil {
		return s, err
	}
	user := sim.UserStart{Scenario: *scenario, Guidelines: d.UserGuidelines, Tools: tools, Seed: p.Seed, Conversation: p.Name}
	if len(tools) > 0 {
		user.Guidelines = d.UserToolGuidelines
	}
	if s.User, err = p.User(ctx, user); err != nil {
		return s, err
	}
	s.Agent, err = p.Agent(ctx, start)
	return s, err
}

// toolsOf lists the tools of one side.
func toolsOf(side string, all []chat.ToolSpec) []chat.ToolSpec {
	return slices.DeleteFunc(slices.Clone(all), func(t chat.ToolSpec) bool { return (t.Requestor == chat.User) != (side == chat.User) })
}

// shortfall says why a reward is below 1.
func (p Play) shortfall(info *eval.RewardInfo, s sim.Setup) string {
	for _, a := range info.EnvAssertions {
		if !a.Met {
			return fmt.Sprintf("%s fails", Spell(a.Assertion.FuncName, a.Assertion.Arguments))
		}
	}
	if info.DB != nil && !info.DB.Match {
		diff := p.Target.Diff(s.Env)
		if len(diff) > 0 {
			return "the database differs from the target: " + diff[0]
		}
	}
	for _, c := range info.Communicate {
		if !c.Met {
			return fmt.Sprintf("%q was not communicated", c.Text)
		}
	}
	return fmt.Sprintf("the reward is %v", info.Reward)
}
