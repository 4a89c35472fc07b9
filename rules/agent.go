package rules

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"

	"taste/chat"
	"taste/contract"
	"taste/phrase"
)

// judgement decides what to do about a matter. It is where agents differ: all
// of them listen, ask, propose and report alike.
type judgement interface {
	// weigh may evaluate m.scope, which knows what the agent has read.
	weigh(d *desk, m *matter) weighing
	// did tells that the call of a matter was made and succeeded.
	did(m *matter, args map[string]any)
	// passesOn tells whether a matter goes to a colleague because the customer
	// demands one.
	passesOn() bool
	// looksFor tells whether the agent looks for a fault behind a trouble.
	looksFor(m *matter, f *contract.Defect) bool
	// supposes fills a slot of a trouble that the customer did not say, and tells
	// whether it did.
	supposes(m *matter, slot string) bool
	// repairs tells whether it makes a call that would repair something.
	repairs(tool string, args map[string]any) bool
}

// desk is an agent of the service desk in one conversation. It speaks with the
// phrase book and thinks with the contract; it knows its own calls' answers
// and the messages, nothing else.
type desk struct {
	contract *contract.Contract
	book     *phrase.Book
	judge    judgement
	draw     *rand.Rand
	known    *learnt

	seen     int             // messages of the history that were taken
	said     map[string]any  // what the customer said of herself, by slot
	wondered map[string]bool // slots of that which the customer was asked for
	customer string          // her key, once it is known
	device   string          // that of the record of her device, once it is known
	matters  []*matter
	calls    []contract.Call // writes that were made
	waiting  *chat.ToolCall  // the call whose answer is awaited; the customer's, where she was asked to make it
	asked    int             // times that she was asked for it
	walks    bool            // she wants to know how it is done
	question question        // what the customer was asked last
	out      []string        // sentences to say in the next message
	strange  bool            // nothing in the last message was recognised
	farewell bool            // the customer needs nothing else
	demanded bool            // the customer demands a colleague
	refused  *matter         // what was refused last
	handed   bool            // a human takes over
	numbered int             // calls made
}

// question is what an agent waits for from the customer.
type question struct {
	matter *matter
	slot   string // "" where the question is for a yes
}

func newDesk(c *contract.Contract, b *phrase.Book, seed uint64, texts *decoded, j judgement) *desk {
	return &desk{
		contract: c, book: b, judge: j, draw: rand.New(rand.NewPCG(seed, agentStream)), known: newLearnt(texts),
		said: map[string]any{}, wondered: map[string]bool{},
	}
}

// Next implements sim.Agent.
func (d *desk) Next(_ context.Context, history []chat.Message) (chat.Message, error) {
	for i := range history[d.seen:] {
		m := &history[d.seen+i]
		switch m.Role {
		case chat.User:
			d.hear(m.Body())
		case chat.Tool:
			if err := d.answered(m); err != nil {
				return chat.Message{}, err
			}
		}
	}
	d.seen = len(history)
	return d.act()
}

// answered takes the answer to the call under way.
func (d *desk) answered(m *chat.Message) error {
	call := d.waiting
	d.waiting = nil
	if call == nil {
		return nil
	}
	cur := d.current()
	switch {
	case call.Name == d.contract.Protocol.Handoff:
		d.handed = true
	case d.contract.Tools[call.Name].Type != "WRITE":
		d.known.put(read{call.Name, call.Arguments}, m.Body(), m.Error)
	case cur.wish.Trouble():
		d.made(cur, call, m.Error)
	case m.Error:
		return d.refuse(cur, clause(strings.TrimPrefix(m.Body(), "Error: ")))
	default:
		d.calls = append(d.calls, contract.Call{Name: call.Name, Args: call.Arguments, Before: d.record(call), Ask: cur.join()})
		d.judge.did(cur, call.Arguments)
		d.changed(call.Name)
		cur.closed = true
		return d.say(phrase.New("done", "wish", cur.wish.Name))
	}
	return nil
}

