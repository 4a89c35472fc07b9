package rules

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"taste/chat"
	"taste/phrase"
	"taste/sim"
	"taste/tau"
)

// handling is a customer of a phone without network who is asked to do something.
func handling(t *testing.T, persona string, conduct ...phrase.Act) (testWorld, sim.User) {
	t.Helper()
	w := worldOf(t, "telecom", false)
	brief := phrase.Brief{Persona: persona, Items: []phrase.Item{{Wish: phrase.New("no_service"), Conduct: conduct}}}
	tools, err := w.domain.UserTools(nil)
	if err != nil {
		t.Fatal(err)
	}
	s := sim.UserStart{Scenario: tau.UserScenario{}, Tools: tools, Seed: 1}
	u, err := told(w.book, brief)(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := u.Next(context.Background(), nil); err != nil { // the opening
		t.Fatal(err)
	}
	return w, u
}

// hears has the customer hear acts, and says what she does: the call that she makes,
// else the names of her acts.
func hears(t *testing.T, w testWorld, u sim.User, acts ...phrase.Act) string {
	t.Helper()
	var texts []string
	for _, a := range acts {
		s, err := w.book.Render(a, phrase.Agent, rand.New(rand.NewPCG(3, 3)))
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, s)
	}
	return moved(t, w, u, chat.Text(chat.Assistant, strings.Join(texts, " ")))
}

func moved(t *testing.T, w testWorld, u sim.User, last chat.Message) string {
	t.Helper()
	m, err := u.Next(context.Background(), []chat.Message{last})
	if err != nil {
		t.Fatal(err)
	}
	if len(m.ToolCalls) > 0 {
		return Spell(m.ToolCalls[0].Name, m.ToolCalls[0].Arguments)
	}
	var names []string
	for _, a := range listen(w.book, m.Body(), phrase.First).acts {
		names = append(names, a.String())
	}
	return strings.Join(names, " ")
}

func shows(text string) chat.Message {
	return chat.Answer(&chat.ToolCall{Requestor: chat.User}, text, false)
}

func TestCustomersActAsAsked(t *testing.T) {
	do := func(call string) phrase.Act { return phrase.New(asksToDo, "call", call) }
	w, u := handling(t, personaHandy)
	for _, s := range [][2]string{
		{hears(t, w, u, do("toggle_data()"), do("reboot_device()")), "one_at_a_time{}"},
		{hears(t, w, u, do("fly_away()")), "no_such_tool{}"},
		{hears(t, w, u, do("make_payment()")), "wont_do{}"},
		{hears(t, w, u, do(`grant_app_permission(app_name="messaging", permission="sms")`)), `grant_app_permission(app_name="messaging", permission="sms")`},
	} {
		if s[0] != s[1] {
			t.Errorf("%s, want %s", s[0], s[1])
		}
	}
	if got := moved(t, w, u, shows("Success. Or so!\nStatus Bar: “4G” | 80%")); got != `reports{text: Success. Or so!`+"\n"+`Status Bar: "4G" | 80%}` {
		t.Errorf("reports %q", got)
	}
	w, u = handling(t, personaUnhandy, phrase.New("will_make_payment"))
	for _, s := range [][2]string{
		{hears(t, w, u, do("make_payment()")), "ask_how{}"},
		{hears(t, w, u, phrase.New(walksThrough, "call", "make_payment()")), "make_payment()"},
		{moved(t, w, u, shows("Paid.")), "reports{text: Paid.}"},
		{hears(t, w, u, do("make_payment()")), "make_payment()"},
	} {
		if s[0] != s[1] {
			t.Errorf("%s, want %s", s[0], s[1])
		}
	}
}

func TestCustomersSeeForThemselves(t *testing.T) {
	w, u := handling(t, "", phrase.New(conductTest, "call", "check_network_status()", "shown", "connected"))
	check := phrase.New(asksToCheck, "wish", "no_service")
	for _, s := range [][2]string{
		{hears(t, w, u, check), "check_network_status()"},
		{moved(t, w, u, shows("no service")), "still_broken{}"},
		{hears(t, w, u, check), "check_network_status()"},
		{moved(t, w, u, shows("it is connected now")), "works_now{} nothing_else{} stop{}"},
	} {
		if s[0] != s[1] {
			t.Errorf("%s, want %s", s[0], s[1])
		}
	}
}

func TestCallsAreReadBack(t *testing.T) {
	for _, text := range []string{`a_b()`, `a_b(x="q, r=2", y=1.5, z=["u", {"v": true}])`} {
		call, ok := readCall(text)
		if got := Spell(call.Name, call.Arguments); !ok || got != strings.NewReplacer(`["u", {"v": true}]`, `["u",{"v":true}]`).Replace(text) && got != text {
			t.Errorf("%s read as %s", text, got)
		}
	}
	for _, text := range []string{"", "a_b", "a_b(x)", `a_b(x=)`, "A(b=1)"} {
		if call, ok := readCall(text); ok {
			t.Errorf("%q read as %v", text, call)
		}
	}
}
