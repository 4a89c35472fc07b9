package retail

import "taste/env/native"

// DB is the shop's database.
type DB struct {
	Products native.Records[Product]
	Users    native.Records[User]
	Orders   native.Records[Order]
}

// AddProduct appends a product or replaces the one of the same id.
func (db *DB) AddProduct(p *Product) { db.Products.Add(p.ProductID, p) }

// AddUser appends a user or replaces the one of the same id.
func (db *DB) AddUser(u *User) { db.Users.Add(u.UserID, u) }

// AddOrder appends an order or replaces the one of the same id.
func (db *DB) AddOrder(o *Order) { db.Orders.Add(o.OrderID, o) }

// Product is one kind of thing on offer, in variants.
type Product struct {
	Name      string
	ProductID string
	Variants  native.Records[Variant] // by item id
}

// Variant is what is ordered: a product with all its options chosen.
type Variant struct {
	ItemID    string
	Options   Options
	Available bool
	Price     float64 // dollars
}

// Options are names and values of a variant's options, in written order. They
// are shared between records: read-only once made.
type Options []Option

// Option is one of them, e.g. color, blue.
type Option struct{ Name, Value string }

// Get returns the value of an option and whether it is there.
func (o Options) Get(name string) (string, bool) {
	for i := range o {
		if o[i].Name == name {
			return o[i].Value, true
		}
	}
	return "", false
}

// User is a customer.
type User struct {
	UserID         string
	Name           Name
	Address        Address
	Email          string
	PaymentMethods []PaymentMethod // in file order
	Orders         []string        // order ids
}

// Name of a customer.
type Name struct{ First, Last string }

// Address of a customer or an order.
type Address struct {
	Address1 string
	Address2 string // "" where there is no second line
	City     string
	Country  string
	State    string
	Zip      string
}

// Sources of a payment method.
const (
	CreditCard = "credit_card"
	GiftCard   = "gift_card"
	PayPal     = "paypal"
)

// PaymentMethod is one way to pay, by Source: a credit card has Brand and
// LastFour, a gift card Balance.
type PaymentMethod struct {
	Key      string // its key in the user's payment methods; usually ID
	Source   string
	ID       string
	Brand    string
	LastFour string
	Balance  float64 // dollars
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

// Statuses of an order.
const (
	Pending           = "pending"
	PendingModified   = "pending (item modified)" // its items cannot be changed again
	Processed         = "processed"
	Delivered         = "delivered"
	Cancelled         = "cancelled"
	ExchangeRequested = "exchange requested"
	ReturnRequested   = "return requested"
)

// Reasons for cancelling an order.
const (
	NoLongerNeeded   = "no longer needed"
	OrderedByMistake = "ordered by mistake"
)

// Order is what a customer bought at once.
type Order struct {
	OrderID        string // with the # in front
	UserID         string
	Address        Address
	Items          []Item
	Status         string
	Fulfillments   []Fulfillment
	PaymentHistory []Payment
	CancelReason   *string
	Exchange       Exchange
	Return         Return
}

// Item is one thing in an order; the same may be there twice.
type Item struct {
	Name      string // of the product
	ProductID string
	ItemID    string
	Price     float64 // dollars, when it was bought
	Options   Options
}

// Item returns the first item of an id, nil where there is none.
func (o *Order) Item(id string) *Item {
	for i := range o.Items {
		if o.Items[i].ItemID == id {
			return &o.Items[i]
		}
	}
	return nil
}

// Fulfillment is a parcel.
type Fulfillment struct {
	TrackingIDs []string
	ItemIDs     []string
}

// Types of a payment.
const (
	Paid     = "payment"
	Refunded = "refund"
)

// Payment is one entry of a payment history; the amount of a refund is
// positive too.
type Payment struct {
	Type     string // Paid or Refunded
	Amount   float64
	MethodID string
}

// Exchange is what is asked for after delivery: fields are nil where nothing
// is. Lists are sorted and, once made, read-only.
type Exchange struct {
	Items           []string
	NewItems        []string
	MethodID        *string
	PriceDifference *float64

	whole bool // the difference is the whole number 0, not 0.0
}

// Return is the like for things to be given back.
type Return struct {
	Items    []string
	MethodID *string
}
