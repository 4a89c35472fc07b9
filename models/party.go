package models

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"taste/chat"
	"taste/llm"
	"taste/pyjson"
	"taste/sim"
)

// party is a model as agent or user of one conversation.
type party struct {
	model   llm.Model
	price   func(llm.Usage) *float64
	side    string
	request llm.Request // with the turns so far
	seed    uint64
	turn    int

	told  int         // messages of the history that stand in the request
	own   llm.Message // the party's last message, as the provider gave it
	again int         // times that it was asked anew without news
	spent llm.Usage   // by this message
	cost  *float64    // of it, in dollars; nil: not known
}

// vainTries is how often a party may say nothing or spoil the arguments of a call,
// where one message is wanted.
const vainTries = 3

var (
	errSilent    = fmt.Errorf("%w: messages without text and calls", sim.ErrGaveUp)
	errArguments = fmt.Errorf("%w: calls whose arguments are no JSON object", sim.ErrGaveUp)
	errWithheld  = fmt.Errorf("%w: the answer was withheld", sim.ErrGaveUp)
)

// Next implements sim.Agent and sim.User. Reasoning goes back to the provider with
// the turns that it belongs to. A message that is empty, or whose calls are spoilt, is asked for anew;
// what none of the attempts gets right is the party's own failure, as are answers
// that were withheld and conversations too long for the model.
func (p *party) Next(ctx context.Context, history []chat.Message) (chat.Message, error) {
	p.catchUp(history)
	var vain error
	for range vainTries {
		p.request.Trial = trialOf(p.seed, p.again)
		p.again++
		res, err := p.model.Call(ctx, &p.request)
		if err != nil {
			return chat.Message{}, p.fault(err)
		}
		p.pay(res.Usage)
		if vain = inVain(res); vain == nil {
			return p.accept(res)
		}
	}
	return chat.Message{}, fmt.Errorf("turn %d: %w", p.turn, vain)
}

// catchUp takes what is new in the history into the request.
func (p *party) catchUp(history []chat.Message) {
	if len(history) > p.told {
		p.again, p.spent, p.cost = 0, llm.Usage{}, nil
		p.turn++
	}
	for i := p.told; i < len(history); i++ {
		m := &history[i]
		if m.Role == p.side && p.own.Role != "" {
			p.request.Messages = append(p.request.Messages, p.own)
			p.own = llm.Message{}
			continue
		}
		p.request.Messages = append(p.request.Messages, p.turnOf(m))
	}
	p.told = len(history)
}

// turnOf shows a message of the record to the model, which is the assistant
// whichever side it plays.
func (p *party) turnOf(m *chat.Message) llm.Message {
	switch m.Role {
	case chat.Tool:
		return llm.Message{Role: chat.Tool, Text: m.Body(), CallID: m.ID, Failed: m.Error}
	case p.side:
		out := llm.Message{Role: chat.Assistant, Text: m.Body()}
		for i := range m.ToolCalls {
			c := &m.ToolCalls[i]
			out.Calls = append(out.Calls, llm.Call{ID: c.ID, Name: c.Name, Arguments: pyjson.Append(nil, c.Args(), pyjson.UTF8)})
		}
		return out
	}
	return llm.Message{Role: chat.User, Text: m.Body()}
}

// inVain says why an answer is no message; nil: it is one, or was withheld.
func inVain(r *llm.Response) error {
	for _, c := range r.Message.Calls {
		if c.Arguments == nil {
			return errArguments
		}
	}
	if len(r.Message.Calls) == 0 && strings.TrimSpace(r.Message.Text) == "" && !withheld(r) {
		return errSilent
	}
	return nil
}

func withheld(r *llm.Response) bool { return r.Stop == llm.Refusal || r.Stop == llm.Filtered }

// accept turns an answer into a message of the record.
func (p *party) accept(res *llm.Response) (chat.Message, error) {
	text := res.Message.Text
	if len(res.Message.Calls) == 0 && text == "" && withheld(res) {
		return chat.Message{}, fmt.Errorf("turn %d: %w: %s", p.turn, errWithheld, res.Reason)
	}
	own := res.Message
	own.Role = chat.Assistant
	o := pyjson.NewObject("role", p.side, "content", nil)
	if text != "" {
		o.Set("content", text)
	}
	calls, err := p.calls(&own)
	if err != nil {
		return chat.Message{}, err
	}
	if len(calls) > 0 {
		o.Set("tool_calls", calls)
	}
	p.bill(o)
	m, err := chat.ReadMessage(o, "")
	if err != nil {
		return chat.Message{}, fmt.Errorf("%w: turn %d: %w", sim.ErrGaveUp, p.turn, err)
	}
	p.own = own
	return m, nil
}

// calls lists the calls as the record has them. A call without an id gets one.
func (p *party) calls(own *llm.Message) ([]any, error) {
	own.Calls = append([]llm.Call(nil), own.Calls...)
	var out []any
	for i := range own.Calls {
		c := &own.Calls[i]
		if c.ID == "" {
			c.ID = fmt.Sprintf("call_%d_%d", p.turn, i)
		}
		args, err := pyjson.DecodeObject(c.Arguments)
		if err != nil {
			return nil, fmt.Errorf("turn %d: %w: %w", p.turn, errArguments, err)
		}
		out = append(out, pyjson.NewObject("id", c.ID, "name", c.Name, "arguments", args, "requestor", p.side))
	}
	return out, nil
}

// pay counts a call. What a message costs is known if each of its calls has a price.
func (p *party) pay(u llm.Usage) {
	first := p.spent.Calls == 0
	p.spent.Add(u)
	if p.price == nil || !first && p.cost == nil {
		return
	}
	dollars := p.price(u)
	if dollars != nil && !first {
		*dollars += *p.cost
	}
	p.cost = dollars
}

// bill records what the message took, vain attempts included.
func (p *party) bill(o *pyjson.Object) {
	if p.cost != nil {
		o.Set("cost", *p.cost)
	}
	usage := pyjson.NewObject("prompt_tokens", p.spent.Input, "completion_tokens", p.spent.Output)
	if p.spent.Cached > 0 {
		usage.Set("cached_tokens", p.spent.Cached)
	}
	if p.spent.Reasoning > 0 {
		usage.Set("reasoning_tokens", p.spent.Reasoning)
	}
	o.Set("usage", usage)
}

// fault tells a party's own failure from the machinery's.
func (p *party) fault(err error) error {
	switch e, ok := errors.AsType[*llm.Error](err); {
	case !ok:
	case e.Class == llm.TooLong:
		err = fmt.Errorf("%w: %w", sim.ErrTooLong, err)
	case e.Class == llm.Blocked:
		err = fmt.Errorf("%w: %w", sim.ErrGaveUp, err)
	case e.Hopeless():
		err = fmt.Errorf("%w: %w", sim.ErrHopeless, err)
	}
	return fmt.Errorf("turn %d: %w", p.turn, err)
}

// begin renders a party's prompt.
func (b *Base) begin(name, side string, data any, tools []chat.ToolSpec, seed uint64, conversation string) (*party, error) {
	p, err := b.prompt(name)
	if err != nil {
		return nil, err
	}
	r, err := p.Request(data)
	if err != nil {
		return nil, err
	}
	if r.Tools, err = functions(tools); err != nil {
		return nil, err
	}
	number := int64(trialOf(seed, 0))
	r.Seed = &number
	r.Label = llm.Label{Role: name, Item: conversation}
	return &party{model: b.Model, price: b.Price, side: side, request: r, seed: seed}, nil
}
