package gates_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"testing"

	"taste/chat"
	"taste/contract"
	"taste/domain/airline"
	"taste/domain/retail"
	"taste/env"
	"taste/gates"
	"taste/internal/shared"
	"taste/rules"
	"taste/tau"
)

// public is a public domain with its verified tasks.
type public struct {
	name string
	kit
	verified []json.RawMessage
}

func publicDomain(tb testing.TB, name string) *public {
	tb.Helper()
	natives := map[string]env.Native{"airline": airline.Native, "retail": retail.Native}
	contracts := map[string]func() []byte{"airline": airline.Contract, "retail": retail.Contract}
	dir := filepath.Join(shared.Dir(tb), "packs", "tau2-"+name)
	pack, err := env.LoadPack(dir, env.Registry{env.Key(name, "tau2"): natives[name]})
	must(tb, err)
	c, err := contract.Load(contracts[name]())
	must(tb, err)
	p := &public{name: name, kit: kit{domain: pack.Domain, contract: c}}
	data, err := os.ReadFile(filepath.Join(dir, "tasks_verified.json"))
	must(tb, err)
	must(tb, json.Unmarshal(data, &p.verified))
	return p
}

// victim is a copy of a task that a fault is put into.
type victim struct {
	*public
	*tau.Task
	rng  *rand.Rand
	text *tau.StructuredInstructions
	env  *env.Environment
}

func (p *public) victim(tb testing.TB, raw json.RawMessage, rng *rand.Rand) *victim {
	tb.Helper()
	tasks, err := tau.ParseTasks("t", []byte("["+string(raw)+"]"))
	must(tb, err)
	t := &tasks[0]
	return &victim{p, t, rng, t.UserScenario.Instructions.Structured, p.domain.Environment()}
}

func (v *victim) customer() string { return rules.CustomerOf(v.contract, v.env, v.Task, nil) }
func (v *victim) me() map[string]any {
	return v.env.Record(v.contract.Customer.Table, v.customer())
}

// fields are the texts of the scenario.
func (v *victim) fields() []*string {
	out := []*string{&v.text.ReasonForCall, &v.text.TaskInstructions}
	for _, s := range []*string{v.text.KnownInfo, v.text.UnknownInfo} {
		if s != nil {
			out = append(out, s)
		}
	}
	return out
}

func (v *victim) all() string {
	var out []string
	for _, f := range v.fields() {
		out = append(out, *f)
	}
	return strings.Join(out, " ")
}

// swap replaces what a pattern finds first in the fields; false if nothing.
func (v *victim) swap(pattern, by string) bool {
	re := regexp.MustCompile(pattern)
	for _, f := range v.fields() {
		if at := re.FindStringIndex(*f); at != nil {
			*f = (*f)[:at[0]] + re.ReplaceAllString((*f)[at[0]:at[1]], by) + (*f)[at[1]:]
			return true
		}
	}
	return false
}

func (v *victim) swapAll(pattern, by string) bool {
	n := 0
	for v.swap(pattern, by) && n < 9 {
		n++
	}
	return n > 0
}

var sentenceEnd = regexp.MustCompile(`[.!?]+["')]*\s+|\n+|;\s+`)

// cut removes all sentences that match; what they said, "" if none.
func (v *victim) cut(pattern string) string {
	re := regexp.MustCompile(pattern)
	var gone []string
	for _, f := range v.fields() {
		var kept []string
		for _, s := range split(*f) {
			if re.MatchString(s) {
				gone = append(gone, s)
			} else {
				kept = append(kept, s)
			}
		}
		if len(kept) == 0 {
			kept = []string{"."}
		}
		*f = strings.Join(kept, "")
	}
	return strings.Join(gone, " ")
}

func split(text string) []string {
	var out []string
	for {
		at := sentenceEnd.FindStringIndex(text)
		if at == nil {
			return append(out, text)
		}
		out = append(out, text[:at[1]])
		text = text[at[1]:]
	}
}

func (v *victim) say(text string) bool {
	f := v.fields()[v.rng.IntN(2)]
	*f = strings.TrimSuffix(strings.TrimSpace(*f), ".") + ". " + text
	return true
}

func pick[T any](v *victim, list ...T) T { return list[v.rng.IntN(len(list))] }

