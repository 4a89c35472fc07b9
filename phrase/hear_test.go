package phrase

import (
	"slices"
	"testing"
)

// said is something that a free-spoken agent says and the act that is heard in it.
type said struct{ text, act string }

// heardAnywhere is heard with the book of any domain.
var heardAnywhere = []said{
	{"Your total is $350. Would you like me to proceed with this change?", "confirm{}"},
	{"Please reply \"yes\" to confirm the cancellation.", "confirm{}"},
	{"Does that look right?", "confirm{}"},
	{"It is all done. Is there anything else I can help you with today?", "anything_else{}"},
	{"Hello! How can I assist you today?", "ask_wish{}"},
	{"I'm sorry, I didn't quite catch that. Could you rephrase?", "not_understood{}"},
	{"You are being transferred to a human agent; please hold.", "handoff{}"},
	{"I understand, but I can't transfer you to a supervisor for this.", "stay{}"},
	{"There is no need for a manager; I can take care of this for you myself.", "stay{}"},
	{"A supervisor is not needed for this change.", "stay{}"},
	{"Shall I submit this for you?", "confirm{}"},
	{"May I ask how I can help you today?", "ask_wish{}"},
}

// heardIn is heard with the book of one domain.
var heardIn = map[string][]said{
	"airline": {
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
	},
	"retail": {
		{"I can help with that! To get started, could you please provide your email address?", "ask_slot{slot: email}"},
		{"Could you share the email associated with your account?", "ask_slot{slot: email}"},
		{"If you don't remember it, I need your first and last name and your zip code.", "ask_slot{slot: name}"},
		{"If you don't remember it, I need your first and last name and your zip code.", "ask_slot{slot: zip}"},
		{"What is your full name?", "ask_slot{slot: name}"},
		{"May I have your ZIP code, please?", "ask_slot{slot: zip}"},
		{"What is your user ID?", "ask_user_id{}"},
		{"Could you give me the order number, please?", "ask_slot{slot: order}"},
		{"Which order would you like to cancel?", "ask_slot{slot: order}"},
		{"Please confirm the reason: no longer needed or ordered by mistake.", "ask_slot{slot: reason}"},
		{"May I ask for the reason for your cancellation?", "ask_slot{slot: reason}"},
		{"What is the new shipping address?", "ask_slot{slot: address}"},
		{"Please provide the complete address, including the state.", "ask_slot{slot: address}"},
		{"Which payment method should be used for the price difference?", "ask_slot{slot: pay}"},
		{"How would you like to pay?", "ask_slot{slot: pay}"},
		{"Where would you like the refund to go: the original payment method or a gift card?", "ask_slot{slot: refund_into}"},
		{"Which payment method would you like to receive the refund?", "ask_slot{slot: refund_into}"},
		{"Which item would you like to return?", "ask_slot{slot: item}"},
		{"Are these all the items you would like to exchange?", "ask_slot{slot: exchange_too}"},
		{"Are there any other items you want to return?", "ask_slot{slot: return_too}"},
		{"What color would you prefer?", "ask_slot{slot: feature}"},
		{"I found three variants. Which one would you like?", "ask_slot{slot: feature}"},
		{"Would you like the cheapest option?", "ask_slot{slot: pick}"},
		{"Could you tell me the item ID of the new one?", "ask_slot{slot: number}"},
		{"How many pieces is it about?", "ask_slot{slot: count}"},
	},
}

// unheard is not to be heard as these acts.
var unheard = []said{
	{"I am unable to transfer you to a human agent for this.", "handoff{}"},
	{"Could you please provide your email address?", "ask_slot{slot: address}"},
	{"You will receive an email with instructions shortly. Is there anything else?", "ask_slot{slot: email}"},
}

func TestHearRecognisesFreeEnglish(t *testing.T) {
	everyTrade(t, func(t *testing.T, d *trade, b *Book) {
		for _, c := range slices.Concat(heardAnywhere, heardIn[d.name]) {
			if heard := heardBy(b, c.text); !slices.Contains(heard, c.act) {
				t.Errorf("%q: heard %v, want %s among them", c.text, heard, c.act)
			}
		}
		for _, c := range unheard {
			if heard := heardBy(b, c.text); slices.Contains(heard, c.act) {
				t.Errorf("%q is heard as %v", c.text, heard)
			}
		}
		if heard := heardBy(b, "The weather in Boston is mild this week."); len(heard) > 0 {
			t.Errorf("heard %v in small talk", heard)
		}
	})
}

// heardBy spells the acts heard in an agent's free English.
func heardBy(b *Book, text string) []string {
	var out []string
	for _, a := range b.Hear(text, Agent) {
		out = append(out, a.String())
	}
	return out
}
