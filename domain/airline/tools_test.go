package airline

import (
	"strings"
	"testing"

	"taste/chat"
	"taste/env"
	"taste/pyjson"
)

// smallDB is a world to count by hand: one customer with a gift card of 300, a
// certificate of 100 and a credit card; two flights; one reservation.
func smallDB() *DB {
	db := &DB{}
	day := func(date string, price int) *FlightDate {
		return &FlightDate{Date: date, Status: Available, AvailableSeats: NewCabinInts(2, 3, 1), Prices: NewCabinInts(price, 2*price, 5*price)}
	}
	db.AddFlight(&Flight{
		FlightNumber: "AA1", Origin: "JFK", Destination: "DEN", ScheduledDeparture: "20:00:00", ScheduledArrival: "01:00:00+1",
		Dates: []*FlightDate{day("2024-05-08", 50), day("2024-05-16", 60), {Date: "2024-05-14", Status: Landed, ActualDeparture: "d", ActualArrival: "a"}},
	})
	db.AddFlight(&Flight{
		FlightNumber: "AA2", Origin: "DEN", Destination: "LAX", ScheduledDeparture: "09:00:00", ScheduledArrival: "11:00:00",
		Dates: []*FlightDate{day("2024-05-09", 40), day("2024-05-17", 40)},
	})
	db.AddUser(&User{
		UserID: "kim", Name: Name{"Kim", "Ash"}, Email: "k@example.com", DOB: "1990-01-01", Membership: "gold",
		PaymentMethods: []PaymentMethod{
			{Key: "gift_card_1", Source: GiftCard, ID: "gift_card_1", Amount: 300},
			{Key: "certificate_1", Source: Certificate, ID: "certificate_1", Amount: 100},
			{Key: "credit_card_1", Source: CreditCard, ID: "credit_card_1", Brand: "visa", LastFour: "1234"},
		},
		Reservations: []string{"RES001"},
	})
	db.AddReservation(&Reservation{
		ReservationID: "RES001", UserID: "kim", Origin: "JFK", Destination: "DEN", FlightType: "one_way", Cabin: Economy,
		Flights:        []ReservationFlight{{FlightNumber: "AA1", Origin: "JFK", Destination: "DEN", Date: "2024-05-16", Price: pyjson.NewInt(110)}},
		Passengers:     []Passenger{{"Kim", "Ash", "1990-01-01"}},
		PaymentHistory: []Payment{{"gift_card_1", pyjson.NewInt(110)}},
		CreatedAt:      "2024-05-10T10:00:00", TotalBaggages: pyjson.NewInt(1), Insurance: "no",
	})
	return db
}

func smallWorld(t *testing.T) *env.Environment {
	t.Helper()
	var specs []chat.ToolSpec
	for _, n := range []string{"update_reservation_baggages", "cancel_reservation", "send_certificate", "get_user_details"} {
		specs = append(specs, chat.ToolSpec{Name: n, Type: chat.Write, MutatesState: n != "get_user_details"})
	}
	d, err := env.NewDomain(env.Domain{Name: "airline", Tools: specs}, NewState(smallDB()))
	if err != nil {
		t.Fatal(err)
	}
	return d.Environment()
}

// do calls a tool with arguments written as JSON.
func do(t *testing.T, e *env.Environment, name, args string) env.Result {
	t.Helper()
	o, err := pyjson.DecodeObject([]byte(args))
	if err != nil {
		t.Fatal(err)
	}
	return e.CallOrdered(chat.Assistant, name, o)
}

func changes(e *env.Environment) string {
	return strings.Join(e.Domain().Environment().Diff(e), "\n")
}

// step is one call on a fresh small world: what its answer holds (the start, if
// that is an error) and all that it changes.
type step struct{ name, args, answer, diff string }

func (c *step) check(t *testing.T, tool string) {
	t.Helper()
	e := smallWorld(t)
	r := do(t, e, tool, c.args)
	if !strings.Contains(r.Content, c.answer) || r.Error != strings.HasPrefix(c.answer, "Error") {
		t.Errorf("%s: %s", c.name, r.Content)
	}
	if got := changes(e); got != c.diff {
		t.Errorf("%s changes\n%s\nwant\n%s", c.name, got, c.diff)
	}
}

