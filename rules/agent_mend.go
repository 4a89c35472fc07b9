package rules

import (
	"errors"
	"strings"

	"taste/chat"
	"taste/contract"
	"taste/phrase"
)

// A trouble is served in passes over the faults that can stand behind it, in the
// order of the contract: what tells whether a fault is there is read, by the agent
// or by the customer for it, and its repairs are made one after the other. Then
// the customer sees for herself. What two passes do not help is handed off.

// passes over the faults before a trouble is handed off, and how often a customer
// is asked for one thing.
const (
	mendPasses = 2
	askTimes   = 3
)

// mending is how far an agent has got with a trouble.
type mending struct {
	fault   int            // number of the fault that is looked at, of those behind the trouble
	shows   bool           // it is there
	step    int            // number of the repair that comes next
	passes  int            // done
	handoff map[string]any // a fault was found that only people can repair: what they are told of it
	checks  int            // times that the customer was asked to see for herself
}

// next goes on to the next fault.
func (m *mending) next() { m.fault, m.shows, m.step = m.fault+1, false, 0 }

// mend moves a trouble on: it returns a message, or none where the trouble had its
// outcome.
func (d *desk) mend(m *matter) (chat.Message, bool, error) {
	faults := d.contract.Behind(m.wish.Name)
	for m.fault < len(faults) {
		f := faults[m.fault]
		var w weighing
		switch {
		case !m.shows:
			w = d.diagnose(m, f)
		case m.step < len(f.Repairs):
			w = d.repair(m, &f.Repairs[m.step])
		default:
			m.next()
			continue
		}
		switch {
		case w.slot != "" && d.judge.supposes(m, w.slot):
		case w.read != nil || w.slot != "":
			return d.pursue(m, w)
		case w.handoff:
			m.handoff = w.args
			m.next()
		case w.why != "":
			m.next()
		case m.shows && w.args != nil:
			return d.mended(m, &f.Repairs[m.step], w.args)
		}
	}
	return d.looked(m)
}

// pursue makes the read or asks the question that has to come first.
func (d *desk) pursue(m *matter, w weighing) (chat.Message, bool, error) {
	if w.read != nil {
		return d.make(w.read.Tool, w.read.Args)
	}
	return d.ask(m, w.slot)
}

// locate finds out which device a trouble is about; it tells what has to come
// first.
func (d *desk) locate(m *matter) weighing {
	if d.device != "" || !m.wish.Trouble() || d.contract.Device.Finds == nil {
		return weighing{}
	}
	key, err := m.scope.FindDevice()
	if err != nil {
		return obstacle(err)
	}
	d.device, m.scope.Device = key, key
	return weighing{}
}

// diagnose tells whether a fault is there: then m.shows is set.
func (d *desk) diagnose(m *matter, f *contract.Defect) weighing {
	if !d.judge.looksFor(m, f) {
		return weighing{why: impossible}
	}
	shows, err := m.scope.Holds(f.Shows)
	switch {
	case err != nil:
		return obstacle(err)
	case !shows:
		return weighing{why: impossible}
	}
	m.shows = true
	return weighing{}
}

// repair works out the call of a repair and holds it to the policy.
func (d *desk) repair(m *matter, r *contract.Repair) weighing {
	args, err := evaluated(m.scope, r.Args)
	if err != nil {
		return obstacle(err)
	}
	if r.Tool == d.contract.Protocol.Handoff {
		return weighing{handoff: true, args: args}
	}
	if !d.judge.repairs(r.Tool, args) {
		return weighing{why: impossible}
	}
	m.passed = 0
	return held(d, m, args, rulesOf(d.contract, r.Tool), nil)
}

// mended makes the call of a repair, once the customer has agreed where that is
// asked for.
func (d *desk) mended(m *matter, r *contract.Repair, args map[string]any) (chat.Message, bool, error) {
	if len(r.Restate) == 0 || m.agreed || !d.contract.Protocol.Confirm {
		return d.make(r.Tool, args)
	}
	return d.offer(m, nil, r.Restate)
}

