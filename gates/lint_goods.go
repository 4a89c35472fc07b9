package gates

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"taste/rules"
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

var compares = regexp.MustCompile(`(?i)\b(?:same|identical|exact\w*|(?:cheap|expensiv|large|larg|bigg?|small|high|low|short|long|bright|eas|hard|light|heav|fast|slow|simpl|few|few|great|strong|strict|thick|thin|tall|warm)(?:i?er|i?est|er|est)|most|least|less|more|maxim\w*|minim\w*|upgrade|highest|lowest|fewest|fancy|type|like the|original|other)\b`)

// lintSwap looks at the options in which gold's variant differs from the one
// given up.
func (w *walk) lintSwap(x swap) {
	if w.keySaid(x.new.id) {
		return
	}
	w.extremePrice(x)
	var unsaid []string
	for _, k := range slices.Sorted(maps.Keys(x.new.options)) {
		v := x.new.options[k]
		if v == x.old.options[k] || w.optionSaid(k, v) {
			continue
		}
		if other := w.denied(x, k); other != nil {
			w.found(Impossible, Warning, OtherOption, other, "gold's %s has %s %s", x.new.name, k, v)
			return
		}
		unsaid = append(unsaid, k+" "+v)
	}
	switch {
	case len(unsaid) == 0:
		w.rivals(x)
	case w.elsewhereOwned(x.new):
		w.found(HiddenID, Warning, ByReference, w.named(x.old), "gold takes %s, which the customer has in another record; the scenario does not say %s, so that the customer cannot confirm it", x.new.spell(), strings.Join(unsaid, ", "))
	case w.sameAgain(x):
		w.found(NoFallback, Warning, Unsaid, w.named(x.old), "the customer asks for the same, and gold takes %s for %s; nothing in the scenario says %s", x.new.spell(), x.old.spell(), strings.Join(unsaid, ", "))
	case w.tooMany(x, unsaid) && !w.sole(x):
		class := Ambiguous
		if !w.keeps(x) {
			class = NoFallback
		}
		w.found(class, Warning, Unsaid, w.named(x.old), "gold takes %s for %s; nothing in the scenario says %s", x.new.spell(), x.old.spell(), strings.Join(unsaid, ", "))
	}
}

// about lists the sentences that speak of goods: those that name them and those
// that follow until other goods are named; all, if none names them.
func (w *walk) about(v *variant) prose {
	var out prose
	on := false
	for _, s := range w.prose {
		switch {
		case w.names(&s, v.name):
			on = true
		case on && w.namesOther(&s, v):
			on = false
		}
		if on && strings.HasSuffix(s.path, "reason_for_call") {
			out = append(out, s)
		}
	}
	if len(out) == 0 {
		return w.prose
	}
	return out
}

// namesOther tells whether a sentence names goods of the customer of another
// name.
func (w *walk) namesOther(s *sentence, v *variant) bool {
	for _, kind := range w.kinds() {
		for _, key := range w.own(kind) {
			for _, item := range w.items(w.start().Record(kind.Table, key)) {
				if item.name != v.name && !w.alike(item.name, v.name) && w.names(s, item.name) {
					return true
				}
			}
		}
	}
	return false
}

// compared tells whether what is said of goods compares them with others.
func (w *walk) compared(v *variant) bool {
	_, m := w.about(v).match(compares)
	return m != ""
}

var again = regexp.MustCompile(`(?i)\b(?:the (?:exact )?same (?:one|item|product|thing)|exact(?:ly the)? same|identical|the other|same type|like the)\b`)

// sameAgain tells whether the customer asks for the same thing, in other words
// than those of options, and says nothing of what is to be done if there is none.
func (w *walk) sameAgain(x swap) bool {
	about := w.about(x.old)
	_, said := about.match(again)
	return said != "" && !w.keeps(x) && !slices.ContainsFunc(about, func(s sentence) bool { return saysElse.MatchString(s.text) && !asksFor.MatchString(s.text) })
}

// elsewhereOwned tells whether the customer has a variant in a record of hers.
func (w *walk) elsewhereOwned(v *variant) bool {
	for _, kind := range w.kinds() {
		for _, key := range w.own(kind) {
			if slices.ContainsFunc(w.items(w.start().Record(kind.Table, key)), func(i *variant) bool { return i.id == v.id }) {
				return true
			}
		}
	}
	return false
}

var comparative = regexp.MustCompile(`(?i)\b(?:bigg?er|larger|smaller|higher|lower|shorter|longer|brighter|dimmer|easier|harder|lighter|heavier|faster|slower|stronger|thicker|thinner|taller|warmer|(?:more|less|fewer) \w+)\b`)

