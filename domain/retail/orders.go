package retail

import (
	"math"
	"strings"

	"taste/env"
	"taste/env/native"
	"taste/pyjson"
	"taste/pyjson/lax"
)

// credit adds dollars to a gift card, rounded to cents; other payment methods
// are left alone.
func (s *state) credit(userID, method string, dollars float64) {
	if m := s.users.Get(userID).Payment(method); m.Source != GiftCard {
		return
	}
	m := s.users.Mut(userID).Payment(method)
	m.Balance = pyjson.Round2(m.Balance + dollars)
}

// short says whether a payment method is a gift card with less than dollars.
func (m *PaymentMethod) short(dollars float64) bool {
	return m.Source == GiftCard && m.Balance < dollars
}

// cancelPendingOrder refunds payment after payment; where a payment method is
// missing, what was refunded before it stays.
func cancelPendingOrder(s *state, a []any) (any, error) {
	found, err := s.order(a[0])
	if err != nil {
		return nil, err
	}
	if found.Status != Pending {
		return nil, env.ValueError("Non-pending order cannot be cancelled")
	}
	reason, _, err := env.KeyOf(a[1])
	if err != nil {
		return nil, err
	}
	if reason != NoLongerNeeded && reason != OrderedByMistake {
		return nil, env.ValueError("Invalid reason")
	}
	var refunds []Payment
	for _, p := range found.PaymentHistory {
		refunds = append(refunds, Payment{Refunded, p.Amount, p.MethodID})
		owner, err := s.owner(found, p.MethodID)
		if err != nil {
			return nil, err
		}
		s.credit(owner, p.MethodID, p.Amount)
	}
	o := s.orders.Mut(a[0].(string))
	o.Status, o.CancelReason = Cancelled, &reason
	o.PaymentHistory = append(o.PaymentHistory, refunds...)
	return native.Later(o, dumpOrder), nil
}

// owner finds the customer whose payment method pays for an order: the one whom
// the order's customer record names.
func (s *state) owner(o *Order, method any) (string, error) {
	u, err := s.user(o.UserID)
	if err != nil {
		return "", err
	}
	_, err = s.payment(u.UserID, method)
	return u.UserID, err
}

// isPending counts an order whose items were modified too.
func (o *Order) isPending() bool { return strings.Contains(o.Status, Pending) }

func modifyOrderAddress(s *state, a []any) (any, error) {
	found, err := s.order(a[0])
	if err != nil {
		return nil, err
	}
	if !found.isPending() {
		return nil, env.ValueError("Non-pending order cannot be modified")
	}
	address, err := newAddress(a[1:])
	if err != nil {
		return nil, err
	}
	o := s.orders.Mut(a[0].(string))
	o.Address = address
	return native.Later(o, dumpOrder), nil
}

func modifyUserAddress(s *state, a []any) (any, error) {
	if _, err := s.user(a[0]); err != nil {
		return nil, err
	}
	address, err := newAddress(a[1:])
	if err != nil {
		return nil, err
	}
	u := s.users.Mut(a[0].(string))
	u.Address = address
	return native.Later(u, dumpUser), nil
}

// newAddress validates values in the order of addressParams.
func newAddress(values []any) (Address, error) {
	o := pyjson.Sized(len(addressParams))
	for i, name := range addressParams {
		o.Set(name, values[i])
	}
	c := lax.New("UserAddress")
	a := validAddress(c, o)
	return a, c.Err()
}

func modifyPendingPayment(s *state, a []any) (any, error) {
	found, err := s.order(a[0])
	if err != nil {
		return nil, err
	}
	if !found.isPending() {
		return nil, env.ValueError("Non-pending order cannot be modified")
	}
	method, err := s.payment(found.UserID, a[1])
	if err != nil {
		return nil, err
	}
	history := found.PaymentHistory
	if len(history) != 1 || history[0].Type != Paid {
		return nil, env.ValueError("There should be exactly one payment for a pending order")
	}
	old, amount := history[0].MethodID, history[0].Amount
	if old == method.Key {
		return nil, env.ValueError("The new payment method should be different from the current one")
	}
	if method.short(amount) {
		return nil, env.ValueError("Insufficient gift card balance to pay for the order")
	}
	o := s.orders.Mut(a[0].(string))
	o.PaymentHistory = append(o.PaymentHistory, Payment{Paid, amount, method.Key}, Payment{Refunded, amount, old})
	s.credit(o.UserID, method.Key, -amount)
	if _, err := s.payment(o.UserID, old); err != nil {
		return nil, err
	}
	s.credit(o.UserID, old, amount)
	return native.Later(o, dumpOrder), nil
}

