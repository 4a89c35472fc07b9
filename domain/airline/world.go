package airline

import (
	"hash/fnv"
	"math/rand/v2"
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
		arriving: map[string][]*Flight{}, taken: map[string]bool{},
	}
	w.places, w.names = mustPlaces(), mustNames()
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
	names  *names

	clients []*User         // those drawn, without the anchors
	taken   map[string]bool // ids, names and trips in use

	routes    map[route][]*Flight
	leaving   map[string][]*Flight // by origin
	arriving  map[string][]*Flight // by destination
	withdrawn []leg                // upcoming cancelled flights
	late      []leg                // delayed flights
}

// route is a directed pair of airports.
type route struct{ from, to string }

func (r route) back() route { return route{r.to, r.from} }

// dice returns the world's random stream of a name. Streams do not share
// state, so that a draw more in one part shifts no other.
func (w *world) dice(name string) *rand.Rand { return newDice(w.seed, name) }

func newDice(seed uint64, name string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(name))
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}

// between draws a whole number from lo to hi, both included.
func between(d *rand.Rand, lo, hi int) int { return lo + d.IntN(hi-lo+1) }

// chance is true in percent of the draws.
func chance(d *rand.Rand, percent int) bool { return d.IntN(100) < percent }

// pick draws one element.
func pick[T any](d *rand.Rand, from []T) T { return from[d.IntN(len(from))] }

// weighted draws an index with probability proportional to its weight.
func weighted(d *rand.Rand, weights []int) int {
	sum := 0
	for _, n := range weights {
		sum += n
	}
	at := d.IntN(sum)
	for i, n := range weights {
		if at -= n; at < 0 {
			return i
		}
	}
	return len(weights) - 1
}

// addFlight puts a flight into the database and the indexes.
func (w *world) addFlight(f *Flight) {
	w.db.AddFlight(f)
	r := route{f.Origin, f.Destination}
	w.routes[r] = append(w.routes[r], f)
	w.leaving[f.Origin] = append(w.leaving[f.Origin], f)
	w.arriving[f.Destination] = append(w.arriving[f.Destination], f)
}