// tooMany tells whether more options change unsaid than what is said of the
// goods accounts for: any number, where it names an extreme or what it is to be
// like; as many as it has comparisons else.
func (w *walk) tooMany(x swap, unsaid []string) bool {
	about := w.about(x.old)
	if !w.compared(x.old) {
		return true
	}
	n := 0
	for i := range about {
		n += len(comparative.FindAllString(about[i].text, -1))
	}
	_, extreme := about.match(extremes)
	if extreme == "" && n == len(unsaid) {
		w.comparison(x, unsaid)
	}
	return extreme == "" && n > 0 && len(unsaid) > n
}

var extremes = regexp.MustCompile(`(?i)\b(?:\w+est|most|least|maxim\w*|minim\w*|same|exact\w*|identical|type|like the|original|other|upgrade)\b`)

// comparison reports that an option which changes by a comparison alone has
// several values that it could mean.
func (w *walk) comparison(x swap, unsaid []string) {
	cat := w.g.catalogue()
	for k, n := range x.new.options {
		if !slices.Contains(unsaid, k+" "+n) {
			continue
		}
		could := map[string]bool{}
		for _, id := range cat.kinds[x.new.goods] {
			v := cat.byID[id]
			fits := v.available && v.options[k] != x.old.options[k]
			for key, o := range x.new.options {
				fits = fits && (key == k || v.options[key] == o)
			}
			if fits {
				could[v.options[k]] = true
			}
		}
		if len(could) > 1 {
			w.found(Ambiguous, Warning, Comparative, w.named(x.old), "gold takes %s %s; it could be %s as well", k, n, strings.Join(slices.Sorted(maps.Keys(could)), " or "))
		}
	}
}

// extremePrice reports that gold's variant is not the cheapest, or dearest, of
// those which have all that the scenario speaks of, where it asks for that.
func (w *walk) extremePrice(x swap) {
	if w.named(x.old) == nil {
		return
	}
	about := w.about(x.old)
	for _, c := range []struct {
		says *regexp.Regexp
		less func(a, b float64) bool
	}{{cheapest, func(a, b float64) bool { return a < b }}, {dearest, func(a, b float64) bool { return a > b }}} {
		at, said := about.match(c.says)
		if said == "" || saysIf.MatchString(at.text) {
			continue
		}
		for _, id := range w.g.catalogue().kinds[x.new.goods] {
			v := w.g.catalogue().byID[id]
			fits := v.available && c.less(v.price, x.new.price)
			for k, o := range x.new.options {
				fits = fits && (v.options[k] == o || !w.optionSaid(k, o) && !w.keySaidSame(about, k))
			}
			if fits {
				w.found(Impossible, Warning, NotExtreme, at, "%q: %s costs %.2f, gold's %s %.2f", said, v.spell(), v.price, x.new.spell(), x.new.price)
				return
			}
		}
	}
}

// keySaidSame tells whether an option is to stay as it is, by its name.
func (w *walk) keySaidSame(about prose, key string) bool {
	return slices.ContainsFunc(about, func(s sentence) bool { return s.has("same") && w.keyIn(&s, key) })
}

var (
	cheapest = regexp.MustCompile(`(?i)\bcheapest\b`)
	dearest  = regexp.MustCompile(`(?i)\bmost expensive\b`)
)

// keeps tells whether a variant is available that has the options which gold's
// changes and the scenario names, and is the old one otherwise.
func (w *walk) keeps(x swap) bool {
	cat := w.g.catalogue()
	return slices.ContainsFunc(cat.kinds[x.new.goods], func(id string) bool {
		v := cat.byID[id]
		if !v.available || id == x.old.id {
			return false
		}
		for k, o := range v.options {
			want := x.old.options[k]
			if n := x.new.options[k]; n != want && w.optionSaid(k, n) {
				want = n
			}
			if o != want {
				return false
			}
		}
		return true
	})
}

// sole tells whether gold's is the only available variant with all the values
// that the scenario speaks of.
func (w *walk) sole(x swap) bool {
	cat := w.g.catalogue()
	return !slices.ContainsFunc(cat.kinds[x.new.goods], func(id string) bool {
		v := cat.byID[id]
		if !v.available || id == x.new.id || id == x.old.id {
			return false
		}
		for k, n := range x.new.options {
			if w.optionSaid(k, n) && v.options[k] != n {
				return false
			}
		}
		return true
	})
}

// optionSaid tells whether the scenario speaks of a value of an option.
func (w *walk) optionSaid(key, value string) bool {
	for i := range w.prose {
		if w.optionIn(&w.prose[i], key, value) {
			return true
		}
	}
	return false
}

var differs = regexp.MustCompile(`(?i)\b(?:more|less|fewer)\b`)

var absent = regexp.MustCompile(`(?i)^(?:no|none|not\b.*|non-.*)$`)

