package retail

import (
	_ "embed"
	"math/rand/v2"
	"slices"
	"sync"

	"taste/domain/builtin"
)

//go:embed catalogue.json
var catalogueJSON []byte

// kind is a line of the catalogue: a product by name, the range of its prices
// in whole dollars, and what can be chosen of it.
type kind struct {
	Name    string   `json:"name"`
	Low     int      `json:"low"`
	High    int      `json:"high"`
	Options []choice `json:"options"`
}

type choice struct {
	Name   string   `json:"name"`
	Values []string `json:"values"`
}

var mustCatalogue = sync.OnceValue(func() []kind {
	return *builtin.MustDecode[[]kind]("catalogue.json", catalogueJSON)
})

// Bounds of the number of items of a product.
const minVariants, maxVariants = 8, 14

// buildProducts draws the products of the catalogue that are no anchors.
func (w *world) buildProducts() {
	d := w.dice("products")
	for _, k := range mustCatalogue() {
		if w.taken.Claim(k.Name) {
			w.db.AddProduct(w.drawProduct(d, k))
		}
	}
}

func (w *world) drawProduct(d *rand.Rand, k kind) *Product {
	p := &Product{Name: k.Name, ProductID: w.digits(d, "", 10)}
	for _, v := range drawVariants(d, k) {
		v.ItemID = w.digits(d, "", 10)
		p.Variants.Add(v.ItemID, v)
	}
	return p
}

// drawVariants draws the items of a product, without ids. The first is any
// combination of options, and each further one differs in a single option from
// one that is there already: so a customer can have the same in blue. No two cost
// the same, so that the cheapest is one item.
func drawVariants(d *rand.Rand, k kind) []*Variant {
	first := make([]int, len(k.Options))
	for i, o := range k.Options {
		first[i] = d.IntN(len(o.Values))
	}
	combinations := [][]int{first}
	for n := min(builtin.Between(d, minVariants, maxVariants), k.combinations()); len(combinations) < n; {
		next := slices.Clone(builtin.Pick(d, combinations))
		at := d.IntN(len(next))
		next[at] = d.IntN(len(k.Options[at].Values))
		if !slices.ContainsFunc(combinations, func(c []int) bool { return slices.Equal(c, next) }) {
			combinations = append(combinations, next)
		}
	}
	d.Shuffle(len(combinations), func(i, j int) { combinations[i], combinations[j] = combinations[j], combinations[i] })
	var out []*Variant
	usual, taken := builtin.Between(d, k.Low*100, k.High*100), map[int]bool{}
	for _, c := range combinations {
		out = append(out, &Variant{Options: k.chosen(c), Available: builtin.Chance(d, 72), Price: drawPrice(d, usual, taken)})
	}
	stockNeighbours(out)
	return out
}

// combinations is the number of different items that the options allow.
func (k kind) combinations() int {
	n := 1
	for _, o := range k.Options {
		n *= len(o.Values)
	}
	return n
}

// chosen spells a combination: of each option the value at an index.
func (k kind) chosen(at []int) Options {
	var out Options
	for i, o := range k.Options {
		out = append(out, Option{o.Name, o.Values[at[i]]})
	}
	return out
}

// drawPrice draws a price within a tenth of the usual one, in cents.
func drawPrice(d *rand.Rand, usual int, taken map[int]bool) float64 {
	for {
		if p := usual * builtin.Between(d, 9000, 11000) / 10000; !taken[p] {
			taken[p] = true
			return dollars(p)
		}
	}
}

// stockNeighbours sees that something can be had instead of each item: where
// none of those that differ from it in one option is available, the first of
// them becomes so.
func stockNeighbours(items []*Variant) {
	for _, v := range items {
		var near []*Variant
		for _, other := range items {
			if differences(v.Options, other.Options) == 1 {
				near = append(near, other)
			}
		}
		if len(near) > 0 && !slices.ContainsFunc(near, func(n *Variant) bool { return n.Available }) {
			near[0].Available = true
		}
	}
}

// differences counts the options in which two items of a product differ.
func differences(a, b Options) int {
	n := 0
	for i := range a {
		if a[i] != b[i] {
			n++
		}
	}
	return n
}
