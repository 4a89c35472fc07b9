package rules

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"taste/phrase"
	"taste/sim"
)

// twisted adds twists to a wish.
func twisted(item phrase.Item, twists ...phrase.Act) phrase.Item {
	item.Twists = twists
	return item
}

// step is something the agent says and the acts of the user's answer.
type step struct {
	acts []phrase.Act
	want string
}

// plays lets the agent say each step's acts and compares the answers.
func (k *talker) plays(steps ...step) {
	k.t.Helper()
	for i, s := range steps {
		if got := k.told(s.acts...); got != s.want {
			k.t.Errorf("step %d: %v is answered by %s, want %s", i, s.acts, got, s.want)
		}
	}
}

// opens compares what the user opened the conversation with.
func (k *talker) opens(want ...phrase.Act) {
	k.t.Helper()
	k.last(append([]phrase.Act{phrase.New("hello")}, want...)...)
}

// last compares the acts of the user's last message with their slots.
func (k *talker) last(want ...phrase.Act) {
	k.t.Helper()
	got, _ := k.book.Parse(k.said[len(k.said)-1].Body(), phrase.First)
	if spelled(got) != spelled(want) {
		k.t.Errorf("the user says %s\nwant %s", spelled(got), spelled(want))
	}
}

func spelled(acts []phrase.Act) string {
	var out []string
	for _, a := range acts {
		out = append(out, a.String())
	}
	return strings.Join(out, " ")
}

func proposes(acts ...phrase.Act) []phrase.Act {
	return append(append([]phrase.Act{phrase.New("propose")}, acts...), phrase.New("confirm"))
}

func refuses(wish string) []phrase.Act {
	return []phrase.Act{phrase.New("refuse", "wish", wish, "why", "the fare does not allow it"), phrase.New("anything_else")}
}

func does(wish string) []phrase.Act {
	return []phrase.Act{phrase.New("done", "wish", wish), phrase.New("anything_else")}
}

func bagsOn(booking string, extra int) phrase.Act {
	return phrase.New("add_bags", "booking", booking, "extra", extra)
}

func TestUserPressesOnceAfterARefusal(t *testing.T) {
	k := newTalker(t, twisted(newCabin, phrase.New("insist")), extraBags)
	k.plays(
		step{refuses("recabin"), "press"},
		step{refuses("recabin"), "add_bags pay"},
		step{refuses("add_bags"), "nothing_else stop"},
	)
	k = newTalker(t, twisted(newCabin, phrase.New("insist")), extraBags)
	k.plays(step{does("recabin"), "add_bags pay"})
	k = newTalker(t, twisted(newCabin, phrase.New("insist")))
	for _, want := range []string{"press", "nothing_else stop"} {
		if got := k.acts(k.hears("This ticket cannot be changed, I fear. Is there anything else I can help you with?")); got != want {
			t.Errorf("turned down in free English: %s, want %s", got, want)
		}
	}
}

func TestUserAsksOnceForASupervisor(t *testing.T) {
	k := newTalker(t, twisted(extraBags, phrase.New("supervisor")), newCabin)
	k.plays(
		step{proposed, "want_supervisor"},
		step{append([]phrase.Act{phrase.New("stay")}, proposed...), "yes"},
		step{does("add_bags"), "recabin pay"},
	)
	k = newTalker(t, twisted(extraBags, phrase.New("supervisor")))
	k.plays(
		step{proposes(bagsOn("AAAAAA", 3)), "want_supervisor"},
		step{[]phrase.Act{phrase.New("stay")}, "no"},
	)
	k = newTalker(t, twisted(extraBags, phrase.New("supervisor")))
	k.plays(step{proposed, "want_supervisor"})
	if got := k.acts(k.hears("I am afraid I cannot transfer you to a supervisor for this.")); got != "yes" {
		t.Errorf("no transfer, in free English: %s", got)
	}
	newTalker(t, extraBags).plays(step{[]phrase.Act{phrase.New("stay")}, "thanks"})
}

