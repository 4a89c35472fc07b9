package trials

import (
	"context"
	"errors"

	"taste/chat"
	"taste/eval"
	"taste/pyjson"
	"taste/results"
	"taste/sim"
)

// Outcome is a simulation that is over.
type Outcome struct {
	Task        string
	Trial       int
	Termination string
	Compat      *float64 // nil: no reward
	Strict      *float64 // nil: unscored
	Unscored    string   // why there is no reward though the simulation ended; "" where there is one
	Fault       error    // of the machinery, which leaves the simulation missing
}

// play holds one conversation and scores it. Its error means that ctx ended or
// the judge was cancelled: nothing is over then.
func (r *Runner) play(ctx context.Context, l *Log, t *prepared, trial int) (*results.Simulation, *Outcome, error) {
	began := r.Now()
	seed := t.seeds.of(trial)
	env := t.start.Clone()
	setup := sim.Setup{
		Env: env, Limits: l.settings.Limits, Compat: l.settings.Compat, Enforce: l.settings.Enforce,
		Clock: func() string { return stamp(r.Now()) },
	}
	if t.InitialState != nil {
		setup.History = t.InitialState.MessageHistory
	}
	out, fault := l.converse(ctx, &setup, t, t.seeds.id(trial), seed)
	if fault != nil && ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	s := &results.Simulation{
		ID: t.seeds.id(trial), TaskID: t.ID, StartTime: stamp(began), Termination: string(out.Termination), Messages: out.Messages,
		AgentCost: cost(out.Messages, chat.Assistant), UserCost: cost(out.Messages, chat.User),
		Trial: &trial, Seed: whole(seed), Mode: results.HalfDuplex, Info: diagnostics(out.Err, fault),
	}
	if s.Messages == nil {
		s.Messages = []chat.Message{}
	}
	end := r.Now()
	s.EndTime, s.Duration = stamp(end), end.Sub(began).Seconds()
	s.Timestamp = &s.EndTime
	o := &Outcome{Task: t.ID, Trial: trial, Termination: s.Termination, Fault: fault}
	if fault != nil {
		s.Termination = eval.Infrastructure
		o.Termination = s.Termination
		return s, o, nil
	}
	score, err := r.score(ctx, l, t, s, eval.Options{Final: env})
	if err != nil {
		return nil, nil, err
	}
	o.Strict, o.Unscored = score.Strict, score.CompatOpen()
	if reward, ok := score.CompatReward(); ok {
		o.Compat = &reward
	}
	s.Take(score)
	return s, o, nil
}

// converse makes the parties and has them talk. Its error is a fault of the
// machinery.
func (l *Log) converse(ctx context.Context, s *sim.Setup, t *prepared, id string, seed uint64) (out sim.Result, err error) {
	d := s.Env.Domain()
	tools, err := d.UserTools(t.UserTools)
	if err != nil {
		return out, err
	}
	agent := sim.AgentStart{Policy: d.Policy, Tools: toolsOf(d.Tools, chat.Assistant), Seed: seed, Conversation: id}
	user := sim.UserStart{Scenario: t.UserScenario, Guidelines: d.UserGuidelines, Tools: tools, Seed: seed, Conversation: id}
	if len(tools) > 0 {
		user.Guidelines = d.UserToolGuidelines
	}
	if l.solo && t.Ticket != nil {
		agent.Ticket = *t.Ticket
	}
	if s.Agent, err = l.System.Agents.New(ctx, t.Task, agent); err != nil {
		return out, err
	}
	if !l.solo {
		if s.User, err = l.System.Users.New(ctx, t.Task, user); err != nil {
			return out, err
		}
	}
	return sim.Run(ctx, *s)
}

// score scores a conversation, with the judge's word where it is wanted.
func (r *Runner) score(ctx context.Context, l *Log, t *prepared, s *results.Simulation, o eval.Options) (*eval.Score, error) {
	c := &eval.Conversation{Termination: s.Termination, Messages: s.Messages, Solo: l.solo}
	if r.Judge != nil {
		if err := c.Decide(ctx, r.Judge, t.Task); err != nil {
			return nil, err
		}
	}
	return t.scorer.Score(c, o), nil
}

// diagnostics says what a party or the machinery did wrong.
func diagnostics(party, fault error) *pyjson.Object {
	err := errors.Join(party, fault)
	if err == nil {
		return nil
	}
	return pyjson.NewObject("error", err.Error())
}

func whole(seed uint64) *int {
	n := int(seed)
	return &n
}
