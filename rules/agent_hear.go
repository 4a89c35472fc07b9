package rules

import (
	"taste/phrase"
)

// hear takes in a message of the customer.
func (d *desk) hear(text string) {
	h := listen(d.book, text, phrase.First)
	d.strange, d.farewell = len(h.acts) == 0, h.has("nothing_else")
	t := &hearing{desk: d, corrects: h.has("correct"), agrees: h.has("yes") && d.proposed() != nil}
	t.about = d.latest()
	if q := d.question; q.matter != nil && !q.matter.closed && (q.slot != "" || t.corrects) {
		t.about = q.matter
	}
	for _, a := range h.acts {
		t.take(a)
	}
}

// proposed is the matter that waits for the customer's yes.
func (d *desk) proposed() *matter {
	if m := d.question.matter; m != nil && !m.closed && d.question.slot == "" {
		return m
	}
	return nil
}

// latest is the matter brought up last, nil if it is closed.
func (d *desk) latest() *matter {
	if n := len(d.matters); n > 0 && !d.matters[n-1].closed {
		return d.matters[n-1]
	}
	return nil
}

// hearing is a message of the customer while it is taken in.
type hearing struct {
	*desk
	about    *matter // what is spoken about
	corrects bool    // the customer takes something back
	agrees   bool    // the customer says yes to a proposal
}

func (t *hearing) take(a phrase.Act) {
	if t.contract.Evolution.Claim(a.Name) != nil {
		if t.about != nil {
			t.about.claims = append(t.about.claims, a)
			t.about.void()
		}
		return
	}
	switch t.book.Spec(a.Name).Role {
	case phrase.Fact:
		t.note(a)
	case phrase.Wish, phrase.Ask:
		t.bring(a)
	case phrase.Detail:
		if t.about != nil {
			t.about.add(a)
		}
	case phrase.ByUser:
		t.respond(a)
	}
}

// bring opens a matter, unless it is the one spoken about that is said again,
// or put right, in answer to a question.
func (t *hearing) bring(a phrase.Act) {
	w := t.contract.Wish(a.Name)
	if w == nil {
		return
	}
	if m := t.about; m != nil && m.said.Name == a.Name {
		if m.said.String() == a.String() {
			return
		}
		if t.corrects || t.question.matter == m && t.question.slot != "" {
			m.said, m.agreed = a, false
			m.void()
			return
		}
	}
	t.about = &matter{wish: w, said: a, rider: t.agrees}
	t.matters = append(t.matters, t.about)
}

// respond takes yes and no, the wish to be asked again, insistence and the
// demand for a colleague.
func (t *hearing) respond(a phrase.Act) {
	switch a.Name {
	case "press":
		t.reopen()
		return
	case "want_supervisor":
		t.demanded = true
		return
	case saysReading, saysHow, "wont_do", "no_such_tool", saysWorks, saysBroken:
		t.acted(a)
		return
	}
	m, slot := t.question.matter, t.question.slot
	if m == nil || m.closed {
		return
	}
	switch {
	case a.Name == "rephrase" && t.customer == "" && t.contract.Knows(slot):
		delete(t.wondered, slot)
	case a.Name == "rephrase":
		delete(m.asked, slot)
	case slot != "":
	case a.Name == "yes":
		m.agreed = true
	case a.Name == "no" || a.Name == "decline":
		m.closed = true
	}
}

// reopen takes up again what was refused last, for the customer insists.
func (t *hearing) reopen() {
	if m := t.refused; m != nil {
		m.closed, m.agreed, m.pressed = false, false, true
		m.void()
		t.about = m
	}
	t.refused = nil
}
