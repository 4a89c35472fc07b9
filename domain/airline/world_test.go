package airline

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"taste/domain/builtin"
	"taste/domain/builtin/builtintest"
)

func TestWorldIsDeterminedByItsSeed(t *testing.T) { built.WorldFollowsSeed(t) }

func TestWorldPassesValidationUnchanged(t *testing.T) { built.WorldComesBack(t) }

func TestWorldSize(t *testing.T) {
	built.EachWorld(t, func(t *testing.T, db *DB) {
		for _, c := range []struct {
			what        string
			n, min, max int
		}{
			{"flights", db.Flights.Len(), 240, 310},
			{"users", db.Users.Len(), 400, 500},
			{"reservations", db.Reservations.Len(), 1500, 2000},
		} {
			if c.n < c.min || c.n > c.max {
				t.Errorf("%d %s, want %d to %d", c.n, c.what, c.min, c.max)
			}
		}
	})
}

func TestAnchorsAreTheSameInEveryWorld(t *testing.T) {
	a, b := World(1), World(2)
	n := 0
	for _, k := range a.Flights.Keys {
		if k < "KES100" {
			n++
			builtintest.Same(t, k, dumpFlight(a.Flights.Get(k)), dumpFlight(b.Flights.Get(k)))
		}
	}
	records := mustRecords(builtin.MustDecode[anchors]("anchors.json", anchorsJSON).Records)
	for _, k := range records.Users.Keys {
		n++
		builtintest.Same(t, k, dumpUser(records.Users.Get(k)), dumpUser(b.Users.Get(k)))
	}
	for _, k := range records.Reservations.Keys {
		n++
		builtintest.Same(t, k, dumpReservation(records.Reservations.Get(k)), dumpReservation(b.Reservations.Get(k)))
	}
	if n < 80 {
		t.Errorf("only %d anchor records", n)
	}
}

func TestAirportsAreServed(t *testing.T) {
	built.EachWorld(t, func(t *testing.T, db *DB) {
		degree := map[string]int{}
		seen := map[route]bool{}
		for _, k := range db.Flights.Keys {
			r := route{db.Flights.Get(k).Origin, db.Flights.Get(k).Destination}
			if !seen[r] {
				degree[r.from]++
			}
			seen[r] = true
		}
		for r := range seen {
			if !seen[r.back()] {
				t.Errorf("%s has no way back", r)
			}
		}
		for _, a := range mustPlaces().Airports {
			if degree[a.IATA] < minDegree {
				t.Errorf("%s has %d routes", a.IATA, degree[a.IATA])
			}
		}
		for _, r := range unserved {
			if seen[r] || seen[r.back()] {
				t.Errorf("%s has a nonstop flight", r)
			}
		}
	})
}

func TestFlightRecords(t *testing.T) {
	built.EachWorld(t, func(t *testing.T, db *DB) {
		count := map[string]int{}
		for k, f := range db.Flights.All() {
			if len(f.Dates) != lastDay {
				t.Fatalf("%s has %d days", k, len(f.Dates))
			}
			for i, d := range f.Dates {
				if d.Date != date(i+1) {
					t.Errorf("%s: day %d is %s", k, i+1, d.Date)
				}
				count[period(i+1)+d.Status]++
				checkDay(t, f, i+1, d)
			}
		}
		for _, key := range []string{
			"past landed", "past cancelled", "today landed", "today flying", "today on time", "today delayed",
			"today cancelled", "ahead available", "ahead cancelled", "ahead delayed",
		} {
			if count[key] < 3 {
				t.Errorf("%d flights %s", count[key], key)
			}
			delete(count, key)
		}
		if len(count) > 0 {
			t.Errorf("unexpected states: %v", count)
		}
	})
}

func period(day int) string {
	switch {
	case day < today:
		return "past "
	case day == today:
		return "today "
	}
	return "ahead "
}

// checkDay holds a record's times against the clock and its prices against
// each other.
func checkDay(t *testing.T, f *Flight, day int, d *FlightDate) {
	t.Helper()
	at := f.FlightNumber + " on " + d.Date
	switch d.Status {
	case Landed:
		if d.ActualDeparture >= d.ActualArrival || d.ActualArrival > now {
			t.Errorf("%s: landed from %s to %s", at, d.ActualDeparture, d.ActualArrival)
		}
	case Flying:
		if d.ActualDeparture > now || d.EstimatedArrival <= now {
			t.Errorf("%s: flying from %s to %s", at, d.ActualDeparture, d.EstimatedArrival)
		}
	case OnTime, Delayed:
		if d.EstimatedDeparture <= now || d.EstimatedArrival <= d.EstimatedDeparture {
			t.Errorf("%s: %s from %s to %s", at, d.Status, d.EstimatedDeparture, d.EstimatedArrival)
		}
		if late := d.EstimatedDeparture > stamp(day, minuteOf(f.ScheduledDeparture)+20); late != (d.Status == Delayed) {
			t.Errorf("%s: %s, but leaves at %s instead of %s", at, d.Status, d.EstimatedDeparture, f.ScheduledDeparture)
		}
	case Available:
		basic, economy, business := number(d.Prices, BasicEconomy), number(d.Prices, Economy), number(d.Prices, Business)
		if basic < 20 || basic >= economy || economy >= business || business > 2500 {
			t.Errorf("%s: prices %d, %d, %d", at, basic, economy, business)
		}
	}
}

