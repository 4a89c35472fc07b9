package airline

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"

	"taste/chat"
	"taste/env"
	"taste/pyjson"
	"taste/pyjson/lax"
)

// Native builds airline states from databases in the reference's JSON form.
var Native env.Native = native{}

type native struct{}

// ErrUserData: the airline has no database on the user's side.
var ErrUserData = errors.New("the airline domain has no user database")

func (native) Load(agent, user any) (env.State, error) {
	if user != nil {
		return nil, ErrUserData
	}
	db, err := FromJSON(agent)
	if err != nil {
		return nil, err
	}
	return NewState(db), nil
}

var (
	flightType      = env.RecordType[Flight]{Clone: cloneFlight, Equal: sameFlight, JSON: dumpFlight}
	userType        = env.RecordType[User]{Clone: cloneUser, Equal: sameUser, JSON: dumpUser}
	reservationType = env.RecordType[Reservation]{Clone: cloneReservation, Equal: sameReservation, JSON: dumpReservation}
)

// state implements env.State.
type state struct {
	flights      env.Table[Flight]
	users        env.Table[User]
	reservations env.Table[Reservation]
}

// NewState makes a state of a database, which must not be changed afterwards.
func NewState(db *DB) env.State {
	return &state{
		flights:      env.NewTable(&flightType, db.FlightKeys, db.Flights),
		users:        env.NewTable(&userType, db.UserKeys, db.Users),
		reservations: env.NewTable(&reservationType, db.ReservationKeys, db.Reservations),
	}
}

func (s *state) Fork() env.State {
	return &state{flights: s.flights.Fork(), users: s.users.Fork(), reservations: s.reservations.Fork()}
}

func (s *state) Sync() error { return nil }

func (s *state) Equal(other env.State) bool {
	o, ok := other.(*state)
	return ok && s.reservations.Equal(&o.reservations) && s.users.Equal(&o.users) && s.flights.Equal(&o.flights)
}

func (s *state) Hash(side string) string {
	if side != chat.Assistant {
		return ""
	}
	h := sha256.New()
	io.WriteString(h, `{"flights": `)
	s.flights.WriteHashForm(h)
	io.WriteString(h, `, "reservations": `)
	s.reservations.WriteHashForm(h)
	io.WriteString(h, `, "users": `)
	s.users.WriteHashForm(h)
	io.WriteString(h, "}")
	return hex.EncodeToString(h.Sum(nil))
}

var tableNames = [3]string{"flights", "users", "reservations"}

func (s *state) Tables(side string) []string {
	if side != chat.Assistant {
		return nil
	}
	return tableNames[:]
}

// table is what the three tables have in common.
type table interface {
	Keys() []string
	Record(key string) *pyjson.Object
	Plain(key string) map[string]any
}

func (s *state) table(side, name string) table {
	if side == chat.Assistant {
		switch name {
		case "flights":
			return &s.flights
		case "users":
			return &s.users
		case "reservations":
			return &s.reservations
		}
	}
	return nil
}

func (s *state) Keys(side, name string) []string {
	if t := s.table(side, name); t != nil {
		return t.Keys()
	}
	return nil
}

func (s *state) Record(side, name, key string) *pyjson.Object {
	if t := s.table(side, name); t != nil {
		return t.Record(key)
	}
	return nil
}

func (s *state) Plain(side, name, key string) map[string]any {
	if t := s.table(side, name); t != nil {
		return t.Plain(key)
	}
	return nil
}

func (s *state) Touched(side, name string, other env.State) []string {
	o, ok := other.(*state)
	if !ok || side != chat.Assistant {
		return nil
	}
	switch name {
	case "flights":
		return s.flights.Touched(&o.flights)
	case "users":
		return s.users.Touched(&o.users)
	case "reservations":
		return s.reservations.Touched(&o.reservations)
	}
	return nil
}

// Merge validates only the records that data names or a run has touched: all
// others are valid already.
func (s *state) Merge(side string, data *pyjson.Object) (env.State, error) {
	if side != chat.Assistant {
		return nil, env.NoAttribute(nil, "update_db")
	}
	c := lax.New("FlightDB")
	next := s.Fork().(*state)
	mergeTable(c, &next.flights, data, "flights", validFlight)
	mergeTable(c, &next.users, data, "users", validUser)
	mergeTable(c, &next.reservations, data, "reservations", validReservation)
	c.NoExtra(data, tableNames[:]...)
	if err := c.Err(); err != nil {
		return nil, err
	}
	return next, nil
}

func mergeTable[T any](c *lax.Check, t *env.Table[T], data *pyjson.Object, name string, valid func(*lax.Check, any) *T) {
	for _, key := range t.Touched(t) {
		c.In(name, func() { c.In(key, func() { t.Set(key, valid(c, t.Record(key))) }) })
	}
	v, ok := data.Get(name)
	if !ok {
		return
	}
	c.In(name, func() {
		for key, v := range c.Dict(v).All() {
			if old := t.Record(key); old != nil {
				v = env.MergeValue(old, v)
			}
			c.In(key, func() { t.Set(key, valid(c, v)) })
		}
	})
}
