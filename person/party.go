package person

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"taste/chat"
	"taste/pyjson"
	"taste/sim"
)

// party is a person in one conversation.
type party struct {
	t     *Terminal
	name  string // as the person is addressed
	side  string
	tools []chat.ToolSpec
	texts []text // what the person was given, to be looked up
	shown int    // messages of the history
	turn  int
}

// text is something to be looked up by a command.
type text struct{ command, about, body string }

// Agent makes a person the agent of a conversation.
func (t *Terminal) Agent(_ context.Context, s sim.AgentStart) (sim.Agent, error) {
	p := &party{t: t, name: "agent", side: chat.Assistant, tools: s.Tools, texts: []text{{"policy", "the policy", s.Policy}}}
	if s.Ticket != "" {
		p.texts = append(p.texts, text{"ticket", "the ticket, which is worked on without a user", s.Ticket})
	}
	if s.Gold != nil {
		var steps []string
		for i := range s.Gold {
			a := &s.Gold[i]
			steps = append(steps, fmt.Sprintf("%d. %s: %s %s", i+1, a.Owner(), a.Name, pyjson.Dumps(a.Args())))
		}
		p.texts = append(p.texts, text{"gold", "the calls that solve the task", strings.Join(steps, "\n")})
	}
	return p, nil
}

// User makes a person the user of a conversation.
func (t *Terminal) User(_ context.Context, s sim.UserStart) (sim.User, error) {
	texts := []text{{"scenario", "whom you play, and what you want", pretty(s.Scenario.JSON())}}
	if s.Guidelines != "" {
		texts = append(texts, text{"guidelines", "how users are played", s.Guidelines})
	}
	return &party{t: t, name: "user", side: chat.User, tools: s.Tools, texts: texts}, nil
}

// Next implements sim.Agent and sim.User.
func (p *party) Next(ctx context.Context, history []chat.Message) (chat.Message, error) {
	if p.turn == 0 {
		p.brief()
	}
	p.tell(history)
	m, err := p.compose(ctx)
	p.turn++
	return m, err
}

// End implements sim.Ender.
func (p *party) End(_ context.Context, reason sim.Reason, history []chat.Message) {
	p.tell(history)
	p.t.show("-- the conversation has ended (%s)\n", reason)
}

// brief says what the person is to do: all that is short, and where to read
// the rest.
func (p *party) brief() {
	p.t.show("-- you are the %s; /help says what you can do\n", p.name)
	for _, x := range p.texts {
		if x.command == "scenario" || x.command == "ticket" {
			p.t.show("%s\n", x.body)
		}
	}
}

// tell shows what has been said and done since the person moved.
func (p *party) tell(history []chat.Message) {
	for i := p.shown; i < len(history); i++ {
		m := &history[i]
		switch {
		case m.Role == chat.Tool:
			failed := ""
			if m.Error {
				failed = " failed"
			}
			p.t.show("[%s%s] %s\n", p.called(history[:i], m.ID), failed, m.Body())
		case m.Role == p.side && p.turn > 0: // the person has just typed it
		case m.ToolCalls != nil:
			p.t.show("%s calls %s\n", speaker(m.Role), names(m.ToolCalls))
		default:
			p.t.show("%s: %s\n", speaker(m.Role), m.Body())
		}
	}
	p.shown = len(history)
}

func speaker(role string) string {
	if role == chat.Assistant {
		return "agent"
	}
	return role
}

func names(calls []chat.ToolCall) string {
	var out []string
	for i := range calls {
		out = append(out, calls[i].Name)
	}
	return strings.Join(out, ", ")
}

// called names the tool that an answer is of.
func (p *party) called(before []chat.Message, id string) string {
	for _, m := range slices.Backward(before) {
		for i := range m.ToolCalls {
			if m.ToolCalls[i].ID == id {
				return m.ToolCalls[i].Name
			}
		}
	}
	return id
}