// optionIn tells whether a sentence speaks of a value of an option. Values that
// say nothing by themselves (a short one, "no", "none") need the option's name.
func (w *walk) optionIn(s *sentence, key, value string) bool {
	if absent.MatchString(value) || strings.EqualFold(value, "yes") {
		return w.keyIn(s, key)
	}
	if p, ok := w.g.contract.Lint.Names[value]; ok && p.Finds(s.text) {
		return true
	}
	if w.g.contract.Lint.Names[key+" "+value].Finds(s.text) {
		return true
	}
	if len(value) <= 2 && !letter.MatchString(value) {
		return s.has(value) && w.keyIn(s, key)
	}
	if s.has(value) || s.has(strings.ReplaceAll(value, "-", " ")) || s.has(strings.ReplaceAll(value, " ", "")) {
		return true
	}
	first := strings.Fields(strings.ReplaceAll(value, "-", " "))[0]
	return (len(first) > 3 || len(first) > 2 && digit.MatchString(first)) && !strings.Contains(normal(key), normal(first)) && s.has(first)
}

// keyIn tells whether a sentence has a word of an option's name.
func (w *walk) keyIn(s *sentence, key string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(key, func(r rune) bool { return r == ' ' || r == '/' }), func(word string) bool { return len(word) > 2 && s.has(word) }) ||
		w.g.contract.Lint.Names[key].Finds(s.text)
}

// denied finds the sentence that asks for another value of an option than gold
// has, of values that are neither the old one's.
func (w *walk) denied(x swap, key string) *sentence {
	for value := range w.g.catalogue().values(x.new.goods, key) {
		if value == x.new.options[key] || value == x.old.options[key] || len(value) <= 2 || absent.MatchString(value) {
			continue
		}
		for i := range w.prose {
			s := &w.prose[i]
			if w.optionIn(s, key, value) && (w.names(s, x.new.name) || w.oneSwap()) && !saysIf.MatchString(s.text) && !differs.MatchString(s.text) && w.only(value, x.new.goods) {
				return s
			}
		}
	}
	return nil
}

// oneSwap tells whether gold replaces a single thing.
func (w *walk) oneSwap() bool {
	n := 0
	for _, s := range w.goldWrites() {
		n += len(texts(s.Arguments[w.g.contract.Lint.Goods.New]))
	}
	return n == 1
}

// only tells whether no other kind of goods that the scenario names has a value.
func (w *walk) only(value, goods string) bool {
	cat := w.g.catalogue()
	for _, key := range slices.Sorted(maps.Keys(cat.kinds)) {
		if key == goods || w.named(cat.byID[cat.kinds[key][0]]) == nil {
			continue
		}
		for _, id := range cat.kinds[key] {
			if slices.Contains(slices.Collect(maps.Values(cat.byID[id].options)), value) {
				return false
			}
		}
	}
	return true
}

func (s *sentence) hasAny(words []string) bool { return slices.ContainsFunc(words, s.has) }

// values is the set of values of an option among goods of a kind.
func (c *catalogue) values(goods, key string) map[string]bool {
	out := map[string]bool{}
	for _, id := range c.kinds[goods] {
		if v, ok := c.byID[id].options[key]; ok {
			out[v] = true
		}
	}
	return out
}

// rivals reports that another available variant has all that the scenario asks
// for, and is as near to the old one as gold's.
func (w *walk) rivals(x swap) {
	if w.compared(x.old) || w.about(x.old).ranked() != nil {
		return
	}
	cat := w.g.catalogue()
	changed := map[string]string{}
	kept := 0
	for k, v := range x.new.options {
		if v != x.old.options[k] {
			changed[k] = v
		} else {
			kept++
		}
	}
	for _, id := range cat.kinds[x.new.goods] {
		v := cat.byID[id]
		if id == x.new.id || id == x.old.id || !v.available {
			continue
		}
		near, fits := 0, true
		for k, o := range v.options {
			if c, ok := changed[k]; ok && o != c && (o == x.old.options[k] || !w.optionSaid(k, o)) {
				fits = false
			}
			if o == x.old.options[k] {
				near++
			}
		}
		if fits && near >= kept {
			w.found(Ambiguous, Warning, Rival, w.named(x.old), "%s fits the scenario as well as gold's %s", v.spell(), x.new.spell())
			return
		}
	}
}

