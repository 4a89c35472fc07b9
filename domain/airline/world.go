package airline

import (
	"math/rand/v2"

	"taste/domain/builtin"
)

// World builds the built-in database of a seed: the same bytes for the same
// seed on every machine, and other flights, customers and reservations for
// another one. The anchor records, which the seed tasks stand on, come first
// and are the same in every world. All flights have a record for each day from
// 1 to 30 May 2024; days up to the 15th lie before the clock.
//
// Every reservation fits the policy that sold it: at most five passengers, one
// cabin, bags that are paid above the allowance, and payments that add up to
// fares, insurance and bags.
func World(seed uint64) *DB {
	w := &world{
		seed: seed, db: &DB{}, routes: map[route][]*Flight{}, leaving: map[string][]*Flight{},
		arriving: map[string][]*Flight{}, taken: builtin.Taken{},
	}
	w.places = mustPlaces()
	w.placeAnchors()
	w.buildNetwork()
	w.indexDays()
	w.buildUsers()
	w.buildReservations()
	return w.db
}

// world is a database under construction. The maps are only looked up, never
// ranged over.
type world struct {
	seed   uint64
	db     *DB
	places *places

	clients []*User       // those drawn, without the anchors
	taken   builtin.Taken // ids, names and trips in use

	routes    map[route][]*Flight
	leaving   map[string][]*Flight // by origin
	arriving  map[string][]*Flight // by destination
	withdrawn []leg                // upcoming cancelled flights
	late      []leg                // delayed flights
}

// route is a directed pair of airports.
type route struct{ from, to string }

func (r route) back() route { return route{r.to, r.from} }

// dice returns the world's random stream of a name.
func (w *world) dice(name string) *rand.Rand { return builtin.Dice(w.seed, name) }

// addFlight puts a flight into the database and the indexes.
func (w *world) addFlight(f *Flight) {
	w.db.AddFlight(f)
	r := route{f.Origin, f.Destination}
	w.routes[r] = append(w.routes[r], f)
	w.leaving[f.Origin] = append(w.leaving[f.Origin], f)
	w.arriving[f.Destination] = append(w.arriving[f.Destination], f)
}
