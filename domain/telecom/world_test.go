package telecom

import (
	"math"
	"regexp"
	"testing"

	"taste/domain/builtin/builtintest"
)

func TestWorldIsDeterminedByItsSeed(t *testing.T) { built.WorldFollowsSeed(t) }

func TestWorldPassesValidationUnchanged(t *testing.T) { built.WorldComesBack(t) }

func TestWorldReferencesLeadSomewhere(t *testing.T) {
	for _, seed := range builtintest.WorldSeeds {
		if loose := built.Of(t, seed).Environment().Dangling(); len(loose) > 0 {
			t.Errorf("seed %d: %v", seed, loose)
		}
	}
}

// TestAnchorsAreTheSameInEveryWorld also sees that they stay what the file has.
func TestAnchorsAreTheSameInEveryWorld(t *testing.T) {
	a := mustAnchors()
	if a.Customers.Len() < 10 || a.Lines.Len() < 20 || a.Plans.Len() < 5 {
		t.Errorf("only %d customers, %d lines, %d plans", a.Customers.Len(), a.Lines.Len(), a.Plans.Len())
	}
	built.EachWorld(t, func(t *testing.T, db *DB) {
		for k, c := range a.Customers.All() {
			builtintest.Same(t, k, dumpCustomer(c), dumpCustomer(db.Customers.Get(k)))
		}
		for k, l := range a.Lines.All() {
			builtintest.Same(t, k, dumpLine(l), dumpLine(db.Lines.Get(k)))
		}
		for k, b := range a.Bills.All() {
			builtintest.Same(t, k, dumpBill(b), dumpBill(db.Bills.Get(k)))
		}
	})
}

var shapes = map[string]*regexp.Regexp{
	"customer": regexp.MustCompile(`^C\d{5}$`), "line": regexp.MustCompile(`^L\d{5}$`), "bill": regexp.MustCompile(`^B\d{6}$`),
	"device": regexp.MustCompile(`^D\d{5}$`), "number": regexp.MustCompile(`^555-\d{3}-\d{4}$`),
}

// TestIdsAndNumbersStandForOne: ids, numbers and names are given once; only a
// customer's contact may be the number of one of the lines.
func TestIdsAndNumbersStandForOne(t *testing.T) {
	built.EachWorld(t, func(t *testing.T, db *DB) {
		seen := map[string]string{}
		check := func(kind, id, owner string) {
			if other := seen[id]; other != "" && other != owner || shapes[kind] != nil && !shapes[kind].MatchString(id) {
				t.Errorf("%s %s of %s is misshapen, or that of %s", kind, id, owner, other)
			}
			seen[id] = owner
		}
		for id, c := range db.Customers.All() {
			check("customer", id, id)
			check("number", c.PhoneNumber, id)
			check("name", c.FullName, id)
			for _, l := range c.LineIDs {
				check("line", l, id)
				check("number", db.Lines.Get(l).PhoneNumber, id)
				check("device", *db.Lines.Get(l).DeviceID, id)
			}
			for _, b := range c.BillIDs {
				check("bill", b, id)
				if db.Bills.Get(b).CustomerID != id {
					t.Errorf("bill %s is listed by %s", b, id)
				}
			}
		}
	})
}

// TestLinesAndBillsAgreeWithThemselves: lines on hold say since when, nobody has
// used up a plan, bills add up, and what is overdue was due before today.
func TestLinesAndBillsAgreeWithThemselves(t *testing.T) {
	built.EachWorld(t, func(t *testing.T, db *DB) {
		for id, l := range db.Lines.All() {
			used, ok := l.DataUsedGB.(float64)
			if !ok || used >= db.Plans.Get(l.PlanID).DataLimitGB || (l.Status == LineSuspended) != (l.SuspensionStart != "") {
				t.Errorf("line %s: %s since %q, %v used", id, l.Status, l.SuspensionStart, l.DataUsedGB)
			}
			if l.Status == LineActive && l.ContractEnd <= today {
				t.Errorf("line %s is active, its contract ended %s", id, l.ContractEnd)
			}
		}
		for id, b := range db.Bills.All() {
			sum := 0.0
			for _, i := range b.Items {
				sum += i.Amount
			}
			if math.Abs(sum-b.TotalDue) > 1e-9 || (b.Status == BillDraft) != (sum == 0) {
				t.Errorf("bill %s: %v in all, items of %v, %s", id, b.TotalDue, sum, b.Status)
			}
			if b.Status == BillOverdue && b.DueDate >= today || b.Status == BillIssued && b.DueDate < today {
				t.Errorf("bill %s is %s and was due %s", id, b.Status, b.DueDate)
			}
		}
	})
}

// TestWorldsHaveWhatTasksNeed: customers with several active lines, with and
// without an overdue bill, on all plans for phones.
func TestWorldsHaveWhatTasksNeed(t *testing.T) {
	built.EachWorld(t, func(t *testing.T, db *DB) {
		several, overdue, paid, suspended, ended := 0, 0, 0, 0, 0
		for _, c := range db.Customers.All() {
			active, debts := 0, 0
			for _, id := range c.LineIDs {
				switch l := db.Lines.Get(id); {
				case l.Status == LineActive:
					active++
				case l.Status == LineSuspended && l.ContractEnd < today:
					ended++
				case l.Status == LineSuspended:
					suspended++
				}
			}
			for _, id := range c.BillIDs {
				if db.Bills.Get(id).Status == BillOverdue {
					debts++
				}
			}
			switch {
			case active >= 3:
				several++
			case debts > 1:
				t.Errorf("%s has %d overdue bills", c.CustomerID, debts)
			}
			if debts == 1 && active > 1 {
				overdue++
			}
			if debts == 0 && active > 1 {
				paid++
			}
		}
		if several < 40 || overdue < 15 || paid < 60 || suspended < 20 || ended < 5 {
			t.Errorf("customers with 3 active lines %d, indebted %d, clear %d; lines suspended %d, ended %d", several, overdue, paid, suspended, ended)
		}
	})
}