// record returns the record that a call is about as it was read last, or nil.
func (d *desk) record(call *chat.ToolCall) any {
	for _, kind := range sortedKeys(d.contract.Records) {
		rec := d.contract.Records[kind]
		r := d.contract.Reads[rec.Read]
		key, ok := call.Arguments[rec.Key]
		if !ok || len(r.Args) != 1 {
			continue
		}
		if v, err := d.known.Read(r.Tool, map[string]any{r.Args[0]: key}); err == nil {
			return v
		}
	}
	return nil
}

// changed forgets what a write may have changed; "" stands for any write.
func (d *desk) changed(write string) {
	d.known.forget(func(read string) bool { return d.contract.MovedBy(write, read) })
	for _, m := range d.matters {
		m.void()
	}
}

// current is the first matter that has not had its outcome.
func (d *desk) current() *matter {
	i := slices.IndexFunc(d.matters, func(m *matter) bool { return !m.closed })
	if i < 0 {
		return nil
	}
	return d.matters[i]
}

// act makes the next move.
func (d *desk) act() (chat.Message, error) {
	if d.demanded {
		if msg, ok, err := d.supervise(); ok || err != nil {
			return msg, err
		}
	}
	if d.waiting != nil {
		if msg, ok, err := d.await(); ok || err != nil {
			return msg, err
		}
	}
	for {
		m := d.current()
		switch {
		case d.handed:
			d.out = append(d.out, d.contract.Protocol.Notice)
			return d.text(), nil
		case m == nil:
			return d.idle()
		case d.customer == "" && d.contract.Protocol.Identify:
			if msg, ok, err := d.identify(m); ok || err != nil {
				return msg, err
			}
		default:
			if msg, ok, err := d.serve(m); ok || err != nil {
				return msg, err
			}
		}
	}
}

// supervise deals with the demand for a colleague.
func (d *desk) supervise() (chat.Message, bool, error) {
	d.demanded = false
	if m := d.current(); m != nil && d.judge.passesOn() {
		return d.call(d.contract.Protocol.Handoff, d.handOff(m).args), true, nil
	}
	return chat.Message{}, false, d.say(phrase.New("stay"))
}

// idle speaks when no matter is open.
func (d *desk) idle() (chat.Message, error) {
	act := phrase.New("anything_else")
	switch {
	case d.strange && len(d.out) == 0:
		act = phrase.New("not_understood")
	case d.farewell:
		act = phrase.New("goodbye")
	}
	err := d.say(act)
	return d.text(), err
}

// serve moves a matter on. It returns no message where the matter had its
// outcome, which is then among the sentences to say.
func (d *desk) serve(m *matter) (chat.Message, bool, error) {
	if m.scope == nil {
		m.scope = d.scope(m)
	}
	if m.wish.Trouble() {
		if w := d.locate(m); w.read != nil || w.slot != "" {
			return d.pursue(m, w)
		}
		return d.mend(m)
	}
	w := d.judge.weigh(d, m)
	switch {
	case w.read != nil:
		return d.make(w.read.Tool, w.read.Args)
	case w.slot != "":
		return d.ask(m, w.slot)
	case w.tells != "":
		m.closed = true
		return chat.Message{}, false, d.tell(m, w.tells)
	case w.handoff:
		return d.call(d.contract.Protocol.Handoff, w.args), true, nil
	case w.why != "":
		return chat.Message{}, false, d.refuse(m, w.why)
	case m.wish.Does == d.contract.Protocol.Handoff || m.agreed || !d.contract.Protocol.Confirm:
		return d.call(m.wish.Does, w.args), true, nil
	}
	return d.propose(m)
}

// scope is what a matter is evaluated in.
func (d *desk) scope(m *matter) *contract.Scope {
	return &contract.Scope{
		Contract: d.contract, Reader: d.known, Wish: m.wish, Ask: m.join(), Customer: d.customer, Device: d.device, Said: d.said,
		Calls: d.calls, Extra: authorless(),
	}
}
