package retail

import (
	"taste/pyjson"
	"taste/pyjson/lax"
)

// The functions below validate JSON values into records as the reference's
// data model does: unknown keys vanish, numbers are coerced.

// FromJSON validates a whole database. Errors are *lax.Error.
func FromJSON(v any) (*DB, error) {
	c := lax.New("RetailDB")
	root := c.Model(v, "RetailDB")
	db := &DB{}
	db.Products.Read(c, root, "products", &productType)
	db.Users.Read(c, root, "users", &userType)
	db.Orders.Read(c, root, "orders", &orderType)
	c.NoExtra(root, "products", "users", "orders")
	return db, c.Err()
}

func validProduct(c *lax.Check, v any) *Product {
	o := c.Model(v, "Product")
	p := &Product{Name: c.FieldStr(o, "name"), ProductID: c.FieldStr(o, "product_id")}
	p.Variants.Read(c, o, "variants", &variantType)
	return p
}

func validVariant(c *lax.Check, v any) *Variant {
	o := c.Model(v, "Variant")
	return &Variant{
		ItemID:    c.FieldStr(o, "item_id"),
		Options:   validOptions(c, o),
		Available: c.FieldBool(o, "available"),
		Price:     c.FieldFloat(o, "price"),
	}
}

// validOptions reads the options of a variant or an item.
func validOptions(c *lax.Check, o *pyjson.Object) (out Options) {
	c.Field(o, "options", func(v any) {
		for name, e := range c.Dict(v).All() {
			c.In(name, func() { out = append(out, Option{name, c.Str(e)}) })
		}
	})
	return out
}

func validUser(c *lax.Check, v any) *User {
	o := c.Model(v, "User")
	u := &User{UserID: c.FieldStr(o, "user_id")}
	c.Field(o, "name", func(v any) {
		n := c.Model(v, "UserName")
		u.Name = Name{c.FieldStr(n, "first_name"), c.FieldStr(n, "last_name")}
	})
	c.Field(o, "address", func(v any) { u.Address = validAddress(c, v) })
	u.Email = c.FieldStr(o, "email")
	c.Field(o, "payment_methods", func(v any) {
		for k, e := range c.Dict(v).All() {
			c.In(k, func() { u.PaymentMethods = append(u.PaymentMethods, validMethod(c, k, e)) })
		}
	})
	u.Orders = c.FieldTexts(o, "orders")
	return u
}

func validAddress(c *lax.Check, v any) Address {
	o := c.Model(v, "UserAddress")
	return Address{
		Address1: c.FieldStr(o, "address1"),
		Address2: c.FieldStr(o, "address2"),
		City:     c.FieldStr(o, "city"),
		Country:  c.FieldStr(o, "country"),
		State:    c.FieldStr(o, "state"),
		Zip:      c.FieldStr(o, "zip"),
	}
}

func validMethod(c *lax.Check, key string, v any) PaymentMethod {
	o := c.Model(v, "PaymentMethod")
	m := PaymentMethod{Key: key, Source: c.FieldLiteral(o, "source", CreditCard, GiftCard, PayPal), ID: c.FieldStr(o, "id")}
	switch m.Source {
	case CreditCard:
		m.Brand = c.FieldStr(o, "brand")
		m.LastFour = c.FieldStr(o, "last_four")
	case GiftCard:
		m.Balance = c.FieldFloat(o, "balance")
	}
	return m
}

func validOrder(c *lax.Check, v any) *Order {
	o := c.Model(v, "Order")
	r := &Order{OrderID: c.FieldStr(o, "order_id"), UserID: c.FieldStr(o, "user_id")}
	c.Field(o, "address", func(v any) { r.Address = validAddress(c, v) })
	c.Field(o, "items", func(v any) {
		c.List(v, func(e any) { r.Items = append(r.Items, validItem(c, e)) })
	})
	r.Status = c.FieldLiteral(o, "status", Processed, Pending, PendingModified, Delivered, Cancelled, ExchangeRequested, ReturnRequested)
	c.Field(o, "fulfillments", func(v any) {
		c.List(v, func(e any) { r.Fulfillments = append(r.Fulfillments, validFulfillment(c, e)) })
	})
	c.Field(o, "payment_history", func(v any) {
		c.List(v, func(e any) { r.PaymentHistory = append(r.PaymentHistory, validPayment(c, e)) })
	})
	optional(c, o, "cancel_reason", func(v any) { r.CancelReason = ptr(c.Literal(v, NoLongerNeeded, OrderedByMistake)) })
	optional(c, o, "exchange_items", func(v any) { r.Exchange.Items = c.Texts(v) })
	optional(c, o, "exchange_new_items", func(v any) { r.Exchange.NewItems = c.Texts(v) })
	optional(c, o, "exchange_payment_method_id", func(v any) { r.Exchange.MethodID = ptr(c.Str(v)) })
	optional(c, o, "exchange_price_difference", func(v any) { r.Exchange.PriceDifference = ptr(c.Float(v)) })
	optional(c, o, "return_items", func(v any) { r.Return.Items = c.Texts(v) })
	optional(c, o, "return_payment_method_id", func(v any) { r.Return.MethodID = ptr(c.Str(v)) })
	return r
}

// optional runs f on a value that is there and not null.
func optional(c *lax.Check, o *pyjson.Object, key string, f func(v any)) {
	c.Optional(o, key, func(v any) {
		if v != nil {
			f(v)
		}
	})
}

func ptr[T any](v T) *T { return &v }

func validItem(c *lax.Check, v any) Item {
	o := c.Model(v, "OrderItem")
	return Item{
		Name:      c.FieldStr(o, "name"),
		ProductID: c.FieldStr(o, "product_id"),
		ItemID:    c.FieldStr(o, "item_id"),
		Price:     c.FieldFloat(o, "price"),
		Options:   validOptions(c, o),
	}
}

func validFulfillment(c *lax.Check, v any) Fulfillment {
	o := c.Model(v, "OrderFullfilment")
	return Fulfillment{TrackingIDs: c.FieldTexts(o, "tracking_id"), ItemIDs: c.FieldTexts(o, "item_ids")}
}

func validPayment(c *lax.Check, v any) Payment {
	o := c.Model(v, "OrderPayment")
	return Payment{
		Type:     c.FieldLiteral(o, "transaction_type", Paid, Refunded),
		Amount:   c.FieldFloat(o, "amount"),
		MethodID: c.FieldStr(o, "payment_method_id"),
	}
}
