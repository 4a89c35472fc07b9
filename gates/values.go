package gates

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"taste/env"
	"taste/pyjson"
	"taste/rules"
	"taste/tau"
)

// literals checks each string that has to be said: without commas (scoring
// takes them out of what is said), absent from the scenario, and no part of
// another one, for then nobody could tell whether it was said.
func (w *walk) literals() {
	w.chance()
	text := spoken(Text(w.task.UserScenario))
	info := w.crit.CommunicateInfo
	for i, s := range info {
		switch {
		case strings.Contains(s, ","):
			w.fail(Literal, "%q has a comma, which scoring takes out of what is said", s)
		case strings.Contains(text, pyjson.Lower(s)):
			w.fail(Literal, "%q stands in the scenario already", s)
		}
		for j, other := range info {
			if i != j && (j < i || s != other) && strings.Contains(pyjson.Lower(other), pyjson.Lower(s)) {
				w.fail(Distinct, "%q is said along with %q", s, other)
				break
			}
		}
	}
}

// spoken prepares a text as scoring does.
func spoken(text string) string { return strings.ReplaceAll(pyjson.Lower(text), ",", "") }

// Text joins the strings of a scenario.
func Text(s tau.UserScenario) string {
	i := s.Instructions.Structured
	if i == nil {
		return s.Instructions.Plain
	}
	parts := []string{i.ReasonForCall, i.TaskInstructions}
	for _, p := range []*string{s.Persona, i.KnownInfo, i.UnknownInfo} {
		if p != nil {
			parts = append(parts, *p)
		}
	}
	return strings.Join(parts, "\n")
}

// values holds the ids, dates and facts of the scenario to the database.
func (w *walk) values() {
	if w.g.contract == nil {
		w.skip(Known, "the domain has no contract")
		return
	}
	w.identity()
	for _, id := range w.strange() {
		w.fail(Known, "%s is no id of the database or of the customer's records", id)
	}
	for _, d := range strangeDates(Text(w.task.UserScenario)) {
		w.fail(Known, "%s is no date", d)
	}
	if w.behind == nil {
		return
	}
	mine := w.reach()
	for _, slot := range slices.Sorted(maps.Keys(w.story.Facts)) {
		if v := fmt.Sprint(w.story.Facts[slot]); !w.holds(mine, v) {
			w.fail(Known, "the scenario says %s = %s, the customer's record does not", slot, v)
		}
	}
}

// holds tells whether a fact agrees with the customer's record: the customer's
// own key, or a value or words that stand in it.
func (w *walk) holds(mine map[string]bool, v string) bool {
	return v == w.customer || mine[v] || !slices.ContainsFunc(strings.Fields(v), func(word string) bool { return !mine[word] })
}

// reach is the set of strings in the customer's record and in that of her device.
func (w *walk) reach() map[string]bool {
	set := map[string]bool{}
	me := w.start().Record(w.g.contract.Customer.Table, w.customer)
	out := leaves(me, nil)
	if kind := w.g.contract.Records[w.g.contract.Device.Record]; kind != nil {
		out = leaves(w.start().Record(kind.Table, w.device), out)
	}
	for _, s := range out {
		set[s] = true
	}
	return set
}

// strange lists the words of the scenario that look like ids and are none: no
// key of a table before or after gold, and nowhere in what gold or the
// customer's records say.
func (w *walk) strange() []string {
	var out []string
	var known map[string]bool
	for _, word := range rules.Words(w.task.UserScenario) {
		if !w.g.idLike(word) || w.keyed(word) {
			continue
		}
		if known == nil {
			known = w.reachable()
		}
		if !known[word] && !slices.Contains(out, word) {
			out = append(out, word)
		}
	}
	return out
}

// keyed tells whether a word is a key of a table.
func (w *walk) keyed(word string) bool {
	for _, table := range w.start().Tables() {
		if w.start().RecordJSON(table, word) != nil || w.end().RecordJSON(table, word) != nil {
			return true
		}
	}
	return false
}

// reachable is reach with the records of the customer and the gold arguments;
// keys within records count.
func (w *walk) reachable() map[string]bool {
	set := map[string]bool{}
	collect(w.start().Record(w.g.contract.Customer.Table, w.customer), set)
	for _, kind := range w.kinds() {
		for _, s := range w.mine {
			collect(w.start().Record(kind.Table, s), set)
		}
	}
	for i := range w.crit.Actions {
		collect(w.crit.Actions[i].Arguments, set)
	}
	return set
}

func collect(v any, set map[string]bool) {
	switch x := v.(type) {
	case string:
		set[x] = true
	case []any:
		for _, e := range x {
			collect(e, set)
		}
	case map[string]any:
		for k, e := range x {
			set[k] = true
			collect(e, set)
		}
	}
}

var (
	upperID = regexp.MustCompile(`^[A-Z0-9]+$`)
	underID = regexp.MustCompile(`^[a-z]+(_[a-z]+)*_[0-9]+$`)
	letter  = regexp.MustCompile(`[A-Z]`)
	digit   = regexp.MustCompile(`[0-9]`)
	isoDate = regexp.MustCompile(`\b[0-9]{4}-[0-9]{2}-[0-9]{2}\b`)
	dayName = regexp.MustCompile(`\b(January|February|March|April|May|June|July|August|September|October|November|December) ([0-9]{1,2})\b`)
)

// idLike tells whether a word has the form of an id: capitals and digits mixed
// and as long as some key of the database, or lower-case words and a number
// joined by underscores.
func (g *Gate) idLike(word string) bool {
	if underID.MatchString(word) {
		return true
	}
	return g.lengths[len(word)] && upperID.MatchString(word) && letter.MatchString(word) && digit.MatchString(word)
}

// keyLengths is the set of lengths of the keys of capitals and digits.
func keyLengths(d *env.Domain) map[int]bool {
	out := map[int]bool{}
	e := d.Environment()
	for _, table := range e.Tables() {
		for _, k := range e.Keys(table) {
			if !out[len(k)] && upperID.MatchString(k) {
				out[len(k)] = true
			}
		}
	}
	return out
}

// strangeDates lists what is written as a date and is none.
func strangeDates(text string) []string {
	var out []string
	for _, s := range isoDate.FindAllString(text, -1) {
		if _, err := time.Parse(time.DateOnly, s); err != nil {
			out = append(out, s)
		}
	}
	for _, s := range dayName.FindAllString(text, -1) {
		if _, err := time.Parse("2006 January 2", "2024 "+s); err != nil {
			out = append(out, s)
		}
	}
	return out
}
