package retail

import (
	"slices"

	"taste/env/native"
)

// The functions below say whether two records have one hash form.

func sameProduct(a, b *Product) bool {
	if a.Name != b.Name || a.ProductID != b.ProductID || a.Variants.Len() != b.Variants.Len() {
		return false
	}
	for k, v := range a.Variants.All() {
		if w := b.Variants.Get(k); v != w && (w == nil || !sameVariant(v, w)) {
			return false
		}
	}
	return true
}

func sameVariant(a, b *Variant) bool {
	return a.ItemID == b.ItemID && a.Available == b.Available && native.SameFloat(a.Price, b.Price) &&
		sameOptions(a.Options, b.Options)
}

// sameOptions compares without regard to order, as the hash does.
func sameOptions(a, b Options) bool {
	if len(a) != len(b) {
		return false
	}
	for i, o := range a {
		if b[i] == o {
			continue
		}
		if v, ok := b.Get(o.Name); !ok || v != o.Value {
			return false
		}
	}
	return true
}

func sameUser(a, b *User) bool {
	return a.UserID == b.UserID && a.Name == b.Name && a.Address == b.Address && a.Email == b.Email &&
		slices.Equal(a.Orders, b.Orders) && sameMethods(a, b)
}

func sameMethods(a, b *User) bool {
	if len(a.PaymentMethods) != len(b.PaymentMethods) {
		return false
	}
	for _, m := range a.PaymentMethods {
		n := b.Payment(m.Key)
		if n == nil || !native.SameFloat(m.Balance, n.Balance) {
			return false
		}
		m.Balance = 0
		if other := *n; m != other.without() {
			return false
		}
	}
	return true
}

// without returns the method without its balance.
func (m PaymentMethod) without() PaymentMethod {
	m.Balance = 0
	return m
}

func sameOrder(a, b *Order) bool {
	return a.OrderID == b.OrderID && a.UserID == b.UserID && a.Address == b.Address && a.Status == b.Status &&
		slices.EqualFunc(a.Items, b.Items, sameItem) &&
		slices.EqualFunc(a.PaymentHistory, b.PaymentHistory, samePayment) &&
		native.SamePointer(a.CancelReason, b.CancelReason) &&
		sameExchange(&a.Exchange, &b.Exchange) && sameReturn(&a.Return, &b.Return) &&
		slices.EqualFunc(a.Fulfillments, b.Fulfillments, sameFulfillment)
}

func sameItem(a, b Item) bool {
	return a.Name == b.Name && a.ProductID == b.ProductID && a.ItemID == b.ItemID &&
		native.SameFloat(a.Price, b.Price) && sameOptions(a.Options, b.Options)
}

func samePayment(a, b Payment) bool {
	return a.Type == b.Type && a.MethodID == b.MethodID && native.SameFloat(a.Amount, b.Amount)
}

func sameFulfillment(a, b Fulfillment) bool {
	return slices.Equal(a.TrackingIDs, b.TrackingIDs) && slices.Equal(a.ItemIDs, b.ItemIDs)
}

func sameExchange(a, b *Exchange) bool {
	return a.whole == b.whole && sameTexts(a.Items, b.Items) && sameTexts(a.NewItems, b.NewItems) &&
		native.SamePointer(a.MethodID, b.MethodID) && sameAmount(a.PriceDifference, b.PriceDifference)
}

func sameReturn(a, b *Return) bool {
	return sameTexts(a.Items, b.Items) && native.SamePointer(a.MethodID, b.MethodID)
}

// sameTexts tells no list from an empty one.
func sameTexts(a, b []string) bool { return (a == nil) == (b == nil) && slices.Equal(a, b) }

func sameAmount(a, b *float64) bool {
	return a == b || a != nil && b != nil && native.SameFloat(*a, *b)
}
