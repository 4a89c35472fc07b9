package telecom

import (
	"math"
	"slices"

	"taste/env"
	"taste/pyjson"
)

// assertion is what a broken assertion inside a function of the reference raises.
func assertion(holds bool) error {
	if holds {
		return nil
	}
	return &env.Fault{Class: "AssertionError", Inexact: true}
}

// equals makes the assertion that a value is as expected.
func equals(value func(s *state) any) tool {
	return tool{Params: []string{"expected_status"}, Run: func(s *state, a []any) (any, error) {
		return pyjson.Equal(value(s), a[0]), nil
	}}
}

func assertCanSendMMS(s *state, a []any) (any, error) {
	can, err := s.canSendMMS()
	if err != nil {
		return nil, err
	}
	return pyjson.Equal(can, a[0]), nil
}

func assertServiceStatus(s *state, a []any) (any, error) {
	want, ok := a[0].(string)
	if !ok || !slices.Contains(connections, want) {
		return nil, env.ValueError(pyjson.Repr(a[0]) + " is not a valid NetworkStatus")
	}
	return s.phone().Connection == want, nil
}

// assertInternetSpeed wants at least a speed, and of the description where one
// is given.
func assertInternetSpeed(s *state, a []any) (any, error) {
	mbps, description := s.speed()
	enough, err := compare(">=", mbps, a[0])
	if err != nil || !enough || a[1] == nil {
		return enough, err
	}
	want, ok := a[1].(string)
	if !ok {
		return nil, env.NoAttribute(a[1], "lower")
	}
	return pyjson.Lower(description) == pyjson.Lower(want), nil
}

func assertInternetNotExcellent(s *state, _ []any) (any, error) {
	_, description := s.speed()
	return description != "Excellent", nil
}

// almost is how far refuelled data may be from what is expected.
const almost = 1e-6

func assertDataRefueling(s *state, a []any) (any, error) {
	line, err := s.lineOf(a[0], a[1])
	if err != nil {
		return nil, err
	}
	if !pyjson.IsNumber(a[2]) {
		return nil, env.Operands("-", line.DataRefuelingGB, a[2])
	}
	want, err := pyjson.Float(a[2])
	if err != nil {
		return nil, overflow(err)
	}
	return math.Abs(line.DataRefuelingGB-want) < almost, nil
}

func assertLineStatus(s *state, a []any) (any, error) {
	line, err := s.lineOf(a[0], a[1])
	if err != nil {
		return nil, err
	}
	return pyjson.Equal(line.Status, a[2]), nil
}

// assertOverdueBill raises where the bill is not there or not overdue.
func assertOverdueBill(s *state, a []any) (any, error) {
	c, err := s.customerByID(a[0])
	if err != nil {
		return nil, err
	}
	if id, ok := a[1].(string); !ok || !slices.Contains(c.BillIDs, id) {
		return nil, env.ValueError("Overdue bill " + pyjson.Str(a[1]) + " not found")
	}
	b, err := s.billByID(a[1])
	if err != nil {
		return nil, err
	}
	if b.Status != BillOverdue {
		return nil, env.ValueError("Overdue bill " + pyjson.Str(a[1]) + " is not overdue")
	}
	return true, nil
}

// assertNoOverdueBill holds for a bill that is paid, or not there.
func assertNoOverdueBill(s *state, a []any) (any, error) {
	b, err := s.billByID(a[0])
	return err != nil || b.Status == BillPaid, nil
}
