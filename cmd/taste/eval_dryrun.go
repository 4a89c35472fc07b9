package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"taste/eval"
	"taste/llm"
	"taste/models"
	"taste/sim"
	"taste/trials"
)

// dryEval says what the models of an evaluation will take: a few tasks of each
// system are played once, with the rules in the place of models.
func (a *app) dryEval(ctx context.Context, c *evalConfig, machine bool) error {
	if err := noReplay(c.Replay); err != nil {
		return err
	}
	m, err := a.evalModels(c)
	if err != nil {
		return err
	}
	kits, err := a.kits(c)
	if err != nil {
		return err
	}
	if m.rehearsal, err = newRehearsal(m.prices, kits...); err != nil {
		return err
	}
	systems, err := a.systems(c, m)
	if err != nil {
		return err
	}
	judge, err := m.judge(c.Judge)
	if err != nil {
		return badParty(err)
	}
	a.announce()
	whole := llm.NewBill(m.prices)
	for i := range systems {
		if err := a.rehearse(ctx, c, m.rehearsal, &systems[i], judge, whole); err != nil {
			return err
		}
	}
	return a.printEstimate(whole, machine)
}

// kits are the domains of an evaluation, whose parties have to be models or rules.
func (a *app) kits(c *evalConfig) ([]models.Kit, error) {
	for _, p := range append(append([]partySpec(nil), c.Agents...), c.Users...) {
		if outside(p.Spec) {
			return nil, usage(fmt.Errorf("eval: --dry-run with %s", p.Spec), "what people and programs elsewhere do is not known beforehand")
		}
	}
	var out []models.Kit
	for i := range c.Tasks {
		x, err := a.arena(&c.Tasks[i])
		if err != nil {
			return nil, err
		}
		if x.contract == nil || x.book == nil {
			return nil, usage(fmt.Errorf("%w: domain %s has no contract and phrase book", errNotRehearsed, x.domain.Name), "give them by --contract and --phrases")
		}
		out = append(out, models.Kit{Domain: x.domain, Contract: x.contract, Book: x.book})
	}
	return out, nil
}

// outside tells whether a party is neither a model nor played by rules.
func outside(spec string) bool {
	return strings.HasSuffix(spec, "human") || strings.Contains(spec, "://") && !strings.Contains(spec, "#")
}

// rehearse plays some tasks of a system once and adds what all its simulations
// will take to the bill.
func (a *app) rehearse(ctx context.Context, c *evalConfig, r *rehearsal, s *trials.System, judge eval.Judge, whole *llm.Bill) error {
	dir, err := os.MkdirTemp("", "taste-dry-run-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // nothing depends on it
	part, settings := *s, c.settings()
	part.Tasks, settings.Trials = sample(s.Tasks, rehearsed), 1
	l, err := trials.Open(dir, part, settings)
	if err != nil {
		return refused(err)
	}
	seen := &metered{rehearsal: r, bill: llm.NewBill(r.prices)}
	run := trials.Runner{Workers: 1, Judge: judge, Now: a.now, Observer: seen}
	if err := errors.Join(run.Run(ctx, []*trials.Log{l}), l.Close()); err != nil {
		return err
	}
	if seen.played == 0 {
		return usage(fmt.Errorf("%w: %s", errNotRehearsed, seen.why), "--task-ids or other tasks choose what can be rehearsed")
	}
	whole.Scale(seen.bill, int64(len(s.Tasks)*c.Trials), int64(seen.played))
	return nil
}

// metered adds up what conversations take that came to an end of their own.
type metered struct {
	*rehearsal
	bill   *llm.Bill
	played int
	why    string // of the last one that did not
}

func (m *metered) Began(int, string, int) {}

func (m *metered) Ended(_ int, o *trials.Outcome) {
	took, lost := m.meter.Take(), m.lost.Swap(false)
	switch {
	case lost:
		m.why = "the scenario of task " + o.Task + " is not in words that the rules user reads"
	case o.Fault != nil:
		m.why = o.Fault.Error()
	case o.Termination == string(sim.UserError) || o.Termination == string(sim.AgentError):
		m.why = o.Termination
	default:
		m.played++
		m.bill.Scale(took, 1, 1)
	}
}
