package retail

import (
	"slices"

	"taste/chat"
	"taste/env"
	"taste/env/native"
)

// Native builds retail states from databases in the reference's JSON form.
var Native = native.OneSided(FromJSON, (*DB).state, references...)

var references = []env.Reference{
	{From: "products.product_id"},
	{From: "products.variants{}.item_id", To: "products.{product_id}.variants"},
	{From: "users.user_id"},
	{From: "users.payment_methods{}.id", To: "users.{user_id}.payment_methods"},
	{From: "users.orders[]", To: "orders"},
	{From: "orders.order_id"},
	{From: "orders.user_id", To: "users"},
	{From: "orders.items[].product_id", To: "products"},
	{From: "orders.items[].item_id", To: "products.{product_id}.variants"},
	{From: "orders.payment_history[].payment_method_id", To: "users.{user_id}.payment_methods"},
}

var (
	productType = env.RecordType[Product]{Clone: native.Copy[Product], Equal: sameProduct, JSON: dumpProduct, Valid: validProduct}
	variantType = env.RecordType[Variant]{Clone: native.Copy[Variant], Equal: sameVariant, JSON: dumpVariant, Valid: validVariant}
	userType    = env.RecordType[User]{Clone: cloneUser, Equal: sameUser, JSON: dumpUser, Valid: validUser}
	orderType   = env.RecordType[Order]{Clone: cloneOrder, Equal: sameOrder, JSON: dumpOrder, Valid: validOrder}
)

// cloneUser shares the list of orders, which no tool changes.
func cloneUser(u *User) *User {
	c := *u
	c.PaymentMethods = slices.Clone(u.PaymentMethods)
	return &c
}

// cloneOrder shares what is only ever replaced whole.
func cloneOrder(o *Order) *Order {
	c := *o
	c.Items = slices.Clone(o.Items)
	c.PaymentHistory = slices.Clone(o.PaymentHistory)
	return &c
}

// state implements native.Model.
type state struct {
	products env.Table[Product]
	users    env.Table[User]
	orders   env.Table[Order]

	// strict gives each changed item of a pending order the price and options of
	// its own new variant. The reference gives all of them those of the last one.
	strict bool
}

// NewState makes a state of a database, which must not be changed afterwards.
func NewState(db *DB) env.State { return native.NewState(db.state(), references...) }

func (db *DB) state() *state {
	return &state{
		products: db.Products.Table(&productType),
		users:    db.Users.Table(&userType),
		orders:   db.Orders.Table(&orderType),
	}
}

func (s *state) Fork() *state {
	return &state{products: s.products.Fork(), users: s.users.Fork(), orders: s.orders.Fork(), strict: s.strict}
}

func (s *state) Database(side string) native.Database {
	if side != chat.Assistant {
		return native.Database{}
	}
	return native.Database{Class: "RetailDB", Tables: []native.Table{
		native.Named("products", &s.products), native.Named("users", &s.users), native.Named("orders", &s.orders),
	}}
}

func (s *state) Kit(side string) *native.Kit[*state] {
	if side != chat.Assistant {
		return nil
	}
	return &kit
}

func (s *state) Sync() error { return nil }

// Correct implements native.Corrected.
func (s *state) Correct() { s.strict = true }
