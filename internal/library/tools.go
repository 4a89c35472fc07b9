package library

import (
	"slices"
	"time"

	"taste/env"
	"taste/env/native"
	"taste/pyjson"
)

var kit = native.Kit[*state]{Class: "LibraryTools", Tools: map[string]native.Tool[*state]{
	"get_loan":   {Params: []string{"loan_id"}, Run: getLoan},
	"get_member": {Params: []string{"member_id"}, Run: getMember},
	"hand_over":  {Params: []string{"summary"}, Run: handOver},
	"pay_fee":    {Params: []string{"loan_id", "amount", "card"}, Run: payFee},
	"renew_loan": {Params: []string{"loan_id", "due"}, Run: renewLoan},
}}

func handOver(*state, []any) (any, error) { return "A librarian has been called", nil }

func missing(what string) func() error {
	return func() error { return env.ValueError(what + " not found") }
}

func (s *state) loan(id any) (*Loan, error) { return native.Find(s.loans.Get, id, missing("Loan")) }

func getLoan(s *state, a []any) (any, error) {
	l, err := s.loan(a[0])
	if err != nil {
		return nil, err
	}
	return native.Answer(&s.loans, l.ID), nil
}

func getMember(s *state, a []any) (any, error) {
	m, err := native.Find(s.members.Get, a[0], missing("Member"))
	if err != nil {
		return nil, err
	}
	return native.Answer(&s.members, m.ID), nil
}

func payFee(s *state, a []any) (any, error) {
	l, err := s.loan(a[0])
	if err != nil {
		return nil, err
	}
	m, err := native.Find(s.members.Get, l.Member, missing("Member"))
	if err != nil {
		return nil, err
	}
	amount, err := pyjson.Float(a[1])
	if err != nil || amount <= 0 {
		return nil, env.ValueError("The amount must be positive")
	}
	card, _ := a[2].(string)
	if !slices.Contains(m.Cards, card) {
		return nil, env.ValueError("The member has no such card")
	}
	l = s.loans.Mut(l.ID)
	l.Paid, l.PaidBy = pyjson.Round2(l.Paid+amount), card
	return native.Later(l, dumpLoan), nil
}

func renewLoan(s *state, a []any) (any, error) {
	l, err := s.loan(a[0])
	if err != nil {
		return nil, err
	}
	due, _ := a[1].(string)
	if _, err := time.Parse(time.DateOnly, due); err != nil {
		return nil, env.ValueError("The due date must be given as YYYY-MM-DD")
	}
	if due <= l.Due {
		return nil, env.ValueError("The new due date must be later than the old one")
	}
	l = s.loans.Mut(l.ID)
	l.Due = due
	l.Renewals++
	return native.Later(l, dumpLoan), nil
}
