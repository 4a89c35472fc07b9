package results

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"

	"taste/chat"
	"taste/env"
	"taste/eval"
	"taste/pyjson"
	"taste/tau"
)

// Rescorer scores recorded simulations anew, without asking an agent or a user
// anything.
type Rescorer struct {
	Domain *env.Domain
	// Tasks replaces the file's own where it has a task of the same id.
	Tasks []tau.Task
	// Alternatives are added to those that the tasks declare, by task id.
	Alternatives map[string][]tau.Alternative
	// Recorded lets the verdicts on assertions in words stand that the file
	// holds. Judge decides where there are none; nil leaves them open, for the reason
	// that the file has.
	Recorded bool
	Judge    eval.Judge
	Workers  int // simulations at once, at least 1
}

// Scored is a simulation with its new score beside the recorded one.
type Scored struct {
	Simulation *Simulation
	Recorded   *float64 // the recorded reward; nil: none
	Score      *eval.Score
	// Changed names the fields of the record that come out otherwise in compat,
	// the reward first.
	Changed []string
}

// Run scores all simulations, in their order. It fails only if ctx ends.
func (s *Rescorer) Run(ctx context.Context, r *Results) ([]Scored, error) {
	scorers := s.scorers(r)
	out := make([]Scored, len(r.Simulations))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(max(1, s.Workers))
	for i := range r.Simulations {
		sim := &r.Simulations[i]
		group.Go(func() error {
			var err error
			out[i], err = s.score(ctx, sim, scorers[sim.TaskID])
			return err
		})
	}
	return out, group.Wait()
}

// scorers makes the tasks of simulations ready for scoring.
func (s *Rescorer) scorers(r *Results) map[string]*prepared {
	fresh := byID(s.Tasks)
	out := make(map[string]*prepared, len(r.Tasks))
	for i := range r.Tasks {
		t := &r.Tasks[i]
		if f := fresh[t.ID]; f != nil {
			t = f
		}
		if extra := s.Alternatives[t.ID]; len(extra) > 0 && t.EvaluationCriteria != nil {
			t = withAlternatives(t, extra)
		}
		out[t.ID] = &prepared{task: t, scorer: eval.NewScorer(s.Domain, t), solo: r.Info.Solo()}
	}
	return out
}

type prepared struct {
	task   *tau.Task
	scorer *eval.Scorer
	solo   bool
}

func byID(tasks []tau.Task) map[string]*tau.Task {
	out := make(map[string]*tau.Task, len(tasks))
	for i := range tasks {
		out[tasks[i].ID] = &tasks[i]
	}
	return out
}

func withAlternatives(t *tau.Task, extra []tau.Alternative) *tau.Task {
	task, criteria := *t, *t.EvaluationCriteria
	criteria.Alternatives = append(append([]tau.Alternative{}, criteria.Alternatives...), extra...)
	task.EvaluationCriteria = &criteria
	return &task
}

func (s *Rescorer) score(ctx context.Context, sim *Simulation, p *prepared) (Scored, error) {
	out := Scored{Simulation: sim, Recorded: sim.Reward()}
	if err := ctx.Err(); err != nil {
		return out, err
	}
	if sim.Mode != HalfDuplex && sim.Messages == nil {
		out.Score = eval.OpenScore(eval.Unsupported, fmt.Sprintf("a conversation of mode %s has no messages to score", sim.Mode))
		return out, nil
	}
	c, err := s.conversation(ctx, sim, p)
	if err != nil {
		return out, err
	}
	out.Score = p.scorer.Score(c, eval.Options{Lenient: true})
	out.Changed = changed(sim.RewardInfo, out.Score)
	return out, nil
}

// conversation is a simulation as scoring sees it, with the judge's word.
func (s *Rescorer) conversation(ctx context.Context, sim *Simulation, p *prepared) (*eval.Conversation, error) {
	c := &eval.Conversation{Termination: sim.Termination, Messages: sim.Messages, Solo: p.solo}
	if s.Recorded {
		c.Verdicts, c.Unjudged = sim.verdicts(), sim.unscored()
	}
	if c.Verdicts == nil && s.Judge != nil {
		return c, c.Decide(ctx, s.Judge, p.task)
	}
	return c, nil
}

// verdicts are the recorded ones; nil where no judge was asked.
func (s *Simulation) verdicts() []eval.Verdict {
	r := chat.NewReader(orEmpty(s.RewardInfo), "")
	return chat.ReadList(r, "nl_assertions", func(v any, path string) (eval.Verdict, error) {
		r := chat.NewReader(v, path)
		return eval.Verdict{Text: r.StringOr("nl_assertion", ""), Met: r.BoolOr("met", false), Justification: r.StringOr("justification", "")}, r.Err()
	})
}

// changed compares a record with the new score of the same mode. Where the new
// one is open, so is what it would say of the reward.
func changed(recorded *pyjson.Object, s *eval.Score) []string {
	if recorded == nil {
		return nil
	}
	if s.Compat == nil {
		return []string{"reward"}
	}
	now := s.Compat.JSON()
	var out []string
	for key, want := range recorded.All() {
		got, known := now.Get(key)
		if open := s.Compat.Unscored != "" && (key == "reward" || key == "reward_breakdown" || key == "nl_assertions"); known && !open && !pyjson.Equal(want, got) {
			out = append(out, key)
		}
	}
	return out
}

// WithScores returns the results with the rewards of compat in the place of the
// recorded ones; what has none is recorded as not scored, and why. The tasks and
// conversations are shared with r.
func WithScores(r *Results, scored []Scored) *Results {
	out := *r
	out.Simulations = make([]Simulation, len(scored))
	for i := range scored {
		out.Simulations[i] = *scored[i].Simulation
		out.Simulations[i].Take(scored[i].Score)
	}
	return &out
}

// unscoredKey is what a simulation's diagnostics have the reason under for which it
// has no reward.
const unscoredKey = "unscored"

// Take records the reward of compat, or why there is none.
func (s *Simulation) Take(score *eval.Score) {
	why := score.CompatOpen()
	s.RewardInfo = nil
	if why == "" {
		s.RewardInfo = score.Compat.JSON()
	}
	s.Info = withReason(s.Info, why)
}

// withReason are diagnostics with that reason; nil where nothing is left to say.
func withReason(info *pyjson.Object, why string) *pyjson.Object {
	if info == nil && why == "" {
		return nil
	}
	out := orEmpty(info).Shallow()
	if why != "" {
		out.Set(unscoredKey, why)
		return out
	}
	if out.Delete(unscoredKey); out.Len() == 0 && info.Has(unscoredKey) {
		return nil
	}
	return out
}

// unscored is the recorded reason; "" for none.
func (s *Simulation) unscored() string {
	why, _ := orEmpty(s.Info).Get(unscoredKey)
	text, _ := why.(string)
	return text
}
