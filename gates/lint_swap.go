package gates

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

var compares = regexp.MustCompile(`(?i)\b(?:same|identical|exact\w*|(?:cheap|expensiv|large|larg|bigg?|small|high|low|short|long|bright|eas|hard|light|heav|fast|` +
	`slow|simpl|few|few|great|strong|strict|thick|thin|tall|warm)(?:i?er|i?est|er|est)|most|least|less|more|maxim\w*|minim\w*|upgrade|` +
	`highest|lowest|fewest|fancy|type|like the|original|other)\b`)

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

var comparative = regexp.MustCompile(`(?i)\b(?:bigg?er|larger|smaller|higher|lower|shorter|longer|brighter|dimmer|easier|harder|lighter|heavier|faster|slower|stronger|` +
	`thicker|thinner|taller|warmer|(?:more|less|fewer) \w+)\b`)

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
	for _, k := range sortedKeys(x.new.options) {
		n := x.new.options[k]
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
	for _, value := range sortedKeys(w.g.catalogue().values(x.new.goods, key)) {
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
