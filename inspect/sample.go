package inspect

import (
	"fmt"
	"strings"

	"taste/chat"
	"taste/pyjson"
	"taste/results"
	"taste/tau"
	"taste/view"
)

// sample is a simulation.
func sample(r *results.Results, s *results.Scored, scores []score) *pyjson.Object {
	sim, t := s.Simulation, r.Task(s.Simulation.TaskID)
	all := messages(sim)
	o := pyjson.NewObject(
		"id", sim.TaskID, "epoch", int64(*sim.Trial)+1,
		"input", view.Scenario(t), "target", target(t),
		"messages", all, "output", output(r.Info.Agent.Name(), all),
		"scores", sampleScores(s, scores),
		"metadata", pyjson.NewObject("termination_reason", sim.Termination, "seed", whole(sim.Seed), "mode", sim.Mode,
			"agent_cost", number(sim.AgentCost), "user_cost", number(sim.UserCost)),
		"model_usage", usages(r, sim), "total_time", sim.Duration, "uuid", sim.ID,
	)
	if t := stamp(sim.StartTime); t != "" {
		o.Set("started_at", t)
	}
	if t := stamp(sim.EndTime); t != "" {
		o.Set("completed_at", t)
	}
	if lost(sim) {
		o.Set("error", pyjson.NewObject("message", fault(sim), "traceback", "", "traceback_ansi", ""))
	}
	if l := limit(&r.Info, sim.Termination); l != nil {
		o.Set("limit", l)
	}
	return o
}

func number(f *float64) any {
	if f == nil {
		return nil
	}
	return *f
}

func sampleScores(s *results.Scored, scores []score) any {
	if lost(s.Simulation) {
		return nil
	}
	o := pyjson.NewObject()
	for i := range scores {
		if v, ok := scores[i].at(s); ok {
			o.Set(scores[i].name, v.json())
		}
	}
	return o
}

// fault says what broke a simulation off.
func fault(sim *results.Simulation) string {
	if sim.Info.Len() == 0 {
		return sim.Termination
	}
	return sim.Termination + ": " + pyjson.Dumps(sim.Info)
}

// limit is the one that ended a conversation, where the results tell its number.
func limit(i *results.Info, reason string) *pyjson.Object {
	switch reason {
	case "max_steps":
		return pyjson.NewObject("type", "message", "limit", float64(i.MaxSteps), "reason", "max_steps")
	case "too_many_errors":
		return pyjson.NewObject("type", "custom", "limit", float64(i.MaxErrors), "reason", "too_many_errors")
	}
	return nil
}

// target is what the task wants: gold calls, and what has to be said.
func target(t *tau.Task) any {
	out := []any{}
	if c := t.EvaluationCriteria; c != nil {
		for i := range c.Actions {
			out = append(out, view.Action(&c.Actions[i]))
		}
		for _, s := range c.CommunicateInfo {
			out = append(out, "say: "+s)
		}
		for _, s := range c.NLAssertions {
			out = append(out, s)
		}
	}
	return out
}

// messages are the conversation from the agent's side.
func messages(sim *results.Simulation) []any {
	out := []any{}
	for n, p := range chat.Parts(sim.Messages) {
		out = append(out, message(fmt.Sprintf("%s-%d", sim.ID, n), &p))
	}
	return out
}

func message(id string, p *chat.Part) *pyjson.Object {
	o := pyjson.NewObject("id", id, "role", p.Role, "content", p.Body())
	switch p.Role {
	case chat.Assistant:
		o.Set("source", "generate")
		if len(p.ToolCalls) > 0 {
			o.Set("tool_calls", calls(p.ToolCalls))
		}
	case chat.User:
		if len(p.ToolCalls) > 0 {
			o.Set("content", strings.TrimLeft(p.Body()+"\n"+spelt(p.ToolCalls), "\n"))
			o.Set("metadata", pyjson.NewObject("tool_calls", calls(p.ToolCalls)))
		}
	case chat.Tool:
		answer(o, p)
	}
	return o
}

func answer(o *pyjson.Object, p *chat.Part) {
	o.Set("tool_call_id", p.ID)
	if p.Answers != nil {
		o.Set("function", p.Answers.Name)
	}
	if p.Requestor == chat.User {
		o.Set("metadata", pyjson.NewObject("requestor", chat.User))
	}
	if p.Error {
		o.Set("error", pyjson.NewObject("type", "unknown", "message", p.Body()))
	}
}

func calls(all []chat.ToolCall) []any {
	out := make([]any, len(all))
	for i := range all {
		out[i] = pyjson.NewObject("id", all[i].ID, "function", all[i].Name, "arguments", all[i].Args(), "type", "function")
	}
	return out
}

// spelt are the calls of a user, whose messages have no place for calls in
// Inspect.
func spelt(all []chat.ToolCall) string {
	lines := make([]string, len(all))
	for i := range all {
		lines[i] = "→ " + view.Call(all[i].Name, all[i].Args())
	}
	return strings.Join(lines, "\n")
}

// output is what the agent said last.
func output(model string, all []any) *pyjson.Object {
	choices := []any{}
	for i := len(all) - 1; i >= 0; i-- {
		m := all[i].(*pyjson.Object)
		if role, _ := m.Get("role"); role != chat.Assistant {
			continue
		}
		reason := "stop"
		if m.Has("tool_calls") {
			reason = "tool_calls"
		}
		choices = append(choices, pyjson.NewObject("message", m, "stop_reason", reason))
		break
	}
	return pyjson.NewObject("model", model, "choices", choices)
}

// usages are the tokens of either side's model, where they are recorded.
func usages(r *results.Results, sim *results.Simulation) *pyjson.Object {
	out := pyjson.NewObject()
	for _, side := range []struct {
		role, model string
		cost        *float64
	}{{chat.Assistant, r.Info.Agent.Name(), sim.AgentCost}, {chat.User, r.Info.User.Name(), sim.UserCost}} {
		in, made := tokens(sim.Messages, side.role)
		if in+made == 0 {
			continue
		}
		u := pyjson.NewObject("input_tokens", in, "output_tokens", made, "total_tokens", in+made)
		if side.cost != nil {
			u.Set("total_cost", *side.cost)
		}
		if have, ok := out.Get(side.model); ok {
			u = added(have.(*pyjson.Object), u)
		}
		out.Set(side.model, u)
	}
	return out
}

// tokens sums what the messages of a side record.
func tokens(messages []chat.Message, role string) (in, made int64) {
	for i := range messages {
		if messages[i].Role != role {
			continue
		}
		v, _ := messages[i].Raw("usage")
		u, _ := v.(*pyjson.Object)
		in += count(u, "prompt_tokens")
		made += count(u, "completion_tokens")
	}
	return in, made
}

func count(o *pyjson.Object, key string) int64 {
	v, _ := o.Get(key)
	n, _ := v.(int64)
	return n
}

// added sums usages of one model on both sides.
func added(a, b *pyjson.Object) *pyjson.Object {
	out := pyjson.NewObject()
	for k, v := range a.All() {
		w, _ := b.Get(k)
		switch x := v.(type) {
		case int64:
			out.Set(k, x+count(b, k))
		case float64:
			y, _ := w.(float64)
			out.Set(k, x+y)
		}
	}
	return out
}
