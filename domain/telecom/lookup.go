package telecom

import (
	"cmp"
	"slices"
	"strings"

	"taste/env"
	"taste/env/native"
	"taste/pyjson"
)

// byID finds the first record of an id, which may be of any type.
func byID[T any](t *env.Table[T], id any) *T {
	if key, ok := id.(string); ok {
		return t.Get(key)
	}
	return nil
}

func missing(what, by string, id any) error {
	return env.ValueError(what + " with " + by + " " + pyjson.Str(id) + " not found")
}

func (s *state) customerByID(id any) (*Customer, error) {
	if c := byID(&s.customers, id); c != nil {
		return c, nil
	}
	return nil, missing("Customer", "ID", id)
}

func (s *state) lineByID(id any) (*Line, error) {
	if l := byID(&s.lines, id); l != nil {
		return l, nil
	}
	return nil, missing("Line", "ID", id)
}

func (s *state) planByID(id any) (*Plan, error) {
	if p := byID(&s.plans, id); p != nil {
		return p, nil
	}
	return nil, missing("Plan", "ID", id)
}

func (s *state) billByID(id any) (*Bill, error) {
	if b := byID(&s.bills, id); b != nil {
		return b, nil
	}
	return nil, missing("Bill", "ID", id)
}

func (s *state) deviceByID(id any) (*Device, error) {
	if d := byID(&s.devices, id); d != nil {
		return d, nil
	}
	return nil, missing("Device", "ID", id)
}

func (s *state) lineByNumber(number any) (*Line, error) {
	for _, l := range s.lines.All() {
		if pyjson.Equal(l.PhoneNumber, number) {
			return l, nil
		}
	}
	return nil, missing("Line", "phone number", number)
}

// customerByNumber looks at a customer's own number and at those of their lines.
func (s *state) customerByNumber(number any) (*Customer, error) {
	for _, c := range s.customers.All() {
		if pyjson.Equal(c.PhoneNumber, number) {
			return c, nil
		}
		for _, id := range c.LineIDs {
			l, err := s.lineByID(id)
			if err != nil {
				return nil, err
			}
			if pyjson.Equal(l.PhoneNumber, number) {
				return c, nil
			}
		}
	}
	return nil, missing("Customer", "phone number", number)
}

// lineOf finds a line of a customer's for reading.
func (s *state) lineOf(customer, line any) (*Line, error) {
	c, err := s.customerByID(customer)
	if err != nil {
		return nil, err
	}
	if id, ok := line.(string); !ok || !slices.Contains(c.LineIDs, id) {
		return nil, env.ValueError("Line " + pyjson.Str(line) + " not found for customer " + pyjson.Str(customer))
	}
	return s.lineByID(line)
}

// found turns a record into an answer.
func found[T any](r *T, err error, dump func(*T) *pyjson.Object) (any, error) {
	if err != nil {
		return nil, err
	}
	return native.Later(r, dump), nil
}

func getCustomerByPhone(s *state, a []any) (any, error) {
	c, err := s.customerByNumber(a[0])
	return found(c, err, dumpCustomer)
}

func getCustomerByID(s *state, a []any) (any, error) {
	c, err := s.customerByID(a[0])
	return found(c, err, dumpCustomer)
}

func getCustomerByName(s *state, a []any) (any, error) {
	var all []*Customer
	for _, c := range s.customers.All() {
		name, ok := a[0].(string)
		if !ok {
			return nil, env.NoAttribute(a[0], "lower")
		}
		if pyjson.Lower(c.FullName) == pyjson.Lower(name) && pyjson.Equal(c.DateOfBirth, a[1]) {
			all = append(all, c)
		}
	}
	return laterAll(all, dumpCustomer), nil
}

// laterAll dumps records if the answer is read.
func laterAll[T any](records []*T, dump func(*T) *pyjson.Object) env.Lazy {
	return func() any {
		out := make([]any, len(records))
		for i, r := range records {
			out[i] = dump(r)
		}
		return out
	}
}

// getDetailsByID knows by the first letter what an id is of.
func getDetailsByID(s *state, a []any) (any, error) {
	id, ok := a[0].(string)
	if !ok {
		return nil, env.NoAttribute(a[0], "startswith")
	}
	switch {
	case strings.HasPrefix(id, "L"):
		l, err := s.lineByID(id)
		return found(l, err, dumpLine)
	case strings.HasPrefix(id, "D"):
		d, err := s.deviceByID(id)
		return found(d, err, dumpDevice)
	case strings.HasPrefix(id, "B"):
		b, err := s.billByID(id)
		return found(b, err, dumpBill)
	case strings.HasPrefix(id, "C"):
		return getCustomerByID(s, a)
	case strings.HasPrefix(id, "P"):
		p, err := s.planByID(id)
		return found(p, err, dumpPlan)
	}
	return nil, env.ValueError("Unknown ID format or type: " + id)
}

func getAvailablePlanIDs(s *state, _ []any) (any, error) {
	ids := []any{}
	for _, p := range s.plans.All() {
		ids = append(ids, p.PlanID)
	}
	return ids, nil
}

// getBillsForCustomer lists bills, the newest first.
func getBillsForCustomer(s *state, a []any) (any, error) {
	bills, err := s.billsOf(a[0])
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(bills, func(a, b *Bill) int { return cmp.Compare(b.IssueDate, a.IssueDate) })
	n, err := head(len(bills), a[1])
	if err != nil {
		return nil, err
	}
	return laterAll(bills[:n], dumpBill), nil
}

func (s *state) billsOf(customer any) ([]*Bill, error) {
	c, err := s.customerByID(customer)
	if err != nil {
		return nil, err
	}
	return s.billsIn(c)
}

func (s *state) billsIn(c *Customer) ([]*Bill, error) {
	bills := make([]*Bill, 0, len(c.BillIDs))
	for _, id := range c.BillIDs {
		b, err := s.billByID(id)
		if err != nil {
			return nil, err
		}
		bills = append(bills, b)
	}
	return bills, nil
}

// head is how many of n elements Python's [:limit] keeps.
func head(n int, limit any) (int, error) {
	switch x := limit.(type) {
	case nil:
		return n, nil
	case bool:
		limit = int64(0)
		if x {
			limit = int64(1)
		}
	}
	i, ok := pyjson.AsInt(limit)
	if !ok {
		return 0, &env.Fault{Class: "TypeError", Text: "slice indices must be integers or None or have an __index__ method", Inexact: true}
	}
	at := i.Int64()
	if at < 0 {
		at += int64(n)
	}
	return int(min(max(at, 0), int64(n))), nil
}
