package rules

import (
	"errors"
	"fmt"
	"strings"

	"taste/chat"
	"taste/contract"
	"taste/phrase"
)

// ask asks for a slot, once.
func (d *desk) ask(m *matter, slot string) (chat.Message, bool, error) {
	name := d.sayable(m, slot)
	if m.asked[slot] {
		m.closed = true
		return chat.Message{}, false, d.say(phrase.New("cannot_without", "slot", name))
	}
	if m.asked == nil {
		m.asked = map[string]bool{}
	}
	m.asked[slot] = true
	d.question = question{matter: m, slot: slot}
	act := phrase.New("ask_slot", "slot", name)
	if d.contract.Knows(slot) {
		act = d.asksWho(slot)
	}
	err := d.say(act)
	return d.text(), true, err
}

// sayable picks the name of a slot that the book has words for.
func (d *desk) sayable(m *matter, slot string) string {
	for _, name := range m.speech(slot) {
		if _, err := d.book.Render(phrase.New("ask_slot", "slot", name), phrase.Agent, d.draw); err == nil {
			return name
		}
	}
	return slot
}

// call makes a tool call, alone in its message; sentences wait for the next.
func (d *desk) call(tool string, args map[string]any) chat.Message {
	d.numbered++
	c := chat.ToolCall{ID: fmt.Sprintf("call_%d", d.numbered), Name: tool, Arguments: args}
	d.waiting = &c
	return chat.Calls(chat.Assistant, c)
}

func (d *desk) refuse(m *matter, why string) error {
	m.closed, d.refused = true, m
	if m.wish.Does == "" {
		return d.say(phrase.New("cannot_answer", "why", why))
	}
	return d.say(phrase.New("refuse", "wish", m.wish.Name, "why", why))
}

// tell answers a question with the slots of the question and the literal.
func (d *desk) tell(m *matter, literal string) error {
	name := tellPrefix + strings.TrimPrefix(m.wish.Name, askPrefix)
	spec := d.book.Spec(name)
	if spec == nil {
		return fmt.Errorf("answer %s: %w: no act %s", m.wish.Name, phrase.ErrAct, name)
	}
	a := phrase.Act{Name: name, Slots: map[string]any{}}
	for slot := range spec.Slots {
		if v, ok := m.said.Slots[slot]; ok {
			a.Slots[slot] = v
		} else {
			a.Slots[slot] = literal
		}
	}
	return d.say(a)
}

// propose restates the matter, with what was worked out of it, and asks for a
// yes. It may find that something has to be read first.
func (d *desk) propose(m *matter) (chat.Message, bool, error) {
	return d.offer(m, append([]phrase.Act{m.said}, m.details...), m.wish.Restate)
}

// offer spells acts out, and what was worked out, and asks for a yes.
func (d *desk) offer(m *matter, what []phrase.Act, restate []contract.Restate) (chat.Message, bool, error) {
	restated, err := m.scope.SpellOut(restate)
	if err != nil {
		w := obstacle(err)
		if w.read != nil {
			return d.make(w.read.Tool, w.read.Args)
		}
		return chat.Message{}, false, d.refuse(m, impossible)
	}
	acts := append([]phrase.Act{phrase.New("propose")}, what...)
	for _, r := range restated {
		acts = append(acts, phrase.Act{Name: r.Act, Slots: r.Slots})
	}
	d.question = question{matter: m}
	err = d.say(append(acts, phrase.New("confirm"))...)
	return d.text(), true, err
}

// say adds sentences to the next message.
func (d *desk) say(acts ...phrase.Act) error {
	var errs []error
	for _, a := range acts {
		s, err := d.book.Render(a, phrase.Agent, d.draw)
		errs = append(errs, err)
		d.out = append(d.out, s)
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("speak as agent: %w", err)
	}
	return nil
}

// text is the message with everything that waits to be said.
func (d *desk) text() chat.Message {
	m := chat.Text(chat.Assistant, strings.Join(d.out, " "))
	d.out = nil
	return m
}