// untouched reports goods of the customer that the scenario wants something done
// with and gold leaves alone, where nothing says when they are to be left.
func (w *walk) untouched() {
	cat := w.g.catalogue()
	goods := w.g.contract.Lint.Goods
	if len(w.goldWrites()) == 0 {
		return
	}
	var text []string
	for _, s := range w.goldWrites() {
		text = leaves(s.Arguments, text)
	}
	var dealt []string
	for _, id := range text {
		if v := cat.byID[id]; v != nil {
			dealt = append(dealt, v.name)
		}
	}
	for _, s := range w.goldWrites() {
		for _, item := range w.items(w.recordOf(0, w.index(s))) {
			if s.Arguments[goods.Old] == nil {
				dealt = append(dealt, item.name)
			}
		}
	}
	for _, kind := range w.kinds() {
		for _, key := range w.own(kind) {
			for _, item := range w.items(w.start().Record(kind.Table, key)) {
				at := w.named(item)
				if at == nil || slices.ContainsFunc(dealt, func(d string) bool { return w.alike(d, item.name) }) || !asksDeed.MatchString(at.text) || w.stays(item) || strings.Contains(at.norm, " with the ") {
					continue
				}
				w.found(NoFallback, Warning, LeftOut, at, "gold does nothing with the %s of %s, and nothing says when it is to be left", item.spell(), key)
				return
			}
		}
	}
}

// stays tells whether the scenario says when goods are left as they are: in a
// sentence that names them, or in one about what the agent answers.
func (w *walk) stays(v *variant) bool {
	return slices.ContainsFunc(w.prose, func(s sentence) bool {
		return staysIf.MatchString(s.text) && (w.names(&s, v.name) || answers.MatchString(s.text))
	})
}

var answers = regexp.MustCompile(`(?i)\b(?:agents?|confirm\w*|possible|available|asked|not|can|cannot|only)\b`)

// alike tells whether two names of goods share a word by which they are called.
func (w *walk) alike(a, b string) bool {
	return slices.ContainsFunc(w.nameWords(a), func(word string) bool {
		return slices.ContainsFunc(w.nameWords(b), func(other string) bool { return normal(word) == normal(other) })
	})
}

var (
	staysIf  = regexp.MustCompile(`(?i)\b(?:if|unless|otherwise|except|but|only|keep|change your mind|as long as|provided)\b`)
	asksDeed = regexp.MustCompile(`(?i)\b(?:exchang\w*|return\w*|cancel\w*|chang\w*|modif\w*|switch\w*|swap\w*|replac\w*|refund\w*)\b`)
)

func (w *walk) index(s Step) int {
	return slices.IndexFunc(w.goldWrites(), func(t Step) bool { return rules.Spell(t.Name, t.Arguments) == rules.Spell(s.Name, s.Arguments) })
}

// items lists the goods of a customer's record.
func (w *walk) items(r map[string]any) []*variant {
	goods := w.g.contract.Lint.Goods
	list, _ := r[goods.Items].([]any)
	var out []*variant
	for _, e := range list {
		m, _ := e.(map[string]any)
		if v := w.g.catalogue().byID[fmt.Sprint(m[goods.Item])]; v != nil {
			out = append(out, v)
		}
	}
	return out
}

var measure = regexp.MustCompile(`(?i)\b(\d+(?:\.\d+)?)[ -]?(inch(?:es)?|gb|tb|mb|ml|l\b|liters?|litres?|mm|mah|bar|pieces?|piece|hours?|mp|k\b|x\b|w\b|ft|feet|foot|lbs?|degrees|cups?|watts?)`)

// strangeOptions reports measures that no variant of the goods which the same
// sentence names has, though it has others in that unit.
func (w *walk) strangeOptions() {
	cat := w.g.catalogue()
	for i := range w.prose {
		s := &w.prose[i]
		for _, m := range measure.FindAllStringSubmatch(s.text, -1) {
			unit := strings.TrimSuffix(strings.ToLower(m[2]), "s")
			units, have, name := 0, false, ""
			for _, key := range slices.Sorted(maps.Keys(cat.kinds)) {
				if !w.names(s, cat.names[key]) {
					continue
				}
				for _, id := range cat.kinds[key] {
					for k, v := range cat.byID[id].options {
						low := strings.ToLower(v)
						if strings.Contains(low, unit) || strings.Contains(strings.ToLower(k), unit) {
							units++
							name = cat.names[key]
							have = have || strings.HasPrefix(low, m[1]) && (len(low) == len(m[1]) || low[len(m[1])] < '0' || low[len(m[1])] > '9')
						}
					}
				}
			}
			if units > 0 && !have && !w.onlyIf(m[0]) && !differs.MatchString(s.text) {
				w.found(Impossible, Warning, StrangeOption, s, "no %s has %s", name, m[0])
				return
			}
		}
	}
}

// onlyIf tells whether the scenario says what is to happen if it cannot have what
// some words stand for.
func (w *walk) onlyIf(words string) bool {
	in := regexp.MustCompile(`(?i)\b(?:if|unless)\b[^.,]*` + regexp.QuoteMeta(words))
	return slices.ContainsFunc(w.prose, func(s sentence) bool { return in.MatchString(s.text) })
}
