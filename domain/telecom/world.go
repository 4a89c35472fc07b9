package telecom

import (
	"fmt"
	"math/rand/v2"
	"time"

	"taste/domain/builtin"
)

// World builds the built-in database of a seed: the same bytes for the same seed
// on every machine, and other customers, lines and bills for another one. The
// anchor records, which the seed tasks stand on, and the plans come first and are
// the same in every world.
//
// Every record is as the tools would have left it: a bill adds up to its items,
// what is overdue was due before today, a line on hold says since when, and a
// number, a name and an id stand for one line, customer and record.
func World(seed uint64) *DB {
	w := &world{seed: seed, db: &DB{}, taken: builtin.Taken{}}
	w.placeAnchors()
	w.buildCustomers()
	w.buildLines()
	w.buildBills()
	return w.db
}

// world is a database under construction.
type world struct {
	seed    uint64
	db      *DB
	taken   builtin.Taken // ids, numbers and names in use
	clients []*Customer   // those drawn, without the anchors
}

// dice returns the world's random stream of a name.
func (w *world) dice(name string) *rand.Rand { return builtin.Dice(w.seed, name) }

// id draws an id that nothing has: a prefix and n digits, the first of them not
// zero.
func (w *world) id(d *rand.Rand, prefix string, n int) string {
	low := 1
	for range n - 1 {
		low *= 10
	}
	for {
		if s := fmt.Sprint(prefix, builtin.Between(d, low, 10*low-1)); w.taken.Claim(s) {
			return s
		}
	}
}

// number draws a phone number that nobody has.
func (w *world) number(d *rand.Rand) string {
	for {
		if s := fmt.Sprintf("555-%03d-%04d", builtin.Between(d, 210, 989), builtin.Between(d, 1000, 9899)); w.taken.Claim(s) {
			return s
		}
	}
}

// day is a date some days from today, back where n is negative.
func day(n int) string { return mustToday().AddDate(0, 0, n).Format(time.DateOnly) }

func mustToday() time.Time {
	t, err := time.Parse(time.DateOnly, today)
	if err != nil {
		panic(err)
	}
	return t
}
