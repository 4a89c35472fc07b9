package airline

import (
	"taste/env"
	"taste/env/native"
	"taste/pyjson"
	"taste/pyjson/lax"
)

// now is the domain's clock.
const now = "2024-05-15T15:00:00"

// mintedReservations are the ids that bookings get, in this order.
var mintedReservations = []string{"HATHAT", "HATHAU", "HATHAV"}

func (s *state) newReservationID() (string, error) {
	for _, id := range mintedReservations {
		if s.reservations.Get(id) == nil {
			return id, nil
		}
	}
	return "", env.ValueError("Too many reservations")
}

// booking is one call of book_reservation under way.
type booking struct {
	*state
	flights     models[flightInfo]
	passengers  models[Passenger]
	payments    models[Payment]
	nonfree     any // as given
	reservation *Reservation
	total       any // dollars, a number
}

func bookReservation(s *state, a []any) (any, error) {
	b := &booking{state: s, nonfree: a[9]}
	var err error
	if b.flights, err = readModels(a[5], "FlightInfo", flightInfoFields); err != nil {
		return nil, err
	}
	if b.passengers, err = readModels(a[6], "Passenger", passengerFields); err != nil {
		return nil, err
	}
	if b.payments, err = readModels(a[7], "Payment", paymentFields); err != nil {
		return nil, err
	}
	user, err := s.user(a[0])
	if err != nil {
		return nil, err
	}
	id, err := s.newReservationID()
	if err != nil {
		return nil, err
	}
	if err := b.validate(id, a); err != nil {
		return nil, err
	}
	if err := b.price(); err != nil {
		return nil, err
	}
	if err := b.checkPayments(user); err != nil {
		return nil, err
	}
	return b.commit(a[0].(string))
}

// validate makes the reservation from the arguments, without its flights.
func (b *booking) validate(id string, a []any) error {
	c := lax.New("Reservation")
	r := &Reservation{ReservationID: id, CreatedAt: now}
	c.In("user_id", func() { r.UserID = c.Str(a[0]) })
	c.In("origin", func() { r.Origin = c.Str(a[1]) })
	c.In("destination", func() { r.Destination = c.Str(a[2]) })
	c.In("flight_type", func() { r.FlightType = c.Literal(a[3], "round_trip", "one_way") })
	c.In("cabin", func() { r.Cabin = c.Literal(a[4], Business, Economy, BasicEconomy) })
	c.In("passengers", func() { r.Passengers = listed(c, &b.passengers, validPassenger) })
	c.In("payment_history", func() { r.PaymentHistory = listed(c, &b.payments, validPayment) })
	c.In("total_baggages", func() { r.TotalBaggages = c.Int(a[8]) })
	c.In("nonfree_baggages", func() { r.NonfreeBaggages = c.Int(a[9]) })
	c.In("insurance", func() { r.Insurance = c.Literal(a[10], "yes", "no") })
	b.reservation = r
	return c.Err()
}

// listed returns the items of a list argument; a raw one fails.
func listed[T any](c *lax.Check, m *models[T], valid func(*lax.Check, any) T) []T {
	if m.raw {
		c.List(m.value, func(e any) { valid(c, e) })
	}
	return m.items
}

// price looks up the flights and adds up what the booking costs.
func (b *booking) price() error {
	if b.flights.raw {
		return env.NoAttribute(b.flights.first(), "flight_number")
	}
	count := int64(len(b.passengers.items))
	var total any = int64(0)
	for _, info := range b.flights.items {
		f, err := b.offer(info, b.reservation.Cabin, int(count))
		if err != nil {
			return err
		}
		b.reservation.Flights = append(b.reservation.Flights, f)
		total = plus(total, times(f.Price.Value(), count))
	}
	if b.reservation.Insurance == "yes" {
		total = plus(total, int64(30)*count)
	}
	if s, ok := b.nonfree.(string); ok {
		return env.Operands("+=", total, s)
	}
	b.total = plus(total, times(int64(50), b.nonfree))
	return nil
}

