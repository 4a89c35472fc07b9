package inspect

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"taste/eval"
	"taste/pyjson"
	"taste/results"
	"taste/stats"
)

// Log is an evaluation log of results: one sample a simulation, a trial as an
// epoch. scored are the simulations of r in order; those whose Score is nil have
// the recorded one. Errors are those of counting trials: each is there once and
// has a number.
func Log(r *results.Results, scored []results.Scored) (*pyjson.Object, error) {
	scores := scoresOf(scored)
	if _, err := results.Table(r, counted(scored, recordedReward), true); err != nil {
		return nil, err
	}
	samples := make([]any, len(scored))
	for i := range scored {
		samples[i] = sample(r, &scored[i], scores)
	}
	started, ended := times(r)
	return pyjson.NewObject(
		"version", int64(2),
		"status", "success",
		"eval", spec(r, started),
		"plan", pyjson.NewObject("name", "plan", "steps", []any{pyjson.NewObject(
			"solver", r.Info.Agent.Implementation, "params", orEmpty(r.Info.Agent.LLMArgs), "params_passed", orEmpty(r.Info.Agent.LLMArgs))},
			"config", pyjson.NewObject()),
		"results", summary(r, scored, scores),
		"stats", pyjson.NewObject("started_at", started, "completed_at", ended, "model_usage", pyjson.NewObject()),
		"samples", samples,
		"reductions", reductions(r, scored, scores),
	), nil
}

// Name is what Inspect names a log of the results; it lists JSON logs of such
// names alone.
func Name(r *results.Results) string {
	started, _ := times(r)
	return strings.ReplaceAll(started[:len("2006-01-02T15:04:05")], ":", "-") + "-00-00_" + plain(r.Info.DomainName) + "_" + identity(r, "task") + ".json"
}

// plain keeps of a name what stands in every file name.
func plain(s string) string {
	return strings.Map(func(c rune) rune {
		if c < 0x80 && (c == '-' || c == '.' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z') {
			return c
		}
		return '-'
	}, s)
}

// counted puts the values of a score in the place of strict rewards, so that
// they are counted as these are.
func counted(scored []results.Scored, of func(*results.Scored) (verdict, bool)) []results.Scored {
	out := make([]results.Scored, len(scored))
	for i := range scored {
		v, _ := of(&scored[i])
		out[i] = results.Scored{Simulation: scored[i].Simulation, Score: &eval.Score{Strict: v.value}}
	}
	return out
}

// spec says what was evaluated.
func spec(r *results.Results, created string) *pyjson.Object {
	i := &r.Info
	ids := make([]any, len(r.Tasks))
	for t := range r.Tasks {
		ids[t] = r.Tasks[t].ID
	}
	about := pyjson.NewObject("domain", i.DomainName, "git_commit", i.GitCommit, "max_steps", int64(i.MaxSteps), "max_errors", int64(i.MaxErrors),
		"seed", whole(i.Seed), "agent", party(&i.Agent), "user", party(&i.User), "policy", i.Policy)
	return pyjson.NewObject(
		"eval_id", identity(r, "eval"), "run_id", identity(r, "run"), "created", created,
		"task", i.DomainName, "task_id", identity(r, "task"), "task_version", int64(0),
		"solver", i.Agent.Implementation,
		"dataset", pyjson.NewObject("name", i.DomainName, "samples", int64(len(ids)), "sample_ids", ids, "shuffled", false),
		"model", i.Agent.Name(),
		"model_roles", pyjson.NewObject("user", pyjson.NewObject("model", i.User.Name())),
		"config", pyjson.NewObject("epochs", int64(max(1, i.NumTrials)), "epochs_reducer", []any{"mean"}, "fail_on_error", false),
		"metadata", about,
	)
}

func party(p *results.Party) *pyjson.Object {
	o := pyjson.NewObject("implementation", p.Implementation, "llm", nil, "llm_args", nil)
	if p.LLM != nil {
		o.Set("llm", *p.LLM)
	}
	if p.LLMArgs != nil {
		o.Set("llm_args", p.LLMArgs)
	}
	return o
}

