package retail

import (
	"crypto/sha256"
	"encoding/hex"
	"math/rand/v2"
	"strings"
	"testing"

	"taste/chat"
	"taste/env"
	"taste/env/native/nativetest"
	"taste/pyjson"
	"taste/tau"
)

// merge sets a fresh small shop to initialization data written as JSON.
func merge(t *testing.T, data string) (diff string, err error) {
	t.Helper()
	o, err := pyjson.DecodeObject([]byte(data))
	if err != nil {
		t.Fatal(err)
	}
	e := shop(t, smallDB()).Environment()
	err = e.SetState(&tau.InitialState{InitializationData: &tau.InitializationData{AgentData: o}})
	return changes(e), err
}

func TestInitializationData(t *testing.T) {
	for data, want := range map[string]string{
		`{"users": {"kim": {"payment_methods": {"gift_card_1": {"balance": "12"}}, "age": 3}}}`: "users.kim.payment_methods.gift_card_1.balance: 20.1 → 12.0",
		`{"products": {"P1": {"variants": {"13": {"available": "yes"}}}}}`:                      "products.P1.variants.13.available: False → True",
		`{"orders": {"#W1": {"items": []}}, "users": {}}`: "orders.#W1.items[0]: {'name': 'Mug', 'product_id': 'P1', 'item_id': '11', 'price': 0.1, 'options': {'color': 'red', 'size': 'M'}} → absent\n" +
			"orders.#W1.items[1]: {'name': 'Mug', 'product_id': 'P1', 'item_id': '11', 'price': 0.1, 'options': {'color': 'red', 'size': 'M'}} → absent\n" +
			"orders.#W1.items[2]: {'name': 'Lampe é', 'product_id': 'P2', 'item_id': '21', 'price': 10.0, 'options': {'color': 'red', 'size': 'M'}} → absent",
		`{"orders": {"#W2": {"exchange_price_difference": 3, "cancel_reason": null}}}`: "orders.#W2.exchange_price_difference: None → 3.0",
	} {
		if got, err := merge(t, data); err != nil || got != want {
			t.Errorf("%s changes\n%s (%v)\nwant\n%s", data, got, err, want)
		}
	}
}

func TestInitializationDataErrors(t *testing.T) {
	for data, want := range map[string]string{
		`{"shops": {}}`:    "shops\n  Extra inputs are not permitted",
		`{"orders": null}`: "orders\n  Input should be a valid dictionary",
		`{"orders": {"#W1": {"status": "lost"}}}`:                                            "orders.#W1.status\n  Input should be 'processed', 'pending'",
		`{"users": {"kim": {"payment_methods": {"c": {"source": "cash", "id": "c"}}}}}`:      "users.kim.payment_methods.c.source",
		`{"users": {"kim": {"payment_methods": {"c": {"source": "gift_card", "id": "c"}}}}}`: "users.kim.payment_methods.c.balance\n  Field required",
		`{"products": {"P1": {"variants": {"13": {"available": 2}}}}}`:                       "products.P1.variants.13.available\n  Input should be a valid boolean",
		`{"orders": {"#W1": {"return_items": [1]}}}`:                                         "orders.#W1.return_items.0\n  Input should be a valid string",
	} {
		if got, err := merge(t, data); err == nil || !strings.Contains(err.Error(), want) || got != "" {
			t.Errorf("%s: %v, changes %q; want %s", data, err, got, want)
		}
	}
}

// After a call the hash is that of the database spelt out.
func TestHashIsThatOfTheDump(t *testing.T) {
	e := shop(t, smallDB()).Environment()
	do(t, e, "exchange_delivered_order_items", `{"order_id": "#W2", "item_ids": [], "new_item_ids": [], "payment_method_id": "paypal_1"}`)
	db := smallDB()
	o := db.Orders.Get("#W2")
	o.Status = ExchangeRequested
	o.Exchange = Exchange{Items: []string{}, NewItems: []string{}, MethodID: ptr("paypal_1"), whole: true}
	sum := sha256.Sum256(pyjson.Append(nil, NewState(db).JSON(chat.Assistant), pyjson.Hash))
	if got := e.Hash(); got != hex.EncodeToString(sum[:]) {
		t.Errorf("hash %s, want that of %s", got, pyjson.Dumps(NewState(db).JSON(chat.Assistant)))
	}
	if !e.Equal(shop(t, db).Environment()) {
		t.Error("the same records are not equal")
	}
}

