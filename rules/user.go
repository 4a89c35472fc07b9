package rules

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"taste/chat"
	"taste/phrase"
	"taste/sim"
	"taste/tau"
)

// ErrUnreadable says that the prose of a scenario or a ticket is none of the phrase
// book's, so that a rules role cannot tell what the customer wants.
var ErrUnreadable = errors.New("the words cannot be read with this phrase book")

// Customer makes rules users. A user knows the strings of its scenario and
// nothing else: what they do not say it does not know. It brings its wishes up
// one at a time, answers questions, says yes to a proposal only if everything
// in it that a customer can know is what it was told, and ends the
// conversation when every wish has had its outcome. Where twists say so it
// misspeaks until it hears its slip read back, names a look-alike until it is
// refused there, holds details back until asked, makes false claims, presses
// once after a refusal, asks once for a supervisor, or brings a wish up with
// the yes to the one before; what was done it takes as done. With tools of its own it makes one call at a
// time, as it is asked to, reports the answer word for word, and sees for itself
// whether a trouble is over by the test that its scenario names. In free English it answers
// what it recognises; after two messages in a row without anything that it
// recognises it gives up, which ends the conversation as user_error.
//
// The error of making one wraps ErrUnreadable for a scenario with a sentence that
// is not of the book: a customer who passes over it would want something else.
func Customer(b *phrase.Book) sim.NewUser {
	return func(ctx context.Context, s sim.UserStart) (sim.User, error) {
		brief, unread := phrase.Read(b, scenarioText(s.Scenario))
		if len(unread) > 0 {
			return nil, fmt.Errorf("make user: %w: %q", ErrUnreadable, unread[0])
		}
		return told(b, brief)(ctx, s)
	}
}

// told makes users that were told a brief, whatever their scenario.
func told(b *phrase.Book, brief phrase.Brief) sim.NewUser {
	return func(_ context.Context, s sim.UserStart) (sim.User, error) {
		return &customer{
			book: b, draw: rand.New(rand.NewPCG(s.Seed, userStream)), hands: newHands(s.Tools, brief.Persona),
			facts: brief.Facts, errands: errandsOf(brief.Items),
		}, nil
	}
}

// errandsOf lists the errands with a settled one behind them, which is under
// way when nothing else is.
func errandsOf(items []phrase.Item) []*errand {
	var out []*errand
	for _, item := range items {
		out = append(out, newErrand(item))
	}
	return append(out, &errand{})
}

// Streams of random numbers, one a role.
const (
	userStream = iota + 0x75736572
	agentStream
	hintStream
)

// scenarioText takes the strings of a scenario that a user is told.
func scenarioText(s tau.UserScenario) phrase.Scenario {
	i := s.Instructions.Structured
	if i == nil {
		return phrase.Scenario{TaskInstructions: s.Instructions.Plain}
	}
	out := phrase.Scenario{Domain: i.Domain, ReasonForCall: i.ReasonForCall, TaskInstructions: i.TaskInstructions}
	if s.Persona != nil {
		out.Persona = *s.Persona
	}
	if i.KnownInfo != nil {
		out.KnownInfo = *i.KnownInfo
	}
	if i.UnknownInfo != nil {
		out.UnknownInfo = *i.UnknownInfo
	}
	return out
}

// customer is the user of one conversation.
type customer struct {
	book *phrase.Book
	draw *rand.Rand
	hands
	facts   []phrase.Act
	errands []*errand // the last stands for none

	at      int          // number of the errand under way
	opened  bool         // the first wish was brought up
	offer   heard        // the proposal heard last
	objects []phrase.Act // what to say against a refusal just heard
	admits  []phrase.Act // what to say before anything else
	strange int          // messages in a row without anything recognised
}

var errLost = fmt.Errorf("%w: two messages in a row that the user does not recognise", sim.ErrGaveUp)

// Next implements sim.User.
func (u *customer) Next(_ context.Context, history []chat.Message) (chat.Message, error) {
	if u.doing != nil {
		return u.speak(u.read(history[len(history)-1].Body())...)
	}
	return u.reply(unanswered(history))
}

