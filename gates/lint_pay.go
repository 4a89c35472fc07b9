package gates

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"taste/rules"
)

// lintPay looks at what gold pays with: it has to be the customer's, and the
// scenario has to leave no choice.
func (w *walk) lintPay() {
	pays := w.g.contract.Lint.Pays
	me := w.start().Record(w.g.contract.Customer.Table, w.customer)
	methods, _ := me[pays.Field].(map[string]any)
	if len(methods) == 0 {
		return
	}
	w.strangePay(methods)
	for k, s := range w.goldWrites() {
		if w.unpaid(s) {
			w.found(NoPayment, Unsolvable, StrangePay, nil, "%s: gold names nothing that is paid with", rules.Spell(s.Name, s.Arguments))
		}
		for _, path := range pays.Args {
			for _, at := range places(s.Arguments, path) {
				id, _ := at.value.(string)
				if _, ok := methods[id]; !ok {
					w.found(NoPayment, Unsolvable, StrangePay, nil, "%s: %s is no payment method of %s, who has %v", rules.Spell(s.Name, s.Arguments), id, w.customer, sortedKeys(methods))
				} else {
					w.paidOtherwise(k, s, id, methods)
					w.openPay(k, s, path, at, methods)
				}
			}
		}
	}
}

// unpaid tells whether a call lacks what its tool is paid with.
func (w *walk) unpaid(s Step) bool {
	tool := w.g.contract.Tools[s.Name]
	if tool == nil {
		return false
	}
	for _, path := range w.g.contract.Lint.Pays.Args {
		if tool.Args[path] != nil && len(places(s.Arguments, path)) == 0 {
			return true
		}
	}
	return false
}

// unheard are ways to pay that no profile has.
var unheard = regexp.MustCompile(`(?i)\b(?:bitcoins?|crypto\w*|cash|bank (?:transfer|account)|wire transfer|cheques?|apple pay|google pay|venmo|zelle|klarna|` +
	`store credit|invoice)\b`)

var lastFour = regexp.MustCompile(`(?i)\b(?:ending|ends|last (?:four|4)(?: digits)?|cards?)(?: (?:in|with|on|of|are|number))? #?(\d{4})\b|\b(\d{4}) (?:\w+ )?card\b`)

// strangePay reports ways to pay that the scenario speaks of and the customer
// does not have.
func (w *walk) strangePay(methods map[string]any) {
	pays := w.g.contract.Lint.Pays
	have := map[string]bool{}
	digits := map[string]bool{}
	for _, id := range sortedKeys(methods) {
		m, _ := methods[id].(map[string]any)
		have[fmt.Sprint(m[pays.Kind])] = true
		for _, s := range leaves(m, nil) {
			digits[s] = true
		}
	}
	if at, m := w.prose.match(unheard); m != "" && !saysNot.MatchString(at.text) && len(w.goldWrites()) > 0 {
		w.found(NoPayment, Warning, StrangePay, at, "%s has no way to pay by %s", w.customer, m)
	}
	for _, kind := range sortedKeys(pays.Kinds) {
		for i := range w.prose {
			s := &w.prose[i]
			if !have[kind] && pays.Says.Finds(s.text) && s.asked(pays.Kinds[kind]) && !saysElse.MatchString(s.text) {
				w.found(NoPayment, Warning, StrangePay, s, "%s has no %s", w.customer, strings.ReplaceAll(kind, "_", " "))
				break
			}
		}
	}
	for i := range w.prose {
		for _, m := range lastFour.FindAllStringSubmatch(w.prose[i].text, -1) {
			if d := m[1] + m[2]; !digits[d] {
				w.found(NoPayment, Wording, StrangePay, &w.prose[i], "%s has no card that ends in %s", w.customer, d)
			}
		}
	}
}

