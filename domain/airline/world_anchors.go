package airline

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math/rand/v2"

	"taste/domain/builtin"
	"taste/pyjson"
)

//go:embed anchors.json
var anchorsJSON []byte

// anchors are the hand-placed records that every world holds. Flights are
// given by their timetable, usual fares and exceptional days; customers and
// reservations stand in the database's own form.
type anchors struct {
	Timetable []anchorFlight  `json:"timetable"`
	Records   json.RawMessage `json:"records"`
}

type anchorFlight struct {
	Number      string               `json:"number"`
	Origin      string               `json:"origin"`
	Destination string               `json:"destination"`
	Departs     string               `json:"departs"` // HH:MM:SS
	Fares       fares                `json:"fares"`
	Days        map[string]anchorDay `json:"days"` // by YYYY-MM-DD; only looked up
}

// anchorDay is a cancelled or delayed flight.
type anchorDay struct {
	Status             string `json:"status"`
	EstimatedDeparture string `json:"estimated_departure_time_est"`
	EstimatedArrival   string `json:"estimated_arrival_time_est"`
}

// surcharges are added to an anchor flight's usual fares by the day of the
// week, from Monday on: once in basic economy, twice in economy and five times
// in business.
var surcharges = [7]int{0, -6, 3, 7, 19, -11, 14}

// placeAnchors puts the anchor records into the world.
func (w *world) placeAnchors() {
	a := builtin.MustDecode[anchors]("anchors.json", anchorsJSON)
	for _, f := range a.Timetable {
		w.addFlight(f.build(w.places))
	}
	records := mustRecords(a.Records)
	for _, u := range records.Users.All() {
		w.db.AddUser(u)
		w.claimPerson(Passenger{u.Name.First, u.Name.Last, u.DOB})
		for _, m := range u.PaymentMethods {
			w.taken.Claim(m.ID)
		}
		for _, p := range u.SavedPassengers {
			w.claimPerson(p)
		}
	}
	for _, k := range records.Reservations.Keys {
		w.db.AddReservation(records.Reservations.Get(k))
		w.taken.Claim(k)
		for _, p := range records.Reservations.Get(k).Passengers {
			w.claimPerson(p)
		}
	}
}

// mustRecords reads the anchors' customers and reservations.
func mustRecords(data []byte) *DB {
	v, err := pyjson.Decode(data)
	if err == nil {
		var db *DB
		if db, err = FromJSON(v); err == nil {
			return db
		}
	}
	panic(fmt.Sprintf("embedded anchors.json: %v", err))
}

// build makes the flight's records of all days. They do not depend on the
// world's seed.
func (a anchorFlight) build(p *places) *Flight {
	d := builtin.Dice(0, "anchor "+a.Number)
	leaves := minuteOf(a.Departs)
	f := &Flight{
		FlightNumber: a.Number, Origin: a.Origin, Destination: a.Destination, ScheduledDeparture: a.Departs,
		ScheduledArrival: schedule(leaves + blockMinutes(p.kilometres(route{a.Origin, a.Destination}))),
	}
	for day := firstDay; day <= lastDay; day++ {
		r := a.day(d, f, day)
		r.Date = date(day)
		f.Dates = append(f.Dates, r)
	}
	return f
}

func (a anchorFlight) day(d *rand.Rand, f *Flight, day int) *FlightDate {
	if x, ok := a.Days[date(day)]; ok {
		return &FlightDate{Status: x.Status, EstimatedDeparture: x.EstimatedDeparture, EstimatedArrival: x.EstimatedArrival}
	}
	switch {
	case day < today:
		return landed(d, f, day)
	case day == today:
		return onSchedule(d, f)
	}
	more := surcharges[weekday(day)]
	return &FlightDate{
		Status:         Available,
		Prices:         NewCabinInts(a.Fares.Basic+more, a.Fares.Economy+2*more, a.Fares.Business+5*more),
		AvailableSeats: NewCabinInts(builtin.Between(d, 6, 20), builtin.Between(d, 6, 20), builtin.Between(d, 6, 14)),
	}
}
