package gates

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// variant is one thing of a catalogue.
type variant struct {
	id, name  string
	goods     string // key of what it is a variant of
	options   map[string]string
	available bool
	price     float64
}

// catalogue holds all variants by id, and the ids of each kind of goods in order.
type catalogue struct {
	byID   map[string]*variant
	kinds  map[string][]string
	names  map[string]string // of goods, by key
	called map[string]bool   // the set of names
}

// catalogue reads the contract's catalogue from the database, once; nil without.
func (g *Gate) catalogue() *catalogue {
	g.goodsOnce.Do(func() {
		c := g.contract.Lint.Goods
		if c == nil {
			return
		}
		out := &catalogue{map[string]*variant{}, map[string][]string{}, map[string]string{}, map[string]bool{}}
		for key, r := range g.domain.Environment().Records(c.Table) {
			all, _ := r[c.Variants].(map[string]any)
			out.names[key] = fmt.Sprint(r[c.Name])
			out.called[out.names[key]] = true
			for _, id := range sortedKeys(all) {
				m, _ := all[id].(map[string]any)
				v := &variant{id: id, name: out.names[key], goods: key, options: map[string]string{}}
				v.available, _ = m[c.Available].(bool)
				v.price, _ = m[c.Price].(float64)
				options, _ := m[c.Options].(map[string]any)
				for k, o := range options {
					v.options[k] = fmt.Sprint(o)
				}
				out.byID[id] = v
				out.kinds[key] = append(out.kinds[key], id)
			}
		}
		g.goods = out
	})
	return g.goods
}

// spell describes a variant.
func (v *variant) spell() string {
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(v.options)) {
		parts = append(parts, k+" "+v.options[k])
	}
	return v.name + " (" + strings.Join(parts, ", ") + ")"
}

// swap is one thing that gold gives for another one.
type swap struct{ old, new *variant }

// lintGoods looks at the goods that gold replaces or takes back: whether the
// scenario names them, and whether it leads to the variant that gold takes.
func (w *walk) lintGoods() {
	cat := w.g.catalogue()
	if cat == nil {
		return
	}
	goods := w.g.contract.Lint.Goods
	for _, s := range w.goldWrites() {
		if s.Arguments[goods.Old] == nil {
			w.unnamedRecord(s)
		}
		olds, news := texts(s.Arguments[goods.Old]), texts(s.Arguments[goods.New])
		for i, id := range olds {
			old := cat.byID[id]
			if old == nil {
				continue
			}
			w.unnamed(s, old)
			if i < len(news) && cat.byID[news[i]] != nil && news[i] != id {
				w.lintSwap(swap{old, cat.byID[news[i]]})
			}
		}
	}
	w.untouched()
	w.strangeOptions()
}

var everything = regexp.MustCompile(`(?i)\b(?:all|everything|every|both|entire|whole|each|any|items?|things?|products?|associated)\b`)

// unnamed reports goods of gold that no word of the scenario means.
func (w *walk) unnamed(s Step, v *variant) {
	if w.named(v) != nil || everything.MatchString(w.prose.text()) || w.keySaid(v.id) {
		return
	}
	w.found(Ambiguous, Warning, Unsaid, nil, "%s is about the %s, which nothing in the scenario names", s.Name, v.spell())
}

// unnamedRecord reports a record of goods of which gold disposes and of whose
// goods, number and kind the scenario says nothing.
func (w *walk) unnamedRecord(s Step) {
	k := w.index(s)
	items := w.items(w.recordOf(k, k))
	if len(items) == 0 || everything.MatchString(w.prose.text()) {
		return
	}
	w.whole(s, items)
	if w.prose.ranked() != nil {
		return
	}
	for _, kind := range w.kinds() {
		key, ok := s.Arguments[kind.Key].(string)
		if !ok || w.keySaid(key) || slices.ContainsFunc(items, func(v *variant) bool { return w.named(v) != nil }) {
			continue
		}
		for _, other := range w.own(kind) {
			if other != key && !w.written(other) && w.allows(k, s, kind, other) {
				w.found(NoFallback, Warning, Unsaid, nil, "%s is about %s with the %s, which nothing in the scenario speaks of", s.Name, key, items[0].spell())
				return
			}
		}
	}
}

// whole reports that gold disposes of a whole record where the scenario speaks of
// some of its goods alone, without a word of the rest.
func (w *walk) whole(s Step, items []*variant) {
	t := w.g.contract.Lint.Tools[s.Name]
	fallback := w.prose.fallback()
	if t == nil || !t.Whole || fallback != nil {
		return
	}
	var said *sentence
	for _, v := range items {
		if at := w.named(v); at != nil && t.Asks.Finds(at.text) {
			said = at
		}
	}
	if i := slices.IndexFunc(items, func(v *variant) bool { return w.named(v) == nil }); i >= 0 && said != nil {
		w.found(NoFallback, Warning, Partly, said, "%s is about the %s too, which nothing in the scenario speaks of", s.Name, items[i].spell())
	}
}

// named finds a sentence that speaks of goods of that kind.
func (w *walk) named(v *variant) *sentence {
	for i := range w.prose {
		if w.names(&w.prose[i], v.name) {
			return &w.prose[i]
		}
	}
	return nil
}

// names tells whether a sentence speaks of goods of that name.
func (w *walk) names(s *sentence, name string) bool {
	return w.g.contract.Lint.Names[name].Finds(s.text) || s.hasAny(w.nameWords(name))
}

// nameWords are the words by which goods are called: the whole name, and each
// word of it that says something.
func (w *walk) nameWords(name string) []string {
	out := []string{name, strings.ReplaceAll(name, " ", ""), strings.ReplaceAll(name, "-", ""), strings.ReplaceAll(name, "-", " ")}
	for _, word := range strings.Fields(strings.ReplaceAll(name, "-", " ")) {
		if len(word) > 2 && !slices.ContainsFunc(w.g.contract.Lint.Goods.Loose, func(l string) bool { return strings.EqualFold(l, word) }) {
			out = append(out, word)
		}
	}
	return out
}
