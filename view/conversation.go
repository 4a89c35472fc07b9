package view

import (
	"fmt"
	"strings"

	"taste/chat"
	"taste/eval"
	"taste/pyjson"
	"taste/results"
)

// Conversation shows one simulation of r: who it is of, what the task wants, what
// was said and called, how it ended, and the score.
func (p *Page) Conversation(r *results.Results, s *results.Scored) {
	sim := s.Simulation
	p.head(r, sim)
	if t := r.Task(sim.TaskID); t != nil {
		p.Task(t)
	}
	p.messages(sim.Messages, 0)
	p.ending(&r.Info, sim)
	p.score(s)
	p.blank()
}

func (p *Page) head(r *results.Results, sim *results.Simulation) {
	p.rule(fmt.Sprintf("task %s, trial %s", sim.TaskID, Trial(sim)))
	parts := []string{r.Info.DomainName, "agent " + r.Info.AgentName(), "user " + r.Info.User.Name()}
	if sim.Seed != nil {
		parts = append(parts, fmt.Sprintf("seed %d", *sim.Seed))
	}
	parts = append(parts, fmt.Sprintf("%.1f s", sim.Duration))
	if cost := dollars(sim.AgentCost) + dollars(sim.UserCost); cost > 0 {
		parts = append(parts, fmt.Sprintf("$%.4f", cost))
	}
	p.block("", plain, strings.Join(parts, ", "), faint, 0)
	p.block("", plain, "simulation "+sim.ID, faint, 0)
	p.blank()
}

func dollars(cost *float64) float64 {
	if cost == nil {
		return 0
	}
	return *cost
}

// Trial spells the number of a simulation's trial.
func Trial(s *results.Simulation) string {
	if s.Trial == nil {
		return "–"
	}
	return fmt.Sprint(*s.Trial)
}

// speakers are the labels and colours of those who speak.
var speakers = map[string]struct {
	name string
	ink  ink
}{
	chat.Assistant: {"agent", cyan}, chat.User: {"user", green}, chat.System: {"system", yellow},
}

// messages shows those from a place on.
func (p *Page) messages(all []chat.Message, from int) {
	last := -1
	for _, part := range chat.Parts(all) {
		if part.Index < from {
			continue
		}
		number := ""
		if part.Index != last {
			number, last = fmt.Sprint(part.Index), part.Index
		}
		if part.Role == chat.Tool {
			p.answer(number, &part)
			continue
		}
		p.utterance(number, part.Message)
	}
	if len(all) == 0 {
		p.line("no messages", faint)
	}
}

// label is the margin of a message: its number, as evidence names it, and whose
// it is.
func label(number, who string) string { return fmt.Sprintf("%4s %-9s  ", number, who) }

// utterance shows what one side says and calls.
func (p *Page) utterance(number string, m *chat.Message) {
	who := speakers[m.Role]
	margin := label(number, who.name)
	if m.HasText() {
		p.block(margin, who.ink, m.Body(), plain, 0)
		margin = label("", "")
	}
	for i := range m.ToolCalls {
		c, arrow := &m.ToolCalls[i], "→ "
		if len(m.ToolCalls) > 1 {
			arrow = fmt.Sprintf("→ %d ", i+1)
		}
		if c.Owner() != m.Role {
			arrow += "as the " + c.Owner() + ": "
		}
		p.block(margin+arrow, who.ink, Call(c.Name, c.Args()), bold, 0)
		margin = label("", "")
	}
	if !m.HasText() && len(m.ToolCalls) == 0 {
		p.block(margin, who.ink, "(empty)", faint, 0)
	}
}

// answer shows what a tool returned, errors in full.
func (p *Page) answer(number string, part *chat.Part) {
	who := "tool"
	if part.Requestor == chat.User {
		who = "user tool"
	}
	mark, color, most := "← ", faint, answerLines
	if part.Error {
		mark, color, most = "✗ ", red, 0
	}
	if part.Number > 0 {
		mark += fmt.Sprintf("%d ", part.Number)
	}
	if part.Answers == nil {
		mark += "(to no call) "
	}
	body := part.Body()
	if body == "" {
		body = "(empty)"
	}
	p.block(label(number, who)+mark, color, body, color, most)
}

// Call spells a call as a program would.
func Call(name string, args *pyjson.Object) string {
	var parts []string
	for k, v := range args.All() {
		parts = append(parts, k+"="+string(pyjson.Append(nil, v, pyjson.UTF8)))
	}
	return name + "(" + strings.Join(parts, ", ") + ")"
}

// ending says how a conversation ended.
func (p *Page) ending(info *results.Info, sim *results.Simulation) {
	p.blank()
	color := plain
	if !eval.Finished(sim.Termination) {
		color = red
	}
	text := sim.Termination
	if words := endingWords(info, sim.Termination); words != "" {
		text += ": " + words
	}
	turns, calls := Count(sim.Messages)
	p.block("ended   ", bold, fmt.Sprintf("%s (%s, %s)", text, plural(turns, "turn"), plural(calls, "call")), color, 0)
	if sim.Info == nil {
		return
	}
	if why, _ := sim.Info.Get("error"); why != nil {
		p.block("cause   ", bold, pyjson.Str(why), color, 0)
	}
}

func endingWords(info *results.Info, reason string) string {
	switch reason {
	case "user_stop":
		return "the user ended the conversation"
	case "agent_stop":
		return "the agent ended the conversation"
	case "max_steps":
		return fmt.Sprintf("the limit of %d steps was reached", info.MaxSteps)
	case "too_many_errors":
		return fmt.Sprintf("the limit of %d errors was reached", info.MaxErrors)
	case "timeout":
		return "the time was up"
	case "context_window_exceeded":
		return "the conversation was too long for a model"
	case "agent_error":
		return "the agent gave up, or did what the protocol forbids"
	case "user_error":
		return "the user gave up, or did what the protocol forbids"
	case eval.Infrastructure:
		return "a fault outside of both sides"
	}
	return ""
}

// Count counts turns, messages with a text by agent or user, and calls.
func Count(messages []chat.Message) (turns, calls int) {
	for i := range messages {
		m := &messages[i]
		calls += len(m.ToolCalls)
		if m.HasText() && (m.Role == chat.Assistant || m.Role == chat.User) {
			turns++
		}
	}
	return turns, calls
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