func TestUserHoldsBackUntilAsked(t *testing.T) {
	item := wish(phrase.New("book", "origin", "PHL", "destination", "LAS", "date", "2024-05-22", "cabin", "economy"),
		phrase.New("bags", "count", 2), phrase.New("insurance", "insurance", "no"), pays("7447"))
	k := newTalker(t, twisted(item, phrase.New("withhold", "slot", "pay"), phrase.New("withhold", "slot", "bags")))
	k.opens(item.Wish, item.Details[1])
	k.plays(
		step{[]phrase.Act{phrase.New("ask_slot", "slot", "bags")}, "bags"},
		step{[]phrase.Act{phrase.New("not_understood")}, "book bags insurance"},
		step{proposes(item.Wish, pays("9999")), "no"},
		step{proposes(item.Wish, pays("7447")), "yes"},
		step{[]phrase.Act{phrase.New("ask_slot", "slot", "pay")}, "pay"},
	)
}

func TestUserCorrectsASlipWhenItIsReadBack(t *testing.T) {
	slip := twisted(extraBags, phrase.New("slip_extra", "extra", 3))
	k := newTalker(t, slip)
	k.opens(bagsOn("AAAAAA", 3), pays("7447"))
	k.plays(step{proposes(bagsOn("AAAAAA", 3), pays("7447")), "correct add_bags"})
	k.last(phrase.New("correct"), extraBags.Wish)
	k.plays(
		step{proposes(bagsOn("AAAAAA", 3), pays("7447")), "no"},
		step{proposes(extraBags.Wish, pays("7447")), "yes accept"},
		step{does("add_bags"), "nothing_else stop"},
	)
	newTalker(t, slip).plays(step{proposes(extraBags.Wish), "yes"})
	newTalker(t, slip).plays(step{does("add_bags"), "nothing_else stop"})
	newTalker(t, slip).plays(step{proposes(bagsOn("AAAAAA", 1)), "no"})
}

func TestUserCorrectsSlipsOfDetails(t *testing.T) {
	item := wish(phrase.New("book", "origin", "PHL", "destination", "LAS", "date", "2024-05-22", "cabin", "economy"),
		takes("direct", "earliest"), phrase.New("bags", "count", 2), phrase.New("insurance", "insurance", "no"))
	for _, c := range []struct {
		slip  phrase.Act
		wrong phrase.Act
		right phrase.Act
	}{
		{phrase.New("slip_bags", "count", 1), phrase.New("bags", "count", 1), item.Details[1]},
		{phrase.New("slip_pick", "pick", "latest"), takes("direct", "latest"), item.Details[0]},
		{phrase.New("slip_insurance", "insurance", "yes"), phrase.New("insurance", "insurance", "yes"), item.Details[2]},
		{phrase.New("slip_cabin", "cabin", "business"), phrase.New("book", "origin", "PHL", "destination", "LAS", "date", "2024-05-22", "cabin", "business"), item.Wish},
		{phrase.New("slip_date", "date", "2024-05-21"), phrase.New("book", "origin", "PHL", "destination", "LAS", "date", "2024-05-21", "cabin", "economy"), item.Wish},
	} {
		k := newTalker(t, twisted(item, c.slip))
		k.told(proposes(c.wrong)...)
		k.last(phrase.New("correct"), c.right)
		k.plays(step{proposes(c.wrong), "no"}, step{proposes(c.right), "yes accept"})
	}
}