// Each field of the data model counts when states are compared, as in the hash.
func TestEqualAsTheHash(t *testing.T) {
	base := shop(t, smallDB()).Environment()
	for name, change := range map[string]func(*DB){
		"nothing":             func(*DB) {},
		"order of options":    func(db *DB) { db.Orders.Get("#W2").Items[0].Options = Options{{"size", "M"}, {"color", "red"}} },
		"option":              func(db *DB) { db.Orders.Get("#W2").Items[0].Options = colour("pink") },
		"variant's option":    func(db *DB) { db.Products.Get("P1").Variants.Get("11").Options = colour("pink") },
		"availability":        func(db *DB) { db.Products.Get("P1").Variants.Get("11").Available = false },
		"variant":             func(db *DB) { db.Products.Get("P1").Variants.Add("15", &Variant{ItemID: "15"}) },
		"product name":        func(db *DB) { db.Products.Get("P1").Name = "Cup" },
		"negative zero":       func(db *DB) { db.Users.Get("kim").PaymentMethods[0].Balance *= -1 },
		"email":               func(db *DB) { db.Users.Get("kim").Email = "a@b.c" },
		"order of a customer": func(db *DB) { db.Users.Get("kim").Orders = nil },
		"brand":               func(db *DB) { db.Users.Get("kim").PaymentMethods[1].Brand = "amex" },
		"method order": func(db *DB) {
			m := db.Users.Get("kim").PaymentMethods
			m[0], m[1] = m[1], m[0]
		},
		"item order": func(db *DB) {
			i := db.Orders.Get("#W1").Items
			i[0], i[2] = i[2], i[0]
		},
		"payment":      func(db *DB) { db.Orders.Get("#W1").PaymentHistory[0].Type = Refunded },
		"parcel":       func(db *DB) { db.Orders.Get("#W2").Fulfillments[0].TrackingIDs = nil },
		"reason":       func(db *DB) { db.Orders.Get("#W2").CancelReason = ptr(NoLongerNeeded) },
		"empty list":   func(db *DB) { db.Orders.Get("#W2").Return.Items = []string{} },
		"difference":   func(db *DB) { db.Orders.Get("#W2").Exchange.PriceDifference = ptr(0.0) },
		"whole 0":      func(db *DB) { db.Orders.Get("#W2").Exchange.whole = true },
		"order status": func(db *DB) { db.Orders.Get("#W2").Status = Processed },
	} {
		db := smallDB()
		if name == "negative zero" {
			db.Users.Get("kim").PaymentMethods[0].Balance = 0
		}
		change(db)
		other := shop(t, db).Environment()
		if got, want := base.Equal(other), base.Hash() == other.Hash(); got != want {
			t.Errorf("%s: Equal is %v, the hashes say %v", name, got, want)
		}
		if got := base.Equal(other); got != (name == "nothing" || name == "order of options" || name == "method order") {
			t.Errorf("%s: Equal is %v", name, got)
		}
	}
}

// Under strict semantics each item gets price and options of its own variant;
// all else is alike.
func TestStrict(t *testing.T) {
	compat := shop(t, smallDB())
	strict := compat.Strict()
	if strict == compat {
		t.Fatal("no strict semantics")
	}
	for args, same := range map[string]bool{
		`{"order_id": "#W1", "item_ids": ["11"], "new_item_ids": ["12"], "payment_method_id": "gift_card_1"}`:             true,
		`{"order_id": "#W1", "item_ids": ["11", "21"], "new_item_ids": ["12", "22"], "payment_method_id": "gift_card_1"}`: false,
	} {
		a, b := compat.Environment(), strict.Environment()
		ra, rb := do(t, a, "modify_pending_order_items", args), do(t, b, "modify_pending_order_items", args)
		if ra.Error || rb.Error || a.Equal(b) != same || (ra.Content == rb.Content) != same {
			t.Errorf("%s: compat %s\nstrict %s", args, ra.Content, rb.Content)
		}
		if !same && !strings.Contains(rb.Content, `"item_id": "12", "price": 0.3,`) {
			t.Errorf("strict: %s", rb.Content)
		}
	}
	e := strict.Environment()
	if err := e.SetState(&tau.InitialState{InitializationData: &tau.InitializationData{AgentData: pyjson.NewObject("users", pyjson.NewObject())}}); err != nil {
		t.Fatal(err)
	}
	if r := e.Call(chat.Assistant, "modify_pending_order_items", map[string]any{
		"order_id": "#W1", "item_ids": []any{"11", "21"}, "new_item_ids": []any{"12", "22"}, "payment_method_id": "gift_card_1",
	}); !strings.Contains(r.Content, `"item_id": "12", "price": 0.3,`) {
		t.Errorf("strict semantics are lost in a merge: %s", r.Content)
	}
}

// randomCall changes the small shop in some way, or fails.
func randomCall(t *testing.T, r *rand.Rand, e *env.Environment) {
	pick := func(options ...string) string { return options[r.IntN(len(options))] }
	method := `"payment_method_id": ` + pick(`"gift_card_1"`, `"credit_card_1"`)
	switch r.IntN(5) {
	case 0:
		do(t, e, "modify_pending_order_items", `{"order_id": "#W1", `+pick(`"item_ids": ["11"], "new_item_ids": ["12"], `, `"item_ids": ["11", "21"], "new_item_ids": ["12", "22"], `, `"item_ids": [], "new_item_ids": [], `)+method+`}`)
	case 1:
		do(t, e, "exchange_delivered_order_items", `{"order_id": "#W2", `+pick(`"item_ids": ["11"], "new_item_ids": ["11"], `, `"item_ids": "", "new_item_ids": {}, `)+method+`}`)
	case 2:
		do(t, e, "modify_pending_order_payment", `{"order_id": "#W1", `+method+`}`)
	case 3:
		do(t, e, "cancel_pending_order", `{"order_id": "#W1", "reason": "`+pick(NoLongerNeeded, OrderedByMistake, "other")+`"}`)
	default:
		do(t, e, "modify_user_address", `{"user_id": "kim", "address1": "`+pick("1 Elm Street", "2 Oak")+`", "address2": "", "city": "Reno", "state": "NV", "country": "USA", "zip": "89501"}`)
	}
}

func TestEqualAgreesWithHash(t *testing.T) {
	nativetest.EqualAgreesWithHash(t, shop(t, smallDB()).Environment(), func(r *rand.Rand, e *env.Environment) { randomCall(t, r, e) })
}

func TestIsolation(t *testing.T) {
	base := shop(t, smallDB()).Environment()
	do(t, base, "return_delivered_order_items", `{"order_id": "#W2", "item_ids": ["11"], "payment_method_id": "gift_card_1"}`)
	nativetest.Isolation(t, base, func(r *rand.Rand, e *env.Environment) { randomCall(t, r, e) })
}
