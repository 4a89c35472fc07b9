package airline

import (
	"taste/env/native"
	"taste/pyjson"
)

// The functions below turn records into JSON objects with the reference's
// fields in the reference's order.

func obj(pairs ...any) *pyjson.Object { return pyjson.NewObject(pairs...) }

func dumpFlight(f *Flight) *pyjson.Object {
	dates := pyjson.Sized(len(f.Dates))
	for _, d := range f.Dates {
		dates.Set(d.Date, dumpFlightDate(d))
	}
	return obj("flight_number", f.FlightNumber, "origin", f.Origin, "destination", f.Destination,
		"scheduled_departure_time_est", f.ScheduledDeparture,
		"scheduled_arrival_time_est", f.ScheduledArrival, "dates", dates)
}

// timeField is one time of a flight on a date.
type timeField struct {
	key string
	at  func(*FlightDate) *string
}

var (
	estimatedDeparture = timeField{"estimated_departure_time_est", func(d *FlightDate) *string { return &d.EstimatedDeparture }}
	estimatedArrival   = timeField{"estimated_arrival_time_est", func(d *FlightDate) *string { return &d.EstimatedArrival }}
	actualDeparture    = timeField{"actual_departure_time_est", func(d *FlightDate) *string { return &d.ActualDeparture }}
	actualArrival      = timeField{"actual_arrival_time_est", func(d *FlightDate) *string { return &d.ActualArrival }}
)

// statusTimes lists the times that go with each status.
var statusTimes = map[string][]timeField{
	Available: {},
	OnTime:    {estimatedDeparture, estimatedArrival},
	Flying:    {actualDeparture, estimatedArrival},
	Landed:    {actualDeparture, actualArrival},
	Cancelled: {},
	Delayed:   {estimatedDeparture, estimatedArrival},
}

func dumpFlightDate(d *FlightDate) *pyjson.Object {
	o := obj("status", d.Status)
	for _, t := range statusTimes[d.Status] {
		o.Set(t.key, *t.at(d))
	}
	if d.Status == Available {
		o.Set("available_seats", dumpCabins(&d.AvailableSeats))
		o.Set("prices", dumpCabins(&d.Prices))
	}
	return o
}

func dumpCabins(c *CabinInts) *pyjson.Object {
	o := pyjson.Sized(int(c.n))
	for _, at := range c.order[:c.n] {
		o.Set(cabins[at], c.vals[at].Value())
	}
	return o
}

func dumpUser(u *User) *pyjson.Object {
	methods := pyjson.Sized(len(u.PaymentMethods))
	for i := range u.PaymentMethods {
		methods.Set(u.PaymentMethods[i].Key, dumpMethod(&u.PaymentMethods[i]))
	}
	return obj("user_id", u.UserID,
		"name", obj("first_name", u.Name.First, "last_name", u.Name.Last),
		"address", dumpAddress(&u.Address), "email", u.Email, "dob", u.DOB,
		"payment_methods", methods,
		"saved_passengers", native.List(u.SavedPassengers, dumpPassenger),
		"membership", u.Membership, "reservations", native.Texts(u.Reservations))
}

func dumpAddress(a *Address) *pyjson.Object {
	var second any
	if a.Address2 != nil {
		second = *a.Address2
	}
	return obj("address1", a.Address1, "address2", second, "city", a.City,
		"country", a.Country, "state", a.State, "zip", a.Zip)
}

func dumpMethod(m *PaymentMethod) *pyjson.Object {
	o := obj("source", m.Source, "id", m.ID)
	if m.Source == CreditCard {
		o.Set("brand", m.Brand)
		o.Set("last_four", m.LastFour)
	} else {
		o.Set("amount", m.Amount)
	}
	return o
}

func dumpPassenger(p *Passenger) *pyjson.Object {
	return obj("first_name", p.FirstName, "last_name", p.LastName, "dob", p.DOB)
}

func dumpPayment(p *Payment) *pyjson.Object {
	return obj("payment_id", p.PaymentID, "amount", p.Amount.Value())
}

func dumpReservationFlight(f *ReservationFlight) *pyjson.Object {
	return obj("flight_number", f.FlightNumber, "origin", f.Origin, "destination", f.Destination,
		"date", f.Date, "price", f.Price.Value())
}

func dumpReservation(r *Reservation) *pyjson.Object {
	var status any
	if r.Status != "" {
		status = r.Status
	}
	return obj("reservation_id", r.ReservationID, "user_id", r.UserID, "origin", r.Origin,
		"destination", r.Destination, "flight_type", r.FlightType, "cabin", r.cabin(),
		"flights", native.List(r.Flights, dumpReservationFlight), "passengers", r.passengers(),
		"payment_history", native.List(r.PaymentHistory, dumpPayment), "created_at", r.CreatedAt,
		"total_baggages", r.total(), "nonfree_baggages", r.nonfree(),
		"insurance", r.Insurance, "status", status)
}

// The accessors below return a field's value as the reference holds it, of
// whatever type it is.

func (r *Reservation) cabin() any {
	if r.loose != nil && r.loose.cabin.set {
		return r.loose.cabin.v
	}
	return r.Cabin
}

func (r *Reservation) passengers() any {
	if r.loose != nil && r.loose.passengers.set {
		return r.loose.passengers.v
	}
	return native.List(r.Passengers, dumpPassenger)
}

func (r *Reservation) total() any {
	if r.loose != nil && r.loose.total.set {
		return r.loose.total.v
	}
	return r.TotalBaggages.Value()
}

func (r *Reservation) nonfree() any {
	if r.loose != nil && r.loose.nonfree.set {
		return r.loose.nonfree.v
	}
	return r.NonfreeBaggages.Value()
}
