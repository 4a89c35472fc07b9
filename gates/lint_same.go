package gates

import (
	"slices"

	"taste/contract"
	"taste/rules"
)

// lintSame reports gold writes that put something in its own place: two lists
// of ids of one call that have the same id at the same position, or arguments
// that all are what the record has already.
func (w *walk) lintSame() {
	for k, s := range w.goldWrites() {
		if id := twice(s.Arguments); id != "" {
			w.found(SameItem, Wording, SameValue, nil, "%s replaces %s by itself%s", rules.Spell(s.Name, s.Arguments), id, w.called(id))
		} else if w.asBefore(k, s) {
			w.found(SameItem, Wording, SameValue, nil, "%s gives the record what it has", rules.Spell(s.Name, s.Arguments))
		}
	}
}

// twice finds an id that stands at the same place of two lists.
func twice(args map[string]any) string {
	names := sortedKeys(args)
	for i, a := range names {
		for _, b := range names[i+1:] {
			x, y := texts(args[a]), texts(args[b])
			if len(x) == 0 || len(x) != len(y) {
				continue
			}
			for n := range x {
				if x[n] == y[n] {
					return x[n]
				}
			}
		}
	}
	return ""
}

// texts is a list of nothing but strings, nil for anything else.
func texts(v any) []string {
	list, _ := v.([]any)
	var out []string
	for _, e := range list {
		s, ok := e.(string)
		if !ok {
			return nil
		}
		out = append(out, s)
	}
	return out
}

// recordOf is the record that write k is about, as it is before write at: that
// of the customer's kinds that an argument names, or else the customer's own.
func (w *walk) recordOf(at, k int) map[string]any {
	e := w.moments[at].env
	args := w.goldWrites()[k].Arguments
	for _, kind := range w.kinds() {
		if key, ok := args[kind.Key].(string); ok {
			return e.Record(kind.Table, key)
		}
	}
	return e.Record(w.g.contract.Customer.Table, w.customer)
}

// asBefore tells whether all arguments of write k that are fields of its record
// have the value that it has, what is paid with aside.
func (w *walk) asBefore(k int, s Step) bool {
	r := w.recordOf(k, k)
	if r == nil {
		return false
	}
	fields, others := 0, 0
	for _, name := range sortedKeys(s.Arguments) {
		if w.isPayment(name) || w.isKey(name, s.Arguments[name]) {
			continue
		}
		others++
		have, ok := lookup(r, name)
		if !ok {
			if tool := w.g.contract.Tools[s.Name]; tool == nil || tool.Args[name] == nil || tool.Args[name].Source == "computed" {
				continue
			}
			return false
		}
		if !within(s.Arguments[name], have) {
			return false
		}
		fields++
	}
	return fields > 0 || others == 0 && w.paysAsBefore(k, s)
}

// paysAsBefore tells whether all that a call names is what paid for the record.
func (w *walk) paysAsBefore(k int, s Step) bool {
	return slices.ContainsFunc(w.g.contract.Lint.Pays.Args, func(path string) bool {
		id, ok := s.Arguments[path].(string)
		return ok && w.paidFor(k, s, id)
	})
}

// isKey tells whether an argument names a record or the customer.
func (w *walk) isKey(name string, v any) bool {
	return slices.ContainsFunc(w.kinds(), func(k *contract.Record) bool { return k.Key == name }) || v == w.customer
}

// isPayment tells whether an argument says what is paid with.
func (w *walk) isPayment(name string) bool { return slices.Contains(w.g.contract.Lint.Pays.Args, name) }

// lookup finds a field of a record, or of one of its plain objects.
func lookup(r map[string]any, name string) (any, bool) {
	if v, ok := r[name]; ok {
		return v, true
	}
	for _, k := range sortedKeys(r) {
		if o, ok := r[k].(map[string]any); ok {
			if v, ok := o[name]; ok {
				return v, true
			}
		}
	}
	return nil, false
}

// within tells whether a value of a call is the one of a record, of which the
// call may leave fields out.
func within(v, have any) bool {
	switch x := v.(type) {
	case []any:
		list, _ := have.([]any)
		if len(list) != len(x) {
			return false
		}
		for i := range x {
			if !within(x[i], list[i]) {
				return false
			}
		}
		return true
	case map[string]any:
		m, _ := have.(map[string]any)
		if m == nil {
			return false
		}
		for _, k := range sortedKeys(x) {
			if !within(x[k], m[k]) {
				return false
			}
		}
		return true
	}
	return same(v, have)
}