func TestUserNamesTheLookAlikeFirst(t *testing.T) {
	mixed := twisted(extraBags, phrase.New("mixup", "booking", "CCCCCC"))
	k := newTalker(t, mixed)
	k.opens(bagsOn("CCCCCC", 2), pays("7447"))
	k.plays(step{refuses("add_bags"), "wrong_one add_bags pay"})
	k.last(phrase.New("wrong_one"), extraBags.Wish, pays("7447"))
	k.plays(
		step{proposes(bagsOn("CCCCCC", 2)), "no"},
		step{proposed, "yes accept"},
		step{does("add_bags"), "nothing_else stop"},
	)
	newTalker(t, mixed).plays(
		step{proposes(bagsOn("CCCCCC", 2)), "yes"},
		step{does("add_bags"), "nothing_else stop"},
	)
	newTalker(t, mixed).plays(step{refuses("add_bags"), "wrong_one add_bags pay"}, step{refuses("add_bags"), "accept nothing_else stop"})
}

func TestUserClaimsAndGoesByTheRecords(t *testing.T) {
	claims := twisted(extraBags, phrase.New("claim_level", "level", "gold"), phrase.New("claim_bags", "count", 0))
	k := newTalker(t, claims, newCabin)
	k.opens(extraBags.Wish, pays("7447"), claims.Twists[0], claims.Twists[1])
	k.plays(step{proposed, "yes accept"}, step{proposed, "yes"})
	newTalker(t, claims, newCabin).plays(step{refuses("add_bags"), "accept recabin pay"})
	for _, claim := range []phrase.Act{phrase.New("claim_fresh"), phrase.New("claim_insured"), phrase.New("claim_cabin", "cabin", "business")} {
		newTalker(t, twisted(cancels("AAAAAA", "plans"), claim)).last(phrase.New("hello"), cancels("AAAAAA", "plans").Wish, claim)
	}
}

func TestUserBringsUpARiderWithItsYes(t *testing.T) {
	rider := twisted(newCabin, phrase.New("with_yes"), phrase.New("insist"))
	k := newTalker(t, extraBags, rider, cancels("BBBBBB", "plans"))
	k.plays(step{proposed, "yes recabin pay"})
	k.last(phrase.New("yes"), newCabin.Wish, newCabin.Details[0])
	k.plays(
		step{[]phrase.Act{phrase.New("done", "wish", "add_bags"), refuses("recabin")[0]}, "press"},
		step{refuses("recabin"), "cancel"},
	)
	k = newTalker(t, extraBags, rider)
	k.plays(
		step{proposed, "yes recabin pay"},
		step{does("add_bags"), "recabin pay"},
		step{proposes(newCabin.Wish), "yes"},
		step{does("recabin"), "nothing_else stop"},
	)
	newTalker(t, extraBags, rider).plays(step{does("add_bags"), "recabin pay"})
	newTalker(t, extraBags, rider).plays(step{proposes(bagsOn("CCCCCC", 2)), "no"})
}

func TestUserReadsTwistsFromItsScenario(t *testing.T) {
	items := []phrase.Item{
		twisted(extraBags, phrase.New("slip_extra", "extra", 3), phrase.New("withhold", "slot", "pay")),
		twisted(newCabin, phrase.New("with_yes"), phrase.New("insist")),
	}
	k := newComposed(t, phrase.Brief{Facts: []phrase.Act{phrase.New("user_id", "user_id", "mia_li_3668")}, Items: items, Terse: true})
	k.opens(bagsOn("AAAAAA", 3))
	k.plays(step{proposes(bagsOn("AAAAAA", 3)), "correct add_bags"}, step{proposes(extraBags.Wish), "yes accept recabin pay"})
}

// newComposed is a talker with a user that reads a composed scenario.
func newComposed(t *testing.T, brief phrase.Brief) *talker {
	t.Helper()
	_, _, b := builtin(t)
	s, err := phrase.Compose(b, brief, rand.New(rand.NewPCG(5, 5)), nil)
	if err != nil {
		t.Fatal(err)
	}
	u, err := Customer(b)(context.Background(), sim.UserStart{Scenario: scenario("airline", s), Seed: 7})
	if err != nil {
		t.Fatal(err)
	}
	talk := &talker{t: t, book: b, user: u}
	talk.hears(sim.Greeting)
	return talk
}
