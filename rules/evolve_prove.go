package rules

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"taste/chat"
	"taste/eval"
	"taste/phrase"
	"taste/role"
	"taste/sim"
	"taste/tau"
)

// Prove implements role.Evolver.
func (e *Evolver) Prove(ctx context.Context, x *role.Evolved, seed uint64) ([]role.Flop, error) {
	p := &proof{e: e, x: x, seed: seed, inferred: sync.OnceValues(func() (*plot, error) { return e.infer(&x.Task) })}
	if err := p.run(ctx); err != nil {
		return nil, fmt.Errorf("prove traps of task %s: %w", x.Task.ID, err)
	}
	return p.flops, nil
}

// proof plays one evolved task.
type proof struct {
	e     *Evolver
	x     *role.Evolved
	seed  uint64
	flops []role.Flop
	// inferred is what the customer wants by gold, which no play changes.
	inferred func() (*plot, error)
}

func (p *proof) run(ctx context.Context) error {
	if err := p.records(); err != nil || len(p.flops) > 0 {
		return err
	}
	whole, err := p.play(ctx, &p.x.Task, Careful(p.e.author.contract, p.e.author.book))
	if err != nil {
		return err
	}
	if whole.Reward < 1 {
		return p.blame(ctx, whole.Why)
	}
	done := map[string]bool{}
	for _, t := range p.x.Techniques {
		if done[t.Technique] {
			continue
		}
		done[t.Technique] = true
		if err := p.technique(ctx, t.Technique); err != nil {
			return err
		}
	}
	return nil
}

// records checks that gold ends as it does without the records that were added,
// these aside.
func (p *proof) records() error {
	for _, t := range p.x.Techniques {
		if len(t.Decoys)+len(t.Adds) == 0 {
			continue
		}
		less, err := p.without(t.Technique)
		if err != nil {
			return err
		}
		moved, err := p.moved(less, t)
		if err != nil {
			return err
		}
		if moved != "" {
			p.flop(t.Technique, "gold ends otherwise without its records: "+moved)
		}
	}
	return nil
}

// moved names a difference between the end states of gold with and without a
// technique's records, "" if they and the lists that name them are all. Records whose
// keys the reference draws at random have others in each.
func (p *proof) moved(without *tau.Task, t role.Technique) (string, error) {
	with, err := eval.NewTarget(p.e.author.domain, &p.x.Task)
	if err != nil {
		return "", err
	}
	less, err := eval.NewTarget(p.e.author.domain, without)
	if err != nil {
		return "", err
	}
	a, b := less.Gold(), with.Gold()
	drawn := slices.Concat(a.Drawn(chat.Assistant), b.Drawn(chat.Assistant))
	for _, line := range a.Diff(b) {
		named := slices.ContainsFunc(drawn, func(key string) bool { return strings.Contains(line, key) })
		if !named && !p.expected(line, t) {
			return line, nil
		}
	}
	return "", nil
}

// without is the task without a technique.
func (p *proof) without(technique string) (*tau.Task, error) {
	return Without(p.e.author.domain, p.e.author.contract, &p.x.Task, p.x.Techniques, technique)
}

// blame finds the techniques without which a careful agent would earn the
// reward that it does not earn; all of them if no single one is to blame.
func (p *proof) blame(ctx context.Context, why string) error {
	for _, t := range p.x.Techniques {
		if p.blamed(t.Technique) {
			continue
		}
		less, err := p.without(t.Technique)
		if err != nil {
			return err
		}
		o, err := p.play(ctx, less, Careful(p.e.author.contract, p.e.author.book))
		if err != nil {
			return err
		}
		if o.Reward == 1 {
			p.flop(t.Technique, "a careful agent fails: "+why)
		}
	}
	if len(p.flops) == 0 {
		for _, t := range p.x.Techniques {
			if !p.blamed(t.Technique) {
				p.flop(t.Technique, "a careful agent fails: "+why)
			}
		}
		if len(p.x.Techniques) == 0 {
			p.flops = append(p.flops, role.Flop{Trap: -1, Why: "a careful agent fails: " + why})
		}
	}
	return nil
}

