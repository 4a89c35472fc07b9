package retail

import (
	"strings"
	"testing"

	"taste/chat"
	"taste/env"
	"taste/pyjson"
)

func colour(c string) Options { return Options{{"color", c}, {"size", "M"}} }

// smallDB is a shop to count by hand: mugs and lamps; a customer with a gift card
// of 20.10 and a credit card, who has a pending order of a red mug, a red mug
// again and a red lamp, and a delivered one of a red mug.
func smallDB() *DB {
	db := &DB{}
	mug := &Product{Name: "Mug", ProductID: "P1"}
	for _, v := range []*Variant{
		{ItemID: "11", Options: colour("red"), Available: true, Price: 0.1},
		{ItemID: "12", Options: colour("blue"), Available: true, Price: 0.3},
		{ItemID: "13", Options: colour("grey"), Price: 5},
		{ItemID: "14", Options: colour("gold"), Available: true, Price: 25},
	} {
		mug.Variants.Add(v.ItemID, v)
	}
	lamp := &Product{Name: "Lampe é", ProductID: "P2"}
	lamp.Variants.Add("21", &Variant{ItemID: "21", Options: colour("red"), Available: true, Price: 10})
	lamp.Variants.Add("22", &Variant{ItemID: "22", Options: colour("blue"), Available: true, Price: 9.87})
	db.AddProduct(mug)
	db.AddProduct(lamp)
	home := Address{"1 Elm Street", "", "Reno", "USA", "NV", "89501"}
	db.AddUser(&User{
		UserID: "kim", Name: Name{"Kim", "Ash"}, Address: home, Email: "Kim@example.com", Orders: []string{"#W1", "#W2"},
		PaymentMethods: []PaymentMethod{
			{Key: "gift_card_1", Source: GiftCard, ID: "gift_card_1", Balance: 20.1},
			{Key: "credit_card_1", Source: CreditCard, ID: "credit_card_1", Brand: "visa", LastFour: "1234"},
			{Key: "paypal_1", Source: PayPal, ID: "paypal_1"},
		},
	})
	red := Item{Name: "Mug", ProductID: "P1", ItemID: "11", Price: 0.1, Options: colour("red")}
	db.AddOrder(&Order{
		OrderID: "#W1", UserID: "kim", Address: home, Status: Pending,
		Items:          []Item{red, red, {Name: "Lampe é", ProductID: "P2", ItemID: "21", Price: 10, Options: colour("red")}},
		PaymentHistory: []Payment{{Paid, 10.2, "credit_card_1"}},
	})
	db.AddOrder(&Order{
		OrderID: "#W2", UserID: "kim", Address: home, Status: Delivered, Items: []Item{red},
		Fulfillments:   []Fulfillment{{[]string{"99"}, []string{"11"}}},
		PaymentHistory: []Payment{{Paid, 0.1, "credit_card_1"}},
	})
	return db
}

