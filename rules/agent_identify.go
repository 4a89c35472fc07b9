package rules

import (
	"errors"

	"taste/chat"
	"taste/contract"
	"taste/phrase"
)

// identify establishes who the customer is: in a way for which everything was
// said, else by asking, way by way and once for each particular. Without an
// answer no wish is served. It returns no message once the customer is known or
// the matter is closed.
func (d *desk) identify(m *matter) (chat.Message, bool, error) {
	s := &contract.Scope{Contract: d.contract, Reader: d.known, Said: d.said}
	key, err := s.Identify()
	var read *contract.MissingRead
	switch {
	case err == nil:
		d.customer = key
		return chat.Message{}, false, nil
	case errors.As(err, &read):
		return d.make(read.Tool, read.Args)
	}
	slot, open := d.unsaid(s)
	if !open {
		m.closed = true
		return chat.Message{}, false, d.say(phrase.New("cannot_without", "slot", slot))
	}
	d.wondered[slot] = true
	d.question = question{matter: m, slot: slot}
	err = d.say(d.asksWho(slot))
	return d.text(), true, err
}

// unsaid names what is still to be asked for. If nothing is, it names what the
// customer did not say, or said of nobody whom the records know.
func (d *desk) unsaid(s *contract.Scope) (slot string, open bool) {
	for _, w := range d.contract.Customer.Identify {
		_, err := s.Find(w)
		var missing *contract.MissingSlot
		switch {
		case errors.As(err, &missing) && !d.wondered[missing.Slot]:
			return missing.Slot, true
		case slot == "" && missing != nil:
			slot = missing.Slot
		case slot == "":
			slot = w.Slots()[0]
		}
	}
	return slot, false
}

// asksWho is the question for a particular of the customer: one of its own,
// where the book has it.
func (d *desk) asksWho(slot string) phrase.Act {
	if spec := d.book.Spec(askPrefix + slot); spec != nil && spec.Role == phrase.ByHelp {
		return phrase.New(askPrefix + slot)
	}
	return phrase.New("ask_slot", "slot", slot)
}

// note takes in what the customer says of herself. Who takes it back may turn
// out to be somebody else.
func (d *desk) note(a phrase.Act) {
	if !d.contract.Identifies(a.Name) {
		return
	}
	for slot, v := range a.Slots {
		if old, said := d.said[slot]; said && old != v {
			d.customer, d.device = "", ""
			d.changed("")
		}
		d.said[slot] = v
	}
}