func returnDeliveredItems(s *state, a []any) (any, error) {
	found, err := s.order(a[0])
	if err != nil {
		return nil, err
	}
	if found.Status != Delivered {
		return nil, env.ValueError("Non-delivered order cannot be returned")
	}
	owner, err := s.owner(found, a[2])
	if err != nil {
		return nil, err
	}
	method := s.users.Get(owner).Payment(a[2].(string))
	if method.Source != GiftCard {
		if len(found.PaymentHistory) == 0 {
			return nil, &env.Fault{Class: "IndexError", Text: "list index out of range", Inexact: true}
		}
		if found.PaymentHistory[0].MethodID != method.Key {
			return nil, env.ValueError("Payment method should be the original payment method")
		}
	}
	items, err := found.named(a[1], func(any) string { return "Some item not found" })
	if err != nil {
		return nil, err
	}
	o := s.orders.Mut(a[0].(string))
	o.Status = ReturnRequested
	o.Return = Return{Items: sorted(items), MethodID: ptr(method.Key)}
	return native.Later(o, dumpOrder), nil
}

func exchangeDeliveredItems(s *state, a []any) (any, error) {
	found, err := s.order(a[0])
	if err != nil {
		return nil, err
	}
	if found.Status != Delivered {
		return nil, env.ValueError("Non-delivered order cannot be exchanged")
	}
	w := swap{state: s, order: found}
	w.items, err = found.named(a[1], func(id any) string { return "Number of " + pyjson.Str(id) + " not found." })
	if err != nil {
		return nil, err
	}
	if err := w.choose(a[2], "The number of items to be exchanged should match."); err != nil {
		return nil, err
	}
	difference := pyjson.Round2(w.difference)
	method, err := s.payment(found.UserID, a[3])
	if err != nil {
		return nil, err
	}
	if method.short(difference) {
		return nil, env.ValueError("Insufficient gift card balance to pay for the price difference")
	}
	o := s.orders.Mut(a[0].(string))
	o.Status = ExchangeRequested
	o.Exchange = Exchange{Items: sorted(w.items), NewItems: sorted(w.newItems), MethodID: ptr(method.Key)}
	if o.Exchange.whole = len(w.items) == 0; !o.Exchange.whole {
		o.Exchange.PriceDifference = &difference
	}
	return native.Later(o, dumpOrder), nil
}

func modifyPendingItems(s *state, a []any) (any, error) {
	found, err := s.order(a[0])
	if err != nil {
		return nil, err
	}
	if found.Status != Pending {
		return nil, env.ValueError("Non-pending order cannot be modified")
	}
	w := swap{state: s, order: found, other: true}
	if w.items, err = found.named(a[1], func(id any) string { return pyjson.Str(id) + " not found" }); err != nil {
		return nil, err
	}
	if err := w.choose(a[2], "The number of items to be exchanged should match"); err != nil {
		return nil, err
	}
	method, err := s.payment(found.UserID, a[3])
	if err != nil {
		return nil, err
	}
	if method.short(w.difference) {
		return nil, env.ValueError("Insufficient gift card balance to pay for the new item")
	}
	kind := Refunded
	if w.difference > 0 {
		kind = Paid
	}
	o := s.orders.Mut(a[0].(string))
	o.PaymentHistory = append(o.PaymentHistory, Payment{kind, math.Abs(w.difference), method.Key})
	s.credit(o.UserID, method.Key, -w.difference)
	w.apply(o)
	o.Status = PendingModified
	return native.Later(o, dumpOrder), nil
}
