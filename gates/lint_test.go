package gates_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"taste/contract"
	"taste/domain/retail"
	"taste/gates"
	"taste/tau"
)

// told makes a task in prose that is not the phrase book's.
func told(reason string, gold ...tau.Action) *tau.Task {
	known := "You are Rob Plain. Your user id is rob_plain_1002."
	return &tau.Task{
		ID: "t", UserScenario: tau.UserScenario{Instructions: tau.Instructions{Structured: &tau.StructuredInstructions{
			Domain: "airline", ReasonForCall: reason, KnownInfo: &known, TaskInstructions: "You are terse.",
		}}},
		EvaluationCriteria: &tau.EvaluationCriteria{Actions: gold, RewardBasis: tau.DefaultBasis()},
	}
}

// lints lists what the lints find, "class rule" each, in order.
func lints(t *testing.T, k kit, task *tau.Task) []string {
	t.Helper()
	faults, err := gates.Validate(context.Background(), []tau.Task{*task}, k.domain, k.contract, k.book, nil)
	must(t, err)
	var out []string
	for _, f := range faults {
		if f.Class != "" && f.Kind != gates.Ungated {
			if f.Advice == "" {
				t.Errorf("%v has no advice", f)
			}
			out = append(out, string(f.Class)+" "+f.Rule)
		}
	}
	return out
}

func bags(id, pay string) tau.Action {
	return call("update_reservation_baggages", "reservation_id", id, "total_baggages", int64(4), "nonfree_baggages", int64(2), "payment_id", pay)
}

func read(id string) tau.Action { return call("get_reservation_details", "reservation_id", id) }

// TestLintsOfAirlineProse has a fault a line, and sound wordings without one.
func TestLintsOfAirlineProse(t *testing.T) {
	k := newKit(t)
	more := bags("RRR111", "credit_card_2220001")
	for _, c := range []struct {
		reason string
		gold   []tau.Action
		want   string // "class rule"; "" for none
	}{
		{"You want to have 4 checked bags on reservation RRR111 and pay with your card ending in 5151.", []tau.Action{more}, ""},
		{"You want to have 4 checked bags on reservation RRR111 and pay with your original payment method.", []tau.Action{more}, ""},
		{"You want to have 4 checked bags on reservation RRR111.", []tau.Action{more}, "payment_missing open_choice"},
		{"You want to have 4 checked bags on reservation RRR111 and pay with your card ending in 1234.", []tau.Action{more}, "payment_missing strange_payment"},
		{"You want to have 4 checked bags on reservation RRR111, paid in bitcoin.", []tau.Action{more}, "payment_missing strange_payment"},
		{"You want to have 4 checked bags on RRR111 with your gift card.", []tau.Action{more}, "no_fallback paid_otherwise"},
		{"You want to have 4 checked bags on RRR111 or so, with your card ending in 5151.", []tau.Action{more}, "ambiguous_wording vague_words"},
		{"You want to have 4 checked bags on RRR111 with your card ending in 5151. You will pay $20 at most, so at most $20.", []tau.Action{more}, "impossible_constraint money_limit"},
		{"You want to have 4 checked bags on RRR111 with your card ending in 5151. You pay up to $500.", []tau.Action{more}, "no_fallback limit_without_else"},
		{"You want to have 4 checked bags on RRR111 with your card ending in 5151. Otherwise whatever the agent suggests is fine.", []tau.Action{more}, "loophole permissive"},
		{"You want to have 4 checked bags on RRR111 (do not reveal this number) with your card ending in 5151.", []tau.Action{more}, "hidden_id secret_id"},
		{"You want to have 4 checked bags on your first trip, with your card ending in 5151. Confirm the reservation number when it is read out.", []tau.Action{more}, "hidden_id secret_id"},
		{"You want to have 4 checked bags, with your card ending in 5151.", []tau.Action{more}, "hidden_id which_record"},
		{"You want to upgrade RRR111, with your card ending in 5151.", []tau.Action{more}, "no_fallback unasked_call"},
		{"You want to have 4 checked bags on RRR111 with your card ending in 5151. Your companion Tim Tester comes along.", []tau.Action{more}, ""},
		{"You want to have 4 checked bags on RRR111 with your card ending in 5151. Your name is Bob Plain.", []tau.Action{more}, "wrong_identity own_name"},
		{"You want to have 4 checked bags on RRR111 with your card ending in 5151. You were born on May 7, 1975.", []tau.Action{more}, "wrong_identity own_name"},
		{"You want to have 4 checked bags on RRR111 with your card ending in 5151. You were born on May 6, 1975.", []tau.Action{more}, ""},
		{"You want to have 4 checked bags on RRR111 with your card ending in 5151. Your mail is rob@example.com.", []tau.Action{more}, "wrong_identity customer_fact"},
		{"You want to cancel RRR111 because your plans changed.", []tau.Action{read("RRR111")}, "no_fallback refused_wish"},
		{"You want to cancel RRR111. If that is refused you move on.", []tau.Action{read("RRR111")}, "loophole upgrade_to_cancel"},
		{"You want to cancel RRR111. If that is refused you move on. You will never upgrade your cabin.", []tau.Action{read("RRR111")}, ""},
		{"You want to spell the passenger of RRR444 anew.", []tau.Action{call("update_reservation_passengers", "reservation_id", "RRR444", "passengers",
			[]any{map[string]any{"first_name": "Rob", "last_name": "Plain", "dob": "1975-05-06"}})}, "same_item same_value"},
		{"You want to put Rob Plainer on RRR444 as the passenger.", []tau.Action{call("update_reservation_passengers", "reservation_id", "RRR444", "passengers",
			[]any{map[string]any{"first_name": "Rob", "last_name": "Plainer", "dob": "1975-05-09"}})}, "wrong_identity near_record"},
		{"You want 4 checked bags on RRR111 and AAA222 with your card ending in 5151.", []tau.Action{more, bags("AAA222", "credit_card_1110001")}, "policy_breach several_customers"},
	} {
		got := lints(t, k, told(c.reason, c.gold...))
		if c.want == "" && len(got) > 0 || c.want != "" && !slices.Contains(got, c.want) {
			t.Errorf("%s\n  found %q, want %q", c.reason, got, c.want)
		}
	}
}

