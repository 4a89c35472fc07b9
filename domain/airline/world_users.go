package airline

import (
	"fmt"
	"math/rand/v2"

	"taste/domain/builtin"
)

const drawnUsers = 420 // customers beside the anchors

// certificateValues are the amounts that certificates come in.
var certificateValues = []float64{75, 100, 125, 150, 200, 250, 300, 400, 500}

// buildUsers adds random customers. A full name stands for one person in the
// whole world, customers and fellow travellers alike.
func (w *world) buildUsers() {
	d := w.dice("users")
	for range drawnUsers {
		u := w.drawUser(d)
		w.db.AddUser(u)
		w.clients = append(w.clients, u)
	}
}

func (w *world) drawUser(d *rand.Rand) *User {
	n := w.drawName(d)
	u := &User{
		UserID: builtin.UserID(d, n.First, n.Last), Name: n, Address: drawAddress(d),
		Email:      builtin.Email(d, n.First, n.Last),
		DOB:        drawBirth(d, 1942, 2004),
		Membership: []string{"regular", "silver", "gold"}[builtin.Weighted(d, []int{36, 34, 30})],
	}
	w.drawPayments(d, u)
	for range builtin.Between(d, 1, 3) {
		u.SavedPassengers = append(u.SavedPassengers, w.drawCompanion(d, u))
	}
	return u
}

func (w *world) drawName(d *rand.Rand) Name {
	for {
		n := Name{builtin.FirstName(d), builtin.LastName(d)}
		if w.claimPerson(Passenger{n.First, n.Last, ""}) {
			return n
		}
	}
}

// claimPerson takes a full name.
func (w *world) claimPerson(p Passenger) bool { return w.taken.Claim(p.FirstName + " " + p.LastName) }

func drawBirth(d *rand.Rand, from, to int) string {
	return fmt.Sprintf("%d-%02d-%02d", builtin.Between(d, from, to), builtin.Between(d, 1, 12), builtin.Between(d, 1, 28))
}

func drawAddress(d *rand.Rand) Address {
	h := builtin.DrawHome(d)
	a := Address{Address1: h.Address1, City: h.City, Country: "USA", State: h.State, Zip: h.Zip}
	if h.Address2 != "" {
		a.Address2 = &h.Address2
	}
	return a
}

// drawPayments gives one or two credit cards, up to three gift cards and up to
// three certificates. Cards of one customer differ in their last four digits,
// gift cards and certificates in their amounts.
func (w *world) drawPayments(d *rand.Rand, u *User) {
	four := builtin.Between(d, 1000, 9999)
	for i := range 1 + builtin.Weighted(d, []int{68, 32}) {
		u.PaymentMethods = append(u.PaymentMethods, w.method(d, PaymentMethod{
			Source: CreditCard,
			Brand:  builtin.Pick(d, []string{"visa", "mastercard", "amex"}), LastFour: fmt.Sprint(1000 + (four+i*builtin.Between(d, 1, 8000))%9000),
		}))
	}
	for i := range builtin.Weighted(d, []int{30, 40, 20, 10}) {
		u.PaymentMethods = append(u.PaymentMethods, w.method(d, PaymentMethod{Source: GiftCard, Amount: float64(builtin.Between(d, 2, 44)*10 + 3*i)}))
	}
	values := d.Perm(len(certificateValues))
	for i := range builtin.Weighted(d, []int{38, 34, 20, 8}) {
		u.PaymentMethods = append(u.PaymentMethods, w.method(d, PaymentMethod{Source: Certificate, Amount: certificateValues[values[i]]}))
	}
	d.Shuffle(len(u.PaymentMethods), func(i, j int) {
		u.PaymentMethods[i], u.PaymentMethods[j] = u.PaymentMethods[j], u.PaymentMethods[i]
	})
}

// method completes a payment method with an id of its own. Seven digits from
// 4000000 on keep clear of the ids that send_certificate mints.
func (w *world) method(d *rand.Rand, m PaymentMethod) PaymentMethod {
	for {
		m.ID = fmt.Sprintf("%s_%d", m.Source, builtin.Between(d, 4000000, 9999999))
		if m.Key = m.ID; w.taken.Claim(m.ID) {
			return m
		}
	}
}

// drawCompanion draws a fellow traveller whose name nobody has yet. Two in
// three bear the customer's family name, one in six is a child.
func (w *world) drawCompanion(d *rand.Rand, u *User) Passenger {
	for {
		p := Passenger{FirstName: builtin.FirstName(d), LastName: u.Name.Last, DOB: drawBirth(d, 1944, 2005)}
		if builtin.Chance(d, 35) {
			p.LastName = builtin.LastName(d)
		}
		if builtin.Chance(d, 17) {
			p.DOB = drawBirth(d, 2008, 2021)
		}
		if w.claimPerson(p) {
			return p
		}
	}
}