// unanswered returns what the agent has said since the user spoke: its text,
// and before it what it may have said while it was still at work.
func unanswered(history []chat.Message) string {
	from := len(history)
	for from > 0 && history[from-1].Role == chat.Assistant {
		from--
	}
	var texts []string
	for i := range history[from:] {
		texts = append(texts, history[from+i].Body())
	}
	return strings.Join(texts, "\n")
}

// reply answers a message of the agent: by a call that it asks for, else in words.
func (u *customer) reply(text string) (chat.Message, error) {
	if !u.opened {
		u.opened = true
		return u.speak(append([]phrase.Act{phrase.New("hello")}, u.wish()...)...)
	}
	h := listen(u.book, text, phrase.Agent)
	u.notice(h)
	call, answer := u.handle(h)
	if call != nil {
		u.strange = 0
		return chat.Calls(chat.User, *call), nil
	}
	if answer == nil {
		answer = slices.Concat(u.admits, u.answer(h))
	}
	u.objects, u.admits = nil, nil
	if len(answer) == 0 {
		if u.strange++; u.strange > 1 {
			return chat.Message{}, errLost
		}
		return u.speak(phrase.New("rephrase"))
	}
	u.strange = 0
	return u.speak(answer...)
}

func (u *customer) speak(acts ...phrase.Act) (chat.Message, error) {
	text, err := u.say(acts...)
	return chat.Text(chat.User, text), err
}

// current is the errand under way.
func (u *customer) current() *errand { return u.errands[u.at] }

// over reports whether no errand is under way.
func (u *customer) over() bool { return u.at == len(u.errands)-1 }

// answer finds the acts of the reply, nil if nothing was recognised.
func (u *customer) answer(h heard) []phrase.Act {
	switch {
	case h.has("handoff"):
		return []phrase.Act{phrase.New("transfer")}
	case u.objects != nil:
		return u.objects
	case h.has("confirm") || h.has("propose"):
		u.offer = h
		return u.consent(h)
	case h.asks():
		return u.particulars(h)
	case u.current().closed:
		return u.next()
	case u.current().waits && h.has(hearsStay):
		return u.consent(u.offer)
	case h.has("anything_else") || h.has("goodbye"):
		return u.hasty(h)
	case h.has("greet") || h.has("ask_wish") || h.has("not_understood"):
		return u.wishOrEnd()
	case len(h.acts) > 0:
		return []phrase.Act{phrase.New("thanks")}
	}
	return nil
}

// hasty answers an agent that would go on to other things. A question counts
// as answered if something was said beside; a wish that was neither agreed on
// nor refused is repeated once, or the customer objects to what was said.
func (u *customer) hasty(h heard) []phrase.Act {
	e := u.current()
	asked := len(h.unread) > 0 && !u.over() && u.role(e.Wish) == phrase.Ask
	if u.over() || e.agreed || asked || e.urged {
		return u.next()
	}
	e.urged = true
	if len(h.unread) > 0 {
		u.objects = e.objects()
	}
	if u.objects != nil {
		return u.objects
	}
	return u.wish()
}

// next goes on to the next wish, or ends.
func (u *customer) next() []phrase.Act {
	if !u.over() {
		u.at++
	}
	return u.wishOrEnd()
}

func (u *customer) wishOrEnd() []phrase.Act {
	if w := u.wish(); len(w) > 0 {
		return w
	}
	return []phrase.Act{phrase.New("nothing_else"), phrase.New("stop")}
}

// wish lists the acts that bring up the wish under way.
func (u *customer) wish() []phrase.Act {
	if u.over() {
		return nil
	}
	return u.current().brings()
}

func (u *customer) role(a phrase.Act) string { return u.book.Spec(a.Name).Role }

// say words acts as the customer.
func (u *customer) say(acts ...phrase.Act) (string, error) {
	var out []string
	for _, a := range acts {
		s, err := u.book.Render(a, phrase.First, u.draw)
		if err != nil {
			return "", fmt.Errorf("speak as user: %w", err)
		}
		out = append(out, s)
	}
	return strings.Join(out, " "), nil
}
