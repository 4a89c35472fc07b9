package gates

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"taste/contract"
	"taste/rules"
)

// lintArgs reports values of gold that the customer has to choose and of which
// the scenario says nothing: neither the value nor words that lead to it.
func (w *walk) lintArgs() {
	for k, s := range w.goldWrites() {
		words := w.g.contract.Lint.Tools[s.Name]
		if words == nil {
			continue
		}
		for _, path := range sortedKeys(words.Args) {
			w.lintArg(k, s, path, words.Args[path])
		}
	}
}

func (w *walk) lintArg(k int, s Step, path string, arg *contract.LintArg) {
	scope := w.scope(w.moments[k], nil, nil, s.Arguments)
	for _, at := range places(s.Arguments, path) {
		scope.Extra["item"] = at.item
		if arg.Given != nil {
			if given, err := scope.Holds(arg.Given); err != nil || given {
				continue
			}
		}
		if w.prose.finds(arg.Words) != nil || w.spoken(at.value) {
			continue
		}
		w.found(Ambiguous, Warning, Unsaid, nil, "%s: the scenario says nothing of %s = %s", s.Name, at.place, spelt(at.value))
		return
	}
}

// spoken tells whether the scenario has a value: as it stands, as prose writes
// it, or by a name that the contract knows.
func (w *walk) spoken(v any) bool {
	text := fmt.Sprint(v)
	if cat := w.g.catalogue(); cat != nil && cat.called[text] {
		return slices.ContainsFunc(w.prose, func(s sentence) bool { return w.names(&s, text) })
	}
	if w.prose.has(text) != nil || w.prose.finds(w.g.contract.Lint.Names[text]) != nil {
		return true
	}
	return mentionsDay(w.prose.text(), text)
}

// mentionsDay tells whether a text names the day of an ISO date, with or without
// the year.
func mentionsDay(text, day string) bool {
	if len(day) != 10 || !isoDate.MatchString(day) {
		return false
	}
	month := [...]string{"", "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"}
	m, d := atoi(day[5:7]), atoi(day[8:])
	if m < 1 || m > 12 {
		return false
	}
	name := month[m]
	form := fmt.Sprintf(`(?i)\b(?:%s|%s)\.? (?:the )?0?%d(?:st|nd|rd|th)?\b|\b0?%d(?:st|nd|rd|th)? (?:of )?(?:%s|%s)\b|\bthe %d(?:st|nd|rd|th)\b|\b0?%d/0?%d\b`, name, name[:3], d, d, name, name[:3], d, m, d)
	return regexp.MustCompile(form).MatchString(text)
}

func atoi(s string) int {
	n := 0
	for _, c := range s {
		n = 10*n + int(c-'0')
	}
	return n
}

// lintRecords reports records of the customer that gold changes and that the
// scenario does not tell from another one: neither the key nor any word of the
// record that the other does not have.
func (w *walk) lintRecords() {
	done := map[string]bool{}
	for k, s := range w.goldWrites() {
		for _, kind := range w.kinds() {
			key, ok := s.Arguments[kind.Key].(string)
			if !ok || done[key] || w.keySaid(key) {
				continue
			}
			done[key] = true
			w.lintRecord(k, s, kind, key)
		}
	}
}

// keySaid tells whether the scenario has a key, with or without what is no
// digit before it.
func (w *walk) keySaid(key string) bool {
	text := w.prose.text()
	bare := strings.TrimLeft(key, "#")
	digits := strings.TrimLeftFunc(bare, func(r rune) bool { return r < '0' || r > '9' })
	return strings.Contains(text, bare) || len(digits) > 4 && strings.Contains(text, digits)
}

// own lists the customer's keys of a kind.
func (w *walk) own(kind *contract.Record) []string {
	var out []string
	for _, k := range rules.OwnKeys(w.g.contract, w.start(), kind, w.customer) {
		out = append(out, fmt.Sprint(k))
	}
	return out
}

func (w *walk) lintRecord(k int, s Step, kind *contract.Record, key string) {
	gold := w.words(kind, key)
	if w.prose.ranked() != nil {
		return
	}
	var rivals []string
	for _, other := range w.own(kind) {
		if other == key || w.goldHas(s.Name, other) || !w.allows(k, s, kind, other) {
			continue
		}
		theirs := w.words(kind, other)
		if !slices.ContainsFunc(gold, func(g string) bool { return !slices.Contains(theirs, g) }) {
			rivals = append(rivals, other)
		}
	}
	if len(rivals) > 0 {
		w.found(HiddenID, Warning, WhichRecord, nil, "%s is about %s; what the scenario says fits %s as well, and it gives no %s", s.Name, key, strings.Join(rivals, ", "), kind.Key)
	}
}

// goldHas tells whether gold calls the tool for a record.
func (w *walk) goldHas(tool, key string) bool {
	return slices.ContainsFunc(w.goldWrites(), func(s Step) bool {
		return s.Name == tool && slices.Contains(leaves(s.Arguments, nil), key)
	})
}

// allows tells whether write k could be about another record: one that the
// policy does not rule out and that the tool takes.
func (w *walk) allows(k int, s Step, kind *contract.Record, other string) bool {
	args := put(s.Arguments, kind.Key, other)
	e := w.moments[k].env.Clone()
	if st := w.g.step(s.Name, args); !e.Act(st.action()).Error {
		return true
	}
	gold := w.moments[k].env.Record(kind.Table, fmt.Sprint(s.Arguments[kind.Key]))
	rival := w.moments[k].env.Record(kind.Table, other)
	return gold["status"] == rival["status"]
}

// words are the values of a record that the scenario has, by their form in the
// record.
func (w *walk) words(kind *contract.Record, key string) []string {
	var out []string
	for _, v := range leaves(w.start().Record(kind.Table, key), nil) {
		if len(v) > 2 && v != w.customer && !slices.Contains(out, v) && w.spoken(v) {
			out = append(out, v)
		}
	}
	return out
}

// lintBanned reports values of gold that a sentence rules out.
func (w *walk) lintBanned() {
	for _, s := range w.goldWrites() {
		words := w.g.contract.Lint.Tools[s.Name]
		if words == nil {
			continue
		}
		var values []string
		for _, path := range sortedKeys(words.Args) {
			for _, at := range places(s.Arguments, path) {
				if v, ok := at.value.(string); ok {
					values = append(values, v)
				}
			}
		}
		if goods := w.g.contract.Lint.Goods; goods != nil {
			for _, id := range texts(s.Arguments[goods.New]) {
				if v := w.g.catalogue().byID[id]; v != nil {
					for _, k := range sortedKeys(v.options) {
						values = append(values, v.options[k])
					}
				}
			}
		}
		for _, v := range values {
			if at := w.banned(v); at != nil {
				w.found(Impossible, Warning, Denied, at, "the customer rules out %s, which gold has", v)
				return
			}
		}
	}
}

// banned finds the sentence that rules a value out.
func (w *walk) banned(value string) *sentence {
	if len(value) < 3 || absent.MatchString(value) {
		return nil
	}
	re := regexp.MustCompile(`(?i)\b(?:not|never|n['’]t|no|anything but|except) (?:(?:want|accept|like|take|fly|be|in|the|a|an|any|on|wear|have|need) ){0,4}` + regexp.QuoteMeta(value) + `\b`)
	for i := range w.prose {
		s := &w.prose[i]
		if re.MatchString(s.text) && !saysIf.MatchString(s.text) {
			return s
		}
	}
	return nil
}