func number(c CabinInts, cabin string) int {
	v, _ := c.Get(cabin)
	return int(v.Int64())
}

func TestNonstopFlightsDifferInFareAndTime(t *testing.T) {
	built.EachWorld(t, func(t *testing.T, db *DB) {
		seen := map[string]string{}
		for k, f := range db.Flights.All() {
			keys := []string{fmt.Sprint(f.Origin, f.Destination, f.ScheduledDeparture)}
			for _, d := range f.Dates {
				for _, c := range cabins {
					if d.Status == Available {
						keys = append(keys, fmt.Sprint(f.Origin, f.Destination, d.Date, c, number(d.Prices, c)))
					}
				}
			}
			for _, key := range keys {
				if other := seen[key]; other != "" {
					t.Errorf("%s and %s tie: %s", other, k, key)
				}
				seen[key] = k
			}
		}
	})
}

func TestCustomers(t *testing.T) {
	built.EachWorld(t, func(t *testing.T, db *DB) {
		names := map[string]string{}
		sources := map[string]int{}
		for k, u := range db.Users.All() {
			full := u.Name.First + " " + u.Name.Last
			if names[full] != "" {
				t.Errorf("%s and %s share a name", k, names[full])
			}
			names[full] = k
			if !strings.HasPrefix(k, strings.ToLower(u.Name.First+"_"+u.Name.Last)+"_") || k != u.UserID {
				t.Errorf("user id %s of %s", k, full)
			}
			checkPayments(t, u)
			for _, m := range u.PaymentMethods {
				sources[m.Source]++
			}
			for _, id := range u.Reservations {
				if r := db.Reservations.Get(id); r == nil || r.UserID != k {
					t.Errorf("%s lists reservation %s", k, id)
				}
			}
		}
		for _, s := range []string{CreditCard, GiftCard, Certificate} {
			if sources[s] < 200 {
				t.Errorf("%d payment methods of kind %s", sources[s], s)
			}
		}
	})
}

// checkPayments sees that a customer has a credit card, can tell the methods
// apart, and holds none that send_certificate mints.
func checkPayments(t *testing.T, u *User) {
	t.Helper()
	seen := map[string]bool{}
	hasCard := false
	for _, m := range u.PaymentMethods {
		hasCard = hasCard || m.Source == CreditCard
		for _, key := range []string{m.ID, fmt.Sprint(m.Source, m.LastFour, m.Amount)} {
			if seen[key] {
				t.Errorf("%s: two payment methods %s", u.UserID, key)
			}
			seen[key] = true
		}
		if m.Key != m.ID || !strings.HasPrefix(m.ID, m.Source+"_") || strings.HasPrefix(m.ID, "certificate_322132") {
			t.Errorf("%s: payment id %s", u.UserID, m.ID)
		}
		if m.Amount != float64(int(m.Amount)) || (m.Source != CreditCard && m.Amount <= 0) {
			t.Errorf("%s: amount %v of %s", u.UserID, m.Amount, m.ID)
		}
	}
	if !hasCard {
		t.Errorf("%s has no credit card", u.UserID)
	}
}

func TestPeopleHaveOneBirthDate(t *testing.T) {
	// The anchors hold a few wrong dates on purpose, which seed tasks correct.
	allowed := []string{"Camille Baptiste", "Lidia Vega", "Nestor Quintero"}
	built.EachWorld(t, func(t *testing.T, db *DB) {
		born := map[string]string{}
		check := func(p Passenger) {
			name := p.FirstName + " " + p.LastName
			if born[name] != "" && born[name] != p.DOB && !slices.Contains(allowed, name) {
				t.Errorf("%s was born on %s and on %s", name, born[name], p.DOB)
			}
			born[name] = p.DOB
		}
		for _, u := range db.Users.All() {
			check(Passenger{u.Name.First, u.Name.Last, u.DOB})
			for _, p := range u.SavedPassengers {
				check(p)
			}
		}
		for _, k := range db.Reservations.Keys {
			for _, p := range db.Reservations.Get(k).Passengers {
				check(p)
			}
		}
	})
}