// writes lists gold actions by tool name pattern.
func (v *victim) writes(pattern string) []*tau.Action {
	re := regexp.MustCompile(pattern)
	var out []*tau.Action
	for i := range v.EvaluationCriteria.Actions {
		if a := &v.EvaluationCriteria.Actions[i]; re.MatchString(a.Name) {
			out = append(out, a)
		}
	}
	return out
}

// first hands the first write of a tool to f; false if there is none.
func (v *victim) first(pattern string, f func(a *tau.Action) bool) bool {
	all := v.writes(pattern)
	return len(all) > 0 && f(all[0])
}

func (v *victim) add(name string, pairs ...any) bool {
	v.EvaluationCriteria.Actions = append(v.EvaluationCriteria.Actions, call(name, pairs...))
	return true
}

const anyWrite = `^(cancel|modify|return|exchange|update|book|send)_`

func (v *victim) set(a *tau.Action, name string, value any) bool {
	args := map[string]any{}
	for k, x := range a.Arguments {
		args[k] = x
	}
	args[name] = value
	*a = tau.Action{ActionID: a.ActionID, Requestor: chat.Assistant, Name: a.Name, Arguments: args}
	return true
}

// own lists the records of the customer.
func (v *victim) own() []map[string]any {
	var out []map[string]any
	for _, kind := range []string{"order", "reservation"} {
		if r := v.contract.Records[kind]; r != nil {
			for _, k := range rules.OwnKeys(v.contract, v.env, r, v.customer()) {
				out = append(out, v.env.Record(r.Table, fmt.Sprint(k)))
			}
		}
	}
	return out
}

func (v *victim) record(a *tau.Action) map[string]any {
	if id, ok := a.Arguments["order_id"].(string); ok {
		return v.env.Record("orders", id)
	}
	if id, ok := a.Arguments["reservation_id"].(string); ok {
		return v.env.Record("reservations", id)
	}
	return nil
}

