package gates

import (
	"regexp"
	"slices"
	"strings"

	"taste/contract"
	"taste/tau"
)

// wanted is a tool that prose asks for.
type wanted struct {
	tool string
	at   *sentence
	done bool // gold calls it
}

// wants lists the tools that the scenario asks for, in order of their names.
func (w *walk) wants() []wanted {
	var out []wanted
	for _, name := range sortedKeys(w.g.contract.Lint.Tools) {
		if at := w.prose.asks(w.g.contract.Lint.Tools[name].Asks); at != nil {
			out = append(out, wanted{name, at, w.calls(name)})
		}
	}
	return out
}

func (w *walk) calls(tool string) bool {
	return slices.ContainsFunc(w.goldWrites(), func(s Step) bool { return s.Name == tool }) ||
		slices.ContainsFunc(w.crit.Actions, func(a tau.Action) bool { return a.Name == tool })
}

// saysFallback finds what a customer does who does not get it.
var saysFallback = regexp.MustCompile(`(?i)\b(?:if|unless|otherwise|in case|even if|as long as|willing to (?:accept|upgrade|downgrade|cancel|take|book|settle|exchange|` +
	`change|proceed)|settle|accept it|give up|move on|or else|forget about|last resort)\b`)

// asksFor is a condition that is about a question of the agent's, not an answer.
var asksFor = regexp.MustCompile(`(?i)\b(?:if|when|unless)\b[^.,]*\b(?:asks?|asked|requires?)\b[^.,]*\b(?:numbers?|ids?|codes?|names?|which|how many|payment|reason|` +
	`birth\w*|dob|details|verification|you (?:only )?want)\b`)

// fallback finds a sentence that says what the customer does who does not get
// what it wants.
func (p prose) fallback() *sentence {
	for i := range p {
		if saysFallback.MatchString(p[i].text) && !asksFor.MatchString(p[i].text) {
			return &p[i]
		}
	}
	return nil
}

// lintRefused looks at what the customer asks for and gold does not do, or not
// for all, and at what gold does and nobody asks for.
func (w *walk) lintRefused() {
	wants := w.wants()
	refused := slices.IndexFunc(wants, func(x wanted) bool { return !x.done && w.changing(x.tool) })
	fallback := w.prose.fallback()
	if refused >= 0 && fallback == nil && !w.partner(wants[refused].tool) {
		x := wants[refused]
		w.found(NoFallback, Warning, Refused, x.at, "gold does not call %s, and nothing says what the customer does who is refused it", x.tool)
	}
	if fallback == nil {
		w.partly(wants)
		w.handedOff(wants)
	}
	for _, s := range w.goldWrites() {
		t := w.g.contract.Lint.Tools[s.Name]
		if t == nil || t.Asks.Regexp == nil || w.prose.finds(t.Asks) != nil {
			continue
		}
		w.found(NoFallback, Warning, Unasked, nil, "gold calls %s, which nothing in the scenario asks for", s.Name)
		return
	}
	w.loopholes()
}

var saysAll = regexp.MustCompile(`(?i)\b(?:all|every|each|both)(?: of)?(?: (?:your|the|my|these|those))? (?:\w+ ){0,2}?`)

// partly reports that all records are spoken of, and gold does what is asked for
// some of those that stand as they do.
func (w *walk) partly(wants []wanted) {
	for _, x := range wants {
		if !x.done {
			continue
		}
		for _, name := range sortedKeys(w.g.contract.Records) {
			kind := w.g.contract.Records[name]
			if !w.saysAll(x.at, name) {
				continue
			}
			for k, s := range w.goldWrites() {
				key, ok := s.Arguments[kind.Key].(string)
				if !ok || s.Name != x.tool {
					continue
				}
				for _, other := range w.own(kind) {
					if !w.written(other) && other != key && w.allows(k, s, kind, other) {
						w.found(NoFallback, Warning, Partly, x.at, "gold does nothing about %s, and nothing says what the customer does who is refused a part", other)
						return
					}
				}
			}
		}
	}
}

// saysAll tells whether a sentence speaks of all records of a kind.
func (w *walk) saysAll(s *sentence, kind string) bool {
	for _, at := range saysAll.FindAllStringIndex(s.text, -1) {
		rest := s.text[at[1]:]
		word := wordParts.FindString(rest)
		if strings.EqualFold(stem(strings.ToLower(word)), kind) || w.g.contract.Evolution.Prose.Records.Regexp != nil && w.g.contract.Evolution.Prose.Records.Finds(word) {
			return true
		}
	}
	return false
}

// handedOff reports that gold ends with a hand-off that nobody asks for.
func (w *walk) handedOff(wants []wanted) {
	tool := w.g.contract.Protocol.Handoff
	asked := slices.ContainsFunc(wants, func(x wanted) bool { return x.tool == tool })
	for i := range w.crit.Actions {
		if w.crit.Actions[i].Name == tool && !asked {
			w.found(NoFallback, Warning, Unasked, nil, "gold hands the customer over, and nothing says that the customer asks for it or what else it does when refused")
			return
		}
	}
}

// changing tells whether a tool changes something by itself: the hand-off does
// not.
func (w *walk) changing(tool string) bool { return w.g.mutates(tool) }

// partner tells whether gold calls another tool that the same words ask for.
func (w *walk) partner(tool string) bool {
	asks := w.g.contract.Lint.Tools[tool].Asks
	for _, s := range w.goldWrites() {
		if t := w.g.contract.Lint.Tools[s.Name]; t != nil && s.Name != tool && t.Asks.Regexp != nil {
			for i := range w.prose {
				if w.prose[i].asked(asks) && w.prose[i].asked(t.Asks) {
					return true
				}
			}
		}
	}
	return false
}

// loopholes reports the ways round a refusal that the contract knows and the
// scenario leaves open, for records that gold leaves as they are.
func (w *walk) loopholes() {
	for i := range w.g.contract.Lint.Loopholes {
		h := &w.g.contract.Lint.Loopholes[i]
		at := w.prose.mayAsk(w.g.contract.Lint.Tools[h.Asks].Asks)
		if at == nil || h.Closed.Finds(w.prose.text()) || h.Says.Regexp != nil && w.prose.finds(h.Says) == nil {
			continue
		}
		for _, kind := range w.kinds() {
			for _, key := range w.spokenKeys(kind) {
				if r := w.start().Record(kind.Table, key); !w.goldHas(h.Asks, key) && w.open(h, r) {
					w.found(OpenLoophole, Warning, h.ID, at, "%s: %s, and nothing says that it does not", key, h.Why)
					return
				}
			}
		}
	}
}

// spokenKeys lists the customer's records of a kind that the scenario gives by
// their keys, or else those that gold reads.
func (w *walk) spokenKeys(kind *contract.Record) []string {
	own := w.own(kind)
	said := slices.DeleteFunc(slices.Clone(own), func(k string) bool { return !w.keySaid(k) })
	if len(said) > 0 {
		return said
	}
	return slices.DeleteFunc(own, func(k string) bool { return !slices.Contains(w.mine, k) })
}

// written tells whether gold changes a record.
func (w *walk) written(key string) bool {
	return slices.ContainsFunc(w.goldWrites(), func(s Step) bool { return slices.Contains(leaves(s.Arguments, nil), key) })
}

func (w *walk) open(h *contract.Loophole, record map[string]any) bool {
	scope := w.scope(w.moments[len(w.moments)-1], nil, nil, nil)
	scope.Extra["item"] = record
	ok, err := scope.Holds(h.Where)
	return err == nil && ok
}
