package gates

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"taste/rules"
)

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

var measure = regexp.MustCompile(`(?i)\b(\d+(?:\.\d+)?)[ -]?(inch(?:es)?|gb|tb|mb|ml|l\b|liters?|litres?|mm|mah|bar|pieces?|piece|hours?|mp|k\b|x\b|w\b|ft|feet|` +
	`foot|lbs?|degrees|cups?|watts?)`)

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
