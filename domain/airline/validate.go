package airline

import (
	"taste/pyjson"
	"taste/pyjson/lax"
)

// The functions below validate JSON values into records as the reference's
// data model does: unknown keys vanish, numbers are coerced.

// FromJSON validates a whole database. Errors are *lax.Error.
func FromJSON(v any) (*DB, error) {
	c := lax.New("FlightDB")
	root := c.Model(v, "FlightDB")
	db := &DB{}
	db.Flights.Read(c, root, "flights", &flightType)
	db.Users.Read(c, root, "users", &userType)
	db.Reservations.Read(c, root, "reservations", &reservationType)
	c.NoExtra(root, "flights", "users", "reservations")
	return db, c.Err()
}

func validFlight(c *lax.Check, v any) *Flight {
	o := c.Model(v, "Flight")
	f := &Flight{
		FlightNumber:       c.FieldStr(o, "flight_number"),
		Origin:             c.FieldStr(o, "origin"),
		Destination:        c.FieldStr(o, "destination"),
		ScheduledDeparture: c.FieldStr(o, "scheduled_departure_time_est"),
		ScheduledArrival:   c.FieldStr(o, "scheduled_arrival_time_est"),
	}
	c.Field(o, "dates", func(v any) {
		for k, e := range c.Dict(v).All() {
			c.In(k, func() { f.Dates = append(f.Dates, validFlightDate(c, k, e)) })
		}
	})
	return f
}

var statuses = []string{Available, Landed, Cancelled, Delayed, Flying, OnTime}

func validFlightDate(c *lax.Check, date string, v any) *FlightDate {
	o := c.Model(v, "FlightDateStatus")
	d := &FlightDate{Date: date, Status: c.FieldLiteral(o, "status", statuses...)}
	for _, t := range statusTimes[d.Status] {
		*t.at(d) = c.FieldStr(o, t.key)
	}
	if d.Status == Available {
		c.Field(o, "available_seats", func(v any) { d.AvailableSeats = validCabins(c, v) })
		c.Field(o, "prices", func(v any) { d.Prices = validCabins(c, v) })
	}
	return d
}

func validCabins(c *lax.Check, v any) (out CabinInts) {
	for k, e := range c.Dict(v).All() {
		c.In(k, func() { out.Set(c.Literal(k, Business, Economy, BasicEconomy), c.Int(e)) })
	}
	return out
}

func validUser(c *lax.Check, v any) *User {
	o := c.Model(v, "User")
	u := &User{UserID: c.FieldStr(o, "user_id")}
	c.Field(o, "name", func(v any) {
		n := c.Model(v, "Name")
		u.Name = Name{c.FieldStr(n, "first_name"), c.FieldStr(n, "last_name")}
	})
	c.Field(o, "address", func(v any) { u.Address = validAddress(c, v) })
	u.Email = c.FieldStr(o, "email")
	u.DOB = c.FieldStr(o, "dob")
	c.Field(o, "payment_methods", func(v any) {
		for k, e := range c.Dict(v).All() {
			c.In(k, func() { u.PaymentMethods = append(u.PaymentMethods, validMethod(c, k, e)) })
		}
	})
	c.Field(o, "saved_passengers", func(v any) {
		c.List(v, func(e any) { u.SavedPassengers = append(u.SavedPassengers, validPassenger(c, e)) })
	})
	u.Membership = c.FieldLiteral(o, "membership", "gold", "silver", "regular")
	c.Field(o, "reservations", func(v any) {
		c.List(v, func(e any) { u.Reservations = append(u.Reservations, c.Str(e)) })
	})
	return u
}

func validAddress(c *lax.Check, v any) Address {
	o := c.Model(v, "Address")
	a := Address{Address1: c.FieldStr(o, "address1")}
	c.Optional(o, "address2", func(v any) {
		if v != nil {
			s := c.Str(v)
			a.Address2 = &s
		}
	})
	a.City = c.FieldStr(o, "city")
	a.Country = c.FieldStr(o, "country")
	a.State = c.FieldStr(o, "state")
	a.Zip = c.FieldStr(o, "zip")
	return a
}

func validMethod(c *lax.Check, key string, v any) PaymentMethod {
	o := c.Model(v, "PaymentMethod")
	m := PaymentMethod{Key: key, Source: c.FieldLiteral(o, "source", CreditCard, GiftCard, Certificate)}
	m.ID = c.FieldStr(o, "id")
	if m.Source == CreditCard {
		m.Brand = c.FieldStr(o, "brand")
		m.LastFour = c.FieldStr(o, "last_four")
	} else if m.Source != "" {
		m.Amount = c.FieldFloat(o, "amount")
	}
	return m
}

func validPassenger(c *lax.Check, v any) Passenger {
	return passengerFields(c, c.Model(v, "Passenger"))
}

func passengerFields(c *lax.Check, o *pyjson.Object) Passenger {
	return Passenger{c.FieldStr(o, "first_name"), c.FieldStr(o, "last_name"), c.FieldStr(o, "dob")}
}

func validPayment(c *lax.Check, v any) Payment {
	return paymentFields(c, c.Model(v, "Payment"))
}

func paymentFields(c *lax.Check, o *pyjson.Object) Payment {
	return Payment{c.FieldStr(o, "payment_id"), c.FieldInt(o, "amount")}
}

func validReservationFlight(c *lax.Check, v any) ReservationFlight {
	o := c.Model(v, "ReservationFlight")
	return ReservationFlight{
		FlightNumber: c.FieldStr(o, "flight_number"),
		Origin:       c.FieldStr(o, "origin"),
		Destination:  c.FieldStr(o, "destination"),
		Date:         c.FieldStr(o, "date"),
		Price:        c.FieldInt(o, "price"),
	}
}

func validReservation(c *lax.Check, v any) *Reservation {
	o := c.Model(v, "Reservation")
	r := &Reservation{
		ReservationID: c.FieldStr(o, "reservation_id"),
		UserID:        c.FieldStr(o, "user_id"),
		Origin:        c.FieldStr(o, "origin"),
		Destination:   c.FieldStr(o, "destination"),
		FlightType:    c.FieldLiteral(o, "flight_type", "round_trip", "one_way"),
		Cabin:         c.FieldLiteral(o, "cabin", Business, Economy, BasicEconomy),
	}
	c.Field(o, "flights", func(v any) {
		c.List(v, func(e any) { r.Flights = append(r.Flights, validReservationFlight(c, e)) })
	})
	c.Field(o, "passengers", func(v any) {
		c.List(v, func(e any) { r.Passengers = append(r.Passengers, validPassenger(c, e)) })
	})
	c.Field(o, "payment_history", func(v any) {
		c.List(v, func(e any) { r.PaymentHistory = append(r.PaymentHistory, validPayment(c, e)) })
	})
	r.CreatedAt = c.FieldStr(o, "created_at")
	r.TotalBaggages = c.FieldInt(o, "total_baggages")
	r.NonfreeBaggages = c.FieldInt(o, "nonfree_baggages")
	r.Insurance = c.FieldLiteral(o, "insurance", "yes", "no")
	c.Optional(o, "status", func(v any) {
		if v != nil {
			r.Status = c.Literal(v, Cancelled)
		}
	})
	return r
}
