package rules

import (
	"taste/phrase"
)

// hear takes in a message of the customer.
func (d *desk) hear(text string) {
	h := listen(d.book, text, phrase.First)
	d.strange, d.farewell = len(h.acts) == 0, h.has("nothing_else")
	about := d.latest()
	if q := d.question; q.slot != "" && q.matter != nil && !q.matter.closed {
		about = q.matter
	}
	for _, a := range h.acts {
		switch d.book.Spec(a.Name).Role {
		case phrase.Fact:
			if id := a.Str(d.contract.Protocol.Identify); id != "" && id != d.customer {
				d.customer = id
				d.changed()
			}
		case phrase.Wish, phrase.Ask:
			about = d.bring(a, about)
		case phrase.Detail:
			if about != nil {
				about.add(a)
			}
		case phrase.ByUser:
			d.respond(a)
		}
	}
}

// latest is the matter brought up last, nil if it is closed.
func (d *desk) latest() *matter {
	if n := len(d.matters); n > 0 && !d.matters[n-1].closed {
		return d.matters[n-1]
	}
	return nil
}

// bring opens a matter, unless it is the one spoken about that is said again
// in answer to a question, and returns the matter that is spoken about now.
func (d *desk) bring(a phrase.Act, about *matter) *matter {
	w := d.contract.Wish(a.Name)
	if w == nil {
		return about
	}
	if about != nil && about.said.Name == a.Name {
		if about.said.String() == a.String() {
			return about
		}
		if d.question.matter == about && d.question.slot != "" {
			about.said, about.agreed = a, false
			about.void()
			return about
		}
	}
	m := &matter{wish: w, said: a}
	d.matters = append(d.matters, m)
	return m
}

// respond takes yes, no and the wish to be asked again.
func (d *desk) respond(a phrase.Act) {
	m, slot := d.question.matter, d.question.slot
	if m == nil || m.closed {
		return
	}
	switch {
	case a.Name == "rephrase" && slot == d.contract.Protocol.Identify:
		d.asked = false
	case a.Name == "rephrase":
		delete(m.asked, slot)
	case slot != "":
	case a.Name == "yes":
		m.agreed = true
	case a.Name == "no" || a.Name == "decline":
		m.closed = true
	}
}
