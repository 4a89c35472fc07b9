package airline

import (
	"math/rand/v2"

	"taste/domain/builtin"
)

// fares are a flight's usual prices in dollars a passenger.
type fares struct {
	Basic    int `json:"basic_economy"`
	Economy  int `json:"economy"`
	Business int `json:"business"`
}

// faresFor draws usual prices by distance.
func faresFor(d *rand.Rand, km int) fares {
	economy := (55 + km/20) * builtin.Between(d, 85, 115) / 100
	return fares{economy * builtin.Between(d, 56, 68) / 100, economy, economy * builtin.Between(d, 240, 295) / 100}
}

// fareKey marks a price of a day and cabin as taken: nonstop flights of one
// route never cost the same, so that the cheapest is one flight.
type fareKey struct {
	day, price int
	cabin      string
}

// drawDays draws a flight's record of each day. Before the clock it has landed
// or was cancelled, on the day itself it depends on the hour, and afterwards
// it can be booked unless it is cancelled or, on the next day, delayed.
func (w *world) drawDays(d *rand.Rand, f *Flight, usual fares, taken map[fareKey]bool) []*FlightDate {
	var out []*FlightDate
	for day := firstDay; day <= lastDay; day++ {
		var r *FlightDate
		switch {
		case day < today:
			r = drawPast(d, f, day)
		case day == today:
			r = drawToday(d, f)
		case builtin.Chance(d, 5):
			r = &FlightDate{Status: Cancelled}
		case day == today+1 && builtin.Chance(d, 8):
			r = delayed(d, f, day, 25)
		default:
			r = drawOffer(d, day, usual, taken)
		}
		r.Date = date(day)
		out = append(out, r)
	}
	return out
}

func drawPast(d *rand.Rand, f *Flight, day int) *FlightDate {
	if builtin.Chance(d, 7) {
		return &FlightDate{Status: Cancelled}
	}
	return landed(d, f, day)
}

// landed is a flight that was up to six minutes early or up to 39 late.
func landed(d *rand.Rand, f *Flight, day int) *FlightDate {
	off := builtin.Between(d, -6, 12)
	if builtin.Chance(d, 20) {
		off += builtin.Between(d, 5, 27)
	}
	return &FlightDate{
		Status: Landed, ActualDeparture: stamp(day, minuteOf(f.ScheduledDeparture)+off),
		ActualArrival: stamp(day, minuteOf(f.ScheduledArrival)+off+builtin.Between(d, -9, 9)),
	}
}

// drawToday draws the record of the clock's own day.
func drawToday(d *rand.Rand, f *Flight) *FlightDate {
	hasLeft := minuteOf(f.ScheduledDeparture) <= nowMinute-20
	switch {
	case builtin.Chance(d, 5):
		return &FlightDate{Status: Cancelled}
	case !hasLeft && builtin.Chance(d, 40):
		return delayed(d, f, today, 45)
	}
	return onSchedule(d, f)
}

// onSchedule is a flight of today as the timetable has it: arrived, under way
// or still to leave.
func onSchedule(d *rand.Rand, f *Flight) *FlightDate {
	leaves, arrives := minuteOf(f.ScheduledDeparture), minuteOf(f.ScheduledArrival)
	switch {
	case arrives <= nowMinute-60:
		return landed(d, f, today)
	case leaves <= nowMinute-20:
		off := builtin.Between(d, -5, 15)
		return &FlightDate{Status: Flying, ActualDeparture: stamp(today, leaves+off), EstimatedArrival: stamp(today, max(arrives+off, nowMinute+5))}
	}
	off := max(0, nowMinute+10-leaves)
	return &FlightDate{Status: OnTime, EstimatedDeparture: stamp(today, leaves+off), EstimatedArrival: stamp(today, arrives+off)}
}

// delayed is a flight that is expected at least some minutes late.
func delayed(d *rand.Rand, f *Flight, day, atLeast int) *FlightDate {
	off := builtin.Between(d, atLeast/5, 40) * 5
	return &FlightDate{
		Status: Delayed, EstimatedDeparture: stamp(day, minuteOf(f.ScheduledDeparture)+off),
		EstimatedArrival: stamp(day, minuteOf(f.ScheduledArrival)+off),
	}
}

// drawOffer draws seats and prices of a day that can be booked.
func drawOffer(d *rand.Rand, day int, usual fares, taken map[fareKey]bool) *FlightDate {
	price := func(cabin string, n, above int) int {
		p := max(n*builtin.Between(d, 82, 128)/100, above+builtin.Between(d, 5, 15))
		for taken[fareKey{day, p, cabin}] {
			p++
		}
		taken[fareKey{day, p, cabin}] = true
		return p
	}
	basic := price(BasicEconomy, usual.Basic, 0)
	economy := price(Economy, usual.Economy, basic)
	business := price(Business, usual.Business, economy)
	return &FlightDate{
		Status: Available, Prices: NewCabinInts(basic, economy, business),
		AvailableSeats: NewCabinInts(drawSeats(d, 20), drawSeats(d, 20), drawSeats(d, 13)),
	}
}

// drawSeats draws free seats; one cabin in twenty is sold out.
func drawSeats(d *rand.Rand, most int) int {
	if builtin.Chance(d, 5) {
		return 0
	}
	return builtin.Between(d, 1, most)
}

// leg is a flight on a day.
type leg struct {
	*Flight
	day int
}

func (l leg) status() string { return l.Dates[l.day-firstDay].Status }

// indexDays lists the flights that bring a customer to the service desk.
func (w *world) indexDays() {
	for _, key := range w.db.Flights.Keys {
		for day := today; day <= lastDay; day++ {
			switch l := (leg{w.db.Flights.Get(key), day}); l.status() {
			case Cancelled:
				w.withdrawn = append(w.withdrawn, l)
			case Delayed:
				w.late = append(w.late, l)
			}
		}
	}
}
