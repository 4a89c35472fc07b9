package airline

import (
	"fmt"
	"testing"
)

func TestReservationsFitTheirRecords(t *testing.T) {
	built.EachWorld(t, func(t *testing.T, db *DB) {
		for k, r := range db.Reservations.All() {
			if len(k) != 6 || k != r.ReservationID || k[:3] == "HAT" || k[:3] == "KES" {
				t.Errorf("reservation id %s", k)
			}
			if n := len(r.Passengers); n < 1 || n > 5 {
				t.Errorf("%s has %d passengers", k, n)
			}
			if db.Users.Get(r.UserID) == nil {
				t.Fatalf("%s belongs to nobody", k)
			}
			checkRoute(t, db, r)
			checkMoney(t, db, r)
			checkCreation(t, db, r)
			checkOnce(t, r)
		}
	})
}

// checkRoute follows the flights from the origin to the destination and back.
func checkRoute(t *testing.T, db *DB, r *Reservation) {
	t.Helper()
	at, leaves := r.Origin, ""
	turned := false
	for _, f := range r.Flights {
		rec := db.Flights.Get(f.FlightNumber)
		if rec == nil || rec.On(f.Date) == nil || rec.Origin != f.Origin || rec.Destination != f.Destination {
			t.Fatalf("%s: flight %s on %s does not exist", r.ReservationID, f.FlightNumber, f.Date)
		}
		if f.Origin != at || f.Date+rec.ScheduledDeparture < leaves {
			t.Errorf("%s: flight %s from %s cannot be reached", r.ReservationID, f.FlightNumber, f.Origin)
		}
		at, leaves = f.Destination, f.Date+rec.ScheduledArrival
		turned = turned || at == r.Destination
	}
	end := map[string]string{"one_way": r.Destination, "round_trip": r.Origin}[r.FlightType]
	if at != end || !turned {
		t.Errorf("%s: %s trip to %s ends in %s", r.ReservationID, r.FlightType, r.Destination, at)
	}
}

// checkMoney adds up bags and payments by the policy's own figures.
func checkMoney(t *testing.T, db *DB, r *Reservation) {
	t.Helper()
	u, n := db.Users.Get(r.UserID), len(r.Passengers)
	free := (map[string]int{"regular": 0, "silver": 1, "gold": 2}[u.Membership] +
		map[string]int{BasicEconomy: 0, Economy: 1, Business: 2}[r.Cabin]) * n
	total, paid := int(r.TotalBaggages.Int64()), int(r.NonfreeBaggages.Int64())
	if paid != max(0, total-free) {
		t.Errorf("%s: %d of %d bags paid, %d are free", r.ReservationID, paid, total, free)
	}
	price := 50 * paid
	for _, f := range r.Flights {
		price += int(f.Price.Int64()) * n
	}
	if r.Insurance == "yes" {
		price += 30 * n
	}
	for _, p := range r.PaymentHistory {
		price -= int(p.Amount.Int64())
		if m := u.Payment(p.PaymentID); m == nil || m.Source == Certificate || p.Amount.Int64() <= 0 {
			t.Errorf("%s: payment by %s", r.ReservationID, p.PaymentID)
		}
	}
	if price != 0 {
		t.Errorf("%s: payments differ from the price by %d", r.ReservationID, price)
	}
}

func checkCreation(t *testing.T, db *DB, r *Reservation) {
	t.Helper()
	f := r.Flights[0]
	if leaves := f.Date + "T" + db.Flights.Get(f.FlightNumber).ScheduledDeparture; r.CreatedAt > now || r.CreatedAt >= leaves {
		t.Errorf("%s: created at %s, leaves at %s", r.ReservationID, r.CreatedAt, leaves)
	}
}

func checkOnce(t *testing.T, r *Reservation) {
	t.Helper()
	seen := map[string]bool{}
	for _, p := range r.Passengers {
		if seen[p.FirstName+p.LastName] {
			t.Errorf("%s: %s %s travels twice", r.ReservationID, p.FirstName, p.LastName)
		}
		seen[p.FirstName+p.LastName] = true
	}
}