// openPay reports a payment that the scenario leaves open: several methods would
// do, and no word tells gold's from another one.
func (w *walk) openPay(k int, s Step, path string, at place, methods map[string]any) {
	id := at.value.(string)
	tool := w.g.contract.Tools[s.Name]
	if tool == nil || tool.Args[path] == nil {
		return
	}
	options := w.options(k, s.Arguments, path, tool.Args[path], at)
	if len(options) < 2 {
		return
	}
	said := map[string]int{}
	for _, o := range options {
		said[o] = w.payWords(o, methods[o])
	}
	if said[id] > 0 && !slices.ContainsFunc(options, func(o string) bool {
		return o != id && said[o] >= said[id] && w.kindOf(methods[o]) == w.kindOf(methods[id])
	}) {
		return
	}
	pays := w.g.contract.Lint.Pays
	if w.prose.finds(pays.First) != nil && w.paidFor(k, s, id) {
		return
	}
	if said[id] > 0 && w.prose.ranked() != nil {
		return
	}
	w.found(NoPayment, Warning, Choice, nil, "%s: nothing in the scenario says which %s: %v", s.Name, at.place, options)
}

// paidOtherwise reports that the scenario speaks of a kind of payment method,
// and gold pays with one of another kind of which it does not speak.
func (w *walk) paidOtherwise(k int, s Step, id string, methods map[string]any) {
	pays := w.g.contract.Lint.Pays
	fallback := w.prose.fallback()
	if at := w.prose.finds(pays.Other); at != nil && fallback == nil && w.paidFor(k, s, id) {
		w.found(NoFallback, Warning, PaidOtherwise, at, "%s takes %s, which paid before; nothing says that it does where another one is refused", s.Name, id)
		return
	}
	if w.payWords(id, methods[id]) > 0 || w.prose.finds(pays.First) != nil {
		return
	}
	for _, kind := range sortedKeys(pays.Kinds) {
		at := w.prose.asks(pays.Kinds[kind])
		if at == nil || kind == w.kindOf(methods[id]) || !pays.Says.Finds(at.text) || saysIf.MatchString(at.text) {
			continue
		}
		w.found(NoFallback, Warning, PaidOtherwise, at, "%s pays with %s; nothing says that it does where %s is refused", s.Name, id, strings.ReplaceAll(kind, "_", " "))
		return
	}
}

// ranked finds words that choose among equals by an order.
func (p prose) ranked() *sentence {
	s, _ := p.match(superlative)
	return s
}

var superlative = regexp.MustCompile(`(?i)\b(?:most|least|max\w*|min\w*|best|worst|cheap\w*|(?:[a-z]{3,}(?:i?est))|first|second|third|last|other|all|both|every\w*|` +
	`remaining|rest|larger|smaller|more expensive|less expensive)\b`)

func (w *walk) kindOf(method any) string {
	m, _ := method.(map[string]any)
	return fmt.Sprint(m[w.g.contract.Lint.Pays.Kind])
}

// payWords counts the ways in which the scenario speaks of a payment method: by
// its kind, and by what no other one has.
func (w *walk) payWords(id string, method any) int {
	n := 0
	if w.prose.finds(w.g.contract.Lint.Pays.Kinds[w.kindOf(method)]) != nil {
		n++
	}
	text := strings.ToLower(w.prose.text())
	if strings.Contains(text, id) {
		n += 2
	}
	m, _ := method.(map[string]any)
	for _, f := range sortedKeys(m) {
		v := fmt.Sprint(m[f])
		if f != w.g.contract.Lint.Pays.Kind && v != id && len(v) > 2 && strings.Contains(normal(text), normal(v)) {
			n += 2
		}
	}
	return n
}

// paidFor tells whether a method paid for the record of write k.
func (w *walk) paidFor(k int, s Step, id string) bool {
	e := w.g.contract.Lint.Pays.Paid
	if e == nil {
		return false
	}
	v, err := w.scope(w.moments[k], nil, nil, s.Arguments).Eval(e)
	list, _ := v.([]any)
	return err == nil && slices.ContainsFunc(list, func(p any) bool { return p == id })
}