func TestUpdateBaggages(t *testing.T) {
	for _, c := range []step{
		{
			"a bag more from the gift card", `{"reservation_id": "RES001", "total_baggages": 3, "nonfree_baggages": 1, "payment_id": "gift_card_1"}`, `"total_baggages": 3, "nonfree_baggages": 1`,
			"users.kim.payment_methods.gift_card_1.amount: 300.0 → 250.0\nreservations.RES001.payment_history[1]: absent → {'payment_id': 'gift_card_1', 'amount': 50}\nreservations.RES001.total_baggages: 1 → 3\nreservations.RES001.nonfree_baggages: 0 → 1",
		},
		{"a fraction of a dollar", `{"reservation_id": "RES001", "total_baggages": 3, "nonfree_baggages": 0.25, "payment_id": "gift_card_1"}`, "Error: 1 validation error for Payment", "users.kim.payment_methods.gift_card_1.amount: 300.0 → 287.5"},
		{"certificates do not pay for changes", `{"reservation_id": "RES001", "total_baggages": 3, "nonfree_baggages": 1, "payment_id": "certificate_1"}`, "Error: Certificate cannot be used to update reservation", ""},
		{
			"any value is stored as it came", `{"reservation_id": "RES001", "total_baggages": ["3"], "nonfree_baggages": true, "payment_id": "credit_card_1"}`, `"total_baggages": ["3"], "nonfree_baggages": true`,
			"reservations.RES001.payment_history[1]: absent → {'payment_id': 'credit_card_1', 'amount': 50}\nreservations.RES001.total_baggages: 1 → ['3']\nreservations.RES001.nonfree_baggages: 0 → True",
		},
		{"too large for the gift card", `{"reservation_id": "RES001", "total_baggages": 9, "nonfree_baggages": 7, "payment_id": "gift_card_1"}`, "Error: Gift card balance is not enough", ""},
		{"no such method", `{"reservation_id": "RES001", "total_baggages": 9, "nonfree_baggages": 0, "payment_id": null}`, "Error: Payment method not found", ""},
		{"no such reservation", `{"reservation_id": 7.0, "total_baggages": 9, "nonfree_baggages": 0, "payment_id": "x"}`, "Error: Reservation 7.0 not found", ""},
	} {
		c.check(t, "update_reservation_baggages")
	}
}

const paid = "users.kim.payment_methods.gift_card_1.amount: 300.0 → "

func TestBook(t *testing.T) {
	book := func(flights, passengers, payments, rest string) string {
		return `{"user_id": "kim", "origin": "JFK", "destination": "LAX", "flight_type": "one_way", "cabin": "economy", "flights": [` + flights +
			`], "passengers": [` + passengers + `], "payment_methods": [` + payments + `], ` + rest + `}`
	}
	const kim = `{"first_name": "Kim", "last_name": "Ash", "dob": "1990-01-01"}`
	const aa2 = `{"flight_number": "AA2", "date": "2024-05-17"}`
	const plain = `"total_baggages": "2", "nonfree_baggages": 0, "insurance": "no"`
	const card = `{"payment_id": "credit_card_1", "amount": `
	for _, c := range []step{
		{
			"certificate twice: the gift card is charged before the failure",
			book(aa2, kim, `{"payment_id": "gift_card_1", "amount": 20}, {"payment_id": "certificate_1", "amount": 60}, {"payment_id": "certificate_1", "amount": 0}`, plain),
			"Error: 'certificate_1'", paid + "280.0\nusers.kim.payment_methods.certificate_1: {'source': 'certificate', 'id': 'certificate_1', 'amount': 100.0} → absent",
		},
		{"does not add up", book(aa2, kim, card+`70}`, plain), "Error: Payment amount does not add up, total price is 80, but paid 70", ""},
		{
			"a float makes the total a float", book(aa2, kim, card+`70}`, `"total_baggages": 0, "nonfree_baggages": 1.0, "insurance": "yes"`),
			"Error: Payment amount does not add up, total price is 160.0, but paid 70", "",
		},
		{"not enough seats", book(aa2, kim+","+kim+","+kim+","+kim, card+`1}`, plain), "Error: Not enough seats on flight AA2", ""},
		{"not available", book(`{"flight_number": "AA1", "date": "2024-05-14"}`, kim, card+`1}`, plain), "Error: Flight AA1 not available on date 2024-05-14", ""},
		{"balance", book(aa2, kim, `{"payment_id": "certificate_1", "amount": 101}`, plain), "Error: Not enough balance in payment method certificate_1", ""},
		{"flights that are texts", book(`"AA2"`, kim, card+`80}`, plain), "Error: 'str' object has no attribute 'flight_number'", ""},
		{"baggage as text is valid but cannot be added", book(aa2, kim, card+`80}`, `"total_baggages": 0, "nonfree_baggages": "1", "insurance": "no"`), "Error: unsupported operand", ""},
	} {
		c.check(t, "book_reservation")
	}
	e := smallWorld(t)
	r := do(t, e, "book_reservation", book(aa2+","+aa2, kim, card+`160}`, plain))
	if r.Error || !strings.Contains(r.Content, `"reservation_id": "HATHAT"`) || !strings.Contains(r.Content, `"total_baggages": 2, "nonfree_baggages": 0`) {
		t.Errorf("booking: %s", r.Content)
	}
	want := "flights.AA2.dates.2024-05-17.available_seats.economy: 3 → 1\nusers.kim.reservations[1]: absent → 'HATHAT'\nreservations.HATHAT: absent → {"
	if got := changes(e); !strings.HasPrefix(got, want) {
		t.Errorf("booking changes %s", got)
	}
}

