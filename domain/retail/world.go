package retail

import (
	"math/rand/v2"

	"taste/domain/builtin"
)

// World builds the built-in database of a seed: the same bytes for the same
// seed on every machine, and other items, customers and orders for another one.
// The anchor records, which the seed tasks stand on, come first and are the same
// in every world; so are the names of the products and what can be chosen of
// each.
//
// Every order is as the shop would have left it: items at the price and with the
// options that their product has, a payment that adds up to them, a parcel once
// it has been processed, and the money back once it was cancelled.
func World(seed uint64) *DB {
	w := &world{seed: seed, db: &DB{}, taken: builtin.Taken{}}
	w.placeAnchors()
	w.buildProducts()
	w.buildUsers()
	w.buildOrders()
	return w.db
}

// world is a database under construction.
type world struct {
	seed    uint64
	db      *DB
	taken   builtin.Taken // ids and names in use
	clients []*User       // those drawn, without the anchors
}

// dice returns the world's random stream of a name.
func (w *world) dice(name string) *rand.Rand { return builtin.Dice(w.seed, name) }

// digits draws an id that nobody has: a prefix and n digits, the first of them
// not zero.
func (w *world) digits(d *rand.Rand, prefix string, n int) string {
	id := make([]byte, n)
	for {
		id[0] = byte('1' + d.IntN(9))
		for i := 1; i < n; i++ {
			id[i] = byte('0' + d.IntN(10))
		}
		if s := prefix + string(id); w.taken.Claim(s) {
			return s
		}
	}
}

// dollars turns cents into the amount that the records hold: the float nearest
// to it, as rounding a sum to cents gives it too.
func dollars(cents int) float64 { return float64(cents) / 100 }

// cents is the whole number of cents of an amount of the records.
func cents(dollars float64) int { return int(dollars*100 + 0.5) }
