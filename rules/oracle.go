package rules

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"

	"taste/chat"
	"taste/phrase"
	"taste/sim"
	"taste/tau"
)

// Oracle makes agents that play the gold calls of a task in order, ask the
// customer for hers in the words of a book, say everything that is to be
// communicated, and end the conversation. Without a book they play the agent's
// calls alone.
func Oracle(t *tau.Task, b *phrase.Book) sim.NewAgent {
	return func(_ context.Context, s sim.AgentStart) (sim.Agent, error) {
		o := &oracle{book: b, draw: rand.New(rand.NewPCG(s.Seed, agentStream))}
		if c := t.EvaluationCriteria; c != nil {
			o.actions, o.info = c.Actions, c.CommunicateInfo
		}
		return o, nil
	}
}

type oracle struct {
	book    *phrase.Book
	draw    *rand.Rand
	actions []tau.Action
	info    []string
	at      int
	waits   *tau.Action // what the customer was asked for and has not done yet
	asked   int         // times
}

// Next implements sim.Agent.
func (o *oracle) Next(_ context.Context, history []chat.Message) (chat.Message, error) {
	if o.waits != nil && o.asked < askTimes {
		if h := listen(o.book, history[len(history)-1].Body(), phrase.First); h.has(saysHow) {
			return o.ask(walksThrough, o.waits)
		} else if !h.has(saysReading) {
			return o.ask(asksToDo, o.waits)
		}
	}
	o.waits, o.asked = nil, 0
	for o.at < len(o.actions) {
		a := &o.actions[o.at]
		o.at++
		switch {
		case a.Owner() == chat.User && o.book != nil:
			return o.ask(asksToDo, a)
		case a.Owner() == chat.Assistant:
			return chat.Calls(chat.Assistant, chat.ToolCall{ID: fmt.Sprintf("gold_%d", o.at), Name: a.Name, Arguments: a.Arguments}), nil
		}
	}
	lines := append(append([]string(nil), o.info...), sim.Stop)
	return chat.Text(chat.Assistant, strings.Join(lines, "\n")), nil
}

// ask has the customer make a call.
func (o *oracle) ask(act string, a *tau.Action) (chat.Message, error) {
	o.waits, o.asked = a, o.asked+1
	text, err := o.book.Render(phrase.New(act, "call", Spell(a.Name, a.Arguments)), phrase.Agent, o.draw)
	return chat.Text(chat.Assistant, text), err
}