func (p *proof) blamed(technique string) bool {
	for _, f := range p.flops {
		if f.Technique == technique {
			return true
		}
	}
	return false
}

// flop blames all traps of a technique.
func (p *proof) flop(technique, why string) {
	for i, t := range p.x.Techniques {
		if t.Technique == technique {
			p.flops = append(p.flops, role.Flop{Trap: p.x.Traps[i], Technique: technique, Why: why})
		}
	}
}

// technique plays the agent that lacks the skill, with the technique and
// without.
func (p *proof) technique(ctx context.Context, name string) error {
	agent := Flawed(p.e.author.contract, p.e.author.book, name)
	o, err := p.play(ctx, &p.x.Task, agent)
	if err != nil {
		return err
	}
	if o.Reward == 1 {
		p.flop(name, "the agent that it is aimed at succeeds")
		return nil
	}
	less, err := p.without(name)
	if err != nil {
		return err
	}
	if o, err = p.play(ctx, less, agent); err != nil {
		return err
	}
	if o.Reward < 1 {
		p.flop(name, "without it, the agent that it is aimed at fails too: "+o.Why)
	}
	return nil
}

// play has an agent play a task of others or of one's own. A reward that cannot be
// worked out, as it asks for what is not there, is none.
func (p *proof) play(ctx context.Context, t *tau.Task, agent sim.NewAgent) (Outcome, error) {
	user, err := p.user(t)
	if err != nil {
		return Outcome{}, err
	}
	target, err := eval.NewTarget(p.e.author.domain, p.silent(t))
	if err != nil {
		return Outcome{}, err
	}
	o, err := Play{Target: target, User: user, Agent: agent, Seed: p.seed}.Run(ctx)
	if errors.Is(err, eval.ErrRaised) {
		return Outcome{Why: err.Error()}, nil
	}
	return o, err
}

// silent is a task of which only what is done counts where its prose is not the
// book's: what such a customer wants to be told gold does not say.
func (p *proof) silent(t *tau.Task) *tau.Task {
	if _, unread := phrase.Read(p.e.author.book, scenarioText(t.UserScenario)); len(unread) == 0 {
		return t
	}
	out, crit := *t, *t.EvaluationCriteria
	crit.CommunicateInfo = nil
	crit.RewardBasis = slices.DeleteFunc(slices.Clone(crit.RewardBasis), func(r tau.RewardType) bool {
		return r == tau.Communicate || r == tau.NLAssertion
	})
	if len(crit.RewardBasis) == 0 {
		crit.RewardBasis = []tau.RewardType{tau.DB}
	}
	out.EvaluationCriteria = &crit
	return &out
}

// within tells whether a difference is about a record, or a part of it.
func within(line, record string) bool {
	rest, ok := strings.CutPrefix(line, record)
	return ok && rest != "" && (rest[0] == ':' || rest[0] == '.')
}

// expected tells whether a difference is no more than that the technique's own
// records are there. A customer's list of records is left aside: where it has
// one less the others move up, and the records themselves are compared.
func (p *proof) expected(line string, t role.Technique) bool {
	c := p.e.author.contract
	for _, kind := range c.Records {
		if strings.HasPrefix(line, c.Customer.Table+".") && strings.Contains(line, "."+kind.Listed+"[") {
			return true
		}
	}
	if strings.HasPrefix(line, c.Customer.Table+".") && strings.Contains(line, "absent → ") {
		return true
	}
	for _, x := range p.x.Techniques {
		for _, r := range slices.Concat(x.Decoys, x.Adds) {
			if x.Technique == t.Technique && within(line, strings.Replace(r, "/", ".", 1)) {
				return true
			}
		}
	}
	return false
}