// shop is the built-in shop with one customer's delivered item that can be
// exchanged for two others that are in stock.
type shop struct {
	kit
	order, item string
	options     map[string]any // of the item
	others      []map[string]any
	me          map[string]any
	name        string
}

func newShop(t *testing.T) shop {
	t.Helper()
	d, err := retail.Builtin(1)
	must(t, err)
	c, err := contract.Load(retail.Contract())
	must(t, err)
	e := d.Environment()
	for key, o := range e.Records("orders") {
		for _, it := range list(o["items"]) {
			item := it.(map[string]any)
			s := shop{kit: kit{domain: d, contract: c}, order: key, item: fmt.Sprint(item["item_id"]), name: fmt.Sprint(item["name"])}
			s.me = e.Record("users", fmt.Sprint(o["user_id"]))
			all, _ := e.Record("products", fmt.Sprint(item["product_id"]))["variants"].(map[string]any)
			s.options, _ = item["options"].(map[string]any)
			for _, id := range keysOf(all) {
				if v := all[id].(map[string]any); id != s.item && v["available"] == true {
					s.others = append(s.others, v)
				}
			}
			if o["status"] == "delivered" && len(list(o["items"])) == 1 && len(s.others) > 3 && len(list(s.me["orders"])) > 1 {
				return s
			}
		}
	}
	t.Fatal("the shop has no such order")
	return shop{}
}

// exchange makes the task of exchanging the item for another one.
func (s shop) exchange(reason, id string) *tau.Task {
	task := told(reason, call("exchange_delivered_order_items", "order_id", s.order, "item_ids", []any{s.item}, "new_item_ids", []any{id}, "payment_method_id", keysOf(s.me["payment_methods"])[0]))
	name := s.me["name"].(map[string]any)
	known := fmt.Sprintf("You are %s %s in zip code %s.", name["first_name"], name["last_name"], field(s.me, "address", "zip"))
	task.UserScenario.Instructions.Structured.KnownInfo = &known
	return task
}

// TestLintsOfGoods: what the scenario says of goods is held to the catalogue.
func TestLintsOfGoods(t *testing.T) {
	s := newShop(t)
	goods := strings.ToLower(s.name)
	to := s.others[0]
	var asks []string
	for _, k := range keysOf(to["options"]) {
		asks = append(asks, fmt.Sprintf("%s %s", k, to["options"].(map[string]any)[k]))
	}
	id := fmt.Sprint(to["item_id"])
	for _, c := range []struct {
		reason, id, want string
	}{
		{fmt.Sprintf("You want to exchange the %s of order %s for one with %s.", goods, s.order, strings.Join(asks, ", ")), id, ""},
		{fmt.Sprintf("You want to exchange the %s of order %s for item %s.", goods, s.order, id), id, ""},
		{fmt.Sprintf("You want to exchange the %s of order %s.", goods, s.order), id, "unsaid_value"},
		{fmt.Sprintf("You want to exchange the %s of order %s for the exact same one.", goods, s.order), s.item, "same_item same_value"},
		{fmt.Sprintf("You want to exchange a purchase of order %s for one with %s.", s.order, strings.Join(asks, ", ")), id, "ambiguous_wording unsaid_value"},
		{fmt.Sprintf("You want to exchange the %s of order %s for one with %s. It must cost less than $1.", goods, s.order, strings.Join(asks, ", ")), id, "impossible_constraint money_limit"},
		{fmt.Sprintf("You want to exchange the %s of order %s for item %s, which you never mention.", goods, s.order, id), id, "hidden_id secret_id"},
	} {
		got := lints(t, s.kit, s.exchange(c.reason, c.id))
		got = slices.DeleteFunc(got, func(f string) bool { return strings.HasPrefix(f, "payment_missing") })
		if c.want == "" && len(got) > 0 || c.want != "" && !slices.ContainsFunc(got, func(f string) bool { return strings.HasSuffix(f, c.want) }) {
			t.Errorf("%s\n  found %q, want %q", c.reason, got, c.want)
		}
	}
}

// TestLintRefusesUnknownTools: a contract whose lint section speaks of a tool
// that the domain does not have is refused.
func TestLintRefusesUnknownTools(t *testing.T) {
	data := strings.Replace(string(retail.Contract()), "asks: return_delivered_order_items", "asks: send_it_back", 1)
	if _, err := contract.Load([]byte(data)); err == nil || !strings.Contains(err.Error(), `lint loophole refund_elsewhere: unknown tool "send_it_back"`) {
		t.Errorf("error %v", err)
	}
}
