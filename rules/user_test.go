package rules

import (
	"context"
	"errors"
	"strings"
	"testing"

	"taste/chat"
	"taste/phrase"
	"taste/sim"
	"taste/tau"
)

// talker is a user with what it was told, and the agent's side of the talk.
type talker struct {
	t    *testing.T
	book *phrase.Book
	user sim.User
	said []chat.Message
}

func newTalker(t *testing.T, items ...phrase.Item) *talker {
	t.Helper()
	_, _, b := builtin(t)
	brief := phrase.Brief{Facts: []phrase.Act{phrase.New("user_id", "user_id", "mia_li_3668")}, Items: items}
	u, err := told(b, brief)(context.Background(), sim.UserStart{Seed: 7})
	if err != nil {
		t.Fatal(err)
	}
	talk := &talker{t: t, book: b, user: u}
	talk.hears(sim.Greeting)
	return talk
}

// hears lets the agent say a text and returns the user's answer.
func (k *talker) hears(text string) string {
	k.t.Helper()
	k.said = append(k.said, chat.Text(chat.Assistant, text))
	m, err := k.user.Next(context.Background(), k.said)
	if err != nil {
		k.t.Fatal(err)
	}
	k.said = append(k.said, m)
	return m.Body()
}

// told lets the agent say acts and returns the names of the acts in the answer.
func (k *talker) told(acts ...phrase.Act) string {
	k.t.Helper()
	c := customer{book: k.book, draw: k.user.(*customer).draw}
	var text []string
	for _, a := range acts {
		s, err := k.book.Render(a, phrase.Agent, c.draw)
		if err != nil {
			k.t.Fatal(err)
		}
		text = append(text, s)
	}
	return k.acts(k.hears(strings.Join(text, " ")))
}

func (k *talker) acts(answer string) string {
	k.t.Helper()
	acts, unread := k.book.Parse(answer, phrase.First)
	if len(unread) > 0 {
		k.t.Errorf("the user says %q, which is not in the book", unread)
	}
	var names []string
	for _, a := range acts {
		names = append(names, a.Name)
	}
	return strings.Join(names, " ")
}

var (
	extraBags = wish(phrase.New("add_bags", "booking", "AAAAAA", "extra", 2), pays("7447"))
	newCabin  = wish(phrase.New("recabin", "booking", "BBBBBB", "cabin", "business"), pays("1234"))
	proposed  = []phrase.Act{phrase.New("propose"), extraBags.Wish, pays("7447"), phrase.New("confirm")}
)

func TestUserBringsUpOneWishAtATime(t *testing.T) {
	k := newTalker(t, extraBags, newCabin)
	steps := []struct {
		acts []phrase.Act
		want string
	}{
		{[]phrase.Act{phrase.New("ask_user_id")}, "user_id"},
		{[]phrase.Act{phrase.New("ask_slot", "slot", "pay")}, "pay"},
		{[]phrase.Act{phrase.New("ask_slot", "slot", "booking")}, "add_bags"},
		{proposed, "yes"},
		{[]phrase.Act{phrase.New("done", "wish", "add_bags"), phrase.New("anything_else")}, "recabin pay"},
		{[]phrase.Act{phrase.New("not_understood")}, "recabin pay"},
		{[]phrase.Act{phrase.New("refuse", "wish", "recabin", "why", "the fare does not allow it"), phrase.New("anything_else")}, "nothing_else stop"},
	}
	if got := k.acts(k.said[1].Body()); got != "hello add_bags pay" {
		t.Errorf("the user opens with %s", got)
	}
	for i, s := range steps {
		if got := k.told(s.acts...); got != s.want {
			t.Errorf("step %d: %v is answered by %s, want %s", i, s.acts, got, s.want)
		}
	}
}

