package gates

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"cel.dev/cel-go/common/types/ref"

	"taste/contract"
	"taste/rules"
)

// Limits on money.
var (
	atMost = regexp.MustCompile(`(?i)(?:less than|lower than|under|below|at most|no more than|not (?:\w+ ){0,3}more than|(?:not|never|` +
		`n['’]t) (?:\w+ ){0,3}(?:exceed|above|over|beyond)|up to|(?:a |the )?max(?:imum)?(?: (?:budget|price|cost|total))?(?: (?:of|is))?|` +
		`budget(?: (?:of|is))?|cheaper than|within|limit(?:ed)?(?: (?:of|to|is))?|capped at|` +
		`cap of) (?:\w+ ){0,3}?(?:US)?\$ ?(\d[\d,]*(?:\.\d+)?)|(?:less than|under|below|at most|no more than|up to|maximum of|budget of|` +
		`not exceed|cheaper than) (\d[\d,]*(?:\.\d+)?) (?:dollars|bucks|usd)`)
	atLeast = regexp.MustCompile(`(?i)(?:at least|no less than|a minimum of|more than|above) (?:US)?\$ ?(\d[\d,]*(?:\.\d+)?)`)
	refers  = regexp.MustCompile(`(?i)\b(?:refund\w*|back|compensat\w*|certificate|voucher|sav(?:e|ing)\w*)\b`)
)

// lintLimits reports a limit on money that every gold call it may be about
// breaks.
func (w *walk) lintLimits() {
	costs := w.costs()
	prices := w.prices()
	for i := range w.prose {
		s := &w.prose[i]
		for _, m := range atMost.FindAllStringSubmatch(s.text, -1) {
			limit := amount(m[1] + m[2])
			if over, least := w.over(prices, limit); over && ofPrice.MatchString(s.text) && !ofChange.MatchString(s.text) && (!saysIf.MatchString(s.text) || onlyIf.MatchString(s.text)) {
				w.found(Impossible, Warning, Limit, s, "%q: what gold takes costs %.2f at the least", strings.TrimSpace(m[0]), least)
				return
			}
			if over, least := w.over(inAll(s, costs), limit); over && !refers.MatchString(s.text) {
				w.found(Impossible, Warning, Limit, s, "%q: what gold does costs %.2f at the least", strings.TrimSpace(m[0]), least)
				return
			}
		}
		for _, m := range atLeast.FindAllStringSubmatch(s.text, -1) {
			if limit := amount(m[1]); refers.MatchString(s.text) && !saysIf.MatchString(s.text) {
				most := 0.0
				for _, c := range costs {
					most = max(most, -c)
				}
				if most < limit {
					w.found(Impossible, Warning, Limit, s, "%q: gold gives back %.2f at the most", strings.TrimSpace(m[0]), most)
					return
				}
			}
		}
	}
}

// elsePrice is how prose says what follows from a price.
var elsePrice = regexp.MustCompile(`(?i)\b(?:(?:if|otherwise|unless|in case|when)\b[^.]*(?:pric\w*|cost\w*|more|higher|above|over|budget|exceed\w*|expensive|greater|` +
	`that|less|under|below|not)|only (?:if|when|go ahead)|else)\b`)

// lintBudget reports limits without a word of what happens beyond them.
func (w *walk) lintBudget() {
	for i := range w.prose {
		s := &w.prose[i]
		m := atMost.FindString(s.text)
		if m == "" || saysIf.MatchString(s.text) {
			continue
		}
		if at, _ := w.prose.match(elsePrice); at == nil {
			w.found(NoFallback, Warning, NoElse, s, "%q: nothing says what the customer does if it costs more", strings.TrimSpace(m))
			return
		}
	}
}

var ofAll = regexp.MustCompile(`(?i)\b(?:total|all|whole|everything|altogether|budget)\b`)

// inAll is the sum of costs where a sentence speaks of all of them.
func inAll(s *sentence, costs []float64) []float64 {
	if len(costs) < 2 || !ofAll.MatchString(s.text) {
		return costs
	}
	sum := 0.0
	for _, c := range costs {
		sum += c
	}
	return []float64{sum}
}

// over tells whether every cost is more than a limit; least is the smallest.
func (w *walk) over(costs []float64, limit float64) (bool, float64) {
	if len(costs) == 0 {
		return false, 0
	}
	least := costs[0]
	for _, c := range costs {
		least = min(least, c)
	}
	return least > limit, least
}

func amount(s string) float64 {
	f, _ := strconv.ParseFloat(strings.ReplaceAll(s, ",", ""), 64)
	return f
}

var (
	onlyIf   = regexp.MustCompile(`(?i)\bonly\b[^.]*\bif\b`)
	ofPrice  = regexp.MustCompile(`(?i)\b(?:pric\w*|costs?|cheaper|for (?:less|under))\b`)
	ofChange = regexp.MustCompile(`(?i)\b(?:difference|extra|additional|more|change|total|pay|refund\w*|fee)\b`)
)

