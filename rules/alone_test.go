package rules

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"taste/chat"
	"taste/eval"
	"taste/phrase"
	"taste/tau"
)

// onTicket has the careful agent work on the task's ticket alone.
func onTicket(t *testing.T, w testWorld, task *tau.Task) Outcome {
	t.Helper()
	target, err := eval.NewTarget(w.domain.Solo(), task)
	if err != nil {
		t.Fatal(err)
	}
	o, err := Play{Target: target, Agent: Alone(Careful(w.contract, w.book), w.book), Seed: 1}.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// TestTicketsStandForCustomers: a ticket is read as what the scenario says, and
// whoever works on it alone earns the reward, by calls of its own alone.
func TestTicketsStandForCustomers(t *testing.T) {
	w := worldOf(t, "telecom", false)
	for _, seq := range troubled {
		task := drafted(t, w, seq, 1)
		if task == nil {
			continue
		}
		told, _ := phrase.Read(w.book, scenarioText(task.UserScenario))
		brief, unread := phrase.ReadTicket(w.book, *task.Ticket)
		if len(unread) > 0 || !reflect.DeepEqual(brief.Facts, told.Facts) || !reflect.DeepEqual(brief.Items, told.Items) {
			t.Errorf("%v: the ticket %q says %v, the scenario %v; unread %q", seq, *task.Ticket, brief, told, unread)
		}
		o := onTicket(t, w, task)
		if o.Reward != 1 || o.Errors > 0 {
			t.Errorf("%v: earns %v, %d errors: %s %s\n%s", seq, o.Reward, o.Errors, o.Termination, o.Why, *task.Ticket)
		}
		for i, m := range o.Messages[:len(o.Messages)-1] {
			if m.Role == chat.User || m.Role == chat.Assistant && (m.ToolCalls == nil || m.HasText()) {
				t.Errorf("%v: message %d is words: %s", seq, i, m.Body())
			}
		}
	}
}

// TestTicketsSayWhatGoldNeeds: without one of the sentences that its wishes and
// facts are made of, a ticket earns nothing.
func TestTicketsSayWhatGoldNeeds(t *testing.T) {
	w := worldOf(t, "telecom", false)
	v := NewVerifier(w.domain, w.contract, w.book)
	for _, seq := range [][]string{
		{"suspend_line", "toggle_data_saver_mode", "disconnect_vpn"},
		{"send_payment_request", "make_payment", "resume_line", "reboot_device"},
		{"set_network_mode_preference", "refuel_data", "suspend_line"},
	} {
		task := drafted(t, w, seq, 1)
		if task == nil {
			continue
		}
		whole := *task.Ticket
		for _, at := range phrase.Sentences(whole) {
			acts, _ := w.book.Parse(whole[at[0]:at[1]], phrase.Ticket)
			if len(acts) != 1 || slices.Contains([]string{conductTest, "my_name", "my_birthday", "my_id"}, acts[0].Name) {
				continue // tools show when it is solved, and her number is enough to find her
			}
			cut := strings.TrimSpace(whole[:at[0]] + whole[at[1]:])
			task.Ticket = &cut
			found, err := v.Verify(context.Background(), task, 1)
			if err != nil || len(found) != 1 || found[0].Reward == 1 || !strings.HasPrefix(found[0].Why, "from the ticket alone: ") {
				t.Errorf("%v: without %q: %v %v", seq, whole[at[0]:at[1]], found, err)
			}
		}
		task.Ticket = &whole
		if found, err := v.Verify(context.Background(), task, 1); err != nil || len(found) != Attempts || found[0].Reward < 1 {
			t.Errorf("%v: with the whole ticket: %v %v", seq, found, err)
		}
	}
}

// TestTicketsGiveNoAnswerAway: what a customer asks to be told stands in no ticket.
func TestTicketsGiveNoAnswerAway(t *testing.T) {
	w := worldOf(t, "telecom", false)
	a := NewAuthor(w.domain, w.contract, w.book)
	d, err := a.Draft(context.Background(), "t", troubled[0], 1)
	if err != nil {
		t.Fatal(err)
	}
	d.Task.EvaluationCriteria.CommunicateInfo = []string{"solved once", "trouble is over", "shows that this"} // how tickets say what the scenario says otherwise
	brief, err := briefOf(d)
	if err != nil {
		t.Fatal(err)
	}
	refused := 0
	for seed := range uint64(30) {
		ticket, err := a.ticket(brief, d.Task.EvaluationCriteria.CommunicateInfo, rand.New(rand.NewPCG(seed, 1)))
		for _, answer := range d.Task.EvaluationCriteria.CommunicateInfo {
			if err == nil && strings.Contains(*ticket, answer) {
				t.Errorf("the ticket %q says %q", *ticket, answer)
			}
		}
		if errors.Is(err, ErrSpoilt) {
			refused++
		}
	}
	if refused == 0 {
		t.Error("no ticket was refused")
	}
}
