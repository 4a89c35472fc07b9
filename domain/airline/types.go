package airline

import (
	"taste/env/native"
	"taste/pyjson"
)

// DB is the airline's database.
type DB struct {
	Flights      native.Records[Flight]
	Users        native.Records[User]
	Reservations native.Records[Reservation]
}

// AddFlight appends a flight or replaces the one of the same number.
func (db *DB) AddFlight(f *Flight) { db.Flights.Add(f.FlightNumber, f) }

// AddUser appends a user or replaces the one of the same id.
func (db *DB) AddUser(u *User) { db.Users.Add(u.UserID, u) }

// AddReservation appends a reservation or replaces the one of the same id.
func (db *DB) AddReservation(r *Reservation) { db.Reservations.Add(r.ReservationID, r) }

// Cabin classes.
const (
	BasicEconomy = "basic_economy"
	Economy      = "economy"
	Business     = "business"
)

// Flight is one flight number over all its dates. Times are HH:MM:SS local to
// the schedule ("est"), arrivals on a later day end in "+1".
type Flight struct {
	FlightNumber       string
	Origin             string // IATA code
	Destination        string
	ScheduledDeparture string
	ScheduledArrival   string
	Dates              []*FlightDate // in file order
}

// On returns the flight's entry of a date, nil where there is none.
func (f *Flight) On(date string) *FlightDate {
	for _, d := range f.Dates {
		if d.Date == date {
			return d
		}
	}
	return nil
}

// Statuses of a flight on a date.
const (
	Available = "available"
	OnTime    = "on time"
	Flying    = "flying"
	Landed    = "landed"
	Cancelled = "cancelled"
	Delayed   = "delayed"
)

// FlightDate is a flight on one date. Which fields count depends on Status:
// Available has seats and prices, OnTime and Delayed both estimated times,
// Flying the actual departure and estimated arrival, Landed both actual times,
// Cancelled none. Times are YYYY-MM-DDTHH:MM:SS.
type FlightDate struct {
	Date               string // YYYY-MM-DD
	Status             string
	AvailableSeats     CabinInts
	Prices             CabinInts // dollars a passenger
	EstimatedDeparture string
	EstimatedArrival   string
	ActualDeparture    string
	ActualArrival      string
}

// CabinInts maps cabin classes to whole numbers, in written order; a class may
// be missing.
type CabinInts struct {
	order [3]uint8
	n     uint8
	vals  [3]pyjson.Int
}

var cabins = [3]string{BasicEconomy, Economy, Business}

func cabinIndex(cabin string) int {
	for i, c := range cabins {
		if c == cabin {
			return i
		}
	}
	return -1
}

// NewCabinInts returns numbers for all three classes.
func NewCabinInts(basicEconomy, economy, business int) CabinInts {
	var c CabinInts
	for i, n := range [3]int{basicEconomy, economy, business} {
		c.Set(cabins[i], pyjson.NewInt(n))
	}
	return c
}

// Get returns the number of a cabin class and whether it is there.
func (c *CabinInts) Get(cabin string) (pyjson.Int, bool) {
	at := cabinIndex(cabin)
	for _, o := range c.order[:c.n] {
		if int(o) == at {
			return c.vals[at], true
		}
	}
	return pyjson.Int{}, false
}

// Set puts the number of a cabin class; an unknown class is ignored.
func (c *CabinInts) Set(cabin string, v pyjson.Int) {
	at := cabinIndex(cabin)
	if at < 0 {
		return
	}
	if _, ok := c.Get(cabin); !ok {
		c.order[c.n] = uint8(at)
		c.n++
	}
	c.vals[at] = v
}

// User is a customer.
type User struct {
	UserID          string
	Name            Name
	Address         Address
	Email           string
	DOB             string          // YYYY-MM-DD
	PaymentMethods  []PaymentMethod // in file order
	SavedPassengers []Passenger
	Membership      string // gold, silver or regular
	Reservations    []string
}

// Name of a customer.
type Name struct{ First, Last string }

// Address of a customer; Address2 is nil where there is no second line.
type Address struct {
	Address1 string
	Address2 *string
	City     string
	Country  string
	State    string
	Zip      string
}

// Sources of a payment method.
const (
	CreditCard  = "credit_card"
	GiftCard    = "gift_card"
	Certificate = "certificate"
)

// PaymentMethod is one way to pay, by Source: a credit card has Brand and
// LastFour, a gift card or certificate has Amount.
type PaymentMethod struct {
	Key      string // its key in the user's payment methods; usually ID
	Source   string
	ID       string
	Brand    string
	LastFour string
	Amount   float64 // dollars left
}

// Payment returns the payment method of a key, nil where there is none.
func (u *User) Payment(key string) *PaymentMethod {
	for i := range u.PaymentMethods {
		if u.PaymentMethods[i].Key == key {
			return &u.PaymentMethods[i]
		}
	}
	return nil
}

// Passenger is a traveller.
type Passenger struct {
	FirstName string
	LastName  string
	DOB       string // YYYY-MM-DD
}

// Payment is one entry of a payment history; refunds are negative.
type Payment struct {
	PaymentID string
	Amount    pyjson.Int // dollars
}

// ReservationFlight is one flight of a reservation, at the price (dollars a
// passenger) it was booked for.
type ReservationFlight struct {
	FlightNumber string
	Origin       string
	Destination  string
	Date         string
	Price        pyjson.Int
}

// Reservation is a booking.
type Reservation struct {
	ReservationID   string
	UserID          string
	Origin          string
	Destination     string
	FlightType      string // one_way or round_trip
	Cabin           string
	Flights         []ReservationFlight
	Passengers      []Passenger
	PaymentHistory  []Payment
	CreatedAt       string // YYYY-MM-DDTHH:MM:SS
	TotalBaggages   pyjson.Int
	NonfreeBaggages pyjson.Int
	Insurance       string // yes or no
	Status          string // "" or cancelled

	loose *loose
}

// loose holds values of other types than declared, which updates store without
// a check as the reference does. A set field overrides the typed one.
type loose struct {
	cabin, passengers, total, nonfree maybe
}

type maybe struct {
	set bool
	v   any // a pyjson value
}
