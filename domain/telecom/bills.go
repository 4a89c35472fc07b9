package telecom

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"math"
	"slices"
	"strconv"

	"taste/env"
	"taste/pyjson"
	"taste/pyjson/lax"
)

// awaiting returns the customer's bills that await payment.
func (s *state) awaiting(c *Customer) ([]*Bill, error) {
	bills, err := s.billsIn(c)
	return slices.DeleteFunc(bills, func(b *Bill) bool { return b.Status != BillAwaiting }), err
}

// sendPaymentRequest does not look whether the bill is paid already.
func sendPaymentRequest(s *state, a []any) (any, error) {
	c, err := s.customerByID(a[0])
	if err != nil {
		return nil, err
	}
	bills, err := s.awaiting(c)
	if err != nil {
		return nil, err
	}
	if len(bills) > 0 {
		return nil, env.ValueError("A bill is already awaiting payment for this customer")
	}
	if id, ok := a[1].(string); !ok || !slices.Contains(c.BillIDs, id) {
		return nil, env.ValueError("Bill " + pyjson.Str(a[1]) + " not found for customer " + pyjson.Str(a[0]))
	}
	b, err := s.billByID(a[1])
	if err != nil {
		return nil, err
	}
	s.bills.Mut(b.BillID).Status = BillAwaiting
	return "Payment request sent to the customer for bill " + b.BillID, nil
}

// refuelData adds data to a line and the price to the customer's next bill. The
// line need not be active.
func refuelData(s *state, a []any) (any, error) {
	line, err := s.lineOf(a[0], a[1])
	if err != nil {
		return nil, err
	}
	amount := a[2]
	if none, err := compare("<=", amount, int64(0)); err != nil {
		return nil, err
	} else if none {
		return nil, env.ValueError("Refuel amount must be positive")
	}
	plan, err := s.planByID(line.PlanID)
	if err != nil {
		return nil, err
	}
	gb, err := pyjson.Float(amount)
	if err != nil {
		return nil, overflow(err)
	}
	charge := gb * plan.RefuelingPriceByGB
	line = s.lines.Mut(line.LineID)
	line.DataRefuelingGB += gb
	price := string(pyjson.AppendFloat(nil, plan.RefuelingPriceByGB))
	if err := s.charge(a[0], charge, "Data refueling: "+pyjson.Str(amount)+" GB at $"+price+"/GB"); err != nil {
		return nil, err
	}
	return obj("message", "Successfully added "+pyjson.Str(amount)+" GB of data for line "+line.LineID+" for $"+twoDecimals(charge),
		"new_data_refueling_gb", line.DataRefuelingGB, "charge", charge), nil
}

func overflow(err error) error {
	if errors.Is(err, pyjson.ErrOverflow) {
		return &env.Fault{Class: "OverflowError", Text: err.Error(), Inexact: true}
	}
	return err
}

// twoDecimals is Python's format with .2f.
func twoDecimals(f float64) string {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return pyjson.Repr(f)
	}
	return strconv.FormatFloat(f, 'f', 2, 64)
}

// charge puts an amount on the customer's draft of the next bill, which it makes
// if there is none.
func (s *state) charge(customer any, amount float64, description string) error {
	c, err := s.customerByID(customer)
	if err != nil {
		return err
	}
	id, err := s.draftOf(c)
	if err != nil {
		return err
	}
	if id == "" {
		id = s.newDraft(c)
	}
	kind := "Charge"
	if amount < 0 {
		kind = "Credit"
	}
	b := s.bills.Mut(id)
	b.Items = append(b.Items, LineItem{description, amount, today, kind})
	b.TotalDue += amount
	return nil
}

// draftOf returns the id of a customer's first draft, "" where there is none.
// Bills after the draft are not looked at.
func (s *state) draftOf(c *Customer) (string, error) {
	for _, id := range c.BillIDs {
		b, err := s.billByID(id)
		if err != nil {
			return "", err
		}
		if b.Status == BillDraft {
			return id, nil
		}
	}
	return "", nil
}

// newDraft adds an empty draft to a customer's bills. The reference draws its id
// at random; here it follows from the customer and the number of bills.
func (s *state) newDraft(c *Customer) string {
	sum := sha256.Sum256([]byte(c.CustomerID + "/" + strconv.Itoa(s.bills.Len())))
	id := "B" + hex.EncodeToString(sum[:4])
	s.addBill(c.CustomerID, &Bill{
		BillID: id, CustomerID: c.CustomerID, PeriodStart: nextMonthStart, PeriodEnd: nextMonthEnd,
		IssueDate: nextMonthStart, DueDate: nextMonthDue, Status: BillDraft,
	})
	s.drawn = append(s.drawn, id)
	return id
}

// addBill appends a bill to all bills and to the customer's.
func (s *state) addBill(customer string, b *Bill) {
	s.bills.Set(freeKey(b.BillID, func(k string) bool { return s.bills.Get(k) != nil }), b)
	c := s.customers.Mut(customer)
	c.BillIDs = append(c.BillIDs, b.BillID)
}

// addOverdueBill bills a line's price of last month. The new id must be a text.
func (s *state) addOverdueBill(customer, id any, line *Line, amount float64) error {
	c := lax.New("Bill")
	b := &Bill{
		PeriodStart: lastMonthStart, PeriodEnd: lastMonthEnd, IssueDate: lastMonthStart, DueDate: lastMonthDue, Status: BillOverdue,
		TotalDue: amount, Items: []LineItem{{"Charge for line " + line.LineID, amount, today, "Charge"}},
	}
	c.In("bill_id", func() { b.BillID = c.Str(id) })
	c.In("customer_id", func() { b.CustomerID = c.Str(customer) })
	if err := c.Err(); err != nil {
		return err
	}
	s.addBill(b.CustomerID, b)
	return nil
}
