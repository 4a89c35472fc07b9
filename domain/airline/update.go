package airline

import (
	"unicode/utf8"

	"taste/env"
	"taste/env/native"
	"taste/pyjson"
	"taste/pyjson/lax"
)

func cancelReservation(s *state, a []any) (any, error) {
	found, err := s.reservation(a[0])
	if err != nil {
		return nil, err
	}
	if !found.encodable() {
		return nil, notEncodable()
	}
	r := s.reservations.Mut(a[0].(string))
	for _, p := range found.PaymentHistory {
		r.PaymentHistory = append(r.PaymentHistory, Payment{p.PaymentID, p.Amount.Neg()})
	}
	r.Status = Cancelled
	return native.Later(r, dumpReservation), nil
}

// encodable says whether all texts that came in with calls are whole Unicode.
func (r *Reservation) encodable() bool {
	ok := utf8.ValidString(r.Origin) && utf8.ValidString(r.Destination)
	for _, p := range r.Passengers {
		ok = ok && utf8.ValidString(p.FirstName) && utf8.ValidString(p.LastName) && utf8.ValidString(p.DOB)
	}
	if l := r.loose; l != nil {
		ok = ok && pyjson.Encodable([]any{l.cabin.v, l.passengers.v, l.total.v, l.nonfree.v})
	}
	return ok
}

// notEncodable is what the reference's log line raises on a reservation whose
// texts hold half a surrogate pair.
func notEncodable() error {
	return &env.Fault{
		Class: "PydanticSerializationError", Inexact: true,
		Text: "Error serializing to JSON: 'utf-8' codec can't encode characters: surrogates not allowed",
	}
}

// mintedCertificates are the ids that certificates get, in this order.
var mintedCertificates = []string{"certificate_3221322", "certificate_3221323", "certificate_3221324"}

func sendCertificate(s *state, a []any) (any, error) {
	user, err := s.user(a[0])
	if err != nil {
		return nil, err
	}
	for _, id := range mintedCertificates {
		if user.Payment(id) != nil {
			continue
		}
		c := lax.New("Certificate")
		m := PaymentMethod{Key: id, Source: Certificate, ID: id}
		c.In("amount", func() { m.Amount = c.Float(a[1]) })
		if err := c.Err(); err != nil {
			return nil, err
		}
		u := s.users.Mut(a[0].(string))
		u.PaymentMethods = append(u.PaymentMethods, m)
		return "Certificate " + id + " added to user " + a[0].(string) + " with amount " + pyjson.Str(a[1]) + ".", nil
	}
	return nil, env.ValueError("Too many certificates")
}

// owned finds a reservation, for reading, whose user exists.
func (s *state) owned(id any) (*Reservation, error) {
	r, err := s.reservation(id)
	if err != nil {
		return nil, err
	}
	_, err = s.user(r.UserID)
	return r, err
}

// payUpdate charges (or refunds, below 0) a change of a reservation. The gift
// card's balance changes even where the payment then turns out invalid. The
// result is nil for a price of 0.
func (s *state) payUpdate(userID string, id any, price any) (*Payment, error) {
	key, ok, err := env.KeyOf(id)
	if err != nil {
		return nil, err
	}
	m := s.users.Get(userID).Payment(key)
	if !ok || m == nil {
		return nil, env.ValueError("Payment method not found")
	}
	if m.Source == Certificate {
		return nil, env.ValueError("Certificate cannot be used to update reservation")
	}
	if m.Source == GiftCard {
		if c, ok := pyjson.Compare(m.Amount, price); ok && c < 0 {
			return nil, env.ValueError("Gift card balance is not enough")
		}
		if err := s.users.Mut(userID).Payment(key).deduct(price); err != nil {
			return nil, err
		}
	}
	if pyjson.Equal(price, int64(0)) {
		return nil, nil
	}
	c := lax.New("Payment")
	p := &Payment{PaymentID: key}
	c.In("amount", func() { p.Amount = c.Int(price) })
	return p, c.Err()
}

func updateBaggages(s *state, a []any) (any, error) {
	id, total, nonfree := a[0], a[1], a[2]
	found, err := s.owned(id)
	if err != nil {
		return nil, err
	}
	more, err := pyjson.Sub(nonfree, found.nonfree())
	if err != nil {
		return nil, env.Operands("-", nonfree, found.nonfree())
	}
	if c, ok := pyjson.Compare(more, int64(0)); !ok || c <= 0 {
		more = int64(0)
	}
	payment, err := s.payUpdate(found.UserID, a[3], times(int64(50), more))
	if err != nil {
		return nil, err
	}
	r := s.reservations.Mut(id.(string))
	if payment != nil {
		r.PaymentHistory = append(r.PaymentHistory, *payment)
	}
	r.setBags(total, nonfree)
	return native.Later(r, dumpReservation), nil
}

func updateFlights(s *state, a []any) (any, error) {
	id, cabin := a[0], a[1]
	flights, err := readModels(a[2], "FlightInfo", flightInfoFields)
	if err != nil {
		return nil, err
	}
	found, err := s.owned(id)
	if err != nil {
		return nil, err
	}
	if flights.raw {
		return nil, env.NoAttribute(flights.first(), "flight_number")
	}
	chosen, price, err := s.reprice(found, cabin, flights.items)
	if err != nil {
		return nil, err
	}
	payment, err := s.payUpdate(found.UserID, a[3], price)
	if err != nil {
		return nil, err
	}
	r := s.reservations.Mut(id.(string))
	if payment != nil {
		r.PaymentHistory = append(r.PaymentHistory, *payment)
	}
	r.Flights = chosen
	r.setCabin(cabin)
	return native.Later(r, dumpReservation), nil
}

// reprice returns the flights of the changed reservation and what the change
// costs. A flight that stays in the same cabin keeps its price.
func (s *state) reprice(r *Reservation, cabin any, flights []flightInfo) ([]ReservationFlight, any, error) {
	count := r.passengerCount()
	chosen := []ReservationFlight{}
	var sum any = int64(0)
	sameCabin := pyjson.Equal(cabin, r.cabin())
	for _, info := range flights {
		f := r.keeps(info)
		if f == nil || !sameCabin {
			offered, err := s.offer(info, cabin, count)
			if err != nil {
				return nil, nil, err
			}
			f = &offered
		}
		chosen = append(chosen, *f)
		sum = plus(sum, f.Price.Value())
	}
	for i := range r.Flights {
		sum = plus(sum, r.Flights[i].Price.Neg().Value())
	}
	return chosen, times(sum, int64(count)), nil
}

// keeps returns the reservation's own flight of that number and date.
func (r *Reservation) keeps(info flightInfo) *ReservationFlight {
	for i := range r.Flights {
		if f := &r.Flights[i]; f.FlightNumber == info.number && f.Date == info.date {
			return f
		}
	}
	return nil
}

func updatePassengers(s *state, a []any) (any, error) {
	passengers, err := readModels(a[1], "Passenger", passengerFields)
	if err != nil {
		return nil, err
	}
	found, err := s.reservation(a[0])
	if err != nil {
		return nil, err
	}
	count := len(passengers.items)
	if passengers.raw {
		count = native.Length(passengers.value)
	}
	if count != found.passengerCount() {
		return nil, env.ValueError("Number of passengers does not match")
	}
	r := s.reservations.Mut(a[0].(string))
	r.setPassengers(passengers.items, passengers.value)
	return native.Later(r, dumpReservation), nil
}