// plus and times are sums and products of numbers known to be such.
func plus(a, b any) any  { v, _ := pyjson.Add(a, b); return v }
func times(a, b any) any { v, _ := pyjson.Mul(a, b); return v }

// offer finds an available flight with enough seats. cabin may be of any type.
func (s *state) offer(info flightInfo, cabin any, seats int) (ReservationFlight, error) {
	f, d, err := s.flightOn(info.number, info.date)
	if err != nil {
		return ReservationFlight{}, err
	}
	if d.Status != Available {
		return ReservationFlight{}, env.ValueError("Flight " + info.number + " not available on date " + info.date)
	}
	left, err := inCabin(&d.AvailableSeats, cabin)
	if err != nil {
		return ReservationFlight{}, err
	}
	if c, _ := pyjson.Compare(left.Value(), int64(seats)); c < 0 {
		return ReservationFlight{}, env.ValueError("Not enough seats on flight " + info.number)
	}
	price, err := inCabin(&d.Prices, cabin)
	return ReservationFlight{
		FlightNumber: info.number, Origin: f.Origin, Destination: f.Destination,
		Date: info.date, Price: price,
	}, err
}

func inCabin(c *CabinInts, cabin any) (pyjson.Int, error) {
	key, ok, err := env.KeyOf(cabin)
	if err != nil {
		return pyjson.Int{}, err
	}
	n, found := c.Get(key)
	if !ok || !found {
		return pyjson.Int{}, env.KeyError(cabin)
	}
	return n, nil
}

// checkPayments says whether the payments exist, are covered and add up.
func (b *booking) checkPayments(user *User) error {
	var paid any = int64(0)
	for _, p := range b.payments.items {
		m := user.Payment(p.PaymentID)
		if m == nil {
			return env.ValueError("Payment method " + p.PaymentID + " not found")
		}
		if c, ok := pyjson.Compare(m.Amount, p.Amount.Value()); m.Source != CreditCard && ok && c < 0 {
			return env.ValueError("Not enough balance in payment method " + p.PaymentID)
		}
		paid = plus(paid, p.Amount.Value())
	}
	if !pyjson.Equal(paid, b.total) {
		return env.ValueError("Payment amount does not add up, total price is " + pyjson.Str(b.total) +
			", but paid " + pyjson.Str(paid))
	}
	return nil
}

// commit takes the payments, then seats, and files the reservation. A
// certificate named twice fails after the payments before it were taken.
func (b *booking) commit(userID string) (any, error) {
	user := b.users.Mut(userID)
	for _, p := range b.payments.items {
		m := user.Payment(p.PaymentID)
		if m == nil {
			return nil, env.KeyError(p.PaymentID)
		}
		switch m.Source {
		case GiftCard:
			if err := m.deduct(p.Amount.Value()); err != nil {
				return nil, err
			}
		case Certificate:
			user.dropPayment(p.PaymentID)
		}
	}
	for _, f := range b.reservation.Flights {
		seats := &b.state.flights.Mut(f.FlightNumber).mutDate(f.Date).AvailableSeats
		left, _ := seats.Get(b.reservation.Cabin)
		n, _ := pyjson.AsInt(plus(left.Value(), -int64(len(b.passengers.items))))
		seats.Set(b.reservation.Cabin, n)
	}
	b.reservations.Set(b.reservation.ReservationID, b.reservation)
	user.Reservations = append(user.Reservations, b.reservation.ReservationID)
	return native.Later(b.reservation, dumpReservation), nil
}

// deduct takes dollars, a number, from the balance.
func (m *PaymentMethod) deduct(dollars any) error {
	left, err := pyjson.Sub(m.Amount, dollars)
	if err != nil {
		return &env.Fault{Class: "OverflowError", Text: err.Error(), Inexact: true}
	}
	m.Amount = left.(float64)
	return nil
}

func (u *User) dropPayment(key string) {
	for i := range u.PaymentMethods {
		if u.PaymentMethods[i].Key == key {
			u.PaymentMethods = append(u.PaymentMethods[:i], u.PaymentMethods[i+1:]...)
			return
		}
	}
}
