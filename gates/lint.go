package gates

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"taste/contract"
	"taste/rules"
)

// changes checks that every gold write that succeeds changes something.
func (w *walk) changes() {
	for k, s := range w.goldWrites() {
		if !w.failed(w.writes[k]) && w.moments[k].env.Equal(w.moments[k+1].env) {
			w.fail(NoChange, "%s leaves the database as it was", rules.Spell(s.Name, s.Arguments))
		}
	}
}

// failed tells whether a gold action fails.
func (w *walk) failed(i int) bool {
	for _, e := range w.target.Errors {
		if e.Index == i {
			return true
		}
	}
	return false
}

var named = regexp.MustCompile(`(?i:\byou are|\byour name is) ([A-Z][a-z'-]+) ([A-Z][a-z'-]+)`)

// identity checks that the scenario says who calls, and that a name which it
// gives is the one in the database.
func (w *walk) identity() {
	if w.customer == "" {
		return
	}
	text := Text(w.task.UserScenario)
	if w.g.contract.Protocol.Identify && !w.introduced(text) {
		w.fail(Identify, "the scenario gives no %s; the records are those of %s", w.ways(), w.customer)
	}
	mine := w.reach()
	for _, m := range named.FindAllStringSubmatch(text, -1) {
		// Neither word fits: no name at all, as in "You are Very Sure".
		if mine[m[1]] != mine[m[2]] {
			w.fail(Name, "%q is not the name in the record of %s", m[0], w.customer)
		}
	}
}

// introduced tells whether the scenario gives the customer's key, or all that
// one of the ways to identify a customer asks for.
func (w *walk) introduced(text string) bool {
	if strings.Contains(text, w.customer) {
		return true
	}
	s := w.scope(w.moments[0], nil, nil, nil)
	s.Extra["me"] = w.start().Record(w.g.contract.Customer.Table, w.customer)
	return slices.ContainsFunc(w.g.contract.Customer.Identify, func(way *contract.Way) bool {
		facts, err := s.Facts(way)
		if err != nil {
			return false
		}
		return !slices.ContainsFunc(facts, func(f contract.Said) bool {
			return slices.ContainsFunc(leaves(f.Slots, nil), func(v string) bool { return !strings.Contains(text, v) })
		})
	})
}

// ways names what identifies a customer: "email; or name, zip".
func (w *walk) ways() string {
	var out []string
	for _, way := range w.g.contract.Customer.Identify {
		out = append(out, strings.Join(way.Slots(), ", "))
	}
	return strings.Join(out, "; or ")
}

// lint looks in prose that cannot be read for what no reading is needed for.
func (w *walk) lint() {
	if w.g.contract == nil || w.customer == "" || w.behind != nil {
		return
	}
	w.slips()
	for k := range w.writes {
		w.choices(k)
	}
}

// slips compares the objects that gold spells out with those of the
// customer's records: one that differs from a record in a single value which
// the scenario does not mention is a slip of the pen.
func (w *walk) slips() {
	var records []map[string]any
	objects(w.start().Record(w.g.contract.Customer.Table, w.customer), &records)
	for _, kind := range w.kinds() {
		for _, key := range w.mine {
			objects(w.start().Record(kind.Table, key), &records)
		}
	}
	text := Text(w.task.UserScenario)
	for _, s := range w.goldWrites() {
		var spelt []map[string]any
		for _, name := range sortedKeys(s.Arguments) {
			objects(s.Arguments[name], &spelt)
		}
		for _, o := range spelt {
			if field, have := slip(o, records); field != "" && !mentions(text, fmt.Sprint(o[field])) {
				w.fail(Mismatch, "gold has %s = %v where a record has %v, and the scenario does not say so", field, o[field], have)
			}
		}
	}
}

// objects collects the objects of nothing but strings, at least three of them.
func objects(v any, out *[]map[string]any) {
	switch x := v.(type) {
	case []any:
		for _, e := range x {
			objects(e, out)
		}
	case map[string]any:
		plain := len(x) >= 3
		for _, k := range sortedKeys(x) {
			if _, ok := x[k].(string); !ok {
				plain = false
				objects(x[k], out)
			}
		}
		if plain {
			*out = append(*out, x)
		}
	}
}

// slip finds the one field in which an object differs from its nearest record;
// "" if a record equals it or none comes so close.
func slip(o map[string]any, records []map[string]any) (field string, have any) {
	for _, r := range records {
		if len(r) != len(o) {
			continue
		}
		var differ []string
		for _, k := range sortedKeys(o) {
			if r[k] != o[k] {
				differ = append(differ, k)
			}
		}
		if len(differ) == 0 {
			return "", nil
		}
		if len(differ) == 1 && field == "" {
			field, have = differ[0], r[differ[0]]
		}
	}
	return field, have
}

// mentions tells whether a text has a value; of a date, whether it has month,
// day and year in any form.
func mentions(text, value string) bool {
	day, err := time.Parse(time.DateOnly, value)
	if err != nil || strings.Contains(text, value) {
		return strings.Contains(text, value)
	}
	for _, part := range []string{"Jan", "2", "2006"} {
		if !strings.Contains(text, day.Format(part)) {
			return false
		}
	}
	return true
}

// choices reports arguments that the customer has to choose and of which
// the scenario says nothing: neither the value nor any word about it or about
// one of the other values that it could be.
func (w *walk) choices(k int) {
	s := w.goldWrites()[k]
	tool := w.g.contract.Tools[s.Name]
	if tool == nil {
		return
	}
	text := strings.ToLower(Text(w.task.UserScenario))
	for _, path := range sortedKeys(tool.Args) {
		arg := tool.Args[path]
		if arg.Source != "customer" || strings.Contains(path, "[]") || !isID(s.Arguments[path]) {
			continue
		}
		options := w.options(k, s.Arguments, path, arg)
		if len(options) < 2 || w.mentioned(text, path, options) {
			continue
		}
		w.fail(Choice, "%s: nothing in the scenario says which %s: %v", s.Name, path, options)
	}
}

// isID tells whether a value is an id that is made of words and a number, so
// that a scenario can speak of it without spelling it out.
func isID(v any) bool {
	s, ok := v.(string)
	return ok && underID.MatchString(s)
}

// options lists the values that an argument could have and still run.
func (w *walk) options(k int, args map[string]any, path string, arg *contract.Arg) []string {
	out := []string{fmt.Sprint(args[path])}
	for _, r := range w.replaced(k, args, path, arg) {
		e := w.moments[k].env.Clone()
		if s := (Step{Name: w.goldWrites()[k].Name, Arguments: r.args}); !e.Apply(s.action()).Error {
			out = append(out, fmt.Sprint(r.value))
		}
	}
	return out
}

// mentioned tells whether a text has a word of the argument's name, of one of
// its values or of what the customer's record says about these.
func (w *walk) mentioned(text, path string, options []string) bool {
	words := strings.Split(path, "_")
	me := w.start().Record(w.g.contract.Customer.Table, w.customer)
	for _, o := range options {
		words = append(words, strings.Split(o, "_")...)
		for _, field := range slices.Sorted(maps.Keys(me)) {
			if m, ok := me[field].(map[string]any); ok {
				words = leaves(m[o], words)
			}
		}
	}
	return slices.ContainsFunc(words, func(s string) bool { return len(s) > 2 && strings.Contains(text, strings.ToLower(s)) })
}
