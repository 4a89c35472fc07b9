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

// Words that leave open what they are about.
var vague = regexp.MustCompile(`(?i)\b(?:similar|comparable|roughly|approximately|or so|or thereabouts|something (?:like|similar|nice|different|of the sort|along)|some(?:time|where|how)\b|some (?:kind|sort|type|other|order|item|reservation|booking|flight|trip|product|variant|colou?r|day|date)\b|some (?:\w+ )?of yours|kind of|sort of|more or less|maybe|perhaps|possibly|probably|ideally|a certain|certain (?:one|item|order|flight)|decent|nice(?:r)? (?:one|colou?r|flight|variant|option|version)|nicer|suitable|appropriate|reasonabl[ey]|whichever|one of (?:your|the|them|those|these) (?:\w+ ){0,2}(?:orders|items|reservations|bookings|flights|trips|ones)|some of (?:your|the)\b|a (?:different|better|another) (?:one|version|option|variant|model|kind|type|colou?r|size|flight|date|day)\b|another (?:one|version|option|variant|model|kind|type|colou?r|size|flight|date|day)\b|around (?:\w+ )?(?:the|then|that|noon|may|\d)|at some point|in the near future|a couple of|and so on|etc\b|and the like|or (?:something|whatever|another|other)|as (?:you|they) see fit|good enough|the usual|as usual|as appropriate|and/or|some (?:more |extra |checked )?(?:bags?|luggage)|a few (?:\w+ )?bags?|(?:better|higher|nicer) (?:class|cabin)\b|one of the (?:\w+ )?things you|the (?:thing|stuff)\b|another cabin|different(?: (?:and|or|colou?r|size|material|style|type|capacity|model|length|height|brand|theme)\b|;|\.))`)

// saysWhere is how prose points at what it keeps to itself.
var saysWhere = regexp.MustCompile(`(?i)\b(?:is|it['’]s|are|should be) (?:\w+ )?in (?:one of|your|my|the)\b`)

// lintVague reports words that leave open what the customer wants.
func (w *walk) lintVague() {
	for i := range w.prose {
		s := &w.prose[i]
		if m := vague.FindString(s.text); m != "" && !(strings.HasPrefix(m, "one of") && saysWhere.MatchString(s.text)) {
			w.found(Ambiguous, Warning, Vague, s, "%q leaves open what is meant", m)
			return
		}
	}
}

// lintUnclear reports ways of speaking that the contract knows to be ambiguous.
func (w *walk) lintUnclear() {
	text := w.prose.text()
	for _, u := range w.g.contract.Lint.Unclear {
		if at := w.prose.finds(u.Says); at != nil && !u.Unless.Finds(text) {
			w.found(Ambiguous, Warning, Vague, at, "%q: %s", u.Says.FindString(at.text), u.Why)
		}
	}
}

// Words by which a customer takes whatever comes.
var permissive = regexp.MustCompile(`(?i)\b(?:any (?:\w+ ){1,3}(?:is|are|would be|will be|works?)(?: \w+)? (?:fine|ok|okay|good|acceptable)|(?:any|every)(?:thing| (?:other )?(?:alternative|solution|option|resolution|outcome|way|arrangement|offer|one|flight|variant))s? (?:(?:\w+ ){0,3}(?:works?|suggest\w*|offer\w*|propos\w*|fine|ok|okay|acceptable|do\b|will do)|is (?:fine|ok|okay|good))|whatever (?:\w+ ){0,4}(?:suggest\w*|offer\w*|propos\w*|recommend\w*|say|says|works|is|possible|can)|(?:fine|happy|ok|okay|content|satisfied|good) (?:with|to (?:take|accept)) (?:any|either|both|whatever|whichever|every)\w*|(?:either|both|any)(?: (?:one|way|of (?:them|these|those|the two)))? (?:is|are|works?|would|will) (?:\w+ )?(?:fine|ok|okay|good|acceptable|do|work)|(?:open|amenable|flexible) (?:to|about) (?:any|other|all|alternative)\w*|up to the agent|leave (?:it|that|this|the choice|the decision) (?:up )?to the agent|let the agent (?:choose|pick|decide)|agent(?:'s)? (?:choice|discretion)|(?:do not|don't|doesn't|does not) (?:really )?(?:care|mind|matter)(?: to you)?(?: (?:which|what|how|whether|about which))|it (?:does not|doesn't) matter|(?:equally|just as) (?:happy|fine|good)|(?:equally|alternatively),? (?:be )?(?:accept|happy|fine|ok|okay|content|willing|open)\w*|also (?:be )?(?:accept|happy|content|willing|open)\w*|as (?:good|well) as|(?:accept|take) (?:any|whatever|either)(?:thing)?\b|if the agent (?:suggests|offers|proposes|recommends) (?:\w+ ){0,6}(?:alternative|instead|workaround|another|other|else|different)[^.]{0,60}(?:accept|agree|fine|ok|take|go)|(?:would|will|'d) (?:also|gladly|happily) (?:take|accept|agree|be)|workaround|loophole|(?:fine|ok|okay|acceptable|good) (?:too|as well|instead|by you)|alternatively|as an alternative|works? (?:too|as well)|no (?:strong )?preference|or,? if (?:it is |that is |that's |it's )?(?:easier|simpler|quicker|better))`)

// lintPermissive reports customers who take one thing as well as another.
func (w *walk) lintPermissive() {
	for i := range w.prose {
		s := &w.prose[i]
		if at := permissive.FindStringIndex(s.text); at != nil && !saysNot.MatchString(s.text[:at[0]]) {
			m := s.text[at[0]:at[1]]
			w.found(OpenLoophole, Warning, Permissive, s, "%q: another outcome than gold's would please as well", m)
			return
		}
	}
}

