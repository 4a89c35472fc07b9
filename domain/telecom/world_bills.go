package telecom

import (
	"math/rand/v2"

	"taste/domain/builtin"
)

// month is a billing period, with the days on which its bill is issued and due.
type month struct{ start, end, issued, due string }

var (
	december = month{"2024-12-01", "2024-12-31", "2024-12-04", "2024-12-18"}
	january  = month{lastMonthStart, lastMonthEnd, "2025-01-04", "2025-01-18"}
	february = month{"2025-02-01", cycleEnd, "2025-02-04", "2025-02-18"}
	march    = month{nextMonthStart, nextMonthEnd, nextMonthStart, nextMonthDue}
)

var (
	// currentStatuses are how February's bill can stand: one that is still open
	// has been given a later day.
	currentStatuses = []string{BillPaid, BillIssued, BillOverdue, BillDisputed}
	currentWeights  = []int{58, 16, 20, 6}
)

const extended = "2025-03-04" // due day of an open bill of February

// buildBills bills the drawn customers for three months and drafts the next.
func (w *world) buildBills() {
	d := w.dice("bills")
	for _, c := range w.clients {
		if len(c.LineIDs) == 0 {
			continue
		}
		for _, m := range []month{december, january} {
			if builtin.Chance(d, 80) {
				w.addBill(d, c, m, BillPaid)
			}
		}
		now, status := february, currentStatuses[builtin.Weighted(d, currentWeights)]
		if status == BillIssued {
			now.due = extended
		}
		w.addBill(d, c, now, status)
		if builtin.Chance(d, 70) {
			w.addBill(d, c, march, BillDraft)
		}
	}
}

// addBill bills a customer: each line's price, now and then an extra, nothing yet
// on a draft.
func (w *world) addBill(d *rand.Rand, c *Customer, m month, status string) {
	b := &Bill{
		BillID: w.id(d, "B", 6), CustomerID: c.CustomerID, PeriodStart: m.start, PeriodEnd: m.end, IssueDate: m.issued, DueDate: m.due, Status: status,
	}
	if status != BillDraft {
		for _, id := range c.LineIDs {
			l := w.db.Lines.Get(id)
			b.charge(w.db.Plans.Get(l.PlanID).Name+" for "+l.PhoneNumber, w.db.Plans.Get(l.PlanID).PricePerMonth, "Plan Charge")
		}
		if builtin.Chance(d, 35) {
			b.charge("Extra data for "+w.db.Lines.Get(c.LineIDs[0]).PhoneNumber, float64(builtin.Between(d, 4, 60))/4, "Overage")
		}
	}
	w.db.Bills.Add(b.BillID, b)
	c.BillIDs = append(c.BillIDs, b.BillID)
}

func (b *Bill) charge(what string, dollars float64, kind string) {
	b.Items = append(b.Items, LineItem{what, dollars, b.IssueDate, kind})
	b.TotalDue += dollars
}