func TestUserAgreesOnlyToWhatItWasTold(t *testing.T) {
	confirm := phrase.New("confirm")
	for name, c := range map[string]struct {
		acts []phrase.Act
		want string
	}{
		"all as told":         {proposed, "yes"},
		"with a price":        {[]phrase.Act{extraBags.Wish, pays("7447"), phrase.New("charge", "amount", "100"), confirm}, "yes"},
		"another booking":     {[]phrase.Act{phrase.New("add_bags", "booking", "CCCCCC", "extra", 2), confirm}, "no"},
		"another number":      {[]phrase.Act{phrase.New("add_bags", "booking", "AAAAAA", "extra", 1), confirm}, "no"},
		"another card":        {[]phrase.Act{extraBags.Wish, pays("9999"), confirm}, "no"},
		"a later wish":        {[]phrase.Act{newCabin.Wish, confirm}, "no"},
		"a detail never told": {[]phrase.Act{extraBags.Wish, phrase.New("insurance", "insurance", "yes"), confirm}, "no"},
		"another user id":     {[]phrase.Act{phrase.New("user_id", "user_id", "mia_li_1111"), confirm}, "no"},
	} {
		if got := newTalker(t, extraBags, newCabin).told(c.acts...); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	refusal := newTalker(t, extraBags).hears(say(t, proposed[0], extraBags.Wish, pays("9999"), confirm))
	if !strings.Contains(refusal, "9999") {
		t.Errorf("the refusal %q does not name what is wrong", refusal)
	}
}

func say(t *testing.T, acts ...phrase.Act) string {
	t.Helper()
	_, c, b := builtin(t)
	d := newDesk(c, b, 3, &decoded{}, careful{})
	if err := d.say(acts...); err != nil {
		t.Fatal(err)
	}
	m := d.text()
	return m.Body()
}

func TestUserDoesNotKnowWhatItWasNotTold(t *testing.T) {
	k := newTalker(t, wish(extraBags.Wish), newCabin)
	if got := k.told(phrase.New("ask_slot", "slot", "pay")); got != "dont_know" {
		t.Errorf("asked for a card that only another wish has: %s", got)
	}
	if got := k.told(phrase.New("cannot_without", "slot", "pay"), phrase.New("anything_else")); got != "recabin pay" {
		t.Errorf("told that it cannot be done: %s", got)
	}
	_, _, b := builtin(t)
	u, err := told(b, phrase.Brief{Items: []phrase.Item{extraBags}})(context.Background(), sim.UserStart{})
	if err != nil {
		t.Fatal(err)
	}
	k.user, k.said = u, nil
	k.hears(sim.Greeting)
	if got := k.told(phrase.New("ask_user_id")); got != "dont_know" {
		t.Errorf("asked for a user id that it lacks: %s", got)
	}
}

func TestUserInsistsOnceOnAnOpenWish(t *testing.T) {
	k := newTalker(t, extraBags)
	if got := k.told(phrase.New("anything_else")); got != "add_bags pay" {
		t.Errorf("passed over: %s", got)
	}
	if got := k.told(phrase.New("anything_else")); got != "nothing_else stop" {
		t.Errorf("passed over twice: %s", got)
	}
}

func TestUserIsTransferred(t *testing.T) {
	k := newTalker(t, extraBags, newCabin)
	if got := k.hears("You are being transferred to a human agent; please hold."); got != sim.Transfer {
		t.Errorf("answers %q", got)
	}
}

func TestUserGivesUpAfterTwoUnknownMessages(t *testing.T) {
	k := newTalker(t, extraBags)
	if got := k.acts(k.hears("Blue ideas sleep furiously.")); got != "rephrase" {
		t.Errorf("first: %s", got)
	}
	if got := k.told(phrase.New("ask_user_id")); got != "user_id" {
		t.Errorf("in between: %s", got)
	}
	k.hears("Blue ideas sleep furiously.")
	_, err := k.user.Next(context.Background(), append(k.said, chat.Text(chat.Assistant, "Green ones too.")))
	if !errors.Is(err, sim.ErrGaveUp) {
		t.Errorf("second in a row: %v", err)
	}
}

func TestUserReadsItsScenarioAlone(t *testing.T) {
	_, _, b := builtin(t)
	foreign := tau.UserScenario{Instructions: tau.Instructions{Plain: "Thou art a sailor who longs for the sea."}}
	if _, err := Customer(b)(context.Background(), sim.UserStart{Scenario: foreign}); !errors.Is(err, ErrUnreadable) {
		t.Errorf("a foreign scenario: %v", err)
	}
	// A customer that passed over the second sentence would not want what the task does.
	known := "You are Rob Plain."
	half := tau.UserScenario{Instructions: tau.Instructions{Structured: &tau.StructuredInstructions{
		Domain: "airline", ReasonForCall: "You want to be rid of reservation BBB222.", KnownInfo: &known,
	}}}
	if _, err := Customer(b)(context.Background(), sim.UserStart{Scenario: half}); !errors.Is(err, ErrUnreadable) || !strings.Contains(err.Error(), "BBB222") {
		t.Errorf("a scenario that is read in part: %v", err)
	}
}

func TestUserUnderstandsFreeEnglish(t *testing.T) {
	balance := wish(phrase.New("ask_balance"))
	k := newTalker(t, extraBags, newCabin, balance)
	for i, s := range []struct{ hears, answers string }{
		{"I'd be happy to help with that! Could you please provide your user ID so that I can pull up your profile?", "user_id"},
		{"Thanks, Mia. Two more checked bags on AAAAAA come to $100, to be charged to your card ending in 7447. Would you like me to proceed (yes/no)?", "yes"},
		{"The two bags are on your reservation now. Is there anything else I can help you with today?", "recabin pay"},
		{"Could you please confirm your user ID once more?", "yes user_id"},
		{"Which payment method would you like to use for the upgrade?", "pay"},
		{"I'm sorry, this reservation can't be upgraded since it has been flown in part. Is there anything else I can do?", "recabin pay"},
		{"As I said, this is not possible. Anything else?", "ask_balance"},
		{"Your three gift cards hold $433 altogether. Is there anything else you need?", "nothing_else stop"},
	} {
		if got := k.acts(k.hears(s.hears)); got != s.answers {
			t.Errorf("step %d: %q is answered by %s, want %s", i, s.hears, got, s.answers)
		}
	}
}
