package phrase

import "math/rand/v2"

// ComposeTicket words a brief as a ticket, from which somebody serves the customer
// without a word to her: who she is, and each wish in order with its details and
// with what shows that it is done. Moods, persona and twists are no part of it: nobody
// meets the customer. The result is a function of the arguments; errors wrap ErrAct.
func ComposeTicket(b *Book, brief Brief, draw *rand.Rand) (string, error) {
	var out []string
	for _, act := range brief.ticket() {
		s, err := b.Render(act, Ticket, draw)
		if err != nil {
			return "", err
		}
		out = append(out, s)
	}
	return join(out...), nil
}

// ticket lists the acts that a ticket is made of.
func (brief *Brief) ticket() []Act {
	out := append([]Act{}, brief.Facts...)
	for _, item := range brief.Items {
		out = append(append(append(out, item.Wish), item.Details...), item.Conduct...)
	}
	return out
}

// ReadTicket takes a ticket apart again, as Read does with a scenario.
func ReadTicket(b *Book, ticket string) (brief Brief, unread []string) {
	for _, sent := range sentences(ticket) {
		act, ok := b.parseSentence(ticket, sent, Ticket)
		if !ok || !brief.take(b.byName[act.Name], act) {
			unread = append(unread, ticket[sent.start:sent.end])
		}
	}
	return brief, unread
}