func whole(n *int) any {
	if n == nil {
		return nil
	}
	return int64(*n)
}

func orEmpty(o *pyjson.Object) *pyjson.Object {
	if o == nil {
		return pyjson.NewObject()
	}
	return o
}

// identity is a name of the evaluation that follows from what it is of.
func identity(r *results.Results, purpose string) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s %q %q %q %q", purpose, r.Info.DomainName, r.Info.Agent.Name(), r.Info.User.Name(), r.Info.GitCommit)
	if purpose == "task" { // the same one in every run of it
		return hex.EncodeToString(h.Sum(nil)[:11])
	}
	for i := range r.Simulations {
		fmt.Fprintf(h, " %q", r.Simulations[i].ID)
	}
	return hex.EncodeToString(h.Sum(nil)[:11])
}

// noTime stands where the results tell no time, which Inspect wants.
const noTime = "1970-01-01T00:00:00+00:00"

// times are those of the first start and the last end.
func times(r *results.Results) (started, ended string) {
	var all []string
	for i := range r.Simulations {
		for _, t := range []string{r.Simulations[i].StartTime, r.Simulations[i].EndTime} {
			if s := stamp(t); s != "" {
				all = append(all, s)
			}
		}
	}
	if len(all) == 0 {
		return noTime, noTime
	}
	return slices.Min(all), slices.Max(all)
}

// stamp spells a time of results as Inspect does; "" if it is none. τ²-bench
// writes local times without a zone, which are taken for UTC.
func stamp(s string) string {
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC().Format("2006-01-02T15:04:05.000000-07:00")
		}
	}
	return ""
}

// summary is what the samples come to: mean and standard error by task, as
// Inspect computes them, and pass^k over the trials that were not lost.
func summary(r *results.Results, scored []results.Scored, scores []score) *pyjson.Object {
	completed := 0
	for i := range scored {
		if !lost(scored[i].Simulation) {
			completed++
		}
	}
	var all []any
	for _, s := range scores {
		all = append(all, s.summary(r, scored))
	}
	return pyjson.NewObject("total_samples", int64(len(r.Tasks)*max(1, r.Info.NumTrials)), "completed_samples", int64(completed), "scores", all)
}

func (s *score) summary(r *results.Results, scored []results.Scored) *pyjson.Object {
	var means []float64
	made := 0
	for _, t := range s.byTask(r, scored) {
		made += len(t)
		if len(t) > 0 {
			means = append(means, mean(t))
		}
	}
	metrics := pyjson.NewObject()
	put := func(name string, value float64) { metrics.Set(name, pyjson.NewObject("name", name, "value", value)) }
	if len(means) > 0 {
		e := stats.NewEstimate(means, 1)
		put("mean", e.Mean)
		if e.SE != nil {
			put("stderr", *e.SE)
		}
	}
	if s.whole {
		if table, err := results.Table(r, counted(scored, s.at), true); err == nil {
			for _, p := range table.PassHat(stats.V2, 1).Pass {
				if p.Value != nil {
					put(fmt.Sprintf("pass^%d", p.K), *p.Value)
				}
			}
		}
	}
	return pyjson.NewObject("name", s.name, "scorer", s.name, "reducer", "mean",
		"scored_samples", int64(made), "unscored_samples", int64(len(scored)-made), "metrics", metrics)
}

// reductions are the means of the tasks' epochs.
func reductions(r *results.Results, scored []results.Scored, scores []score) []any {
	var out []any
	for _, s := range scores {
		var samples []any
		for i, t := range s.byTask(r, scored) {
			if len(t) > 0 {
				samples = append(samples, pyjson.NewObject("sample_id", r.Tasks[i].ID, "value", mean(t)))
			}
		}
		out = append(out, pyjson.NewObject("scorer", s.name, "reducer", "mean", "samples", samples))
	}
	return out
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}
