package llm

import (
	"cmp"
	"slices"
)

// Bill is what calls took and cost, by role and model.
type Bill struct {
	Rows    []BillRow `json:"rows"`    // by role, then model
	Usage   Usage     `json:"usage"`   // of all
	Dollars *Money    `json:"dollars"` // of all; nil where a price is missing
	AsOf    string    `json:"prices_as_of"`

	prices *Prices
}

// BillRow is what a role's calls of a model took.
type BillRow struct {
	Role    string `json:"role"`
	Model   string `json:"model"`
	Usage   Usage  `json:"usage"`
	Dollars *Money `json:"dollars"` // nil: the model has no price
}

// NewBill makes an empty bill at the given prices.
func NewBill(p *Prices) *Bill {
	return &Bill{AsOf: p.AsOf, Dollars: new(Money), prices: p}
}

// Add puts one call on the bill.
func (b *Bill) Add(role, model string, u Usage) { b.add(role, model, u, 1) }

// add puts n equal calls on the bill. Prices go by the size of one call.
func (b *Bill) add(role, model string, u Usage, n int64) {
	row := b.row(role, model)
	all := Usage{n * u.Input, n * u.Cached, n * u.Output, n * u.Reasoning, n * u.Calls}
	row.Usage.Add(all)
	b.Usage.Add(all)
	price, ok := b.prices.Of(model)
	if !ok {
		if n > 0 {
			b.Dollars = nil
		}
		return
	}
	dollars := Money(n) * price.Cost(u)
	*row.Dollars += dollars
	if b.Dollars != nil {
		*b.Dollars += dollars
	}
}

// row finds the row of a role and model, or puts it where it belongs.
func (b *Bill) row(role, model string) *BillRow {
	at, ok := slices.BinarySearchFunc(b.Rows, BillRow{Role: role, Model: model}, func(x, y BillRow) int {
		return cmp.Or(cmp.Compare(x.Role, y.Role), cmp.Compare(x.Model, y.Model))
	})
	if !ok {
		row := BillRow{Role: role, Model: model}
		if _, priced := b.prices.Of(model); priced {
			row.Dollars = new(Money)
		}
		b.Rows = slices.Insert(b.Rows, at, row)
	}
	return &b.Rows[at]
}
