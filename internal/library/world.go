package library

import (
	"fmt"
	"math/rand/v2"
	"time"

	"taste/domain/builtin"
	"taste/pyjson"
)

// today is the day of the library's clock, which never moves.
var today = time.Date(2031, time.March, 12, 0, 0, 0, 0, time.UTC)

var (
	books = []string{
		"The Orchard Wall", "A Short History of Rope", "Nine Winters", "Beekeeping for the Impatient", "The Cartographer's Niece",
		"Salt and Copper", "Letters to a Lighthouse", "The Weather Underfoot", "Splices and Knots", "An Atlas of Small Rivers",
	}
	films = []string{"Night Ferry", "The Second Clarinet", "Harvest Moon Motel", "A Bridge for Sundays", "The Long Corridor"}
	marks = []string{"QH", "QL", "TX", "PN", "DA", "GV", "ML", "HD"}
)

// world is the library of a seed. The first members and their loans are the same
// in all, as seed tasks are about them.
func world(seed uint64) *db {
	w := settling{db: &db{}, taken: builtin.Taken{}}
	w.settle(builtin.Dice(0, "regulars"), 6)
	w.settle(builtin.Dice(seed, "members"), 90)
	return w.db
}

type settling struct {
	db    *db
	taken builtin.Taken
}

func (w *settling) settle(d *rand.Rand, members int) {
	for range members {
		w.member(d)
	}
}

func (w *settling) member(d *rand.Rand) {
	first, last := builtin.FirstName(d), builtin.LastName(d)
	for !w.taken.Claim(first + " " + last) {
		first, last = builtin.FirstName(d), builtin.LastName(d)
	}
	m := &Member{
		ID: w.number(d, "M%08d", 99_999_999), Name: first + " " + last, Email: builtin.Email(d, first, last),
		Category: builtin.Pick(d, []string{Adult, Adult, Student}),
	}
	for range builtin.Between(d, 1, 3) {
		m.Cards = append(m.Cards, w.number(d, "%04d", 9_999))
	}
	for range builtin.Between(d, 3, 6) {
		l := w.loan(d, m)
		m.Loans = append(m.Loans, l.ID)
		w.db.loans.Add(l.ID, l)
	}
	w.db.members.Add(m.ID, m)
}

// number draws a number that nothing else has.
func (w *settling) number(d *rand.Rand, shape string, most int) string {
	for {
		if id := fmt.Sprintf(shape, builtin.Between(d, 1_000, most)); w.taken.Claim(id) {
			return id
		}
	}
}

// loan draws a loan: most can be renewed, some are late, others wait for some,
// and some were renewed twice.
func (w *settling) loan(d *rand.Rand, m *Member) *Loan {
	l := &Loan{
		ID: w.number(d, "L-%06d", 999_999), Member: m.ID, Kind: Book, Title: builtin.Pick(d, books),
		Shelfmark: fmt.Sprintf("%s %d.%d", builtin.Pick(d, marks), builtin.Between(d, 100, 999), builtin.Between(d, 1, 9)),
		Renewals:  int64(builtin.Between(d, 0, 1)),
	}
	if builtin.Chance(d, 25) {
		l.Kind, l.Title = Film, builtin.Pick(d, films)
	}
	due := today.AddDate(0, 0, builtin.Between(d, 0, 20))
	switch builtin.Weighted(d, []int{50, 30, 10, 10}) {
	case 1:
		days := builtin.Between(d, 1, 60)
		due = today.AddDate(0, 0, -days)
		if builtin.Chance(d, 10) {
			l.Paid, l.PaidBy = fee(m, days), m.Cards[0]
		}
	case 2:
		l.Waiting = int64(builtin.Between(d, 1, 4))
	case 3:
		l.Renewals = 2
	}
	l.Due = due.Format(time.DateOnly)
	return l
}

// fee is what a loan costs that is late by some days.
func fee(m *Member, days int) float64 {
	rate := 0.35
	if m.Category == Student {
		rate = 0.2
	}
	return min(15, pyjson.Round2(rate*float64(days)))
}