func keysOf(m any) []string {
	var out []string
	x, _ := m.(map[string]any)
	for k := range x {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

// variantsOf lists the ids of the variants of the goods that an item is of.
func (v *victim) variantsOf(a *tau.Action, item string) (ids []string, all map[string]any) {
	for _, i := range list(v.record(a)["items"]) {
		if m := i.(map[string]any); m["item_id"] == item {
			all, _ = v.env.Record("products", fmt.Sprint(m["product_id"]))["variants"].(map[string]any)
			return keysOf(all), all
		}
	}
	return nil, nil
}

func list(v any) []any {
	l, _ := v.([]any)
	return l
}

// script is one way to put a fault of a class into a task.
type script struct {
	class  gates.Class
	name   string
	domain string // "" for both
	apply  func(v *victim) bool
}

// recordSaid is the id of a record of gold that the text gives.
func (v *victim) recordSaid() string {
	for _, a := range v.writes(anyWrite) {
		for _, k := range []string{"order_id", "reservation_id"} {
			if id, ok := a.Arguments[k].(string); ok && strings.Contains(v.all(), strings.TrimPrefix(id, "#")) {
				return id
			}
		}
	}
	return ""
}

func (v *victim) methods() map[string]any {
	m, _ := v.me()["payment_methods"].(map[string]any)
	return m
}

func (v *victim) payer() (a *tau.Action, id string) {
	for _, a := range v.writes(anyWrite) {
		for _, k := range []string{"payment_id", "payment_method_id"} {
			if id, ok := a.Arguments[k].(string); ok {
				return a, id
			}
		}
	}
	return nil, ""
}

// otherPays tells whether gold could be paid with another method of the profile.
func (v *victim) otherPays() bool {
	for i := range v.EvaluationCriteria.Actions {
		a := v.EvaluationCriteria.Actions[i]
		for _, name := range []string{"payment_id", "payment_method_id"} {
			for _, id := range keysOf(v.methods()) {
				if have, ok := a.Arguments[name].(string); ok && have != id {
					args := map[string]any{}
					for k, x := range a.Arguments {
						args[k] = x
					}
					args[name] = id
					if b := (tau.Action{ActionID: "x", Requestor: chat.Assistant, Name: a.Name, Arguments: args}); !v.env.Clone().Apply(&b).Error {
						return true
					}
				}
			}
		}
	}
	return false
}

func quote(id string) string { return regexp.QuoteMeta(strings.TrimPrefix(id, "#")) }

const pays = `(?i)pay|card|\bGC\b|certificate|refund\w* (?:\w+ )?to|method`

var scripts = []script{
	{gates.Ambiguous, "id becomes one of several", "", func(v *victim) bool {
		id := v.recordSaid()
		return id != "" && len(v.own()) > 1 && v.swapAll(`(?:\b(?:your )?(?:order|reservation)s? )?#?`+quote(id), pick(v, "one of your "+v.kindName()+"s", "some "+v.kindName()+" of yours", "a certain "+v.kindName()))
	}},
	{gates.Ambiguous, "same becomes similar", "", func(v *victim) bool {
		return len(v.writes(anyWrite)) > 0 && v.swap(`(?i)(?:exactly )?the (?:exact )?same(?: one)?|the exact|the same`, pick(v, "a similar one", "something comparable", "more or less the same"))
	}},
	{gates.Ambiguous, "superlative becomes vague", "", func(v *victim) bool {
		return len(v.writes(anyWrite)) > 0 && v.swap(`(?i)the (?:cheapest|most expensive|fastest|smallest|easiest|highest resolution|maximum|largest|second cheapest)(?: available)?`, pick(v, "a decent", "some suitable", "a reasonable", "a nicer"))
	}},
	{gates.Ambiguous, "hedge after the wish", "", func(v *victim) bool {
		if len(v.writes(anyWrite)) == 0 {
			return false
		}
		parts := split(v.text.ReasonForCall)
		parts[0] = strings.TrimRight(parts[0], ". \n") + pick(v, ", or something like that. ", ", or maybe another one. ", " or so. ", ", or whichever. ", ", more or less. ")
		v.text.ReasonForCall = strings.Join(parts, "")
		return true
	}},
	{gates.Ambiguous, "value lost", "retail", func(v *victim) bool {
		for _, a := range v.writes(`^(exchange|modify_pending_order_items)`) {
			for i, id := range list(a.Arguments["new_item_ids"]) {
				old := fmt.Sprint(list(a.Arguments["item_ids"])[i])
				_, all := v.variantsOf(a, old)
				o1, _ := all[fmt.Sprint(id)].(map[string]any)
				o0, _ := all[old].(map[string]any)
				if o1 == nil || o0 == nil {
					continue
				}
				for _, k := range keysOf(o1["options"]) {
					x, y := fmt.Sprint(o1["options"].(map[string]any)[k]), fmt.Sprint(o0["options"].(map[string]any)[k])
					if x != y && len(x) > 2 && v.swapAll(`(?i)\b`+regexp.QuoteMeta(x)+`\b`, "different") {
						return true
					}
				}
			}
		}
		return false
	}},
	{gates.Ambiguous, "day lost", "airline", func(v *victim) bool {
		return len(v.writes(`^(update_reservation_flights|book)`)) > 0 && v.swap(`(?i)(?:on )?(?:the )?May \d+(?:st|nd|rd|th)?`, pick(v, "around that time", "sometime in May", "some other day", "a different day"))
	}},

	{gates.SameItem, "new is old", "retail", func(v *victim) bool {
		return v.first(`^(exchange|modify_pending_order_items)`, func(a *tau.Action) bool {
			news := slices.Clone(list(a.Arguments["new_item_ids"]))
			i := v.rng.IntN(len(news))
			news[i] = list(a.Arguments["item_ids"])[i]
			return v.set(a, "new_item_ids", news)
		})
	}},
	{gates.SameItem, "address as it was", "retail", func(v *victim) bool {
		return v.first(`^modify_(pending_order|user)_address`, func(a *tau.Action) bool {
			r := v.record(a)
			if r == nil {
				r = v.me()
			}
			for k, x := range r["address"].(map[string]any) {
				v.set(a, k, x)
			}
			return true
		})
	}},
	{gates.SameItem, "flights as they were", "airline", func(v *victim) bool {
		return v.first(`^update_reservation_flights`, func(a *tau.Action) bool {
			r := v.record(a)
			var legs []any
			for _, f := range list(r["flights"]) {
				m := f.(map[string]any)
				legs = append(legs, map[string]any{"flight_number": m["flight_number"], "date": m["date"]})
			}
			v.set(a, "cabin", r["cabin"])
			return v.set(a, "flights", legs)
		})
	}},
	{gates.SameItem, "passengers as they were", "airline", func(v *victim) bool {
		return v.first(`^update_reservation_passengers`, func(a *tau.Action) bool {
			return v.set(a, "passengers", v.record(a)["passengers"])
		})
	}},
	{gates.SameItem, "bags as they were", "airline", func(v *victim) bool {
		return v.first(`^update_reservation_baggages`, func(a *tau.Action) bool {
			v.set(a, "nonfree_baggages", v.record(a)["nonfree_baggages"])
			return v.set(a, "total_baggages", v.record(a)["total_baggages"])
		})
	}},
	{gates.SameItem, "passengers renamed to themselves", "airline", func(v *victim) bool {
		for _, r := range v.own() {
			return v.add("update_reservation_passengers", "reservation_id", r["reservation_id"], "passengers", r["passengers"])
		}
		return false
	}},

	{gates.PolicyBreach, "cancels what may not be cancelled", "airline", func(v *victim) bool {
		for _, r := range v.own() {
			if r["cabin"] != "business" && r["insurance"] == "no" && r["status"] == nil && !strings.HasPrefix(fmt.Sprint(r["created_at"]), "2024-05-1") {
				return v.add("cancel_reservation", "reservation_id", r["reservation_id"])
			}
		}
		return false
	}},
	{gates.PolicyBreach, "certificate out of nothing", "airline", func(v *victim) bool {
		return v.me() != nil && v.add("send_certificate", "user_id", v.customer(), "amount", int64(pick(v, 50, 100, 150)))
	}},
	{gates.PolicyBreach, "wrong number of paid bags", "airline", func(v *victim) bool {
		return v.first(`^(update_reservation_baggages|book)`, func(a *tau.Action) bool {
			n, _ := a.Arguments["nonfree_baggages"].(int64)
			v.set(a, "total_baggages", a.Arguments["total_baggages"].(int64)+1)
			return v.set(a, "nonfree_baggages", n+2)
		})
	}},
	{gates.PolicyBreach, "moves a basic economy trip", "airline", func(v *victim) bool {
		for _, r := range v.own() {
			if r["cabin"] == "basic_economy" && r["status"] == nil {
				m := list(r["flights"])[0].(map[string]any)
				if len(list(r["flights"])) > 1 {
					return v.add("update_reservation_flights", "reservation_id", r["reservation_id"], "cabin", "basic_economy", "payment_id", keysOf(v.methods())[0],
						"flights", []any{map[string]any{"flight_number": m["flight_number"], "date": "2024-05-28"}})
				}
			}
		}
		return false
	}},
	{gates.PolicyBreach, "cancels what is not pending", "retail", func(v *victim) bool {
		for _, r := range v.own() {
			if r["status"] != "pending" {
				return v.add("cancel_pending_order", "order_id", r["order_id"], "reason", "no longer needed")
			}
		}
		return false
	}},
	{gates.PolicyBreach, "refund to another card", "retail", func(v *victim) bool {
		for _, a := range v.writes(`^return`) {
			for _, id := range keysOf(v.methods()) {
				if id != a.Arguments["payment_method_id"] && !strings.HasPrefix(id, "gift") {
					return v.set(a, "payment_method_id", id)
				}
			}
		}
		return false
	}},
	{gates.PolicyBreach, "changes an order twice", "retail", func(v *victim) bool {
		return v.first(`^(exchange|return|modify_pending_order_items|cancel)`, func(a *tau.Action) bool {
			v.EvaluationCriteria.Actions = append(v.EvaluationCriteria.Actions, *a)
			return true
		})
	}},
	{gates.PolicyBreach, "another reason", "retail", func(v *victim) bool {
		return v.first(`^cancel`, func(a *tau.Action) bool {
			return v.set(a, "reason", pick(v, "found it cheaper", "arrives too late"))
		})
	}},
	{gates.PolicyBreach, "takes what is not available", "retail", func(v *victim) bool {
		for _, a := range v.writes(`^(exchange|modify_pending_order_items)`) {
			ids, all := v.variantsOf(a, fmt.Sprint(list(a.Arguments["item_ids"])[0]))
			for _, id := range ids {
				if all[id].(map[string]any)["available"] == false {
					news := slices.Clone(list(a.Arguments["new_item_ids"]))
					news[0] = id
					return v.set(a, "new_item_ids", news)
				}
			}
		}
		return false
	}},

	{gates.NoFallback, "all conditions lost", "", func(v *victim) bool {
		return regexp.MustCompile(`(?i)\b(?:not (?:be )?(?:possible|available|allow)|cannot|can't|refus|basic economy|not allow|no \w+ available|otherwise|not help)`).MatchString(v.cut(`(?i)\b(?:if|otherwise|unless)\b`)) && v.hasWish()
	}},
	{gates.NoFallback, "sentences about refusal lost", "", func(v *victim) bool {
		return v.cut(`(?i)^\W*(?:but )?(?:if|only if|even if|if and only if)\b[^.]*(?:\bnot\b|n't|cannot|\bno\b|unavailable|refus|den(?:y|ies)|basic economy|higher|above)`) != "" && v.hasWish() && !regexp.MustCompile(`(?i)\bif\b`).MatchString(v.all())
	}},

	{gates.NoPayment, "payment not said", "", func(v *victim) bool {
		if a, _ := v.payer(); a == nil || len(v.methods()) < 2 {
			return false
		}
		return v.otherPays() && v.cut(pays) != "" && v.hasWish()
	}},
	{gates.NoPayment, "payment not the customer's", "", func(v *victim) bool {
		a, id := v.payer()
		if a == nil {
			return false
		}
		name := "payment_id"
		if a.Arguments[name] == nil {
			name = "payment_method_id"
		}
		return v.set(a, name, id[:len(id)-3]+fmt.Sprint(100+v.rng.IntN(800)))
	}},
	{gates.NoPayment, "wrong digits", "", func(v *victim) bool {
		return v.swap(`(ending in|with my|with your) \d{4}`, fmt.Sprintf("$1 %d", 1000+v.rng.IntN(8999)))
	}},
	{gates.NoPayment, "kind that the customer lacks", "", func(v *victim) bool {
		kinds := map[string]string{"paypal": "PayPal account", "gift_card": "gift card", "credit_card": "credit card"}
		for _, m := range v.methods() {
			delete(kinds, fmt.Sprint(m.(map[string]any)["source"]))
		}
		if v.name == "airline" {
			delete(kinds, "paypal")
		}
		a, _ := v.payer()
		if a == nil || len(kinds) == 0 {
			return false
		}
		v.cut(pays)
		return v.hasWish() && v.say("You want to pay with your "+kinds[keys(kinds)[0]]+".")
	}},

	{gates.Impossible, "limit below what it costs", "", func(v *victim) bool {
		cost := 0.0
		for _, a := range v.writes(`^book`) {
			cost = 50
			_ = a
		}
		for _, a := range v.writes(`^(exchange|modify_pending_order_items)`) {
			for i, id := range list(a.Arguments["new_item_ids"]) {
				_, all := v.variantsOf(a, fmt.Sprint(list(a.Arguments["item_ids"])[i]))
				x, ok1 := all[fmt.Sprint(id)].(map[string]any)
				y, ok2 := all[fmt.Sprint(list(a.Arguments["item_ids"])[i])].(map[string]any)
				if ok1 && ok2 {
					cost += x["price"].(float64) - y["price"].(float64)
				}
			}
		}
		if cost < 3 {
			return false
		}
		return v.say(pick(v, "You will not pay more than $1 for all of this.", "The whole thing must cost less than $2.", "Your budget is $1.", "You only agree if the total is under $1.50."))
	}},
	{gates.Impossible, "another option", "retail", func(v *victim) bool {
		for _, a := range v.writes(`^(exchange|modify_pending_order_items)`) {
			for i, id := range list(a.Arguments["new_item_ids"]) {
				old := fmt.Sprint(list(a.Arguments["item_ids"])[i])
				ids, all := v.variantsOf(a, old)
				o1, _ := all[fmt.Sprint(id)].(map[string]any)
				o0, _ := all[old].(map[string]any)
				if o1 == nil || o0 == nil {
					continue
				}
				for _, k := range keysOf(o1["options"]) {
					x, y := fmt.Sprint(o1["options"].(map[string]any)[k]), fmt.Sprint(o0["options"].(map[string]any)[k])
					for _, other := range ids {
						z := fmt.Sprint(all[other].(map[string]any)["options"].(map[string]any)[k])
						if z != x && z != y && len(x) > 2 && len(z) > 2 && z != "none" && v.swapAll(`(?i)\b`+regexp.QuoteMeta(x)+`\b`, z) {
							return true
						}
					}
				}
			}
		}
		return false
	}},
	{gates.Impossible, "measure that nothing has", "retail", func(v *victim) bool {
		return len(v.writes(`^(exchange|modify_pending_order_items)`)) > 0 && v.swap(`\b\d+(-inch|-piece| ?GB|GB| inch|ml|ft|x zoom| bar| feet| foot)`, fmt.Sprintf("%d$1", 41+v.rng.IntN(40)))
	}},
	{gates.Impossible, "rules out what is asked", "", func(v *victim) bool {
		return v.first(`^(cancel|return|exchange|book|update_reservation_flights|modify_pending_order_items)`, func(a *tau.Action) bool {
			verb := map[string]string{"c": "cancel", "r": "return", "e": "exchange", "b": "book", "u": "change", "m": "modify"}[a.Name[:1]]
			return v.say(pick(v, "You do not want to "+verb+" anything.", "Under no circumstances will you "+verb+" it.", "You will never "+verb+" any of it."))
		})
	}},
	{gates.Impossible, "nonstop where gold stops", "airline", func(v *victim) bool {
		for _, a := range v.writes(`^(update_reservation_flights|book)`) {
			days := map[any]int{}
			for _, f := range list(a.Arguments["flights"]) {
				if days[f.(map[string]any)["date"]]++; days[f.(map[string]any)["date"]] > 1 {
					return v.say(pick(v, "You only want nonstop flights.", "It must be a direct flight.", "You insist on a nonstop connection."))
				}
			}
		}
		return false
	}},
	{gates.Impossible, "hour that no flight of gold has", "airline", func(v *victim) bool {
		return len(v.writes(`^(update_reservation_flights|book)`)) > 0 && v.say(pick(v, "You only want flights that depart before 3am.", "You must arrive before 4am.", "The flight has to leave after 11pm."))
	}},
	{gates.Impossible, "day that is none", "airline", func(v *victim) bool {
		return v.swap(`May \d+\b`, pick(v, "February 30", "May 34", "June 31"))
	}},
	{gates.Impossible, "day of nothing", "airline", func(v *victim) bool {
		return len(v.writes(`^(update_reservation_flights|book)`)) > 0 && v.say("You have to be there on "+pick(v, "March 3", "July 19", "December 24")+".")
	}},

	{gates.OpenLoophole, "prohibitions lost", "airline", func(v *victim) bool {
		return v.cut(`(?i)\b(?:do not|don't|never|no means|no circumstances|will not|won't)\b[^.]*\b(?:cancel|change|modify|upgrade|book|buy|refund|health|sick)`) != ""
	}},
	{gates.OpenLoophole, "cancelling no longer ruled out", "retail", func(v *victim) bool {
		return len(v.writes(`^cancel`)) == 0 && regexp.MustCompile(`(?i)cancel`).MatchString(v.all()) &&
			v.cut(`(?i)(?:\b(?:not|never|only)\b|n't\b)[^.]*\bcancel|no cancel`) != "" && v.hasWish()
	}},
	{gates.OpenLoophole, "takes anything", "", func(v *victim) bool {
		return v.say(pick(v, "You are fine with any other solution the agent offers.", "You would also accept a different outcome.", "Whatever the agent suggests is fine with you.", "Either is fine with you.",
			"You leave the decision to the agent.", "You don't care which one is taken.", "If the agent proposes another workaround, accept it.", "Any alternative works for you.", "You are open to other options."))
	}},
	{gates.OpenLoophole, "two ways are right", "retail", func(v *victim) bool {
		a, _ := v.payer()
		return a != nil && len(v.methods()) > 1 && v.say(pick(v, "You don't mind which payment method is used.", "Any payment method is fine.", "It doesn't matter to you which card is charged."))
	}},

	{gates.WrongIdentity, "another first name", "", func(v *victim) bool {
		name, _ := v.me()["name"].(map[string]any)
		return name != nil && v.swap(`\b`+fmt.Sprint(name["first_name"])+`\b`, pick(v, "Emma", "Noah", "Olivia", "Liam"))
	}},
	{gates.WrongIdentity, "another last name", "", func(v *victim) bool {
		name, _ := v.me()["name"].(map[string]any)
		return name != nil && v.swap(`\b`+fmt.Sprint(name["last_name"])+`\b`, pick(v, "Nguyen", "Castillo", "Whitfield", "Okafor"))
	}},
	{gates.WrongIdentity, "another zip code", "retail", func(v *victim) bool {
		a, _ := v.me()["address"].(map[string]any)
		return a != nil && v.swapAll(`\b`+fmt.Sprint(a["zip"])+`\b`, fmt.Sprint(10000+v.rng.IntN(80000)))
	}},
	{gates.WrongIdentity, "another address of mail", "retail", func(v *victim) bool {
		m, _ := v.me()["email"].(string)
		return m != "" && v.swapAll(regexp.QuoteMeta(m), "x"+m)
	}},
	{gates.WrongIdentity, "another birth date in gold", "airline", func(v *victim) bool {
		return v.first(`^(book|update_reservation_passengers)`, func(a *tau.Action) bool {
			p := slices.Clone(list(a.Arguments["passengers"]))
			i := v.rng.IntN(len(p))
			m := map[string]any{}
			for k, x := range p[i].(map[string]any) {
				m[k] = x
			}
			m["dob"] = fmt.Sprintf("19%d-0%d-1%d", 50+v.rng.IntN(40), 1+v.rng.IntN(8), v.rng.IntN(9))
			p[i] = m
			return v.set(a, "passengers", p)
		})
	}},
	{gates.WrongIdentity, "another name in gold", "airline", func(v *victim) bool {
		return v.first(`^(book|update_reservation_passengers)`, func(a *tau.Action) bool {
			p := slices.Clone(list(a.Arguments["passengers"]))
			m := map[string]any{}
			for k, x := range p[0].(map[string]any) {
				m[k] = x
			}
			m[pick(v, "first_name", "last_name")] = pick(v, "Zoe", "Quentin", "Rossini")
			p[0] = m
			return v.set(a, "passengers", p)
		})
	}},
	{gates.WrongIdentity, "says another birth date", "airline", func(v *victim) bool {
		return v.me() != nil && v.say(pick(v, "Your date of birth is 1971-02-03.", "You were born on March 4, 1969.", "Your DOB is 12/11/1955."))
	}},

	{gates.HiddenID, "id that is not to be said", "", func(v *victim) bool {
		for _, a := range v.writes(anyWrite) {
			for _, k := range []string{"order_id", "reservation_id"} {
				if id, ok := a.Arguments[k].(string); ok {
					return v.say(fmt.Sprintf(pick(v, "The number is %s, do not reveal it to the agent, but confirm it if asked.", "You know that it is %s but will not share this with the agent.",
						"(%s, only confirm it when the agent reads it out; never say it yourself.)", "Keep %s secret; if the agent names another one say that it is wrong."), id))
				}
			}
		}
		return false
	}},
	{gates.HiddenID, "id that is not to be said in place", "", func(v *victim) bool {
		id := v.recordSaid()
		return id != "" && v.swap(`#?`+quote(id), fmt.Sprintf("%s (do not mention this number)", id))
	}},
	{gates.HiddenID, "vouches for an id unknown", "", func(v *victim) bool {
		return len(v.writes(anyWrite)) > 0 && v.recordSaid() == "" && !regexp.MustCompile(`\d{7}`).MatchString(v.all()) &&
			v.say(pick(v, "If the agent asks you to confirm the "+v.kindName()+" number, make sure that it is the right one.", "Only agree once the agent has named the correct "+v.kindName()+" id.", "You have to verify the "+v.kindName()+" ID before anything is done."))
	}},
	{gates.HiddenID, "id lost", "", func(v *victim) bool {
		id := v.recordSaid()
		if id == "" || len(v.own()) < 2 {
			return false
		}
		return v.swapAll(`(?i)(?:your )?(?:in |within |for |under )?(?:order|reservation|confirmation)?(?: number| id| ids)?(?: is)?:? ?#?`+quote(id), pick(v, "", "your "+v.kindName())) &&
			v.say("If asked, you confirm the "+v.kindName()+" number.")
	}},
}

func keys(m map[string]string) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

func (v *victim) kindName() string {
	if v.name == "airline" {
		return "reservation"
	}
	return "order"
}

// hasWish tells whether something is left of what the customer wants.
func (v *victim) hasWish() bool { return len(strings.TrimSpace(v.text.ReasonForCall)) > 20 }
