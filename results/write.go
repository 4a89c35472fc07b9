package results

import (
	"taste/chat"
	"taste/pyjson"
	"taste/tau"
)

// JSON returns the record in the one-file layout.
func (r *Results) JSON() *pyjson.Object {
	w := r.head()
	chat.List(w, true, "tasks", r.Tasks, func(t *tau.Task) any { return t.JSON() })
	chat.List(w, true, "simulations", r.Simulations, func(s *Simulation) any { return s.JSON() })
	return w.Object()
}

func (r *Results) head() *chat.Writer {
	w := chat.NewWriter(r.raw)
	w.Opt(false, "timestamp", r.Timestamp)
	w.Put("info", r.Info.JSON())
	return w
}

// JSON returns the JSON object.
func (i *Info) JSON() *pyjson.Object {
	w := chat.NewWriter(i.raw)
	w.Put("git_commit", i.GitCommit)
	w.Put("num_trials", int64(i.NumTrials))
	w.Put("max_steps", int64(i.MaxSteps))
	w.Put("max_errors", int64(i.MaxErrors))
	w.Put("user_info", i.User.JSON())
	w.Put("agent_info", i.Agent.JSON())
	e := chat.NewWriter(i.environment)
	e.Put("domain_name", i.DomainName)
	e.PutUnless(i.Policy == "", true, "policy", i.Policy)
	w.Put("environment_info", e.Object())
	optInt(w, true, "seed", i.Seed)
	return w.Object()
}

// JSON returns the JSON object.
func (p *Party) JSON() *pyjson.Object {
	w := chat.NewWriter(p.raw)
	w.Put("implementation", p.Implementation)
	w.Opt(true, "llm", p.LLM)
	optObject(w, "llm_args", p.LLMArgs)
	w.Opt(false, "global_simulation_guidelines", p.Guidelines)
	return w.Object()
}

// JSON returns the JSON object.
func (s *Simulation) JSON() *pyjson.Object {
	w := chat.NewWriter(s.raw)
	w.Put("id", s.ID)
	w.Put("task_id", s.TaskID)
	w.Opt(false, "timestamp", s.Timestamp)
	w.Put("start_time", s.StartTime)
	w.Put("end_time", s.EndTime)
	optFloat(w, "duration", &s.Duration)
	w.Put("termination_reason", s.Termination)
	optFloat(w, "agent_cost", s.AgentCost)
	optFloat(w, "user_cost", s.UserCost)
	optObject(w, "reward_info", s.RewardInfo)
	chat.List(w, true, "messages", s.Messages, func(m *chat.Message) any { return m.JSON() })
	optInt(w, true, "trial", s.Trial)
	optInt(w, true, "seed", s.Seed)
	w.PutUnless(s.Mode == HalfDuplex, true, "mode", s.Mode)
	optObject(w, "info", s.Info)
	return w.Object()
}

func optInt(w *chat.Writer, spell bool, key string, n *int) {
	var v any
	if n != nil {
		v = int64(*n)
	}
	w.PutUnless(n == nil, spell, key, v)
}

// optFloat leaves a number of the same value as it was written.
func optFloat(w *chat.Writer, key string, f *float64) {
	var v any
	if f != nil {
		v = *f
	}
	if old, ok := w.Object().Get(key); ok && pyjson.Equal(old, v) {
		return
	}
	w.PutUnless(f == nil, true, key, v)
}

func optObject(w *chat.Writer, key string, o *pyjson.Object) {
	var v any
	if o != nil {
		v = o
	}
	w.PutUnless(o == nil, true, key, v)
}
