package gates_test

import (
	"slices"
	"testing"

	"taste/domain/retail"
	"taste/env"
	"taste/gates"
	"taste/tau"
)

// retailOrder is a shop with one pending order of two things, each of which has
// another variant.
func retailOrder(t *testing.T) *env.Domain {
	t.Helper()
	db := &retail.DB{}
	order := &retail.Order{
		OrderID: "#W1", UserID: "kim", Status: retail.Pending,
		PaymentHistory: []retail.Payment{{Type: retail.Paid, Amount: 15, MethodID: "paypal_1"}},
	}
	for _, p := range []*retail.Product{{Name: "Mug", ProductID: "1"}, {Name: "Lamp", ProductID: "2"}} {
		for i, color := range []string{"red", "blue"} {
			id, options := p.ProductID+color, retail.Options{{Name: "color", Value: color}}
			price := float64(10*len(p.Name) + i)
			p.Variants.Add(id, &retail.Variant{ItemID: id, Options: options, Available: true, Price: price})
			if i == 0 {
				order.Items = append(order.Items, retail.Item{Name: p.Name, ProductID: p.ProductID, ItemID: id, Price: price, Options: options})
			}
		}
		db.AddProduct(p)
	}
	db.AddOrder(order)
	db.AddUser(&retail.User{
		UserID: "kim", Orders: []string{"#W1"},
		PaymentMethods: []retail.PaymentMethod{{Key: "paypal_1", Source: retail.PayPal, ID: "paypal_1"}},
	})
	d, err := env.NewDomain(env.Domain{Name: "retail"}, retail.NewState(db))
	must(t, err)
	return d
}

// A task whose target rests on a fault of the reference's tools is rejected: here
// several items of a pending order changed at once, all of which get the price of
// the last.
func TestSemantics(t *testing.T) {
	g := gates.New(retailOrder(t), nil, nil)
	for _, c := range []struct {
		items, variants []any
		fails           bool
	}{
		{[]any{"1red"}, []any{"1blue"}, false},
		{[]any{"1red", "2red"}, []any{"1blue", "2blue"}, true},
	} {
		gold := []tau.Action{{Name: "modify_pending_order_items", Arguments: map[string]any{
			"order_id": "#W1", "item_ids": c.items, "new_item_ids": c.variants, "payment_method_id": "paypal_1",
		}}}
		r, err := g.Check(&tau.Task{ID: "t", EvaluationCriteria: &tau.EvaluationCriteria{Actions: gold, RewardBasis: tau.DefaultBasis()}}, nil)
		must(t, err)
		if got := slices.Contains(rulesOf(r.Failures), gates.Semantics); got != c.fails {
			t.Errorf("%v: fails %v, want %v: %v", c.items, got, c.fails, r.Failures)
		}
	}
}

// A domain without known faults has one semantics, and its tasks no such gate.
func TestSemanticsOfTheAirline(t *testing.T) {
	if d := newKit(t).domain; d.Strict() != d {
		t.Error("the airline has strict semantics of its own")
	}
}