// made takes the outcome of a repair.
func (d *desk) made(m *matter, call *chat.ToolCall, failed bool) {
	m.agreed, d.question = false, question{}
	if failed {
		m.next()
		return
	}
	d.calls = append(d.calls, contract.Call{Name: call.Name, Args: call.Arguments, Before: d.record(call), Ask: m.join()})
	d.judge.did(m, call.Arguments)
	d.changed(call.Name)
	m.step++
}

// looked ends a pass: the customer sees for herself, or people take over. A
// trouble without a test is over when nothing more is found.
func (d *desk) looked(m *matter) (chat.Message, bool, error) {
	switch {
	case m.handoff != nil:
		return d.passOn(m, m.handoff, reasonIn(m.handoff))
	case m.passes == mendPasses:
		return d.passOn(m, d.handOff(m).args, helpless)
	case d.contract.Trouble(m.wish.Name).Solved == nil:
		m.closed = true
		return chat.Message{}, false, d.say(phrase.New("done", "wish", m.wish.Name))
	case m.checks == askTimes:
		m.closed = true
		return chat.Message{}, false, d.say(phrase.New("done", "wish", m.wish.Name))
	}
	m.checks++
	err := d.say(phrase.New(asksToCheck, "wish", m.wish.Name))
	return d.text(), true, err
}

// helpless is why people take over where no fault was found that is left to them.
const helpless = "nothing that can be done from here helps"

// passOn hands a trouble off; the customer hears why together with the notice.
func (d *desk) passOn(m *matter, args map[string]any, why string) (chat.Message, bool, error) {
	err := d.say(phrase.New(forPeople, "wish", m.wish.Name, "why", why))
	return d.call(d.contract.Protocol.Handoff, args), true, err
}

// reasonIn is what a hand-off tells, as words within a sentence.
func reasonIn(args map[string]any) string {
	for _, name := range sortedKeys(args) {
		if text, ok := args[name].(string); ok && text != "" {
			return strings.ToLower(text[:1]) + clause(text[1:])
		}
	}
	return helpless
}

// make makes a call, or has the customer make it with a tool of hers.
func (d *desk) make(tool string, args map[string]any) (chat.Message, bool, error) {
	if !d.contract.OfUser(tool) {
		return d.call(tool, args), true, nil
	}
	d.waiting, d.asked = &chat.ToolCall{Name: tool, Arguments: args, Requestor: chat.User}, 0
	return d.remind(asksToDo)
}

// remind asks the customer for the call that is waited for.
func (d *desk) remind(act string) (chat.Message, bool, error) {
	d.asked++
	err := d.say(phrase.New(act, "call", Spell(d.waiting.Name, d.waiting.Arguments)))
	return d.text(), true, err
}

// acted takes what the customer says about a call that she was asked for. Where
// it comes to nothing, the agent goes on without it.
func (d *desk) acted(a phrase.Act) {
	call, m := d.waiting, d.current()
	switch {
	case a.Name == saysReading && call != nil:
		text := a.Str("text")
		failed := strings.HasPrefix(text, "Error")
		d.waiting = nil
		if d.contract.Tools[call.Name].Type == "WRITE" {
			d.made(m, call, failed)
		} else {
			d.known.put(read{call.Name, call.Arguments}, text, failed)
		}
	case a.Name == saysHow:
		d.walks = true
	case a.Name == "wont_do" || a.Name == "no_such_tool":
		d.giveUp()
	case m == nil || m.checks == 0:
	case a.Name == saysWorks:
		m.closed = true
	case a.Name == saysBroken:
		m.mending = mending{passes: m.passes + 1, checks: m.checks, handoff: m.handoff}
		d.changed("")
	}
}

// await asks again for the call that is waited for, and gives it up in the end.
func (d *desk) await() (chat.Message, bool, error) {
	switch {
	case d.walks:
		d.walks = false
		return d.remind(walksThrough)
	case d.asked < askTimes:
		return d.remind(asksToDo)
	}
	d.giveUp()
	return chat.Message{}, false, nil
}

var errUndone = errors.New("the customer does not do it")

// giveUp goes on without the call that is waited for.
func (d *desk) giveUp() {
	call, m := d.waiting, d.current()
	d.waiting = nil
	switch {
	case call == nil:
	case d.contract.Tools[call.Name].Type == "WRITE":
		d.made(m, call, true)
	default:
		d.known.fail(read{call.Name, call.Arguments}, errUndone)
	}
}
