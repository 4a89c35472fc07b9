package airline

import (
	"taste/env/native"
	"taste/pyjson"
)

// relax returns the reservation's overrides for writing.
func (r *Reservation) relax() *loose {
	if r.loose == nil {
		r.loose = &loose{}
	}
	return r.loose
}

// setCabin stores a cabin of any type.
func (r *Reservation) setCabin(v any) {
	if s, ok := v.(string); ok {
		r.Cabin = s
		if r.loose != nil {
			r.loose.cabin = maybe{}
		}
		return
	}
	r.relax().cabin = maybe{true, v}
}

// setBags stores baggage counts of any type.
func (r *Reservation) setBags(total, nonfree any) {
	if t, ok := pyjson.AsInt(total); ok {
		r.TotalBaggages = t
		if r.loose != nil {
			r.loose.total = maybe{}
		}
	} else {
		r.relax().total = maybe{true, total}
	}
	if n, ok := pyjson.AsInt(nonfree); ok {
		r.NonfreeBaggages = n
		if r.loose != nil {
			r.loose.nonfree = maybe{}
		}
	} else {
		r.relax().nonfree = maybe{true, nonfree}
	}
}

// setPassengers stores validated passengers, or (list nil) any value.
func (r *Reservation) setPassengers(list []Passenger, other any) {
	if list == nil {
		r.relax().passengers = maybe{true, other}
		return
	}
	r.Passengers = list
	if r.loose != nil {
		r.loose.passengers = maybe{}
	}
}

// passengerCount is len() of the passengers, whatever they are.
func (r *Reservation) passengerCount() int {
	if r.loose != nil && r.loose.passengers.set {
		return native.Length(r.loose.passengers.v)
	}
	return len(r.Passengers)
}

func cloneFlight(f *Flight) *Flight {
	c := *f
	c.Dates = append([]*FlightDate(nil), f.Dates...)
	return &c
}

// mutDate returns the entry of a date for writing; f must be a clone of its
// own (see env.Table.Mut).
func (f *Flight) mutDate(date string) *FlightDate {
	for i, d := range f.Dates {
		if d.Date == date {
			c := *d
			f.Dates[i] = &c
			return &c
		}
	}
	return nil
}

func cloneUser(u *User) *User {
	c := *u
	c.PaymentMethods = append([]PaymentMethod(nil), u.PaymentMethods...)
	c.Reservations = append([]string(nil), u.Reservations...)
	return &c
}

// cloneReservation shares flights and passengers, which are only ever replaced
// whole.
func cloneReservation(r *Reservation) *Reservation {
	c := *r
	c.PaymentHistory = append([]Payment(nil), r.PaymentHistory...)
	if r.loose != nil {
		l := *r.loose
		c.loose = &l
	}
	return &c
}
