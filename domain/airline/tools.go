package airline

import (
	"taste/env"
	"taste/env/native"
	"taste/pyjson"
)

var kit = native.Kit[*state]{Class: "AirlineTools", Tools: map[string]native.Tool[*state]{
	"book_reservation":              {Params: []string{"user_id", "origin", "destination", "flight_type", "cabin", "flights", "passengers", "payment_methods", "total_baggages", "nonfree_baggages", "insurance"}, Run: bookReservation},
	"calculate":                     {Params: []string{"expression"}, Run: calculate},
	"cancel_reservation":            {Params: []string{"reservation_id"}, Run: cancelReservation},
	"get_flight_status":             {Params: []string{"flight_number", "date"}, Run: getFlightStatus},
	"get_reservation_details":       {Params: []string{"reservation_id"}, Run: getReservationDetails},
	"get_user_details":              {Params: []string{"user_id"}, Run: getUserDetails},
	"list_all_airports":             {Run: listAllAirports},
	"search_direct_flight":          {Params: []string{"origin", "destination", "date"}, Run: searchDirectFlight},
	"search_onestop_flight":         {Params: []string{"origin", "destination", "date"}, Run: searchOnestopFlight},
	"send_certificate":              {Params: []string{"user_id", "amount"}, Run: sendCertificate},
	"transfer_to_human_agents":      {Params: []string{"summary"}, Run: transferToHumanAgents},
	"update_reservation_baggages":   {Params: []string{"reservation_id", "total_baggages", "nonfree_baggages", "payment_id"}, Run: updateBaggages},
	"update_reservation_flights":    {Params: []string{"reservation_id", "cabin", "flights", "payment_id"}, Run: updateFlights},
	"update_reservation_passengers": {Params: []string{"reservation_id", "passengers"}, Run: updatePassengers},
}}

func calculate(_ *state, a []any) (any, error) { return native.Calculate(a[0]) }

func missing(what string, id any) func() error {
	return func() error { return env.ValueError(what + " " + pyjson.Str(id) + " not found") }
}

func (s *state) user(id any) (*User, error) {
	return native.Find(s.users.Get, id, missing("User", id))
}

func (s *state) reservation(id any) (*Reservation, error) {
	return native.Find(s.reservations.Get, id, missing("Reservation", id))
}

func (s *state) flight(number any) (*Flight, error) {
	return native.Find(s.flights.Get, number, missing("Flight", number))
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

func getUserDetails(s *state, a []any) (any, error) {
	if _, err := s.user(a[0]); err != nil {
		return nil, err
	}
	return native.Answer(&s.users, a[0].(string)), nil
}

func getReservationDetails(s *state, a []any) (any, error) {
	if _, err := s.reservation(a[0]); err != nil {
		return nil, err
	}
	return native.Answer(&s.reservations, a[0].(string)), nil
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

func listAllAirports(*state, []any) (any, error) {
	out := make([]any, len(airports))
	for i, a := range airports {
		out[i] = obj("iata", a[0], "city", a[1])
	}
	return out, nil
}
