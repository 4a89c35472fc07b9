package retail

import (
	"taste/env"
	"taste/env/native"
	"taste/pyjson"
)

var kit = native.Kit[*state]{Class: "RetailTools", Tools: map[string]native.Tool[*state]{
	"calculate":                      {Params: []string{"expression"}, Run: calculate},
	"cancel_pending_order":           {Params: []string{"order_id", "reason"}, Run: cancelPendingOrder},
	"exchange_delivered_order_items": {Params: []string{"order_id", "item_ids", "new_item_ids", "payment_method_id"}, Run: exchangeDeliveredItems},
	"find_user_id_by_email":          {Params: []string{"email"}, Run: findByEmail},
	"find_user_id_by_name_zip":       {Params: []string{"first_name", "last_name", "zip"}, Run: findByNameZip},
	"get_item_details":               {Params: []string{"item_id"}, Run: getItemDetails},
	"get_order_details":              {Params: []string{"order_id"}, Run: getOrderDetails},
	"get_product_details":            {Params: []string{"product_id"}, Run: getProductDetails},
	"get_user_details":               {Params: []string{"user_id"}, Run: getUserDetails},
	"list_all_product_types":         {Run: listProductTypes},
	"modify_pending_order_address":   {Params: append([]string{"order_id"}, addressParams...), Run: modifyOrderAddress},
	"modify_pending_order_items":     {Params: []string{"order_id", "item_ids", "new_item_ids", "payment_method_id"}, Run: modifyPendingItems},
	"modify_pending_order_payment":   {Params: []string{"order_id", "payment_method_id"}, Run: modifyPendingPayment},
	"modify_user_address":            {Params: append([]string{"user_id"}, addressParams...), Run: modifyUserAddress},
	"return_delivered_order_items":   {Params: []string{"order_id", "item_ids", "payment_method_id"}, Run: returnDeliveredItems},
	"transfer_to_human_agents":       {Params: []string{"summary"}, Run: transferToHumanAgents},
}}

var addressParams = []string{"address1", "address2", "city", "state", "country", "zip"}

func calculate(_ *state, a []any) (any, error) { return native.Calculate(a[0]) }

func transferToHumanAgents(*state, []any) (any, error) { return "Transfer successful", nil }

func missing(what string) func() error {
	return func() error { return env.ValueError(what + " not found") }
}

func (s *state) order(id any) (*Order, error) { return native.Find(s.orders.Get, id, missing("Order")) }

func (s *state) user(id any) (*User, error) { return native.Find(s.users.Get, id, missing("User")) }

func (s *state) product(id any) (*Product, error) {
	return native.Find(s.products.Get, id, missing("Product"))
}

// variant finds a variant of a product.
func (s *state) variant(productID string, id any) (*Variant, error) {
	p, err := s.product(productID)
	if err != nil {
		return nil, err
	}
	return native.Find(p.Variants.Get, id, missing("Variant"))
}

// payment finds a user's payment method.
func (s *state) payment(userID string, id any) (*PaymentMethod, error) {
	u, err := s.user(userID)
	if err != nil {
		return nil, err
	}
	return native.Find(u.Payment, id, missing("Payment method"))
}

func getOrderDetails(s *state, a []any) (any, error) {
	if _, err := s.order(a[0]); err != nil {
		return nil, err
	}
	return native.Answer(&s.orders, a[0].(string)), nil
}

func getProductDetails(s *state, a []any) (any, error) {
	if _, err := s.product(a[0]); err != nil {
		return nil, err
	}
	return native.Answer(&s.products, a[0].(string)), nil
}

func getUserDetails(s *state, a []any) (any, error) {
	if _, err := s.user(a[0]); err != nil {
		return nil, err
	}
	return native.Answer(&s.users, a[0].(string)), nil
}

func getItemDetails(s *state, a []any) (any, error) {
	for _, p := range s.products.All() {
		key, ok, err := env.KeyOf(a[0])
		if err != nil {
			return nil, err
		}
		if v := p.Variants.Get(key); ok && v != nil {
			return native.Later(v, dumpVariant), nil
		}
	}
	return nil, env.ValueError("Item not found")
}

// listProductTypes spells names and ids out; of products of one name the last
// counts.
func listProductTypes(s *state, _ []any) (any, error) {
	ids := pyjson.Sized(s.products.Len())
	for _, p := range s.products.All() {
		ids.Set(p.Name, p.ProductID)
	}
	return string(pyjson.Append(nil, ids, pyjson.Hash)), nil
}

// lowered is v.lower().
func lowered(v any) (string, error) {
	if t, ok := v.(string); ok {
		return pyjson.Lower(t), nil
	}
	return "", env.NoAttribute(v, "lower")
}

func errNoUser() error { return env.ValueError("User not found") }

func findByEmail(s *state, a []any) (any, error) {
	if s.users.Len() == 0 {
		return nil, errNoUser()
	}
	email, err := lowered(a[0])
	if err != nil {
		return nil, err
	}
	for id, u := range s.users.All() {
		if pyjson.LowersTo(u.Email, email) {
			return id, nil
		}
	}
	return nil, errNoUser()
}

// findByNameZip looks at the last name only where a first one fits.
func findByNameZip(s *state, a []any) (any, error) {
	if s.users.Len() == 0 {
		return nil, errNoUser()
	}
	first, err := lowered(a[0])
	if err != nil {
		return nil, err
	}
	last, lastErr := lowered(a[1])
	for id, u := range s.users.All() {
		if !pyjson.LowersTo(u.Name.First, first) {
			continue
		}
		if lastErr != nil {
			return nil, lastErr
		}
		if pyjson.LowersTo(u.Name.Last, last) && a[2] == any(u.Address.Zip) {
			return id, nil
		}
	}
	return nil, errNoUser()
}
