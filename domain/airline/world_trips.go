package airline

import (
	"math/rand/v2"
	"slices"

	"taste/domain/builtin"
)

// Connections in minutes.
const (
	minConnection = 45
	maxConnection = 7 * 60
)

// trip is the flights of a reservation, out and, on a round trip, back.
type trip struct{ out, home []leg }

func (t trip) legs() []leg { return slices.Concat(t.out, t.home) }

// kind is what has become of a reservation's flights.
type kind int

const (
	kindUpcoming  kind = iota // all can still be booked
	kindFresh                 // the same, bought within the last 24 hours
	kindBegun                 // the way out was flown, the way home is ahead
	kindPast                  // all lie behind
	kindCancelled             // the airline has cancelled one that lies ahead
	kindLate                  // one is delayed
)

// kindWeights are the shares of the kinds in percent, in their order.
var kindWeights = []int{54, 10, 8, 10, 10, 8}

// drawTrip draws a trip of a kind; ok is false where the draw led nowhere.
func (w *world) drawTrip(d *rand.Rand, k kind) (t trip, ok bool) {
	switch k {
	case kindBegun:
		return w.tripBetween(d, builtin.Between(d, 7, today), builtin.Between(d, today+1, lastDay), true)
	case kindPast:
		day := builtin.Between(d, firstDay, today-3)
		return w.tripBetween(d, day, builtin.Between(d, day+1, today-1), builtin.Chance(d, 45))
	case kindCancelled:
		return w.tripAround(d, builtin.Pick(d, w.withdrawn))
	case kindLate:
		return w.tripAround(d, builtin.Pick(d, w.late))
	}
	day := builtin.Between(d, today+1, lastDay-1)
	return w.tripBetween(d, day, builtin.Between(d, day+1, min(day+10, lastDay)), builtin.Chance(d, 50))
}

// tripBetween draws a trip of which every flight has its usual status: flown
// before the clock, bookable after it.
func (w *world) tripBetween(d *rand.Rand, day, homeDay int, round bool) (t trip, ok bool) {
	r := route{builtin.Pick(d, w.places.Airports).IATA, builtin.Pick(d, w.places.Airports).IATA}
	if r.from == r.to {
		return t, false
	}
	if t.out = w.drawPath(d, r, day); t.out == nil {
		return t, false
	}
	if round {
		t.home = w.drawPath(d, r.back(), homeDay)
	}
	return t, !round || t.home != nil
}

// tripAround draws a trip that holds the given flight, on the way out or home.
func (w *world) tripAround(d *rand.Rand, l leg) (t trip, ok bool) {
	path := w.pathAround(d, l)
	r := route{path[0].Origin, path[len(path)-1].Destination}
	if r.from == r.to {
		return t, false
	}
	switch builtin.Weighted(d, []int{50, 32, 18}) {
	case 0:
		return trip{out: path}, true
	case 1:
		if l.day == lastDay {
			return t, false
		}
		t = trip{out: path, home: w.drawPath(d, r.back(), builtin.Between(d, l.day+1, lastDay))}
	default:
		t = trip{out: w.drawPath(d, r.back(), builtin.Between(d, min(today+1, l.day-1), l.day-1)), home: path}
	}
	return t, t.out != nil && t.home != nil
}

// pathAround draws a path that holds a flight: alone, or with a connection
// before or after it.
func (w *world) pathAround(d *rand.Rand, l leg) []leg {
	if builtin.Chance(d, 60) {
		return []leg{l}
	}
	var next, before []leg
	for _, f := range w.leaving[l.Destination] {
		if m := (leg{f, l.day}); connects(l, m) && m.Destination != l.Origin && m.usual() {
			next = append(next, m)
		}
	}
	for _, f := range w.arriving[l.Origin] {
		if m := (leg{f, l.day}); connects(m, l) && m.Origin != l.Destination && m.usual() && m.status() != Landed {
			before = append(before, m)
		}
	}
	switch {
	case len(next) > 0 && (len(before) == 0 || builtin.Chance(d, 50)):
		return []leg{l, builtin.Pick(d, next)}
	case len(before) > 0:
		return []leg{builtin.Pick(d, before), l}
	}
	return []leg{l}
}

// drawPath draws a way from one airport to another on a day, in flights with
// their usual status; nil where there is none. Nonstop ways are preferred.
func (w *world) drawPath(d *rand.Rand, r route, day int) []leg {
	var direct []leg
	for _, f := range w.routes[r] {
		if l := (leg{f, day}); l.usual() {
			direct = append(direct, l)
		}
	}
	if len(direct) > 0 && builtin.Chance(d, 75) {
		return []leg{builtin.Pick(d, direct)}
	}
	var joined [][]leg
	for _, f := range w.leaving[r.from] {
		for _, g := range w.routes[route{f.Destination, r.to}] {
			a, b := leg{f, day}, leg{g, day}
			if connects(a, b) && a.usual() && b.usual() {
				joined = append(joined, []leg{a, b})
			}
		}
	}
	if len(joined) == 0 {
		return nil
	}
	return builtin.Pick(d, joined)
}

// usual says that a flight runs as planned.
func (l leg) usual() bool { return l.status() != Cancelled && l.status() != Delayed }

// connects says that b can be reached from a on the same day.
func connects(a, b leg) bool {
	wait := minuteOf(b.ScheduledDeparture) - minuteOf(a.ScheduledArrival)
	return a.Destination == b.Origin && wait >= minConnection && wait <= maxConnection
}
