package retail

import (
	"slices"

	"taste/env"
	"taste/pyjson"
)

// elements are what a loop over a value meets: the elements of a list, a text's
// characters, a dict's keys.
func elements(v any) ([]any, error) {
	switch x := v.(type) {
	case []any:
		return x, nil
	case string:
		var out []any
		for _, r := range pyjson.Characters(x) {
			out = append(out, r)
		}
		return out, nil
	case *pyjson.Object:
		out := make([]any, x.Len())
		for i, k := range x.Keys() {
			out[i] = k
		}
		return out, nil
	}
	return nil, env.NotIterable(v)
}

// named returns the ids of items of the order, each at most as often as the
// order has it; lacks words the error about one. A dict cannot count what it
// holds.
func (o *Order) named(v any, lacks func(id any) string) ([]string, error) {
	list, err := elements(v)
	if err != nil {
		return nil, err
	}
	if d, ok := v.(*pyjson.Object); ok && d.Len() > 0 {
		return nil, env.NoAttribute(v, "count")
	}
	var ids []string
	for _, e := range list {
		id, ok := e.(string)
		if !ok || count(list, id) > o.count(id) {
			return nil, env.ValueError(lacks(e))
		}
		ids = append(ids, id)
	}
	return ids, nil
}

func count(list []any, id string) (n int) {
	for _, e := range list {
		if e == any(id) {
			n++
		}
	}
	return n
}

func (o *Order) count(id string) (n int) {
	for i := range o.Items {
		if o.Items[i].ItemID == id {
			n++
		}
	}
	return n
}

// swap puts variants in the place of items of an order.
type swap struct {
	*state
	order *Order
	items []string // item ids that the order has
	other bool     // the new item must not be the old one

	newItems   []string
	variants   []*Variant
	difference float64 // dollars, not rounded
}

// choose finds the new variants, of the same product as the item in the same
// place, and adds up what they cost more. unequal words the error about lists of
// different lengths.
func (w *swap) choose(v any, unequal string) error {
	list, err := elements(v)
	if err != nil {
		return noLength(v)
	}
	if len(list) != len(w.items) {
		return env.ValueError(unequal)
	}
	for i, e := range list {
		if w.other && e == any(w.items[i]) {
			return env.ValueError("The new item id should be different from the old item id")
		}
		item := w.order.Item(w.items[i])
		variant, err := w.variant(item.ProductID, e)
		if err != nil {
			return err
		}
		if !variant.Available {
			return env.ValueError("New item " + e.(string) + " not found or available")
		}
		w.newItems = append(w.newItems, e.(string))
		w.variants = append(w.variants, variant)
		w.difference += variant.Price - item.Price
	}
	return nil
}

// noLength is len() of a value that has none.
func noLength(v any) error {
	return &env.Fault{Class: "TypeError", Text: "object of type '" + pyjson.TypeName(v) + "' has no len()", Inexact: true}
}

// apply changes the items one after the other, so that an item may be found that
// the same call has put there. All get price and options of the last variant, as
// the reference has it, but under strict semantics, which give each its own.
func (w *swap) apply(o *Order) {
	for i, id := range w.items {
		from := w.variants[len(w.variants)-1]
		if w.strict {
			from = w.variants[i]
		}
		item := o.Item(id)
		item.ItemID, item.Price, item.Options = w.newItems[i], from.Price, from.Options
	}
}

// sorted returns a sorted copy, not nil.
func sorted(ids []string) []string {
	out := append([]string{}, ids...)
	slices.Sort(out)
	return out
}
