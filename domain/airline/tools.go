package airline

import (
	"taste/chat"
	"taste/env"
	"taste/pyjson"
)

// tool is one tool: its parameters and what it does. The result is a pyjson
// value or lazy; an error may leave the state changed in part, as the reference does.
type tool struct {
	sig env.Signature
	run func(s *state, args []any) (any, error)
}

// class names the reference's tool class in error texts.
const class = "AirlineTools."

func sig(name string, params ...string) env.Signature {
	return env.Signature{Name: class + name, Params: params}
}

var tools = map[string]*tool{
	"book_reservation": {sig("book_reservation", "user_id", "origin", "destination", "flight_type", "cabin",
		"flights", "passengers", "payment_methods", "total_baggages", "nonfree_baggages", "insurance"), bookReservation},
	"calculate":                     {sig("calculate", "expression"), calculate},
	"cancel_reservation":            {sig("cancel_reservation", "reservation_id"), cancelReservation},
	"get_flight_status":             {sig("get_flight_status", "flight_number", "date"), getFlightStatus},
	"get_reservation_details":       {sig("get_reservation_details", "reservation_id"), getReservationDetails},
	"get_user_details":              {sig("get_user_details", "user_id"), getUserDetails},
	"list_all_airports":             {sig("list_all_airports"), listAllAirports},
	"search_direct_flight":          {sig("search_direct_flight", "origin", "destination", "date"), searchDirectFlight},
	"search_onestop_flight":         {sig("search_onestop_flight", "origin", "destination", "date"), searchOnestopFlight},
	"send_certificate":              {sig("send_certificate", "user_id", "amount"), sendCertificate},
	"transfer_to_human_agents":      {sig("transfer_to_human_agents", "summary"), transferToHumanAgents},
	"update_reservation_baggages":   {sig("update_reservation_baggages", "reservation_id", "total_baggages", "nonfree_baggages", "payment_id"), updateBaggages},
	"update_reservation_flights":    {sig("update_reservation_flights", "reservation_id", "cabin", "flights", "payment_id"), updateFlights},
	"update_reservation_passengers": {sig("update_reservation_passengers", "reservation_id", "passengers"), updatePassengers},
}

func (s *state) Call(requestor, name string, args *pyjson.Object) (any, error) {
	if requestor != chat.Assistant {
		return nil, env.ValueError("User tools not available")
	}
	t := tools[name]
	if t == nil {
		return nil, env.ValueError("Tool '" + name + "' not found.")
	}
	return t.call(s, args)
}

func (t *tool) call(s *state, args *pyjson.Object) (any, error) {
	values, err := t.sig.Bind(args)
	if err != nil {
		return nil, err
	}
	return t.run(s, values)
}

// EnvCall knows the tools only: the airline has no other functions that tasks
// could use.
func (s *state) EnvCall(side, function string, args *pyjson.Object) (any, error) {
	if side != chat.Assistant {
		return nil, env.NoAttribute(nil, function)
	}
	t := tools[function]
	if t == nil {
		return nil, &env.Fault{Class: "AttributeError", Text: "'AirlineTools' object has no attribute '" + function + "'", Inexact: true}
	}
	return t.call(s, args)
}

// user finds a user for reading by an id of any type.
func (s *state) user(id any) (*User, error) {
	key, ok, err := env.KeyOf(id)
	if err != nil {
		return nil, err
	}
	if u := s.users.Get(key); ok && u != nil {
		return u, nil
	}
	return nil, env.ValueError("User " + pyjson.Str(id) + " not found")
}

func (s *state) reservation(id any) (*Reservation, error) {
	key, ok, err := env.KeyOf(id)
	if err != nil {
		return nil, err
	}
	if r := s.reservations.Get(key); ok && r != nil {
		return r, nil
	}
	return nil, env.ValueError("Reservation " + pyjson.Str(id) + " not found")
}

func (s *state) flight(number any) (*Flight, error) {
	key, ok, err := env.KeyOf(number)
	if err != nil {
		return nil, err
	}
	if f := s.flights.Get(key); ok && f != nil {
		return f, nil
	}
	return nil, env.ValueError("Flight " + pyjson.Str(number) + " not found")
}

// flightOn finds a flight and its entry of a date.
func (s *state) flightOn(number, date any) (*Flight, *FlightDate, error) {
	f, err := s.flight(number)
	if err != nil {
		return nil, nil, err
	}
	key, ok, err := env.KeyOf(date)
	if err != nil {
		return nil, nil, err
	}
	if d := f.On(key); ok && d != nil {
		return f, d, nil
	}
	return nil, nil, env.ValueError("Flight " + pyjson.Str(number) + " not found on date " + pyjson.Str(date))
}

// later dumps a record only if the answer is read.
func later[T any](r *T, dump func(*T) *pyjson.Object) env.Lazy {
	return func() any { return dump(r) }
}

func getUserDetails(s *state, a []any) (any, error) {
	u, err := s.user(a[0])
	if err != nil {
		return nil, err
	}
	return later(u, dumpUser), nil
}

func getReservationDetails(s *state, a []any) (any, error) {
	r, err := s.reservation(a[0])
	if err != nil {
		return nil, err
	}
	return later(r, dumpReservation), nil
}

func getFlightStatus(s *state, a []any) (any, error) {
	_, d, err := s.flightOn(a[0], a[1])
	if err != nil {
		return nil, err
	}
	return d.Status, nil
}

func transferToHumanAgents(*state, []any) (any, error) { return "Transfer successful", nil }

// airports are the airports that the tool lists; it reads no database.
var airports = [][2]string{
	{"SFO", "San Francisco"},
	{"JFK", "New York"},
	{"LAX", "Los Angeles"},
	{"ORD", "Chicago"},
	{"DFW", "Dallas"},
	{"DEN", "Denver"},
	{"SEA", "Seattle"},
	{"ATL", "Atlanta"},
	{"MIA", "Miami"},
	{"BOS", "Boston"},
	{"PHX", "Phoenix"},
	{"IAH", "Houston"},
	{"LAS", "Las Vegas"},
	{"MCO", "Orlando"},
	{"EWR", "Newark"},
	{"CLT", "Charlotte"},
	{"MSP", "Minneapolis"},
	{"DTW", "Detroit"},
	{"PHL", "Philadelphia"},
	{"LGA", "LaGuardia"},
}

// Airports returns IATA code and city of every airport, in the tool's order.
func Airports() [][2]string { return append([][2]string(nil), airports...) }

func listAllAirports(*state, []any) (any, error) {
	out := make([]any, len(airports))
	for i, a := range airports {
		out[i] = obj("iata", a[0], "city", a[1])
	}
	return out, nil
}
