package airline

import (
	"taste/chat"
	"taste/env"
	"taste/env/native"
)

// Native builds airline states from databases in the reference's JSON form.
var Native = native.OneSided(FromJSON, (*DB).state, references...)

var references = []env.Reference{
	{From: "flights.flight_number"},
	{From: "users.user_id"},
	{From: "users.payment_methods{}.id", To: "users.{user_id}.payment_methods"},
	{From: "users.reservations[]", To: "reservations"},
	{From: "reservations.reservation_id"},
	{From: "reservations.user_id", To: "users"},
	{From: "reservations.flights[].flight_number", To: "flights"},
	{From: "reservations.flights[].date", To: "flights.{flight_number}.dates"},
	{From: "reservations.payment_history[].payment_id", To: "users.{user_id}.payment_methods"},
}

var (
	flightType      = env.RecordType[Flight]{Clone: cloneFlight, Equal: sameFlight, JSON: dumpFlight, Valid: validFlight}
	userType        = env.RecordType[User]{Clone: cloneUser, Equal: sameUser, JSON: dumpUser, Valid: validUser}
	reservationType = env.RecordType[Reservation]{
		Clone: cloneReservation, Equal: sameReservation, JSON: dumpReservation, Valid: validReservation,
	}
)

// state implements native.Model.
type state struct {
	flights      env.Table[Flight]
	users        env.Table[User]
	reservations env.Table[Reservation]
}

// NewState makes a state of a database, which must not be changed afterwards.
func NewState(db *DB) env.State { return native.NewState(db.state(), references...) }

func (db *DB) state() *state {
	return &state{
		flights:      db.Flights.Table(&flightType),
		users:        db.Users.Table(&userType),
		reservations: db.Reservations.Table(&reservationType),
	}
}

func (s *state) Fork() *state {
	return &state{flights: s.flights.Fork(), users: s.users.Fork(), reservations: s.reservations.Fork()}
}

func (s *state) Database(side string) native.Database {
	if side != chat.Assistant {
		return native.Database{}
	}
	return native.Database{Class: "FlightDB", Tables: []native.Table{
		native.Named("flights", &s.flights), native.Named("users", &s.users), native.Named("reservations", &s.reservations),
	}}
}

func (s *state) Kit(side string) *native.Kit[*state] {
	if side != chat.Assistant {
		return nil
	}
	return &kit
}

func (s *state) Sync() error { return nil }
