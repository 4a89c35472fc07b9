package gates_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"taste/chat"
	"taste/gates"
	"taste/tau"
)

// more are scripts that were written after the lints, to see whether these find
// kinds of faults or the first scripts.
var more = []script{
	{gates.Ambiguous, "name of the goods lost", "retail", func(v *victim) bool {
		if len(v.writes(anyWrite)) == 0 {
			return false
		}
		return v.swapAll(`(?i)\b(?:the|your|a) (?:mechanical |office |desk |smart |water |garden |hiking |running |tea |pet |air |digital |wireless |electric |fleece |portable )?(?:keyboard|thermostat|bottle|lamp|hose|chair|bed|boots|shoes|kettle|camera|jacket|bookshelf|backpack|helmet|speaker|earbuds?|tablet|laptop|watch|jigsaw|bicycle|skateboard|grill|purifier)\b`, pick(v, "the thing", "one of the things you ordered", "some item"))
	}},
	{gates.Ambiguous, "number becomes some", "airline", func(v *victim) bool {
		return len(v.writes(`baggages|book`)) > 0 && v.swap(`(?i)\b(?:one more|\d+|two|three) (checked )?(?:bags?|baggages)`, pick(v, "some bags", "a few bags", "some extra luggage"))
	}},
	{gates.Ambiguous, "cabin becomes better", "airline", func(v *victim) bool {
		return len(v.writes(`update_reservation_flights|book`)) > 0 && v.swapAll(`(?i)\b(?:business(?: class)?|economy(?: class)?)\b`, pick(v, "a better class", "another cabin", "a nicer cabin"))
	}},
	{gates.Ambiguous, "either of two", "", func(v *victim) bool {
		if len(v.writes(anyWrite)) == 0 {
			return false
		}
		return v.swap(`(?i)\b(?:exchange|return|cancel|modify|upgrade|change)\b`, pick(v, "maybe $0", "possibly $0", "perhaps $0"))
	}},
	{gates.SameItem, "all new are old", "retail", func(v *victim) bool {
		return v.first(`^(exchange|modify_pending_order_items)`, func(a *tau.Action) bool {
			return v.set(a, "new_item_ids", slices.Clone(list(a.Arguments["item_ids"])))
		})
	}},
	{gates.SameItem, "pays with what paid", "retail", func(v *victim) bool {
		for _, r := range v.own() {
			if r["status"] == "pending" {
				p := list(r["payment_history"])[0].(map[string]any)
				return v.add("modify_pending_order_payment", "order_id", r["order_id"], "payment_method_id", p["payment_method_id"])
			}
		}
		return false
	}},
	{gates.SameItem, "same flights and cabin, added", "airline", func(v *victim) bool {
		for _, r := range v.own() {
			if touched := slices.ContainsFunc(v.writes(`^update|^cancel`), func(a *tau.Action) bool { return a.Arguments["reservation_id"] == r["reservation_id"] }); r["status"] == nil && !touched {
				var legs []any
				for _, f := range list(r["flights"]) {
					legs = append(legs, map[string]any{"flight_number": f.(map[string]any)["flight_number"], "date": f.(map[string]any)["date"]})
				}
				return v.add("update_reservation_flights", "reservation_id", r["reservation_id"], "cabin", r["cabin"], "flights", legs, "payment_id", keysOf(v.methods())[0])
			}
		}
		return false
	}},
	{gates.PolicyBreach, "adds more than five passengers", "airline", func(v *victim) bool {
		return v.first(`^book`, func(a *tau.Action) bool {
			p := slices.Clone(list(a.Arguments["passengers"]))
			for len(p) < 6 {
				p = append(p, p[0])
			}
			return v.set(a, "passengers", p)
		})
	}},
	{gates.PolicyBreach, "changes another customer's record", "", func(v *victim) bool {
		if v.name == "retail" {
			for _, k := range v.env.Keys("orders") {
				if r := v.env.Record("orders", k); r["user_id"] != v.customer() && r["status"] == "pending" {
					return v.add("cancel_pending_order", "order_id", k, "reason", "no longer needed")
				}
			}
		}
		for _, k := range v.env.Keys("reservations") {
			if r := v.env.Record("reservations", k); r["user_id"] != v.customer() {
				return v.add("cancel_reservation", "reservation_id", k)
			}
		}
		return false
	}},
	{gates.PolicyBreach, "removes bags", "airline", func(v *victim) bool {
		for _, r := range v.own() {
			if n, _ := r["total_baggages"].(int64); n > 1 && r["status"] == nil {
				return v.add("update_reservation_baggages", "reservation_id", r["reservation_id"], "total_baggages", n-1, "nonfree_baggages", int64(0), "payment_id", keysOf(v.methods())[0])
			}
		}
		return false
	}},
	{gates.PolicyBreach, "another product", "retail", func(v *victim) bool {
		return v.first(`^(exchange|modify_pending_order_items)`, func(a *tau.Action) bool {
			news := slices.Clone(list(a.Arguments["new_item_ids"]))
			r := v.env.Record("products", v.env.Keys("products")[v.rng.IntN(40)])
			news[0] = keysOf(r["variants"])[0]
			return v.set(a, "new_item_ids", news)
		})
	}},
	{gates.NoFallback, "second half of the story lost", "", func(v *victim) bool {
		for _, f := range v.fields() {
			at := regexp.MustCompile(`(?i)\bif (?:that|this|it|the agent|not|there|removing|cancelling|refund|no)\b[^.]*(?:\bnot\b|n't|\bno\b|cannot|unavailable|refus)`).FindStringIndex(*f)
			if at != nil && at[0] > 30 {
				*f = strings.TrimRight((*f)[:at[0]], " ,(-—") + "."
				return !regexp.MustCompile(`(?i)\bif\b`).MatchString(v.all())
			}
		}
		return false
	}},
	{gates.NoPayment, "payment left out of gold", "", func(v *victim) bool {
		a, _ := v.payer()
		if a == nil {
			return false
		}
		args := map[string]any{}
		for k, x := range a.Arguments {
			if !strings.HasPrefix(k, "payment") {
				args[k] = x
			}
		}
		*a = tau.Action{ActionID: a.ActionID, Requestor: chat.Assistant, Name: a.Name, Arguments: args}
		return true
	}},
	{gates.NoPayment, "pays by what nobody has", "", func(v *victim) bool {
		a, _ := v.payer()
		if a == nil {
			return false
		}
		v.cut(pays)
		return v.hasWish() && v.say(pick(v, "You will pay in cash.", "You want to pay by bank transfer.", "Use Apple Pay for it.", "Charge it to your card ending in 0007."))
	}},
	{gates.Impossible, "price of the new thing", "retail", func(v *victim) bool {
		return len(v.writes(`^(exchange|modify_pending_order_items)`)) > 0 && v.say(pick(v, "The new one must cost less than $3.", "You only take it if its price is under $2.", "The replacement has to be cheaper than $4."))
	}},
	{gates.Impossible, "not what gold takes", "", func(v *victim) bool {
		for _, a := range v.writes(`^(update_reservation_flights|book)`) {
			return v.say(fmt.Sprintf(pick(v, "You do not want %s.", "You never fly %s.", "You do not accept %s."), strings.ReplaceAll(fmt.Sprint(a.Arguments["cabin"]), "_", " ")))
		}
		for _, a := range v.writes(`^(exchange|modify_pending_order_items)`) {
			old := fmt.Sprint(list(a.Arguments["item_ids"])[0])
			_, all := v.variantsOf(a, old)
			if x, ok := all[fmt.Sprint(list(a.Arguments["new_item_ids"])[0])].(map[string]any); ok {
				o := x["options"].(map[string]any)
				k := keysOf(o)[0]
				if z := fmt.Sprint(o[k]); len(z) > 3 {
					return v.say(fmt.Sprintf(pick(v, "You do not want %s.", "You never accept %s.", "You will not take %s."), z))
				}
			}
		}
		return false
	}},
	{gates.Impossible, "past day", "airline", func(v *victim) bool {
		return len(v.writes(`^(update_reservation_flights|book)`)) > 0 && v.say(pick(v, "The new flight has to be on April 2.", "You need to arrive by January 5.", "You must fly on September 9."))
	}},
	{gates.OpenLoophole, "another way pleases too", "", func(v *victim) bool {
		return v.say(pick(v, "Cancelling everything instead is fine too.", "A voucher would work as well.", "Alternatively a full refund is okay.", "You have no preference which way it is done.",
			"You would be just as happy with something else the agent comes up with.", "You will take whatever is possible.", "If the agent offers a different arrangement instead, accept it.", "You are flexible about all of this."))
	}},
	{gates.WrongIdentity, "names in the wrong order", "", func(v *victim) bool {
		name, _ := v.me()["name"].(map[string]any)
		return name != nil && v.swap(fmt.Sprint(name["first_name"])+` `+fmt.Sprint(name["last_name"]), fmt.Sprint(name["last_name"])+" "+fmt.Sprint(name["first_name"]))
	}},
	{gates.WrongIdentity, "letter wrong in the last name", "", func(v *victim) bool {
		name, _ := v.me()["name"].(map[string]any)
		return name != nil && v.swap(fmt.Sprint(name["first_name"])+` `+fmt.Sprint(name["last_name"]), fmt.Sprint(name["first_name"])+" "+fmt.Sprint(name["last_name"])+"ton")
	}},
	{gates.WrongIdentity, "companion of another name", "airline", func(v *victim) bool {
		for _, r := range v.own() {
			for _, p := range list(r["passengers"]) {
				first := fmt.Sprint(p.(map[string]any)["first_name"])
				if first != fmt.Sprint(field(v.me(), "name", "first_name")) && v.swap(`\b`+first+`\b`, "Juan") {
					return true
				}
			}
		}
		return false
	}},
	{gates.HiddenID, "known to the customer alone", "", func(v *victim) bool {
		for _, a := range v.writes(anyWrite) {
			for _, k := range []string{"order_id", "reservation_id"} {
				if id, ok := a.Arguments[k].(string); ok {
					return v.say(fmt.Sprintf(pick(v, "Only you know that the right one is %s; keep it to yourself.", "You are not supposed to tell the agent that it is %s, but you confirm it.", "Do not volunteer %s. Confirm it if the agent asks.", "Never state %s yourself."), id))
				}
			}
		}
		return false
	}},
	{gates.HiddenID, "item to be confirmed", "retail", func(v *victim) bool {
		return v.first(`^(exchange|modify_pending_order_items)`, func(a *tau.Action) bool {
			id := fmt.Sprint(list(a.Arguments["new_item_ids"])[0])
			return !strings.Contains(v.all(), id) && v.say(fmt.Sprintf(pick(v, "The item you want is %s, which you do not tell; you only say yes to that one.", "You won't mention the item id %s, but reject any other."), id))
		})
	}},
	{gates.HiddenID, "a code that nobody gave", "", func(v *victim) bool {
		return len(v.writes(anyWrite)) > 0 && v.recordSaid() == "" && !regexp.MustCompile(`\d{7}`).MatchString(v.all()) &&
			v.say(pick(v, "Before anything is changed you insist on confirming the "+v.kindName()+" number that the agent reads out.", "The agent has to name the "+v.kindName()+" id and you check that it is correct."))
	}},
}

func field(m map[string]any, path ...string) any {
	var v any = m
	for _, p := range path {
		x, _ := v.(map[string]any)
		v = x[p]
	}
	return v
}
