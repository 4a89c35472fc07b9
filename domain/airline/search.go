package airline

import (
	"strconv"
	"strings"

	"taste/env"
	"taste/env/native"
	"taste/pyjson"
)

// hit is a flight found by a search, with its entry of the date.
type hit struct {
	flight *Flight
	on     *FlightDate
}

// query is a search for available flights. A nil place matches any.
type query struct {
	date, origin, destination any
	leaveAfter                string // "" for any
}

func matches(want any, place string) bool {
	if want == nil {
		return true
	}
	s, ok := want.(string)
	return ok && s == place
}

func (s *state) search(q query) ([]hit, error) {
	var hits []hit
	for _, f := range s.flights.All() {
		if !matches(q.origin, f.Origin) || !matches(q.destination, f.Destination) {
			continue
		}
		date, ok, err := env.KeyOf(q.date)
		if err != nil {
			return nil, err
		}
		d := f.On(date)
		if ok && d != nil && d.Status == Available && f.ScheduledDeparture >= q.leaveAfter {
			hits = append(hits, hit{f, d})
		}
	}
	return hits, nil
}

// dump returns the hit as the reference's direct flight; date may be nil.
func (h *hit) dump(date any) *pyjson.Object {
	return obj("flight_number", h.flight.FlightNumber, "origin", h.flight.Origin,
		"destination", h.flight.Destination, "status", Available,
		"scheduled_departure_time_est", h.flight.ScheduledDeparture,
		"scheduled_arrival_time_est", h.flight.ScheduledArrival, "date", date,
		"available_seats", dumpCabins(&h.on.AvailableSeats), "prices", dumpCabins(&h.on.Prices))
}

func searchDirectFlight(s *state, a []any) (any, error) {
	hits, err := s.search(query{origin: a[0], destination: a[1], date: a[2]})
	if err != nil {
		return nil, err
	}
	return env.Lazy(func() any {
		return native.List(hits, func(h *hit) *pyjson.Object { return h.dump(nil) })
	}), nil
}

func searchOnestopFlight(s *state, a []any) (any, error) {
	firsts, err := s.search(query{origin: a[0], date: a[2]})
	if err != nil {
		return nil, err
	}
	var pairs []connection
	for _, first := range firsts {
		date2, err := connectionDate(first.on.Date, first.flight.ScheduledArrival)
		if err != nil {
			return nil, err
		}
		seconds, err := s.search(query{
			origin: first.flight.Destination, destination: a[1], date: date2,
			leaveAfter: first.flight.ScheduledArrival,
		})
		if err != nil {
			return nil, err
		}
		for _, second := range seconds {
			pairs = append(pairs, connection{first, second})
		}
	}
	return env.Lazy(func() any {
		out := make([]any, len(pairs))
		for i, p := range pairs {
			out[i] = []any{p.first.dump(p.first.on.Date), p.second.dump(p.second.on.Date)}
		}
		return out
	}), nil
}

type connection struct{ first, second hit }

// connectionDate is the date on which a connection is looked for: the next day
// of May 2024 after an arrival past midnight. The reference does not pad it,
// so after the 8th comes "2024-05-9", where no flight is.
func connectionDate(date, arrival string) (string, error) {
	if !strings.Contains(arrival, "+1") {
		return date, nil
	}
	r := []rune(date)
	tail := string(r[max(0, len(r)-2):])
	day, err := strconv.Atoi(strings.TrimSpace(tail))
	if err != nil {
		return "", env.ValueError("invalid literal for int() with base 10: " + pyjson.Repr(tail))
	}
	return "2024-05-" + strconv.Itoa(day+1), nil
}
