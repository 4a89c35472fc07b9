package airline

import (
	"crypto/sha256"
	"encoding/hex"
	"math/rand/v2"
	"strings"
	"testing"

	"taste/chat"
	"taste/env"
	"taste/env/native/nativetest"
	"taste/pyjson"
	"taste/tau"
)

func initial(t *testing.T, text string) *tau.InitialState {
	t.Helper()
	v, err := pyjson.Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	s, err := tau.ReadInitialState(v)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func agentData(t *testing.T, text string) *tau.InitialState {
	t.Helper()
	return initial(t, `{"initialization_data": {"agent_data": `+text+`}}`)
}

func TestInitializationData(t *testing.T) {
	for _, c := range []struct{ data, diff string }{
		{`{"reservations": {"RES001": {"colour": "red"}}}`, ""},
		{`{"reservations": {"RES001": {"passengers": []}}}`, "reservations.RES001.passengers[0]: {'first_name': 'Kim', 'last_name': 'Ash', 'dob': '1990-01-01'} → absent"},
		{
			`{"users": {"kim": {"payment_methods": {"gift_card_1": {"amount": "12"}}, "address": {"address2": "b"}}}}`,
			"users.kim.address.address2: None → 'b'\nusers.kim.payment_methods.gift_card_1.amount: 300.0 → 12.0",
		},
		{`{"flights": {"AA2": {"dates": {"2024-05-17": {"status": "cancelled"}}}}}`, "flights.AA2.dates.2024-05-17.status: 'available' → 'cancelled'\n" +
			"flights.AA2.dates.2024-05-17.available_seats: {'basic_economy': 2, 'economy': 3, 'business': 1} → absent\nflights.AA2.dates.2024-05-17.prices: {'basic_economy': 40, 'economy': 80, 'business': 200} → absent"},
		{`{"users": {}, "flights": {}}`, ""},
	} {
		e := smallWorld(t)
		if err := e.SetState(agentData(t, c.data)); err != nil {
			t.Errorf("%s: %v", c.data, err)
		}
		if got := changes(e); got != c.diff {
			t.Errorf("%s changes\n%s\nwant\n%s", c.data, got, c.diff)
		}
	}
}

func TestInitializationDataErrors(t *testing.T) {
	for data, want := range map[string]string{
		`{"hotels": {}}`: "hotels\n  Extra inputs are not permitted",
		`{"flights": {"AA1": {"dates": {"2024-05-16": {"status": "delayed"}}}}}`: "flights.AA1.dates.2024-05-16.estimated_departure_time_est\n  Field required",
		`{"users": null}`:                                  "users\n  Input should be a valid dictionary",
		`{"users": {"bo": {"user_id": "bo"}}}`:             "users.bo.name\n  Field required",
		`{"reservations": {"RES001": {"cabin": "first"}}}`: "reservations.RES001.cabin\n  Input should be 'business', 'economy' or 'basic_economy'",
		`{"users": {"kim": {"payment_methods": {"c": {"source": "cash", "id": "c"}}}}}`:           "users.kim.payment_methods.c.source",
		`{"flights": {"AA1": {"dates": {"2024-05-16": {"prices": {"first": 1}}}}}}`:               "flights.AA1.dates.2024-05-16.prices.first",
		`{"reservations": {"RES001": {"payment_history": [{"payment_id": "a", "amount": 0.5}]}}}`: "reservations.RES001.payment_history.0.amount",
	} {
		e := smallWorld(t)
		err := e.SetState(agentData(t, data))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v\nwant %s", data, err, want)
		}
		if changes(e) != "" {
			t.Errorf("%s: a failed set-up changes %s", data, changes(e))
		}
	}
	if err := smallWorld(t).SetState(initial(t, `{"initialization_data": {"user_data": {}}}`)); err == nil {
		t.Error("user data is accepted")
	}
}

const sent = `[{"role": "assistant", "tool_calls": [{"id": "1", "name": "get_user_details", "arguments": {"user_id": "kim"}}, {"id": "2", "name": "send_certificate", "arguments": {"user_id": "kim", "amount": 5}}]},
	{"role": "tool", "id": "1", "content": "whatever"}, {"role": "tool", "id": "2", "content": "Certificate certificate_3221322 added to user kim with amount 5."}, {"role": "user", "content": "thanks"}]`

func TestMessageHistory(t *testing.T) {
	e := smallWorld(t)
	if err := e.SetState(initial(t, `{"message_history": `+sent+`}`)); err != nil {
		t.Fatal(err)
	}
	if got := changes(e); !strings.HasPrefix(got, "users.kim.payment_methods.certificate_3221322: absent") {
		t.Errorf("history changes %q", got)
	}
	for _, broken := range [][2]string{
		{"amount 5.", "amount 6."},
		{`"id": "2", "content"`, `"id": "3", "content"`},
		{`{"role": "tool", "id": "1", "content": "whatever"}, `, ""},
		{`[{"role": "assistant"`, `[{"role": "tool", "id": "9"}, {"role": "assistant"`},
		{`, {"role": "tool", "id": "2", "content": "Certificate certificate_3221322 added to user kim with amount 5."}, {"role": "user", "content": "thanks"}`, ""},
	} {
		e := smallWorld(t)
		if err := e.SetState(initial(t, `{"message_history": `+strings.Replace(sent, broken[0], broken[1], 1)+`}`)); err == nil {
			t.Errorf("%q for %q is accepted", broken[1], broken[0])
		}
	}
}