func TestUpdateFlights(t *testing.T) {
	const to = `{"reservation_id": "RES001", "payment_id": "gift_card_1", `
	for _, c := range []step{
		{"same flight in the same cabin keeps its price", to + `"cabin": "economy", "flights": [{"flight_number": "AA1", "date": "2024-05-16"}]}`, `"price": 110`, ""},
		{
			"same flight in another cabin is priced anew", to + `"cabin": "basic_economy", "flights": [{"flight_number": "AA1", "date": "2024-05-16"}]}`, `"amount": -50`,
			paid + "350.0\nreservations.RES001.cabin: 'economy' → 'basic_economy'\nreservations.RES001.flights[0].price: 110 → 60\nreservations.RES001.payment_history[1]: absent → {'payment_id': 'gift_card_1', 'amount': -50}",
		},
		{
			"no flights at all: everything is refunded, any cabin goes", to + `"cabin": {"b": 1, "a": 2}, "flights": ""}`, `"cabin": {"b": 1, "a": 2}, "flights": []`,
			paid + "410.0\nreservations.RES001.cabin: 'economy' → {'b': 1, 'a': 2}\nreservations.RES001.flights[0]: {'flight_number': 'AA1', 'origin': 'JFK', 'destination': 'DEN', 'date': '2024-05-16', 'price': 110} → absent\nreservations.RES001.payment_history[1]: absent → {'payment_id': 'gift_card_1', 'amount': -110}",
		},
		{"cabin that no flight has", to + `"cabin": "first", "flights": [{"flight_number": "AA1", "date": "2024-05-16"}]}`, "Error: 'first'", ""},
		{"a missing date", to + `"cabin": "economy", "flights": [{"flight_number": "AA1"}]}`, "Error: 1 validation error for FlightInfo\ndate\n  Field required", ""},
		{"null is no list", to + `"cabin": "economy", "flights": null}`, "Error: 'NoneType' object is not iterable", ""},
	} {
		c.check(t, "update_reservation_flights")
	}
}

