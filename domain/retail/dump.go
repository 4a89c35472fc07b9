package retail

import (
	"taste/env/native"
	"taste/pyjson"
)

// The functions below turn records into JSON objects with the reference's
// fields in the reference's order.

func obj(pairs ...any) *pyjson.Object { return pyjson.NewObject(pairs...) }

func dumpProduct(p *Product) *pyjson.Object {
	return obj("name", p.Name, "product_id", p.ProductID, "variants", p.Variants.JSON(&variantType))
}

func dumpVariant(v *Variant) *pyjson.Object {
	return obj("item_id", v.ItemID, "options", dumpOptions(v.Options), "available", v.Available, "price", v.Price)
}

func dumpOptions(options Options) *pyjson.Object {
	o := pyjson.Sized(len(options))
	for _, opt := range options {
		o.Set(opt.Name, opt.Value)
	}
	return o
}

func dumpUser(u *User) *pyjson.Object {
	methods := pyjson.Sized(len(u.PaymentMethods))
	for i := range u.PaymentMethods {
		methods.Set(u.PaymentMethods[i].Key, dumpMethod(&u.PaymentMethods[i]))
	}
	return obj("user_id", u.UserID, "name", obj("first_name", u.Name.First, "last_name", u.Name.Last),
		"address", dumpAddress(&u.Address), "email", u.Email,
		"payment_methods", methods, "orders", native.Texts(u.Orders))
}

func dumpAddress(a *Address) *pyjson.Object {
	return obj("address1", a.Address1, "address2", a.Address2, "city", a.City,
		"country", a.Country, "state", a.State, "zip", a.Zip)
}

func dumpMethod(m *PaymentMethod) *pyjson.Object {
	o := obj("source", m.Source, "id", m.ID)
	switch m.Source {
	case CreditCard:
		o.Set("brand", m.Brand)
		o.Set("last_four", m.LastFour)
	case GiftCard:
		o.Set("balance", m.Balance)
	}
	return o
}

func dumpOrder(o *Order) *pyjson.Object {
	return obj("order_id", o.OrderID, "user_id", o.UserID, "address", dumpAddress(&o.Address),
		"items", native.List(o.Items, dumpItem), "status", o.Status,
		"fulfillments", native.List(o.Fulfillments, dumpFulfillment),
		"payment_history", native.List(o.PaymentHistory, dumpPayment),
		"cancel_reason", orNull(o.CancelReason),
		"exchange_items", textsOrNull(o.Exchange.Items), "exchange_new_items", textsOrNull(o.Exchange.NewItems),
		"exchange_payment_method_id", orNull(o.Exchange.MethodID),
		"exchange_price_difference", o.Exchange.difference(),
		"return_items", textsOrNull(o.Return.Items), "return_payment_method_id", orNull(o.Return.MethodID))
}

func dumpItem(i *Item) *pyjson.Object {
	return obj("name", i.Name, "product_id", i.ProductID, "item_id", i.ItemID, "price", i.Price,
		"options", dumpOptions(i.Options))
}

func dumpFulfillment(f *Fulfillment) *pyjson.Object {
	return obj("tracking_id", native.Texts(f.TrackingIDs), "item_ids", native.Texts(f.ItemIDs))
}

func dumpPayment(p *Payment) *pyjson.Object {
	return obj("transaction_type", p.Type, "amount", p.Amount, "payment_method_id", p.MethodID)
}

func orNull[T any](v *T) any {
	if v == nil {
		return nil
	}
	return *v
}

func textsOrNull(texts []string) any {
	if texts == nil {
		return nil
	}
	return native.Texts(texts)
}

// difference is the price difference as the reference holds it: the whole number
// 0 where no item was named.
func (e *Exchange) difference() any {
	if e.whole {
		return int64(0)
	}
	return orNull(e.PriceDifference)
}
