package telecom

import (
	"taste/env"
	"taste/pyjson"
)

// Sync carries over what the sides know of each other, for the line that the
// user speaks of: whether it is active, roams and has data left, to the phone;
// a payment made to the account, and a payment requested to the user. Where the
// user has no number yet nothing happens.
func (s *state) Sync() error {
	number := s.around().Number
	if number == nil {
		return nil
	}
	line, err := s.lineByNumber(number)
	if err != nil {
		return err
	}
	s.setAround(line.Status == LineActive, func(a *Surroundings) *bool { return &a.LineActive })
	s.setAround(line.Roaming, func(a *Surroundings) *bool { return &a.RoamingAllowed })
	exceeded, err := s.exceeded(line)
	if err != nil {
		return err
	}
	s.setAround(exceeded, func(a *Surroundings) *bool { return &a.UsageExceeded })
	if err := s.settle(); err != nil {
		return err
	}
	return s.request(number)
}

// setAround writes to the surroundings where that changes something.
func (s *state) setAround(v bool, field func(*Surroundings) *bool) {
	if *field(s.around()) != v {
		*field(s.mutAround()) = v
	}
}

// exceeded says whether a line has used up its plan and what was refuelled.
func (s *state) exceeded(line *Line) (bool, error) {
	plan, err := s.planByID(line.PlanID)
	if err != nil {
		return false, err
	}
	return compare(">=", line.DataUsedGB, plan.DataLimitGB+line.DataRefuelingGB)
}

// compare is Python's a >= b, or another operator, on numbers.
func compare(op string, a, b any) (bool, error) {
	if !pyjson.IsNumber(a) || !pyjson.IsNumber(b) {
		return false, &env.Fault{
			Class: "TypeError", Inexact: true,
			Text: "'" + op + "' not supported between instances of '" + pyjson.TypeName(a) + "' and '" + pyjson.TypeName(b) + "'",
		}
	}
	cmp, ok := pyjson.Compare(a, b)
	if op == "<=" {
		cmp = -cmp
	}
	return ok && cmp >= 0, nil
}

// settle marks the bill paid that the user has paid.
func (s *state) settle() error {
	payment := s.around().Payment
	if payment == nil || !payment.Paid {
		return nil
	}
	bill, err := s.billByID(payment.BillID)
	if err != nil {
		return err
	}
	s.bills.Mut(bill.BillID).Status = BillPaid
	s.mutAround().Payment = nil
	return nil
}

// request shows the user the first bill that awaits payment, unless one is shown.
func (s *state) request(number any) error {
	if s.around().Payment != nil {
		return nil
	}
	customer, err := s.customerByNumber(number)
	if err != nil {
		return err
	}
	bills, err := s.awaiting(customer)
	if err != nil || len(bills) == 0 {
		return err
	}
	s.mutAround().Payment = &PaymentRequest{BillID: bills[0].BillID, Amount: bills[0].TotalDue}
	return nil
}