func TestCustomersTripsCanBeToldApart(t *testing.T) {
	built.EachWorld(t, func(t *testing.T, db *DB) {
		seen := map[string]string{}
		for k, r := range db.Reservations.All() {
			key := r.UserID + r.Origin + r.Destination + r.Flights[0].Date
			if seen[key] != "" {
				t.Errorf("%s and %s start alike: %s", k, seen[key], key)
			}
			seen[key] = k
		}
	})
}

// TestEveryStateOfThePolicyOccurs counts reservations in the states that the
// policy tells apart, in all and by the owner's membership.
func TestEveryStateOfThePolicyOccurs(t *testing.T) {
	built.EachWorld(t, func(t *testing.T, db *DB) {
		count := map[string]int{}
		states := append(stateNames(), "can fly nonstop on another day", "can fly with one stop on another day")
		net := networkOf(db)
		for _, r := range db.Reservations.All() {
			for _, s := range statesOf(db, net, r) {
				count[s]++
				count[s+" "+db.Users.Get(r.UserID).Membership]++
			}
		}
		for _, s := range states {
			if count[s] < 30 {
				t.Errorf("%d reservations: %s", count[s], s)
			}
			for _, m := range []string{"regular", "silver", "gold"} {
				if count[s+" "+m] < 10 {
					t.Errorf("%d reservations of %s members: %s", count[s+" "+m], m, s)
				}
			}
		}
	})
}

func stateNames() []string {
	return []string{
		BasicEconomy, Economy, Business, "insured", "fresh", "cancelled flight", "delayed flight", "flown in part", "upcoming",
		"paid bag", "one passenger", "several passengers",
	}
}

func statesOf(db *DB, net network, r *Reservation) []string {
	out := []string{r.Cabin}
	is := func(state string, holds bool) {
		if holds {
			out = append(out, state)
		}
	}
	count := map[string]int{}
	for _, f := range r.Flights {
		count[db.Flights.Get(f.FlightNumber).On(f.Date).Status]++
	}
	flown := count[Landed] + count[Flying]
	ahead := count[Available] == len(r.Flights)
	is("insured", r.Insurance == "yes")
	is("fresh", ahead && r.CreatedAt >= "2024-05-14T15:00:00")
	is("cancelled flight", count[Cancelled] > 0 && flown == 0)
	is("delayed flight", count[Delayed] > 0 && flown == 0)
	is("flown in part", flown > 0 && flown < len(r.Flights))
	is("upcoming", ahead)
	is("paid bag", r.NonfreeBaggages.Int64() > 0)
	is("one passenger", len(r.Passengers) == 1)
	is("several passengers", len(r.Passengers) > 1)
	if ahead && r.Cabin != BasicEconomy {
		nonstop, onestop := net.otherDays(r)
		is("can fly nonstop on another day", nonstop)
		is("can fly with one stop on another day", onestop)
	}
	return out
}

// network indexes flights for searches.
type network struct {
	routes  map[route][]*Flight
	leaving map[string][]*Flight
}

func networkOf(db *DB) network {
	n := network{map[route][]*Flight{}, map[string][]*Flight{}}
	for _, f := range db.Flights.All() {
		r := route{f.Origin, f.Destination}
		n.routes[r] = append(n.routes[r], f)
		n.leaving[f.Origin] = append(n.leaving[f.Origin], f)
	}
	return n
}

// otherDays says whether the way out of a reservation has seats for everybody
// on other days, nonstop or with one stop.
func (n network) otherDays(r *Reservation) (nonstop, onestop bool) {
	seats := func(l leg) bool {
		return l.status() == Available && number(l.Dates[l.day-firstDay].AvailableSeats, r.Cabin) >= len(r.Passengers)
	}
	for day := today + 1; day <= lastDay && !(nonstop && onestop); day++ {
		if date(day) == r.Flights[0].Date {
			continue
		}
		for _, f := range n.leaving[r.Origin] {
			a := leg{f, day}
			if !seats(a) {
				continue
			}
			nonstop = nonstop || f.Destination == r.Destination
			for _, g := range n.routes[route{f.Destination, r.Destination}] {
				onestop = onestop || connects(a, leg{g, day}) && seats(leg{g, day})
			}
		}
	}
	return nonstop, onestop
}

func BenchmarkWorld(b *testing.B) {
	for i := range b.N {
		if World(uint64(i)).Flights.Len() == 0 {
			b.Fatal(fmt.Errorf("empty world"))
		}
	}
}
