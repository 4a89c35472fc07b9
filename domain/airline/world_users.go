package airline

import (
	"fmt"
	"math/rand/v2"
	"strings"
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
	slug := strings.ToLower(n.First + "_" + n.Last)
	u := &User{
		UserID: fmt.Sprintf("%s_%04d", slug, between(d, 1000, 9999)), Name: n, Address: w.drawAddress(d),
		Email:      fmt.Sprintf("%s%d@example.com", strings.Replace(slug, "_", ".", 1), between(d, 10, 999)),
		DOB:        drawBirth(d, 1942, 2004),
		Membership: []string{"regular", "silver", "gold"}[weighted(d, []int{36, 34, 30})],
	}
	w.drawPayments(d, u)
	for range between(d, 1, 3) {
		u.SavedPassengers = append(u.SavedPassengers, w.drawCompanion(d, u))
	}
	return u
}

func (w *world) drawName(d *rand.Rand) Name {
	for {
		n := Name{pick(d, w.names.First), pick(d, w.names.Last)}
		if w.claimPerson(Passenger{n.First, n.Last, ""}) {
			return n
		}
	}
}

// claim takes an id or a name and says whether it was free.
func (w *world) claim(s string) bool {
	if w.taken[s] {
		return false
	}
	w.taken[s] = true
	return true
}

// claimPerson takes a full name.
func (w *world) claimPerson(p Passenger) bool { return w.claim(p.FirstName + " " + p.LastName) }

func drawBirth(d *rand.Rand, from, to int) string {
	return fmt.Sprintf("%d-%02d-%02d", between(d, from, to), between(d, 1, 12), between(d, 1, 28))
}

func (w *world) drawAddress(d *rand.Rand) Address {
	t := pick(d, w.places.Towns)
	a := Address{
		Address1: fmt.Sprintf("%d %s", between(d, 2, 1490), pick(d, w.places.Streets)),
		City:     t.City, Country: "USA", State: t.State, Zip: fmt.Sprintf("%s%02d", t.Zip, between(d, 1, 49)),
	}
	if chance(d, 55) {
		unit := fmt.Sprintf("%s %d", pick(d, []string{"Apt", "Unit"}), between(d, 1, 40))
		a.Address2 = &unit
	}
	return a
}

// drawPayments gives one or two credit cards, up to three gift cards and up to
// three certificates. Cards of one customer differ in their last four digits,
// gift cards and certificates in their amounts.
func (w *world) drawPayments(d *rand.Rand, u *User) {
	four := between(d, 1000, 9999)
	for i := range 1 + weighted(d, []int{68, 32}) {
		u.PaymentMethods = append(u.PaymentMethods, w.method(d, PaymentMethod{
			Source: CreditCard,
			Brand:  pick(d, []string{"visa", "mastercard", "amex"}), LastFour: fmt.Sprint(1000 + (four+i*between(d, 1, 8000))%9000),
		}))
	}
	for i := range weighted(d, []int{30, 40, 20, 10}) {
		u.PaymentMethods = append(u.PaymentMethods, w.method(d, PaymentMethod{Source: GiftCard, Amount: float64(between(d, 2, 44)*10 + 3*i)}))
	}
	values := d.Perm(len(certificateValues))
	for i := range weighted(d, []int{38, 34, 20, 8}) {
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
		m.ID = fmt.Sprintf("%s_%d", m.Source, between(d, 4000000, 9999999))
		if m.Key = m.ID; w.claim(m.ID) {
			return m
		}
	}
}

// drawCompanion draws a fellow traveller whose name nobody has yet. Two in
// three bear the customer's family name, one in six is a child.
func (w *world) drawCompanion(d *rand.Rand, u *User) Passenger {
	for {
		p := Passenger{FirstName: pick(d, w.names.First), LastName: u.Name.Last, DOB: drawBirth(d, 1944, 2005)}
		if chance(d, 35) {
			p.LastName = pick(d, w.names.Last)
		}
		if chance(d, 17) {
			p.DOB = drawBirth(d, 2008, 2021)
		}
		if w.claimPerson(p) {
			return p
		}
	}
}