func TestInitializationActions(t *testing.T) {
	act := func(side, function string) *tau.InitialState {
		return initial(t, `{"initialization_actions": [{"env_type": "`+side+`", "func_name": "`+function+`", "arguments": {"reservation_id": "RES001"}}]}`)
	}
	e := smallWorld(t)
	if err := e.SetState(act("assistant", "cancel_reservation")); err != nil {
		t.Fatal(err)
	}
	do(t, e, "send_certificate", `{"user_id": "kim", "amount": 5}`)
	e.Reset()
	if got := changes(e); !strings.Contains(got, "status: None → 'cancelled'") || strings.Contains(got, "certificate") {
		t.Errorf("after reset: %s", got)
	}
	for _, bad := range [][2]string{{"user", "cancel_reservation"}, {"assistant", "no_such"}, {"assistant", "get_user_details"}} {
		if err := smallWorld(t).SetState(act(bad[0], bad[1])); err == nil {
			t.Errorf("%v is accepted", bad)
		}
	}
}

// TestHashIsThatOfTheDump hashes the database written out in one piece.
func TestHashIsThatOfTheDump(t *testing.T) {
	e := smallWorld(t)
	do(t, e, "cancel_reservation", `{"reservation_id": "RES001"}`)
	db := smallDB()
	r := db.Reservations.Get("RES001")
	r.Status = Cancelled
	r.PaymentHistory = append(r.PaymentHistory, Payment{"gift_card_1", pyjson.NewInt(-110)})
	sum := sha256.Sum256(pyjson.Append(nil, NewState(db).JSON(chat.Assistant), pyjson.Hash))
	if got := e.Hash(); got != hex.EncodeToString(sum[:]) {
		t.Errorf("hash %s, want %x", got, sum)
	}
	if e.UserHash() != "" {
		t.Error("the airline has no user database")
	}
}

// randomCall changes the small world in some way, or fails.
func randomCall(t *testing.T, r *rand.Rand, e *env.Environment) {
	pick := func(options ...string) string { return options[r.IntN(len(options))] }
	switch r.IntN(4) {
	case 0:
		do(t, e, "send_certificate", `{"user_id": "kim", "amount": `+pick("5", "5.0", "true", "1")+`}`)
	case 1:
		do(t, e, "update_reservation_baggages", `{"reservation_id": "RES001", "payment_id": "gift_card_1", "total_baggages": `+pick("1", "1.0", "true", "0", "-0.0", `"1"`, "[1]")+`, "nonfree_baggages": `+pick("0", "0.0", "-0.0", "false", "0.25", "1")+`}`)
	case 2:
		do(t, e, "update_reservation_flights", `{"reservation_id": "RES001", "payment_id": "credit_card_1", "flights": `+pick("[]", `[{"flight_number": "AA1", "date": "2024-05-16"}]`)+`, "cabin": `+pick(`"economy"`, `"business"`, `{"a": 1, "b": 2}`, `{"b": 2, "a": 1}`, "null")+`}`)
	default:
		do(t, e, "update_reservation_passengers", `{"reservation_id": "RES001", "passengers": `+pick(`[{"first_name": "A", "last_name": "B", "dob": "C"}]`, `[[1]]`, `[[1.0]]`, `"x"`)+`}`)
	}
}

func TestEqualAgreesWithHash(t *testing.T) {
	nativetest.EqualAgreesWithHash(t, smallWorld(t), func(r *rand.Rand, e *env.Environment) { randomCall(t, r, e) })
}

// TestValidateRoundTrip dumps a database and reads it back.
func TestValidateRoundTrip(t *testing.T) {
	db := smallDB()
	again, err := FromJSON(NewState(db).JSON(chat.Assistant))
	if err != nil {
		t.Fatal(err)
	}
	if a, b := pyjson.Dumps(NewState(db).JSON(chat.Assistant)), pyjson.Dumps(NewState(again).JSON(chat.Assistant)); a != b {
		t.Errorf("%s\ncame back as\n%s", a, b)
	}
}

func TestIsolation(t *testing.T) {
	base := smallWorld(t)
	do(t, base, "cancel_reservation", `{"reservation_id": "RES001"}`)
	nativetest.Isolation(t, base, func(r *rand.Rand, e *env.Environment) {
		randomCall(t, r, e)
		e.Call(chat.Assistant, "search_direct_flight", map[string]any{"origin": "JFK", "destination": "DEN", "date": "2024-05-16"})
	})
}

func TestUntouchedTables(t *testing.T) {
	e := smallWorld(t)
	untouched := func() (out []string) {
		for _, name := range e.Tables() {
			if e.Untouched(name) {
				out = append(out, name)
			}
		}
		return out
	}
	if got := strings.Join(untouched(), " "); got != "flights users reservations" {
		t.Errorf("at the start: %s", got)
	}
	do(t, e, "send_certificate", `{"user_id": "kim", "amount": 50}`)
	if got := strings.Join(untouched(), " "); got != "flights reservations" {
		t.Errorf("after a certificate: %s", got)
	}
	if err := e.SetState(agentData(t, `{"flights": {"AA2": {"origin": "JFK"}}}`)); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(untouched(), " "); strings.Contains(got, "flights") {
		t.Errorf("after a flight was set: %s", got)
	}
}
