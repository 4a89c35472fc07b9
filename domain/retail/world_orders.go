package retail

import (
	"math/rand/v2"
	"slices"

	"taste/domain/builtin"
)

// ordersEach weighs the numbers of orders of a customer, from none on.
var ordersEach = []int{3, 15, 22, 22, 17, 12, 6, 3}

var (
	statuses      = []string{Pending, Delivered, Processed, Cancelled}
	statusWeights = []int{44, 38, 10, 8}
)

// buildOrders gives the drawn customers their orders, in an order of records
// that does not follow the customers.
func (w *world) buildOrders() {
	d := w.dice("orders")
	var owners []*User
	for _, u := range w.clients {
		owners = append(owners, slices.Repeat([]*User{u}, builtin.Weighted(d, ordersEach))...)
	}
	d.Shuffle(len(owners), func(i, j int) { owners[i], owners[j] = owners[j], owners[i] })
	for _, u := range owners {
		o := w.drawOrder(d, u)
		w.db.AddOrder(o)
		u.Orders = append(u.Orders, o.OrderID)
	}
}

func (w *world) drawOrder(d *rand.Rand, u *User) *Order {
	o := &Order{
		OrderID: w.digits(d, "#W", 7), UserID: u.UserID, Address: u.Address, Items: w.drawItems(d),
		Status: statuses[builtin.Weighted(d, statusWeights)],
	}
	if builtin.Chance(d, 25) {
		o.Address = drawAddress(d)
	}
	total := 0
	for _, i := range o.Items {
		total += cents(i.Price)
	}
	pay := Payment{Type: Paid, Amount: dollars(total), MethodID: builtin.Pick(d, u.PaymentMethods).ID}
	o.PaymentHistory = []Payment{pay}
	switch o.Status {
	case Processed, Delivered:
		o.Fulfillments = []Fulfillment{w.parcel(d, o.Items)}
	case Cancelled:
		reason := builtin.Pick(d, []string{NoLongerNeeded, OrderedByMistake})
		o.CancelReason = &reason
		pay.Type = Refunded
		o.PaymentHistory = append(o.PaymentHistory, pay)
	}
	return o
}

// drawItems draws one to five items of different products. One order in twelve
// repeats a product in another variant.
func (w *world) drawItems(d *rand.Rand) []Item {
	var out []Item
	products := d.Perm(w.db.Products.Len())
	for _, at := range products[:1+builtin.Weighted(d, []int{22, 24, 22, 18, 14})] {
		p := w.db.Products.Get(w.db.Products.Keys[at])
		out = append(out, itemOf(p, builtin.Pick(d, p.Variants.Keys)))
	}
	if len(out) < 5 && builtin.Chance(d, 8) {
		p := w.db.Products.Get(out[0].ProductID)
		if again := builtin.Pick(d, p.Variants.Keys); again != out[0].ItemID {
			out = append(out, itemOf(p, again))
		}
	}
	return out
}

// itemOf is a variant of a product as an order holds it.
func itemOf(p *Product, id string) Item {
	v := p.Variants.Get(id)
	return Item{Name: p.Name, ProductID: p.ProductID, ItemID: id, Price: v.Price, Options: v.Options}
}

// parcel puts all items of an order into one parcel.
func (w *world) parcel(d *rand.Rand, items []Item) Fulfillment {
	f := Fulfillment{TrackingIDs: []string{w.digits(d, "", 12)}}
	for _, i := range items {
		f.ItemIDs = append(f.ItemIDs, i.ItemID)
	}
	return f
}
