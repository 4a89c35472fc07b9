package airline

import (
	"math/rand/v2"
	"time"

	"taste/domain/builtin"
	"taste/pyjson"
)

// bookingsWeights are the shares of customers with 0, 1, 2 … reservations.
var bookingsWeights = []int{4, 7, 13, 17, 20, 17, 11, 7, 4}

const reservationLetters = "ABCDEFGHJKLMNPQRSTUVWXYZ0123456789"

// Fees in dollars.
const (
	insuranceFee = 30 // a passenger
	bagFee       = 50 // a bag above the allowance
)

// freeBags is the allowance a passenger, by membership and cabin.
var freeBags = map[string]map[string]int{
	"regular": {BasicEconomy: 0, Economy: 1, Business: 2},
	"silver":  {BasicEconomy: 1, Economy: 2, Business: 3},
	"gold":    {BasicEconomy: 2, Economy: 3, Business: 4},
}

// buildReservations gives every drawn customer reservations. One customer has
// no two trips that start between the same airports on the same day.
func (w *world) buildReservations() {
	d := w.dice("reservations")
	for _, u := range w.clients {
		for range builtin.Weighted(d, bookingsWeights) {
			w.book(d, u)
		}
	}
}

func (w *world) book(d *rand.Rand, u *User) {
	k := kind(builtin.Weighted(d, kindWeights))
	t, ok := w.drawTrip(d, k)
	for !ok || !w.taken.Claim("trip "+u.UserID+t.out[0].Origin+t.end()+date(t.out[0].day)) {
		t, ok = w.drawTrip(d, k)
	}
	r := &Reservation{
		ReservationID: w.drawReservationID(d), UserID: u.UserID, Origin: t.out[0].Origin, Destination: t.end(),
		FlightType: "one_way", Cabin: cabins[builtin.Weighted(d, []int{29, 39, 32})], Insurance: "no", CreatedAt: drawCreation(d, k, t),
	}
	if t.home != nil {
		r.FlightType = "round_trip"
	}
	if builtin.Chance(d, 45) {
		r.Insurance = "yes"
	}
	r.Passengers = w.drawParty(d, u)
	for _, l := range t.legs() {
		r.Flights = append(r.Flights, ReservationFlight{
			FlightNumber: l.FlightNumber, Origin: l.Origin, Destination: l.Destination,
			Date: date(l.day), Price: pyjson.NewInt(w.drawPaidFare(d, l, r.Cabin)),
		})
	}
	w.packBags(d, u, r)
	w.db.AddReservation(r)
	u.Reservations = append(u.Reservations, r.ReservationID)
}

// end is the airport that a trip goes to.
func (t trip) end() string { return t.out[len(t.out)-1].Destination }

// drawReservationID draws six characters with a letter first and a digit
// among them, unlike our flight numbers and the ids and examples of the tools.
func (w *world) drawReservationID(d *rand.Rand) string {
	for {
		id := make([]byte, 6)
		digits := 0
		for i := range id {
			id[i] = reservationLetters[d.IntN(len(reservationLetters))]
			if id[i] <= '9' {
				digits++
			}
		}
		if id[0] > '9' && digits > 0 && string(id[:3]) != "KES" && string(id[:3]) != "HAT" && w.taken.Claim(string(id)) {
			return string(id)
		}
	}
}

// drawCreation draws when a reservation was made: within the last 24 hours
// for fresh ones; otherwise more than a day before the clock and before the
// first flight leaves.
func drawCreation(d *rand.Rand, k kind, t trip) string {
	now := time.Date(2024, time.May, today, nowMinute/60, 0, 0, 0, time.UTC)
	const layout = "2006-01-02T15:04:05"
	if k == kindFresh {
		return now.Add(-time.Duration(builtin.Between(d, 600, 85800)) * time.Second).Format(layout)
	}
	latest := now.Add(-25 * time.Hour)
	leaves := time.Date(2024, time.May, t.out[0].day, 0, minuteOf(t.out[0].ScheduledDeparture), 0, 0, time.UTC)
	if before := leaves.Add(-12 * time.Hour); before.Before(latest) {
		latest = before
	}
	return latest.Add(-time.Duration(builtin.Between(d, 0, 20*24*3600)) * time.Second).Format(layout)
}

// drawParty draws one to five passengers. The customer is usually among them;
// the others are saved passengers first and then strangers to the profile.
func (w *world) drawParty(d *rand.Rand, u *User) []Passenger {
	size := 1 + builtin.Weighted(d, []int{44, 30, 15, 7, 4})
	var party []Passenger
	if builtin.Chance(d, 85) {
		party = append(party, Passenger{u.Name.First, u.Name.Last, u.DOB})
	}
	for _, i := range d.Perm(len(u.SavedPassengers)) {
		if len(party) < size {
			party = append(party, u.SavedPassengers[i])
		}
	}
	for len(party) < size {
		party = append(party, w.drawCompanion(d, u))
	}
	return party
}

// drawPaidFare draws what a seat cost when it was booked: near today's fare,
// or near that of a later day for a flight that has none any more.
func (w *world) drawPaidFare(d *rand.Rand, l leg, cabin string) int {
	day := l.Dates[l.day-firstDay]
	for i := l.day; day.Status != Available; i++ {
		day = l.Dates[(i+today)%lastDay]
	}
	p, _ := day.Prices.Get(cabin)
	return int(p.Int64()) * builtin.Between(d, 78, 112) / 100
}

// packBags draws bags, mostly free ones, and pays for the reservation.
func (w *world) packBags(d *rand.Rand, u *User, r *Reservation) {
	n := len(r.Passengers)
	allowed := freeBags[u.Membership][r.Cabin] * n
	total := 0
	if builtin.Chance(d, 62) {
		total = builtin.Between(d, 0, min(allowed, 2*n))
	}
	paid := 0
	if builtin.Chance(d, 9) {
		paid = builtin.Between(d, 1, 2)
		total = allowed + paid
	}
	r.TotalBaggages, r.NonfreeBaggages = pyjson.NewInt(total), pyjson.NewInt(paid)
	price := 0
	for _, f := range r.Flights {
		price += int(f.Price.Int64()) * n
	}
	if r.Insurance == "yes" {
		price += insuranceFee * n
	}
	later := 0
	if paid > 0 && builtin.Chance(d, 40) {
		later = paid * bagFee
	}
	r.PaymentHistory = drawPayments(d, u, price+paid*bagFee-later, later)
}

// drawPayments splits a price over payment methods of the profile, and puts
// bags that were added later on a credit card.
func drawPayments(d *rand.Rand, u *User, price, later int) []Payment {
	var cards, gifts []string
	for _, m := range u.PaymentMethods {
		switch m.Source {
		case CreditCard:
			cards = append(cards, m.ID)
		case GiftCard:
			gifts = append(gifts, m.ID)
		}
	}
	var out []Payment
	rest := price
	if len(gifts) > 0 && builtin.Chance(d, 30) {
		part := min(builtin.Between(d, 40, 300), price)
		out = append(out, Payment{builtin.Pick(d, gifts), pyjson.NewInt(part)})
		rest -= part
	}
	card := builtin.Pick(d, cards)
	for _, amount := range []int{rest, later} {
		if amount > 0 {
			out = append(out, Payment{card, pyjson.NewInt(amount)})
		}
	}
	return out
}
