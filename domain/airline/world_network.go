package airline

import (
	"fmt"
	"math/rand/v2"

	"taste/domain/builtin"
)

// Shape of the network.
const (
	networkRoutes = 48  // pairs of airports beside the anchors'
	minDegree     = 3   // routes that each airport has at least
	minKilometres = 150 // no flights between neighbours
)

// hubs attract more routes than other airports.
var hubs = map[string]bool{"ORD": true, "DFW": true, "ATL": true, "DEN": true, "CLT": true}

// unserved are pairs without a nonstop flight in any world, so that the seed
// tasks can rely on connections there.
var unserved = []route{{"SEA", "BOS"}, {"PHX", "MCO"}}

// buildNetwork adds random routes, both ways, to those of the anchors.
func (w *world) buildNetwork() {
	d := w.dice("network")
	served := map[route]bool{}
	for _, n := range w.db.Flights.Keys {
		served[route{w.db.Flights.Get(n).Origin, w.db.Flights.Get(n).Destination}] = true
	}
	for _, r := range unserved {
		served[r], served[r.back()] = true, true
	}
	number := 101
	for _, r := range w.drawRoutes(d, served) {
		for _, way := range []route{r, r.back()} {
			number = w.addTimetable(d, way, number)
		}
	}
}

// drawRoutes draws pairs of airports: first so many that each airport has its
// minimum, then at random, hubs preferred.
func (w *world) drawRoutes(d *rand.Rand, served map[route]bool) []route {
	var out []route
	degree := map[string]int{}
	connect := func(from string) {
		to := w.drawPartner(d, from, served)
		if to == "" {
			return
		}
		r := route{from, to}
		served[r], served[r.back()] = true, true
		degree[from]++
		degree[to]++
		out = append(out, r)
	}
	for _, a := range w.places.Airports {
		for degree[a.IATA] < minDegree {
			connect(a.IATA)
		}
	}
	for len(out) < networkRoutes {
		connect(builtin.Pick(d, w.places.Airports).IATA)
	}
	return out
}

// drawPartner draws an airport that from is not connected with yet, "" where
// there is none.
func (w *world) drawPartner(d *rand.Rand, from string, served map[route]bool) string {
	weights := make([]int, len(w.places.Airports))
	open := false
	for i, a := range w.places.Airports {
		r := route{from, a.IATA}
		switch {
		case served[r] || w.places.kilometres(r) < minKilometres:
		case hubs[a.IATA]:
			weights[i] = 4
		default:
			weights[i] = 1
		}
		open = open || weights[i] > 0
	}
	if !open {
		return ""
	}
	return w.places.Airports[builtin.Weighted(d, weights)].IATA
}

// bands are the parts of the day that departures fall into, in minutes.
var bands = [4][2]int{{6 * 60, 9*60 + 30}, {10*60 + 30, 14 * 60}, {15*60 + 30, 19 * 60}, {20 * 60, 22*60 + 30}}

// addTimetable adds two or three daily flights of a route, one a band, and
// returns the next free flight number.
func (w *world) addTimetable(d *rand.Rand, r route, number int) int {
	km := w.places.kilometres(r)
	var flights []*Flight
	for _, b := range d.Perm(len(bands))[:builtin.Between(d, 2, 3)] {
		leaves := builtin.Between(d, bands[b][0]/5, bands[b][1]/5) * 5
		flights = append(flights, &Flight{
			Origin: r.from, Destination: r.to, ScheduledDeparture: schedule(leaves),
			ScheduledArrival: schedule(leaves + blockMinutes(km)),
		})
	}
	taken := map[fareKey]bool{}
	for i, f := range flights {
		f.FlightNumber = fmt.Sprintf("KES%03d", number+i)
		f.Dates = w.drawDays(w.dice("days "+f.FlightNumber), f, faresFor(d, km), taken)
		w.addFlight(f)
	}
	return number + len(flights)
}
