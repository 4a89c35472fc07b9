package llm

import (
	"cmp"
	"math"
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
func (b *Bill) Add(role, model string, u Usage) {
	row := b.row(role, model)
	row.Usage.Add(u)
	b.Usage.Add(u)
	price, ok := b.prices.Of(model)
	if !ok {
		b.Dollars = nil
		return
	}
	b.charge(row, price.Cost(u))
}

// charge adds to the dollars of a row and of the whole.
func (b *Bill) charge(row *BillRow, m Money) {
	*row.Dollars += m
	if b.Dollars != nil {
		*b.Dollars += m
	}
}

// Scale puts another bill at the same prices on this one, so many times as
// times/of says, rounded up: what a part of the work took tells what the whole will take.
func (b *Bill) Scale(other *Bill, times, of int64) {
	up := func(n int64) int64 { return (n*times + of - 1) / of }
	for _, r := range other.Rows {
		u := Usage{up(r.Usage.Input), up(r.Usage.Cached), up(r.Usage.Written), up(r.Usage.Output), up(r.Usage.Reasoning), up(r.Usage.Calls)}
		row := b.row(r.Role, r.Model)
		row.Usage.Add(u)
		b.Usage.Add(u)
		if r.Dollars == nil {
			b.Dollars = nil
			continue
		}
		b.charge(row, Money(math.Ceil(float64(*r.Dollars)*float64(times)/float64(of))))
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