// Words by which a scenario keeps something from the agent, or has the customer
// vouch for it.
var (
	hides   = regexp.MustCompile(`(?i)(?:\bnot\b|n['’]t\b|\bnever\b|\bwithout\b|\brefuse\w* to\b|\bavoid\b) (?:\w+ ){0,4}?(?:reveal\w*|shar\w+|mention\w*|tell\w*|giv\w+|disclos\w+|provid\w+|say\w*|volunteer\w*|state|quote)\b|\b(?:secret|hidden|hide|withhold|withheld|keep (?:it|this|that|them) (?:to yourself|private|from)|known only to you|only you know|between us|not supposed to|only if the agent|only (?:mention|confirm|say|reveal|share)|for your eyes|internal(?:ly)?)\b`)
	vouches = regexp.MustCompile(`(?i)\b(?:confirm\w*|verif\w+|double-check\w*|right (?:one|ids?|numbers?|order|item|reservation)|correct\w*|match\w*|approve\w*|validate\w*|recogni[sz]e\w*|identif\w+)\b`)
	idWord  = regexp.MustCompile(`(?i)\b(?:ids?|identifiers?|(?:order|reservation|confirmation|booking|item|product|reference|tracking|flight|account|that|this|the|your|its?) (?:numbers?|codes?)|sku)\b`)
)

// lintHidden reports ids that the customer knows and must not say, and ids that
// the customer is to vouch for without knowing them.
func (w *walk) lintHidden() {
	for i := range w.prose {
		s := &w.prose[i]
		if id := w.idIn(s); id != "" && (hides.MatchString(s.text) || i+1 < len(w.prose) && w.prose[i+1].path == s.path && hides.MatchString(w.prose[i+1].text) && (idWord.MatchString(w.prose[i+1].text) || strings.Contains(w.prose[i+1].text, " it"))) {
			w.found(HiddenID, Warning, Secret, s, "the customer knows %s%s and is not to say it, which leaves it to the agent's luck what there is to confirm", id, w.called(id))
			return
		}
		if w.idIn(s) == "" && vouches.MatchString(s.text) && idWord.MatchString(s.text) && !w.anyID() {
			w.found(HiddenID, Warning, Secret, s, "the customer is to vouch for an id that the scenario does not give")
			return
		}
		if idWord.MatchString(s.text) && hides.MatchString(s.text) && !w.anyID() && vouches.MatchString(w.prose.text()) {
			w.found(HiddenID, Warning, Secret, s, "the customer keeps back an id that the scenario does not give")
			return
		}
	}
}

var idParts = regexp.MustCompile(`[#A-Za-z0-9_]+`)

// idIn is the first word of a sentence that is an id of the database other than
// the customer's own.
func (w *walk) idIn(s *sentence) string {
	for _, word := range idParts.FindAllString(s.text, -1) {
		if word != w.customer && w.isID(word) {
			return word
		}
	}
	return ""
}

// anyID tells whether the scenario gives any id that a customer could vouch for:
// of a record of hers, or of goods.
func (w *walk) anyID() bool {
	cat := w.g.catalogue()
	for i := range w.prose {
		for _, word := range idParts.FindAllString(w.prose[i].text, -1) {
			if w.ownKey(word) || cat != nil && cat.byID[word] != nil {
				return true
			}
		}
	}
	return false
}

// ownKey tells whether a word is the key of a record of the customer, in
// whatever form prose has it.
func (w *walk) ownKey(word string) bool {
	word = strings.TrimLeft(word, "#")
	for _, kind := range w.kinds() {
		for _, key := range w.own(kind) {
			if bare := strings.TrimLeft(key, "#"); len(word) > 4 && (word == bare || len(word) > 5 && strings.HasSuffix(bare, word)) {
				return true
			}
		}
	}
	return false
}

// isID tells whether a word is a key of the database, within records too, in
// whatever form prose has it.
func (w *walk) isID(word string) bool {
	if w.ownKey(word) {
		return true
	}
	if !strings.ContainsAny(word, "0123456789") || len(word) < 5 {
		return false
	}
	bare := strings.TrimLeft(word, "#")
	return w.g.ids()[bare] != "" || w.keyed(word) || w.keyed("#"+bare)
}

// Limits on money.
var (
	atMost  = regexp.MustCompile(`(?i)(?:less than|lower than|under|below|at most|no more than|not (?:\w+ ){0,3}more than|(?:not|never|n['’]t) (?:\w+ ){0,3}(?:exceed|above|over|beyond)|up to|(?:a |the )?max(?:imum)?(?: (?:budget|price|cost|total))?(?: (?:of|is))?|budget(?: (?:of|is))?|cheaper than|within|limit(?:ed)?(?: (?:of|to|is))?|capped at|cap of) (?:\w+ ){0,3}?(?:US)?\$ ?(\d[\d,]*(?:\.\d+)?)|(?:less than|under|below|at most|no more than|up to|maximum of|budget of|not exceed|cheaper than) (\d[\d,]*(?:\.\d+)?) (?:dollars|bucks|usd)`)
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
var elsePrice = regexp.MustCompile(`(?i)\b(?:(?:if|otherwise|unless|in case|when)\b[^.]*(?:pric\w*|cost\w*|more|higher|above|over|budget|exceed\w*|expensive|greater|that|less|under|below|not)|only (?:if|when|go ahead)|else)\b`)

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
			m := d.Says.FindStringSubmatch(s.text)
			if m == nil || d.Unless.Finds(s.text) {
				continue
			}
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
