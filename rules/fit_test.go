package rules_test

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"taste/contract"
	"taste/domain/airline"
	"taste/domain/retail"
	"taste/domain/telecom"
	"taste/env"
	"taste/internal/library"
	"taste/phrase"
	"taste/rules"
)

// folder is what a domain's folder gives to the roles.
type folder struct {
	domain   func(worldSeed uint64) (*env.Domain, error)
	contract []byte
	phrases  [][]byte
}

func (f folder) fit(t *testing.T) error {
	t.Helper()
	d, err := f.domain(1)
	if err != nil {
		t.Fatal(err)
	}
	c, err := contract.Load(f.contract)
	if err != nil {
		return err
	}
	b, err := phrase.Load(append([][]byte{phrase.Common}, f.phrases...)...)
	if err != nil {
		return err
	}
	return errors.Join(rules.Fit(d, c, b), rules.Spelt(c, d))
}

func TestDomainsFit(t *testing.T) {
	for name, f := range map[string]folder{
		"airline": {airline.Builtin, airline.Contract(), airline.Phrases()},
		"retail":  {retail.Builtin, retail.Contract(), retail.Phrases()},
		"library": {library.Builtin, library.Contract(), library.Phrases()},
		"telecom": {telecom.Builtin, telecom.Contract(), telecom.Phrases()},
	} {
		if err := f.fit(t); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestMisfitsAreNamed makes the slips of a pen in the library's contract and
// phrase book, each of which is to be named before any work.
func TestMisfitsAreNamed(t *testing.T) {
	for _, x := range []struct{ from, to, want string }{
		{"- act: renew\n", "- act: renewal\n", `wish renew: the phrase book has no act renew (role wish)`},
		{"- act: weeks\n", "- act: week\n", `wish renew: detail: the phrase book has no act weeks`},
		{"- act: tell_shelf\n", "- act: tells_shelf\n", `wish ask_shelf: tells: the phrase book has no act tell_shelf`},
		{"- act: card_number\n", "- act: number\n", `way card_number: the phrase book has no act card_number`},
		{"- act: new_due\n", "- act: newer_due\n", `wish renew: restate: the phrase book has no act new_due`},
		{"- act: slip_weeks\n", "- act: slip_week\n", `slip: the phrase book has no act slip_weeks`},
		{"- act: claim_due\n", "- act: claims_due\n", `claim: the phrase book has no act claim_due`},
		{"- act: mixup\n", "- act: mixups\n", `twins of loan: the phrase book has no act mixup`},
		{"value: member_id, what", "value: member, what", `way card_number: act cannot be worded`},
		{"value: weeks, what", "value: week, what", `withheld weeks: act cannot be worded`},
		{"value: renew, name", "value: renewal, name", `wish renew: act cannot be worded`},
		{"please_wait: ", "wait: ", ``},
		{"handed_over: ", "handed: ", `protocol.notice "A LIBRARIAN`},
		{"slots: {due: to}}", "slots: {day: to}}", `wish renew: restate: act new_due of the phrase book has the slots ["due"], want ["day"]`},
		{"set: {weeks: weeks}}", "set: {weeks: week}}", `wish renew: a detail says "week", which is no slot`},
		{"does: renew_loan", "does: renew", `wish renew: does: unknown tool "renew"`},
		{"uses: [get_loan]", "uses: [read_loan]", `wish renew: uses: unknown tool "read_loan"`},
		{"args: {loan_id: ask.loan, due: to}", "args: {loan: ask.loan, due: to}", `wish renew: argument loan is none that tool renew_loan declares`},
		{"args: {loan_id: ask.loan, due: to}", "args: {loan_id: ask.loan}", `wish renew: tool renew_loan needs "due", which is not given`},
		{"source: computed", "source: calculated", `tool renew_loan: source of due: "calculated"`},
		{"      due: {source", "      date: {source", `wish renew: argument due is none that tool renew_loan declares`},
		{"name: loan, kind: loan", "name: loan, kind: lone", `wish renew: slot loan: no kind of record is called "lone"`},
		{"listed: loans", "listed: lones", `record loan: listed: records of table members have no list "lones"`},
		{"owner: member_id", "owner: member", `record loan: owner: records of table loans have no field "member"`},
		{"field: due,", "field: date,", `claim claim_due: records of table loans have no field "date"`},
		{"table: members", "table: member", `customer: the database has no table "member"`},
		{"table: loans", "table: loan", `record loan: the database has no table "loan"`},
		{"tool: get_loan", "tool: read_loan", `read loan: unknown tool "read_loan"`},
		{"args: [loan_id], over", "args: [loan], over", `read loan: tool get_loan has no parameter "loan"`},
		{"over: [loans]", "over: [loan]", `read loan: over: the database has no table "loan"`},
		{"id: not_late, tools: [renew_loan]", "id: not_late, tools: [renew]", `policy rule not_late: unknown tool "renew"`},
		{"id: not_late,", "id: not_late, otherwise: hand_off,", `policy rule not_late: otherwise: "hand_off"`},
		{"handoff: hand_over", "handoff: transfer", `protocol: handoff: unknown tool "transfer"`},
		{"  handoff: hand_over\n", "", `protocol.handoff names no tool`},
	} {
		err := misspelt(t, folder{library.Builtin, library.Contract(), library.Phrases()}, x.from, x.to).fit(t)
		switch {
		case x.want == "" && err != nil, x.want != "" && (err == nil || !strings.Contains(err.Error(), x.want)):
			t.Errorf("%q → %q: %v\nwant %q", x.from, x.to, err, x.want)
		}
	}
}

// TestCallsOfTheEnvironmentFit: what plants, assertions and look-alikes name is there.
func TestCallsOfTheEnvironmentFit(t *testing.T) {
	telecoms := folder{telecom.Builtin, telecom.Contract(), telecom.Phrases()}
	airlines := folder{airline.Builtin, airline.Contract(), airline.Phrases()}
	retails := folder{retail.Builtin, retail.Contract(), retail.Phrases()}
	for _, x := range []struct {
		folder
		from, to, want string
	}{
		{telecoms, "func: set_user_info", "func: set_user", `device: setup: the domain has no function "set_user" on the user's side`},
		{telecoms, "{name: me.full_name,", "{nam: me.full_name,", `device: setup: function set_user_info has no parameter "nam"`},
		{telecoms, "{name: me.full_name,", "{", `device: setup: function set_user_info needs "name", which is not given`},
		{telecoms, "func: turn_airplane_mode_on", "func: turn_airplane_mode_onx", `fault airplane_on: plant: the domain has no function "turn_airplane_mode_onx" on the user's side`},
		{telecoms, "side: user, func: unseat_sim_card", "side: assistant, func: unseat_sim_card", `fault sim_out: plant: unseat_sim_card is a function of the user's side, not of the assistant's`},
		{telecoms, "args: {mode: \"'2g_only'\"}", "args: {}", `fault mode_2g: plant: function set_network_mode_preference needs "mode", which is not given`},
		{telecoms, "args: {mode: ask.lock}", "args: {mode: ask.lock, pin: \"'1'\"}", `fault sim_locked: plant: function lock_sim_card has no parameter "pin"`},
		{telecoms, "func: suspend_line, when: \"l.status", "func: suspend_lin, when: \"l.status", `wish unpause: plant: the domain has no function "suspend_lin" on the assistant's side`},
		{telecoms, "func: assert_service_status", "func: assert_service", `assertion: the domain has no function "assert_service" on the user's side`},
		{telecoms, "side: assistant, func: assert_line_status", "side: user, func: assert_line_status", `assertion: assert_line_status is a function of the assistant's side, not of the user's`},
		{telecoms, "expected_speed: ", "speed: ", `assertion: function assert_internet_speed has no parameter "speed"`},
		{telecoms, "args: {overdue_bill_id: item.bill_id}", "args: {}", `assertion: function assert_no_overdue_bill needs "overdue_bill_id", which is not given`},
		{telecoms, "func: refuel_data, args", "func: refuel_dta, args", `rival refuelled: plant: the domain has no function "refuel_dta" on the assistant's side`},
		{telecoms, "side: assistant, func: refuel_data, args", "side: user, func: refuel_data, args", `rival refuelled: plant: refuel_data is a function of the assistant's side, not of the user's`},
		{telecoms, "line_id: item, gb_amount", "lineid: item, gb_amount", `rival refuelled: plant: function refuel_data has no parameter "lineid"`},
		{telecoms, ", gb_amount: \"2.0\"", "", `rival refuelled: plant: function refuel_data needs "gb_amount", which is not given`},
		{telecoms, "table: lines\n      key", "table: linez\n      key", `rival refuelled: the database has no table "linez"`},
		{telecoms, "differs: data_refueling_gb", "differs: data_refuelin_gb", `rival refuelled: differs: neither records of table lines nor their parts have a field "data_refuelin_gb"`},
		{telecoms, "apart: l.phone_number", "apart: l.phone_nmber", `wish pause_low: no record, argument or answer has a field "phone_nmber"`},
		{telecoms, "near(l).map(o, o.line_id)", "near(l).map(o, o.lineid)", `evolution rival refuelled: no record, argument or answer has a field "lineid"`},
		{telecoms, "round2(plan(line(item).plan_id)", "round2(plan(line(item).planid)", `evolution rival refuelled: no record, argument or answer has a field "planid"`},
		{airlines, "numbers_like(old.flight_number)", "numbers_like(old.number)", `evolution rival full_flight: no record, argument or answer has a field "number"`},
		{airlines, "l.flight_number == old.flight_number)[0].date", "l.flight_number == old.flight_number)[0].day", `evolution rival full_flight: no record, argument or answer has a field "day"`},
		{retails, "of: it.product_id", "of: it.product", `evolution rival sold_out: no record, argument or answer has a field "product"`},
		{airlines, "table: flights\n      key", "table: flight\n      key", `rival full_flight: the database has no table "flight"`},
		{airlines, "differs: available_seats", "differs: free_seats", `rival full_flight: differs: neither records of table flights nor their parts have a field "free_seats"`},
		{airlines, "set: {cabin: ", "set: {cabinet: ", `twin basic_economy_keeps_flights: set: records of table reservations have no field "cabinet"`},
		{retails, "differs: available\n", "differs: in_stock\n", `rival sold_out: differs: neither records of table products nor their parts have a field "in_stock"`},
	} {
		err := misspelt(t, x.folder, x.from, x.to).fit(t)
		if err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%q → %q: %v\nwant %q", x.from, x.to, err, x.want)
		}
	}
}

// TestFieldsAreSpelt: a field that nothing has is named, wherever the contract
// speaks of it.
func TestFieldsAreSpelt(t *testing.T) {
	telecoms := folder{telecom.Builtin, telecom.Contract(), telecom.Phrases()}
	airlines := folder{airline.Builtin, airline.Contract(), airline.Phrases()}
	retails := folder{retail.Builtin, retail.Contract(), retail.Phrases()}
	for _, x := range []struct {
		folder
		from, to, where, field string
	}{
		{telecoms, "me.account_status == 'Active'", "me.acount_status == 'Active'", "customer", "acount_status"},
		{telecoms, "own.contract_end_date > today()", "own.contract_end > today()", "device", "contract_end"},
		{telecoms, "where: line(device).roaming_enabled", "where: line(device).roaming", "fault phone_roaming_off", "roaming"},
		{telecoms, "args.line_id in profile(customer).line_ids", "args.line_id in profile(customer).lines", "policy own_line", "lines"},
		{telecoms, "args.gb_amount <= 2.0", "args.amount <= 2.0", "policy two_gigabytes", "args.amount"},
		{telecoms, "apart: l.phone_number", "apart: l.phone_nmber", "wish pause_low", "phone_nmber"},
		{telecoms, "ask.topic in tables.handled_by_people", "ask.topic in tables.handled", "policy people_only", "handled"},
		{telecoms, "where: [\"l.status == 'Active'\", limit(l) < 400.0,", "where: [\"has(l.statuss)\", limit(l) < 400.0,", "wish pause_low", "statuss"},
		{airlines, "\"flights[].date\": {given", "\"flights[].day\": {given", "lint tool update_reservation_flights", "day"},
		{airlines, "born: dob", "born: birthday", "lint people", "birthday"},
		{airlines, "field: address.zip", "field: address.code", "lint facts", "code"},
		{retails, "variants: variants", "variants: kinds", "lint goods", "kinds"},
		{retails, "args: [payment_method_id]", "args: [payment_method]", "lint pays", "args.payment_method"},
	} {
		err := misspelt(t, x.folder, x.from, x.to).fit(t)
		if want := fmt.Sprintf("contract: %s: no record, argument or answer has a field %q", x.where, x.field); err == nil || err.Error() != want {
			t.Errorf("%q → %q: %v\nwant %q", x.from, x.to, err, want)
		}
	}
}

// TestTicketsLackNoWords: a domain with troubles needs words for what tickets say.
func TestTicketsLackNoWords(t *testing.T) {
	f := folder{telecom.Builtin, telecom.Contract(), telecom.Phrases()}
	last := &f.phrases[len(f.phrases)-1]
	for _, act := range []string{"my_number", "slow_data", "refuel", "abroad", "will_make_payment"} {
		whole := *last
		*last = regexp.MustCompile(`(?m)^  - act: `+act+`\n    say: \|\n(      .*\n)+`).ReplaceAll(whole, nil)
		if err, want := f.fit(t), "tickets: no words for "+act; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("without words for %s: %v", act, err)
		}
		*last = whole
	}
}

// misspelt is a domain with a text of its contract or phrase book replaced, where it
// stands first.
func misspelt(t *testing.T, f folder, from, to string) folder {
	t.Helper()
	texts := []*[]byte{&f.contract}
	for i := range f.phrases {
		texts = append(texts, &f.phrases[i])
	}
	for _, text := range texts {
		if bytes.Contains(*text, []byte(from)) {
			*text = bytes.Replace(*text, []byte(from), []byte(to), 1)
			return f
		}
	}
	t.Fatalf("no %q in the domain", from)
	return f
}
