package retail

import (
	"fmt"
	"math/rand/v2"

	"taste/domain/builtin"
)

const drawnUsers = 420 // customers beside the anchors

// buildUsers adds random customers. A full name and an email address stand for
// one customer in the whole world.
func (w *world) buildUsers() {
	d := w.dice("users")
	for range drawnUsers {
		u := w.drawUser(d)
		w.db.AddUser(u)
		w.clients = append(w.clients, u)
	}
}

func (w *world) drawUser(d *rand.Rand) *User {
	n := Name{builtin.FirstName(d), builtin.LastName(d)}
	for !w.claimPerson(n) {
		n = Name{builtin.FirstName(d), builtin.LastName(d)}
	}
	u := &User{
		UserID: builtin.UserID(d, n.First, n.Last), Name: n, Address: drawAddress(d),
		Email: builtin.Email(d, n.First, n.Last),
	}
	w.drawPayments(d, u)
	return u
}

// claimPerson takes a full name, and with it the ids and addresses that begin
// with it.
func (w *world) claimPerson(n Name) bool { return w.taken.Claim(n.First + " " + n.Last) }

func drawAddress(d *rand.Rand) Address {
	h := builtin.DrawHome(d)
	return Address{Address1: h.Address1, Address2: h.Address2, City: h.City, Country: "USA", State: h.State, Zip: h.Zip}
}

// Balances of gift cards in whole dollars: for a small difference, for a small
// order, for any order.
var balances = [][2]int{{5, 95}, {100, 500}, {700, 3500}}

// drawPayments gives up to two credit cards, up to two gift cards and perhaps a
// PayPal account, one of all these at least. Cards of one customer differ in
// their last four digits, gift cards in their balances.
func (w *world) drawPayments(d *rand.Rand, u *User) {
	four := builtin.Between(d, 1000, 9999)
	for i := range builtin.Weighted(d, []int{22, 58, 20}) {
		u.PaymentMethods = append(u.PaymentMethods, w.method(d, PaymentMethod{
			Source: CreditCard,
			Brand:  builtin.Pick(d, []string{"visa", "mastercard", "amex"}), LastFour: fmt.Sprint(1000 + (four+i*builtin.Between(d, 1, 8000))%9000),
		}))
	}
	for i := range builtin.Weighted(d, []int{40, 44, 16}) {
		size := balances[builtin.Weighted(d, []int{40, 30, 30})]
		u.PaymentMethods = append(u.PaymentMethods, w.method(d, PaymentMethod{
			Source: GiftCard, Balance: float64(builtin.Between(d, size[0], size[1])/2*2 + i),
		}))
	}
	if len(u.PaymentMethods) == 0 || builtin.Chance(d, 45) {
		u.PaymentMethods = append(u.PaymentMethods, w.method(d, PaymentMethod{Source: PayPal}))
	}
	d.Shuffle(len(u.PaymentMethods), func(i, j int) {
		u.PaymentMethods[i], u.PaymentMethods[j] = u.PaymentMethods[j], u.PaymentMethods[i]
	})
}

// method completes a payment method with an id of its own.
func (w *world) method(d *rand.Rand, m PaymentMethod) PaymentMethod {
	m.ID = w.digits(d, m.Source+"_", 7)
	m.Key = m.ID
	return m
}
