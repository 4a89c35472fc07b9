package phrase

import (
	"slices"
	"testing"
)

func TestHearRecognisesFreeEnglish(t *testing.T) {
	b := airline(t)
	for _, c := range []struct{ said, act string }{
		{"Sure, I can help with that! Could you please provide your user ID so I can pull up your account?", "ask_user_id{}"},
		{"To get started, I'll need your user id.", "ask_user_id{}"},
		{"Could you give me the reservation number, please?", "ask_slot{slot: booking}"},
		{"Which reservation would you like to change?", "ask_slot{slot: booking}"},
		{"May I ask for the reason for your cancellation?", "ask_slot{slot: reason}"},
		{"Which payment method would you like to use for the $50 fee?", "ask_slot{slot: pay}"},
		{"How would you like to pay?", "ask_slot{slot: pay}"},
		{"What date would you like to travel?", "ask_slot{slot: date}"},
		{"Which cabin class do you prefer: basic economy, economy or business?", "ask_slot{slot: cabin}"},
		{"How many additional checked bags would you like to add?", "ask_slot{slot: extra}"},
		{"Would you like to add travel insurance for $30 per passenger?", "ask_slot{slot: insurance}"},
		{"Is this a one-way trip or a round trip?", "ask_slot{slot: return_on}"},
		{"Please share the passengers' full names and dates of birth.", "ask_slot{slot: traveller}"},
		{"What is the correct spelling of the name?", "ask_slot{slot: name}"},
		{"And her date of birth?", "ask_slot{slot: dob}"},
		{"I found three flights. Which one would you prefer?", "ask_slot{slot: choose}"},
		{"Your total is $350. Would you like me to proceed with this change?", "confirm{}"},
		{"Please reply \"yes\" to confirm the cancellation.", "confirm{}"},
		{"Does that look right?", "confirm{}"},
		{"Your bags were added. Is there anything else I can help you with today?", "anything_else{}"},
		{"Hello! How can I assist you today?", "ask_wish{}"},
		{"I'm sorry, I didn't quite catch that. Could you rephrase?", "not_understood{}"},
		{"You are being transferred to a human agent; please hold.", "handoff{}"},
		{"I understand, but I can't transfer you to a supervisor for this.", "stay{}"},
		{"There is no need for a manager; I can take care of this for you myself.", "stay{}"},
		{"A supervisor is not needed for this change.", "stay{}"},
	} {
		var heard []string
		for _, a := range b.Hear(c.said, Agent) {
			heard = append(heard, a.String())
		}
		if !slices.Contains(heard, c.act) {
			t.Errorf("%q: heard %v, want %s among them", c.said, heard, c.act)
		}
	}
	if heard := b.Hear("I am unable to transfer you to a human agent for this.", Agent); slices.ContainsFunc(heard, func(a Act) bool { return a.Name == "handoff" }) {
		t.Errorf("a refused transfer is heard as %v", heard)
	}
	if heard := b.Hear("The weather in Boston is mild this week.", Agent); len(heard) > 0 {
		t.Errorf("heard %v in small talk", heard)
	}
}
