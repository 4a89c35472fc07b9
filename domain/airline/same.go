package airline

import (
	"math"
	"slices"

	"taste/env/native"
	"taste/pyjson"
)

// The functions below say whether two records have one hash form.

func sameCabins(a, b *CabinInts) bool {
	if a.n != b.n {
		return false
	}
	for _, at := range a.order[:a.n] {
		v, ok := b.Get(cabins[at])
		if !ok || !v.Same(a.vals[at]) {
			return false
		}
	}
	return true
}

func sameFlight(a, b *Flight) bool {
	if a.FlightNumber != b.FlightNumber || a.Origin != b.Origin || a.Destination != b.Destination ||
		a.ScheduledDeparture != b.ScheduledDeparture || a.ScheduledArrival != b.ScheduledArrival ||
		len(a.Dates) != len(b.Dates) {
		return false
	}
	for i, d := range a.Dates {
		e := b.Dates[i]
		if e.Date != d.Date {
			e = b.On(d.Date)
		}
		if d != e && (e == nil || !sameFlightDate(d, e)) {
			return false
		}
	}
	return true
}

func sameFlightDate(a, b *FlightDate) bool {
	if a.Status != b.Status || !sameCabins(&a.AvailableSeats, &b.AvailableSeats) || !sameCabins(&a.Prices, &b.Prices) {
		return false
	}
	for _, t := range statusTimes[a.Status] {
		if *t.at(a) != *t.at(b) {
			return false
		}
	}
	return true
}

func sameUser(a, b *User) bool {
	return a.UserID == b.UserID && a.Name == b.Name && sameAddress(&a.Address, &b.Address) &&
		a.Email == b.Email && a.DOB == b.DOB && a.Membership == b.Membership &&
		slices.Equal(a.SavedPassengers, b.SavedPassengers) &&
		slices.Equal(a.Reservations, b.Reservations) && sameMethods(a, b)
}

func sameAddress(a, b *Address) bool {
	x, y := *a, *b
	x.Address2, y.Address2 = nil, nil
	return x == y && native.SamePointer(a.Address2, b.Address2)
}

func sameMethods(a, b *User) bool {
	if len(a.PaymentMethods) != len(b.PaymentMethods) {
		return false
	}
	for i := range a.PaymentMethods {
		m, n := a.PaymentMethods[i], b.Payment(a.PaymentMethods[i].Key)
		if n == nil || !native.SameFloat(m.Amount, n.Amount) {
			return false
		}
		m.Amount = n.Amount
		if m != *n && !math.IsNaN(n.Amount) || m.Source != n.Source || m.ID != n.ID {
			return false
		}
	}
	return true
}

func sameReservation(a, b *Reservation) bool {
	return a.ReservationID == b.ReservationID && a.UserID == b.UserID && a.Origin == b.Origin &&
		a.Destination == b.Destination && a.FlightType == b.FlightType && a.CreatedAt == b.CreatedAt &&
		a.Insurance == b.Insurance && a.Status == b.Status && sameLoose(a, b) &&
		slices.EqualFunc(a.Flights, b.Flights, sameReservationFlight) &&
		slices.EqualFunc(a.PaymentHistory, b.PaymentHistory, samePayment)
}

// sameLoose compares the fields that may be of any type.
func sameLoose(a, b *Reservation) bool {
	if a.loose == nil && b.loose == nil {
		return a.Cabin == b.Cabin && a.TotalBaggages.Same(b.TotalBaggages) &&
			a.NonfreeBaggages.Same(b.NonfreeBaggages) && slices.Equal(a.Passengers, b.Passengers)
	}
	return pyjson.Same(a.cabin(), b.cabin()) && pyjson.Same(a.total(), b.total()) &&
		pyjson.Same(a.nonfree(), b.nonfree()) && pyjson.Same(a.passengers(), b.passengers())
}

func sameReservationFlight(a, b ReservationFlight) bool {
	return a.FlightNumber == b.FlightNumber && a.Origin == b.Origin && a.Destination == b.Destination &&
		a.Date == b.Date && a.Price.Same(b.Price)
}

func samePayment(a, b Payment) bool { return a.PaymentID == b.PaymentID && a.Amount.Same(b.Amount) }
