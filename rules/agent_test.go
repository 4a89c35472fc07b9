package rules

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"taste/chat"
	"taste/phrase"
	"taste/sim"
)

// visit is a conversation of the airline's careful agent with somebody who says
// prepared acts, one list a turn, over a real environment.
func visit(t *testing.T, turns ...[]phrase.Act) sim.Result {
	t.Helper()
	d, c, b := builtin(t)
	return visitOf(t, testWorld{d, c, b}, turns...)
}

func visitOf(t *testing.T, w testWorld, turns ...[]phrase.Act) sim.Result {
	t.Helper()
	agent, err := Careful(w.contract, w.book)(context.Background(), sim.AgentStart{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	r, err := sim.Run(context.Background(), sim.Setup{
		Env: w.domain.Environment(), Agent: agent,
		User: &visitor{speaker: &customer{book: w.book, draw: newDesk(w.contract, w.book, 1, nil, nil).draw}, turns: turns},
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

type visitor struct {
	speaker *customer
	turns   [][]phrase.Act
}

func (v *visitor) Next(context.Context, []chat.Message) (chat.Message, error) {
	acts := []phrase.Act{phrase.New("stop")}
	if len(v.turns) > 0 {
		acts, v.turns = v.turns[0], v.turns[1:]
	}
	text, err := v.speaker.say(acts...)
	return chat.Text(chat.User, text), err
}

// moves names what the agent did in order: its calls, and the acts of its texts.
func moves(t *testing.T, r sim.Result) []string {
	t.Helper()
	_, _, b := builtin(t)
	return movesOf(t, b, r)
}

func movesOf(t *testing.T, b *phrase.Book, r sim.Result) []string {
	t.Helper()
	var out []string
	for _, m := range r.Messages[1:] {
		if m.Role != chat.Assistant {
			continue
		}
		for _, c := range m.ToolCalls {
			out = append(out, c.Name)
		}
		if m.ToolCalls != nil {
			if len(m.ToolCalls) > 1 || m.HasText() {
				t.Errorf("a call is not alone in its message: %v", m)
			}
			continue
		}
		acts, unread := b.Parse(m.Body(), phrase.Agent)
		if len(unread) > 0 {
			t.Errorf("the agent says %q, which is not in the book", unread)
		}
		for _, a := range acts {
			out = append(out, a.Name)
		}
	}
	return out
}

func turn(list ...phrase.Act) []phrase.Act { return list }

var (
	yes       = turn(phrase.New("yes"))
	dontKnow  = turn(phrase.New("dont_know", "slot", "pay"))
	samir     = phrase.New("user_id", "user_id", "samir_rahman_8450")
	moreBags  = phrase.New("add_bags", "booking", "W6JCM3", "extra", 2)
	withCard  = pays("credit_card_6081573")
	nextThing = "anything_else"
)

func TestAgentMoves(t *testing.T) {
	reads := []string{"get_reservation_details", "get_user_details"}
	proposal := []string{"propose", "add_bags", "pay", "bags_total", "charge", "confirm"}
	for name, c := range map[string]struct {
		turns [][]phrase.Act
		want  []string
	}{
		"asks who it is, once": {
			[][]phrase.Act{turn(moreBags), turn(phrase.New("dont_know", "slot", "user_id"))},
			[]string{"ask_user_id", "cannot_without", nextThing},
		},
		"asks for a slot, once": {
			[][]phrase.Act{turn(samir, moreBags), dontKnow},
			slices.Concat(reads[:1], []string{"get_user_details", "ask_slot", "cannot_without", nextThing}),
		},
		"reads, proposes, writes, reports": {
			[][]phrase.Act{turn(samir, moreBags, withCard), yes},
			slices.Concat(reads, proposal, []string{"update_reservation_baggages", "done", nextThing}),
		},
		"takes the slot from a later turn": {
			[][]phrase.Act{turn(samir, moreBags), turn(withCard), yes},
			slices.Concat(reads, []string{"ask_slot"}, proposal, []string{"update_reservation_baggages", "done", nextThing}),
		},
		"leaves what is declined": {
			[][]phrase.Act{turn(samir, moreBags, withCard), turn(phrase.New("decline"))},
			slices.Concat(reads, proposal, []string{nextThing}),
		},
		"asks again when not understood": {
			[][]phrase.Act{turn(samir, moreBags), turn(phrase.New("rephrase")), dontKnow},
			slices.Concat(reads, []string{"ask_slot", "ask_slot", "cannot_without", nextThing}),
		},
		"serves wishes said together in order": {
			[][]phrase.Act{turn(samir, phrase.New("ask_email"), phrase.New("ask_zip"))},
			[]string{"get_user_details", "tell_email", "tell_zip", nextThing},
		},
		"reads again after a write": {
			[][]phrase.Act{turn(samir, moreBags, withCard), yes, turn(phrase.New("ask_paid", "booking", "W6JCM3"))},
			slices.Concat(reads, proposal, []string{"update_reservation_baggages", "done", nextThing, "get_reservation_details", "tell_paid", nextThing}),
		},
		"refuses what is somebody else's": {
			[][]phrase.Act{turn(phrase.New("user_id", "user_id", "rohan_iyer_1559"), phrase.New("cancel", "booking", "W6JCM3", "reason", "plans"))},
			[]string{"get_reservation_details", "refuse", nextThing},
		},
		"cannot answer about nothing": {
			[][]phrase.Act{turn(samir, phrase.New("ask_paid", "booking", "ZZZZZZ"))},
			[]string{"get_reservation_details", "cannot_answer", nextThing},
		},
		"refuses what fails": {
			[][]phrase.Act{turn(samir, phrase.New("cancel", "booking", "ZZZZZZ", "reason", "plans"))},
			[]string{"get_reservation_details", "refuse", nextThing},
		},
		"hands over and says so": {
			[][]phrase.Act{turn(samir, phrase.New("outside", "topic", "pet"))},
			[]string{"transfer_to_human_agents", "handoff", "hold"},
		},
		"stays when a supervisor is demanded": {
			[][]phrase.Act{turn(samir, moreBags, withCard), turn(phrase.New("want_supervisor")), yes},
			slices.Concat(reads, proposal, []string{"stay"}, proposal, []string{"update_reservation_baggages", "done", nextThing}),
		},
		"stays when nothing is open": {
			[][]phrase.Act{turn(phrase.New("want_supervisor"))},
			[]string{"stay", nextThing},
		},
		"proposes what is put right": {
			[][]phrase.Act{turn(samir, moreBags, withCard), turn(phrase.New("correct"), phrase.New("add_bags", "booking", "W6JCM3", "extra", 1)), yes},
			slices.Concat(reads, proposal, []string{"propose", "add_bags", "pay", "bags_total", "no_charge", "confirm", "update_reservation_baggages", "done", nextThing}),
		},
		"refuses again what is insisted on": {
			[][]phrase.Act{turn(samir, cancels("E2PHU8", "plans").Wish), turn(phrase.New("press")), turn(phrase.New("press"))},
			slices.Concat(reads[:1], []string{"get_flight_status", "get_flight_status", "refuse", nextThing, "refuse", nextThing, "refuse", nextThing}),
		},
		"goes on to the right one": {
			[][]phrase.Act{turn(samir, cancels("ZZZZZZ", "plans").Wish), turn(phrase.New("wrong_one"), moreBags, withCard), yes},
			slices.Concat(reads[:1], []string{"refuse", nextThing}, reads, proposal, []string{"update_reservation_baggages", "done", nextThing}),
		},
		"does what is agreed on before what rides on the yes": {
			[][]phrase.Act{turn(samir, moreBags, withCard), turn(phrase.New("yes"), phrase.New("add_bags", "booking", "E2PHU8", "extra", 1), withCard), yes},
			slices.Concat(reads, proposal, []string{"update_reservation_baggages"}, reads, []string{"done", "propose", "add_bags", "pay", "bags_total", "no_charge", "confirm", "update_reservation_baggages", "done", nextThing}),
		},
		"says goodbye": {
			[][]phrase.Act{turn(phrase.New("hello")), turn(phrase.New("nothing_else"))},
			[]string{nextThing, "goodbye"},
		},
	} {
		if got := moves(t, visit(t, c.turns...)); !slices.Equal(got, c.want) {
			t.Errorf("%s:\n got %v\nwant %v", name, got, c.want)
		}
	}
}

func TestAgentAsksBackWhatItDoesNotRead(t *testing.T) {
	_, c, b := builtin(t)
	agent := newDesk(c, b, 1, &decoded{}, careful{})
	m, err := agent.Next(context.Background(), []chat.Message{chat.Text(chat.User, "Blue ideas sleep furiously.")})
	if err != nil {
		t.Fatal(err)
	}
	if acts, _ := b.Parse(m.Body(), phrase.Agent); len(acts) == 0 || acts[0].Name != "not_understood" {
		t.Errorf("answers %q", m.Body())
	}
}

func TestSameSeedSameConversation(t *testing.T) {
	d, c, b := builtin(t)
	task := retell(t, b, errands["a delay after the change"])
	target, agent := targetOf(t, d, task), Careful(c, b)
	texts := make([]string, 8)
	var all sync.WaitGroup
	for i := range texts {
		all.Go(func() {
			o, err := Play{Target: target, Agent: agent, User: Customer(b), Seed: 5}.Run(context.Background())
			if err != nil {
				t.Error(err)
			}
			texts[i] = transcript(o.Result)
		})
	}
	all.Wait()
	for _, other := range texts[1:] {
		if other != texts[0] {
			t.Errorf("side by side:\n%s\nand\n%s", texts[0], other)
		}
	}
	o := play(t, Play{Target: target, Agent: agent, User: Customer(b), Seed: 6})
	if transcript(o.Result) == texts[0] || strings.Count(transcript(o.Result), "calls") != strings.Count(texts[0], "calls") {
		t.Errorf("another seed should word alike conversations otherwise:\n%s", transcript(o.Result))
	}
}

func BenchmarkCareful(b *testing.B) {
	benchmarkPlays(b, func(p *Play, w testWorld) { p.Agent = Careful(w.contract, w.book) })
}

func BenchmarkVerifier(b *testing.B) {
	benchmarkPlays(b, func(p *Play, w testWorld) { p.Agent = hinted(w.contract, w.book, p.Target.Task, &decoded{}) })
}

// benchmarkPlays times conversations about all errands in turn.
func benchmarkPlays(b *testing.B, cast func(*Play, testWorld)) {
	d, c, book := builtin(b)
	var plays []Play
	for _, name := range sortedKeys(errands) {
		p := Play{Target: targetOf(b, d, retell(b, book, errands[name])), User: Customer(book), Seed: 1}
		cast(&p, testWorld{d, c, book})
		plays = append(plays, p)
	}
	n := 0
	for b.Loop() {
		play(b, plays[n%len(plays)])
		n++
	}
}