func shop(t *testing.T, db *DB) *env.Domain {
	t.Helper()
	d, err := env.NewDomain(env.Domain{Name: "retail"}, NewState(db))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// do calls a tool with arguments written as JSON.
func do(t *testing.T, e *env.Environment, name, args string) env.Result {
	t.Helper()
	o, err := pyjson.DecodeObject([]byte(args))
	if err != nil {
		t.Fatal(err)
	}
	return e.CallOrdered(chat.Assistant, name, o)
}

func changes(e *env.Environment) string {
	return strings.Join(e.Domain().Environment().Diff(e), "\n")
}

// step is one call in a fresh small shop, perhaps changed by given: what its
// answer holds (the start, if that is an error) and all that it changes.
type step struct {
	name, tool, args, answer, diff string
	given                          func(*DB)
}

func check(t *testing.T, steps []step) {
	t.Helper()
	for _, c := range steps {
		db := smallDB()
		if c.given != nil {
			c.given(db)
		}
		e := shop(t, db).Environment()
		r := do(t, e, c.tool, c.args)
		if !strings.Contains(r.Content, c.answer) || r.Error != strings.HasPrefix(c.answer, "Error") {
			t.Errorf("%s: %s", c.name, r.Content)
		}
		if got := changes(e); got != c.diff {
			t.Errorf("%s changes\n%s\nwant\n%s", c.name, got, c.diff)
		}
	}
}

func TestReads(t *testing.T) {
	check(t, []step{
		{name: "case of an email does not count", tool: "find_user_id_by_email", args: `{"email": "kIM@EXAMPLE.com"}`, answer: "kim"},
		{name: "nor of a name", tool: "find_user_id_by_name_zip", args: `{"first_name": "KIM", "last_name": "ash", "zip": "89501"}`, answer: "kim"},
		{name: "a ZIP is a text", tool: "find_user_id_by_name_zip", args: `{"first_name": "KIM", "last_name": "ash", "zip": 89501}`, answer: "Error: User not found"},
		{name: "a last name nobody asks about", tool: "find_user_id_by_name_zip", args: `{"first_name": "Bo", "last_name": null, "zip": "1"}`, answer: "Error: User not found"},
		{name: "a last name of another type", tool: "find_user_id_by_name_zip", args: `{"first_name": "Kim", "last_name": 3, "zip": "1"}`, answer: "Error: 'int' object has no attribute 'lower'"},
		{name: "products in order of names", tool: "list_all_product_types", args: `{}`, answer: `{"Lampe \u00e9": "P2", "Mug": "P1"}`},
		{name: "an item", tool: "get_item_details", args: `{"item_id": "22"}`, answer: `{"item_id": "22", "options": {"color": "blue", "size": "M"}, "available": true, "price": 9.87}`},
		{name: "a list is no key", tool: "get_item_details", args: `{"item_id": ["22"]}`, answer: "Error: unhashable type: 'list'"},
		{name: "an order spells what is not there", tool: "get_order_details", args: `{"order_id": "#W2"}`, answer: `"cancel_reason": null, "exchange_items": null`},
		{name: "sums are rounded to cents", tool: "calculate", args: `{"expression": "0.1 + 0.2 + 1.005"}`, answer: "1.3"},
		{name: "a missing argument", tool: "get_order_details", args: `{}`, answer: "Error: RetailTools.get_order_details() missing 1 required positional argument: 'order_id'"},
	})
}

func TestCancel(t *testing.T) {
	const cancelled = "orders.#W1.status: 'pending' → 'cancelled'\n"
	check(t, []step{
		{
			name: "to a card nothing is credited", tool: "cancel_pending_order", args: `{"order_id": "#W1", "reason": "no longer needed"}`, answer: `"cancel_reason": "no longer needed"`,
			diff: cancelled + "orders.#W1.payment_history[1]: absent → {'transaction_type': 'refund', 'amount': 10.2, 'payment_method_id': 'credit_card_1'}\norders.#W1.cancel_reason: None → 'no longer needed'",
		},
		{name: "a reason of no such kind", tool: "cancel_pending_order", args: `{"order_id": "#W1", "reason": "too dear"}`, answer: "Error: Invalid reason"},
		{name: "a delivered order", tool: "cancel_pending_order", args: `{"order_id": "#W2", "reason": "no longer needed"}`, answer: "Error: Non-pending order cannot be cancelled"},
		{
			name: "what was refunded before a failure stays", tool: "cancel_pending_order", args: `{"order_id": "#W1", "reason": "ordered by mistake"}`, answer: "Error: Payment method not found",
			given: func(db *DB) {
				db.Orders.Get("#W1").PaymentHistory = []Payment{{Paid, 0.2, "gift_card_1"}, {Paid, 1, "gone"}}
			},
			diff: "users.kim.payment_methods.gift_card_1.balance: 20.1 → 20.3",
		},
	})
}

func TestModifyItems(t *testing.T) {
	const paid = "users.kim.payment_methods.gift_card_1.balance: 20.1 → "
	check(t, []step{
		{
			name: "sums keep their tail in the history and lose it on the gift card", tool: "modify_pending_order_items",
			args:   `{"order_id": "#W1", "item_ids": ["11", "11"], "new_item_ids": ["12", "12"], "payment_method_id": "gift_card_1"}`,
			answer: `"status": "pending (item modified)"`,
			diff: paid + "19.7\n" + item(0, "11", "12", "0.1", "0.3", "blue") + item(1, "11", "12", "0.1", "0.3", "blue") + modified +
				"orders.#W1.payment_history[1]: absent → {'transaction_type': 'payment', 'amount': 0.39999999999999997, 'payment_method_id': 'gift_card_1'}",
		},
		{
			name: "the last variant's price and options for all", tool: "modify_pending_order_items",
			args:   `{"order_id": "#W1", "item_ids": ["11", "21"], "new_item_ids": ["12", "22"], "payment_method_id": "paypal_1"}`,
			answer: `"amount": 0.0699999999999`,
			diff: item(0, "11", "12", "0.1", "9.87", "blue") + item(2, "21", "22", "10.0", "9.87", "blue") + modified +
				"orders.#W1.payment_history[1]: absent → {'transaction_type': 'payment', 'amount': 0.0699999999999992, 'payment_method_id': 'paypal_1'}",
		},
		{name: "more than the order has", tool: "modify_pending_order_items", args: `{"order_id": "#W1", "item_ids": ["11", "11", "11"], "new_item_ids": ["12", "12", "12"], "payment_method_id": "paypal_1"}`, answer: "Error: 11 not found"},
		{name: "ids are texts", tool: "modify_pending_order_items", args: `{"order_id": "#W1", "item_ids": [11.0], "new_item_ids": ["12"], "payment_method_id": "paypal_1"}`, answer: "Error: 11.0 not found"},
		{name: "a text is its characters", tool: "modify_pending_order_items", args: `{"order_id": "#W1", "item_ids": "11", "new_item_ids": ["12"], "payment_method_id": "paypal_1"}`, answer: "Error: 1 not found"},
		{name: "a dict cannot count", tool: "modify_pending_order_items", args: `{"order_id": "#W1", "item_ids": {"11": 1}, "new_item_ids": ["12"], "payment_method_id": "paypal_1"}`, answer: "Error: 'dict' object has no attribute 'count'"},
		{name: "the same item again", tool: "modify_pending_order_items", args: `{"order_id": "#W1", "item_ids": ["11"], "new_item_ids": ["11"], "payment_method_id": "paypal_1"}`, answer: "Error: The new item id should be different from the old item id"},
		{name: "another product's item", tool: "modify_pending_order_items", args: `{"order_id": "#W1", "item_ids": ["11"], "new_item_ids": ["22"], "payment_method_id": "paypal_1"}`, answer: "Error: Variant not found"},
		{name: "out of stock", tool: "modify_pending_order_items", args: `{"order_id": "#W1", "item_ids": ["11"], "new_item_ids": ["13"], "payment_method_id": "paypal_1"}`, answer: "Error: New item 13 not found or available"},
		{name: "too dear for the gift card", tool: "modify_pending_order_items", args: `{"order_id": "#W1", "item_ids": ["11"], "new_item_ids": ["14"], "payment_method_id": "gift_card_1"}`, answer: "Error: Insufficient gift card balance to pay for the new item"},
		{name: "no length", tool: "modify_pending_order_items", args: `{"order_id": "#W1", "item_ids": ["11"], "new_item_ids": null, "payment_method_id": "gift_card_1"}`, answer: "Error: object of type 'NoneType' has no len()"},
	})
}

const modified = "orders.#W1.status: 'pending' → 'pending (item modified)'\n"

// item is how an item of order #W1 changes.
func item(at int, id, newID, price, newPrice, color string) string {
	path := "orders.#W1.items[" + pyjson.Str(int64(at)) + "]."
	return path + "item_id: '" + id + "' → '" + newID + "'\n" + path + "price: " + price + " → " + newPrice + "\n" +
		path + "options.color: 'red' → '" + color + "'\n"
}

func TestModifyPayment(t *testing.T) {
	check(t, []step{
		{
			name: "to the gift card", tool: "modify_pending_order_payment", args: `{"order_id": "#W1", "payment_method_id": "gift_card_1"}`, answer: `"payment_method_id": "gift_card_1"`,
			diff: "users.kim.payment_methods.gift_card_1.balance: 20.1 → 9.9\norders.#W1.payment_history[1]: absent → {'transaction_type': 'payment', 'amount': 10.2, 'payment_method_id': 'gift_card_1'}\n" +
				"orders.#W1.payment_history[2]: absent → {'transaction_type': 'refund', 'amount': 10.2, 'payment_method_id': 'credit_card_1'}",
		},
		{name: "the same one", tool: "modify_pending_order_payment", args: `{"order_id": "#W1", "payment_method_id": "credit_card_1"}`, answer: "Error: The new payment method should be different from the current one"},
		{
			name: "the old method is gone: the new one has paid", tool: "modify_pending_order_payment", args: `{"order_id": "#W1", "payment_method_id": "gift_card_1"}`, answer: "Error: Payment method not found",
			given: func(db *DB) { db.Orders.Get("#W1").PaymentHistory = []Payment{{Paid, 0.1, "gone"}} },
			diff: "users.kim.payment_methods.gift_card_1.balance: 20.1 → 20.0\norders.#W1.payment_history[1]: absent → {'transaction_type': 'payment', 'amount': 0.1, 'payment_method_id': 'gift_card_1'}\n" +
				"orders.#W1.payment_history[2]: absent → {'transaction_type': 'refund', 'amount': 0.1, 'payment_method_id': 'gone'}",
		},
	})
}

func TestReturnAndExchange(t *testing.T) {
	const exchanged = "orders.#W2.status: 'delivered' → 'exchange requested'\n"
	check(t, []step{
		{
			name: "a return", tool: "return_delivered_order_items", args: `{"order_id": "#W2", "item_ids": ["11"], "payment_method_id": "gift_card_1"}`, answer: `"return_items": ["11"]`,
			diff: "orders.#W2.status: 'delivered' → 'return requested'\norders.#W2.return_items: None → ['11']\norders.#W2.return_payment_method_id: None → 'gift_card_1'",
		},
		{name: "to a card that did not pay", tool: "return_delivered_order_items", args: `{"order_id": "#W2", "item_ids": ["11"], "payment_method_id": "paypal_1"}`, answer: "Error: Payment method should be the original payment method"},
		{
			name: "nothing was paid", tool: "return_delivered_order_items", args: `{"order_id": "#W2", "item_ids": ["11"], "payment_method_id": "paypal_1"}`, answer: "Error: list index out of range",
			given: func(db *DB) { db.Orders.Get("#W2").PaymentHistory = nil },
		},
		{name: "twice what there is", tool: "return_delivered_order_items", args: `{"order_id": "#W2", "item_ids": ["11", "11"], "payment_method_id": "gift_card_1"}`, answer: "Error: Some item not found"},
		{
			name: "an exchange rounds the difference", tool: "exchange_delivered_order_items", args: `{"order_id": "#W2", "item_ids": ["11"], "new_item_ids": ["12"], "payment_method_id": "credit_card_1"}`, answer: `"exchange_price_difference": 0.2,`,
			diff: exchanged + "orders.#W2.exchange_items: None → ['11']\norders.#W2.exchange_new_items: None → ['12']\norders.#W2.exchange_payment_method_id: None → 'credit_card_1'\norders.#W2.exchange_price_difference: None → 0.2",
		},
		{
			name: "an exchange of nothing makes a whole 0", tool: "exchange_delivered_order_items", args: `{"order_id": "#W2", "item_ids": "", "new_item_ids": {}, "payment_method_id": "credit_card_1"}`, answer: `"exchange_items": []`,
			diff: exchanged + "orders.#W2.exchange_items: None → []\norders.#W2.exchange_new_items: None → []\norders.#W2.exchange_payment_method_id: None → 'credit_card_1'\norders.#W2.exchange_price_difference: None → 0",
		},
		{name: "lists of two lengths", tool: "exchange_delivered_order_items", args: `{"order_id": "#W2", "item_ids": ["11"], "new_item_ids": [], "payment_method_id": "credit_card_1"}`, answer: "Error: The number of items to be exchanged should match."},
	})
}

func TestAddresses(t *testing.T) {
	const args = `"address1": "2 Oak é", "address2": "", "city": "Reno", "state": "NV", "country": "USA", "zip": "89501"}`
	check(t, []step{
		{name: "of an order", tool: "modify_pending_order_address", args: `{"order_id": "#W1", ` + args, answer: `"address1": "2 Oak \u00e9"`, diff: "orders.#W1.address.address1: '1 Elm Street' → '2 Oak é'"},
		{
			name: "of one whose items were modified", tool: "modify_pending_order_address", args: `{"order_id": "#W1", ` + args, answer: `"address1"`, diff: "orders.#W1.address.address1: '1 Elm Street' → '2 Oak é'",
			given: func(db *DB) { db.Orders.Get("#W1").Status = PendingModified },
		},
		{name: "of a delivered one", tool: "modify_pending_order_address", args: `{"order_id": "#W2", ` + args, answer: "Error: Non-pending order cannot be modified"},
		{name: "of a customer", tool: "modify_user_address", args: `{"user_id": "kim", ` + args, answer: `"email": "Kim@example.com"`, diff: "users.kim.address.address1: '1 Elm Street' → '2 Oak é'"},
		{name: "a second line is a text", tool: "modify_user_address", args: `{"user_id": "kim", ` + strings.Replace(args, `"address2": ""`, `"address2": null`, 1), answer: "Error: 1 validation error for UserAddress\naddress2\n  Input should be a valid string"},
	})
}
