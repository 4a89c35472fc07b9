package telecom

import (
	"fmt"
	"math/rand/v2"
	"time"

	"taste/domain/builtin"
)

const drawnCustomers = 160 // beside the anchors

var (
	accountStatuses = []string{"Active", "Suspended", "Pending Verification", "Closed"}
	accountWeights  = []int{92, 3, 3, 2}
	methodTypes     = []string{"Credit Card", "Debit Card", "PayPal"}
)

// buildCustomers adds random customers, without lines and bills. A full name
// stands for one customer in the whole world.
func (w *world) buildCustomers() {
	d := w.dice("customers")
	for range drawnCustomers {
		c := w.drawCustomer(d)
		w.db.Customers.Add(c.CustomerID, c)
		w.clients = append(w.clients, c)
	}
}

func (w *world) drawCustomer(d *rand.Rand) *Customer {
	first, last := builtin.FirstName(d), builtin.LastName(d)
	for !w.taken.Claim(first + " " + last) {
		first, last = builtin.FirstName(d), builtin.LastName(d)
	}
	h := builtin.DrawHome(d)
	if h.Address2 != "" {
		h.Address1 += ", " + h.Address2
	}
	c := &Customer{
		CustomerID: w.id(d, "C", 5), FullName: first + " " + last, DateOfBirth: day(-builtin.Between(d, 19*365, 78*365)),
		Email: builtin.Email(d, first, last), PhoneNumber: w.number(d), Address: Address{h.Address1, h.City, h.State, h.Zip},
		AccountStatus: accountStatuses[builtin.Weighted(d, accountWeights)],
		CreatedAt:     moment(d, builtin.Between(d, 60, 2400)), GoodwillCredit: float64(5 * builtin.Weighted(d, []int{70, 6, 8, 6, 6, 4})),
	}
	for range 1 + builtin.Weighted(d, []int{62, 30, 8}) {
		c.PaymentMethods = append(c.PaymentMethods, PaymentMethod{
			builtin.Pick(d, methodTypes), fmt.Sprint(builtin.Between(d, 1000, 9999)),
			fmt.Sprintf("%02d/%d", builtin.Between(d, 1, 12), builtin.Between(d, 2026, 2030)),
		})
	}
	if builtin.Chance(d, 12) {
		c.LastExtension = day(-builtin.Between(d, 20, 300))
	}
	return c
}

// moment is a time of day, days ago.
func moment(d *rand.Rand, days int) string {
	at := mustToday().AddDate(0, 0, -days).Add(time.Duration(builtin.Between(d, 8*60, 20*60)) * time.Minute)
	return at.Format("2006-01-02 15:04:05")
}