// prices lists what the goods cost that gold takes.
func (w *walk) prices() []float64 {
	cat := w.g.catalogue()
	if cat == nil {
		return nil
	}
	var out []float64
	for _, s := range w.goldWrites() {
		for _, id := range texts(s.Arguments[w.g.contract.Lint.Goods.New]) {
			if v := cat.byID[id]; v != nil {
				out = append(out, v.price)
			}
		}
	}
	return out
}

// costs lists what each gold write costs the customer, where the contract says.
func (w *walk) costs() []float64 {
	var out []float64
	for k, s := range w.goldWrites() {
		t := w.g.contract.Lint.Tools[s.Name]
		if t == nil || t.Cost == nil {
			continue
		}
		v, _ := w.scope(w.moments[k], nil, nil, s.Arguments).Eval(t.Cost)
		switch x := v.(type) {
		case int64:
			out = append(out, float64(x))
		case float64:
			out = append(out, x)
		}
	}
	return out
}

// lintDemands reports conditions of the contract's list that prose puts on gold
// calls and that these do not meet.
func (w *walk) lintDemands() {
	for i := range w.g.contract.Lint.Demands {
		d := &w.g.contract.Lint.Demands[i]
		for j := range w.prose {
			s := &w.prose[j]
			if !d.Says.Finds(s.text) || d.Unless.Finds(s.text) {
				continue
			}
			m := d.Says.FindStringSubmatch(s.text)
			for k, step := range w.goldWrites() {
				if !slices.Contains(d.Tools, step.Name) {
					continue
				}
				scope := w.scope(w.moments[k], nil, nil, step.Arguments)
				scope.Table = w.rowsOf(step)
				scope.Extra["item"] = strings.ToLower(strings.ReplaceAll(m[len(m)-1], " ", ""))
				if ok, err := scope.Holds(d.Holds); err == nil && !ok {
					w.found(Impossible, Warning, d.ID, s, "%q: %s: %s", m[0], d.Why, rules.Spell(step.Name, step.Arguments))
					return
				}
			}
		}
	}
}

// rowsOf shows expressions the rows of a table that a call names by their keys.
func (w *walk) rowsOf(s Step) func(string) (ref.Val, error) {
	return func(table string) (ref.Val, error) {
		rows := []any{}
		for _, key := range leaves(s.Arguments, nil) {
			if r := w.start().Record(table, key); r != nil {
				rows = append(rows, r)
			}
		}
		return contract.ToVal(rows), nil
	}
}

// lintDenied reports that the scenario rules out, without a condition, what gold
// does and no other sentence asks for.
func (w *walk) lintDenied() {
	for _, s := range w.goldWrites() {
		t := w.g.contract.Lint.Tools[s.Name]
		if t == nil || t.Asks.Regexp == nil {
			continue
		}
		for i := range w.prose {
			at := &w.prose[i]
			if m := refuses(t.Asks, at); m != "" {
				w.found(Impossible, Warning, Denied, at, "the customer rules out %q, and gold calls %s", m, s.Name)
				return
			}
		}
	}
}

var bans = regexp.MustCompile(`(?i)\b(?:do not|don['’]t|does not|will not|won['’]t|never|must not|under no circumstances|by no means|refuse to)\b(?: \w+){0,3}$`)

// speaks are deeds of words alone.
var speaks = regexp.MustCompile(`(?i)\b(?:remember|reveal|know|mention|say|share|tell|recall|disclose|have|provide|give|confirm|receive|get|accept|remov\w*)\b`)

// refuses finds what a sentence rules out of what a pattern speaks of.
func refuses(asks contract.Pattern, s *sentence) string {
	if saysElse.MatchString(s.text) {
		return ""
	}
	for _, at := range asks.FindAllStringIndex(s.text, -1) {
		if m := bans.FindString(strings.TrimSpace(s.text[:at[0]])); m != "" && !speaks.MatchString(m) {
			return s.text[at[0]:at[1]]
		}
	}
	return ""
}

var dayOfMonth = regexp.MustCompile(`(?i)\b(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.? (?:the )?(\d{1,2})(?:st|nd|rd|th)?\b`)

// lintDays reports days that neither gold nor a record of the customer has,
// where gold has days and others than these.
func (w *walk) lintDays() {
	var have []string
	for _, s := range w.goldWrites() {
		have = leaves(s.Arguments, have)
	}
	if !slices.ContainsFunc(have, isoDate.MatchString) {
		return
	}
	for _, kind := range w.kinds() {
		for _, key := range w.own(kind) {
			have = leaves(w.start().Record(kind.Table, key), have)
		}
	}
	for i := range w.prose {
		s := &w.prose[i]
		for _, m := range dayOfMonth.FindAllString(s.text, -1) {
			if !says.MatchString(s.text) && !slices.ContainsFunc(have, func(v string) bool { return len(v) >= 10 && mentionsDay(m, v[:10]) }) {
				w.found(Impossible, Warning, StrangeDay, s, "%s: neither gold nor any record of %s is about that day", m, w.customer)
				return
			}
		}
	}
}