func TestOtherWrites(t *testing.T) {
	const certificate = "users.kim.payment_methods.certificate_3221322: absent → {'source': 'certificate', 'id': 'certificate_3221322', 'amount': "
	for tool, steps := range map[string][]step{
		"send_certificate": {
			{"text that is a number", `{"user_id": "kim", "amount": " 1_0 "}`, "Error: 1 validation error for Certificate", ""},
			{"amount is echoed as it came", `{"user_id": "kim", "amount": "1e2"}`, "Certificate certificate_3221322 added to user kim with amount 1e2.", certificate + "100.0}"},
			{"true is one dollar", `{"user_id": "kim", "amount": true}`, "with amount True.", certificate + "1.0}"},
			{"list as id", `{"user_id": ["kim"], "amount": 1}`, "Error: unhashable type: 'list'", ""},
		},
		"update_reservation_passengers": {
			{"a text of one letter has length one", `{"reservation_id": "RES001", "passengers": "é"}`, `"passengers": "\u00e9"`, "reservations.RES001.passengers: [{'first_name': 'Kim', 'last_name': 'Ash', 'dob': '1990-01-01'}] → 'é'"},
			{"two for one", `{"reservation_id": "RES001", "passengers": {"a": 1, "b": 2}}`, "Error: Number of passengers does not match", ""},
			{
				"unknown keys vanish", `{"reservation_id": "RES001", "passengers": [{"first_name": "Bo", "last_name": "Ash", "dob": "x", "seat": 3}]}`, `"passengers": [{"first_name": "Bo", "last_name": "Ash", "dob": "x"}]`,
				"reservations.RES001.passengers[0].first_name: 'Kim' → 'Bo'\nreservations.RES001.passengers[0].dob: '1990-01-01' → 'x'",
			},
		},
		"cancel_reservation": {
			{
				"payments are reversed", `{"reservation_id": "RES001"}`, `"status": "cancelled"`,
				"reservations.RES001.payment_history[1]: absent → {'payment_id': 'gift_card_1', 'amount': -110}\nreservations.RES001.status: None → 'cancelled'",
			},
			{"unexpected argument", `{"reservation_id": "RES001", "why": 1}`, "Error: AirlineTools.cancel_reservation() got an unexpected keyword argument 'why'", ""},
		},
	} {
		for _, c := range steps {
			c.check(t, tool)
		}
	}
}

func TestSearches(t *testing.T) {
	e := smallWorld(t)
	direct := `{"flight_number": "AA1", "origin": "JFK", "destination": "DEN", "status": "available", "scheduled_departure_time_est": "20:00:00", "scheduled_arrival_time_est": "01:00:00+1", "date": null, ` +
		`"available_seats": {"basic_economy": 2, "economy": 3, "business": 1}, "prices": {"basic_economy": 60, "economy": 120, "business": 300}}`
	for _, c := range []struct{ tool, args, want string }{
		{"search_direct_flight", `{"origin": "JFK", "destination": "DEN", "date": "2024-05-16"}`, "[" + direct + "]"},
		{"search_direct_flight", `{"origin": null, "destination": null, "date": "2024-05-16"}`, "[" + direct + "]"},
		{"search_direct_flight", `{"origin": "JFK", "destination": "DEN", "date": "2024-05-14"}`, "[]"},
		{"search_direct_flight", `{"origin": "JFK", "destination": "LAX", "date": []}`, "[]"},
		{"search_direct_flight", `{"origin": "JFK", "destination": "DEN", "date": []}`, "Error: unhashable type: 'list'"},
		{"search_onestop_flight", `{"origin": "JFK", "destination": "LAX", "date": "2024-05-08"}`, "[]"}, // looks on 2024-05-9
		{"get_flight_status", `{"flight_number": "AA1", "date": "2024-05-14"}`, "landed"},
		{"get_flight_status", `{"flight_number": "AA1", "date": "2024-05-15"}`, "Error: Flight AA1 not found on date 2024-05-15"},
		{"calculate", `{"expression": ["1", "+-"]}`, "Error: eval() arg 1 must be a string, bytes or code object"},
		{"calculate", `{"expression": "2 * (3 + 4.5)"}`, "15.0"},
		{"think", `{}`, "Error: Tool 'think' not found."},
		{"cancel_reservation", `{"reservation_id": "RES001", "tool_name": 1}`, "Error: Environment.make_tool_call() got multiple values for argument 'tool_name'"},
	} {
		if r := do(t, e, c.tool, c.args); r.Content != c.want {
			t.Errorf("%s %s: %s\nwant %s", c.tool, c.args, r.Content, c.want)
		}
	}
	two := do(t, e, "search_onestop_flight", `{"origin": "JFK", "destination": "LAX", "date": "2024-05-16"}`)
	if strings.Count(two.Content, `"flight_number"`) != 2 || !strings.Contains(two.Content, `"date": "2024-05-17"`) {
		t.Errorf("connection over midnight: %s", two.Content)
	}
	if changes(e) != "" {
		t.Errorf("reading changes %s", changes(e))
	}
}

func TestWrongOwner(t *testing.T) {
	e := smallWorld(t)
	r := e.Call(chat.User, "cancel_reservation", map[string]any{"reservation_id": "RES001"})
	if !r.Error || r.Content != "Error: User tools not available" || changes(e) != "" {
		t.Errorf("%s, changes %q", r.Content, changes(e))
	}
}
