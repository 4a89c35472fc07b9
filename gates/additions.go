package gates

import (
	"slices"
	"strings"

	"taste/contract"
	"taste/rules"
)

// additions checks that the initial state differs from the domain's in the
// declared records alone, that each of these is there, and that records of a
// customer and their owner name each other. Without claims there is nothing to
// hold the changes to.
func (w *walk) additions(claims *Claims) {
	changed := w.changed()
	if claims == nil {
		if len(changed) > 0 {
			w.skip(Additive, "nobody says which records the task may change; it changes %v", changed)
		}
		return
	}
	for _, r := range changed {
		if !slices.Contains(claims.Adds, r) {
			w.fail(Additive, "%s is changed and not declared", r)
		}
	}
	for _, r := range claims.Adds {
		table, key, _ := strings.Cut(r, "/")
		if w.start().RecordJSON(table, key) == nil {
			w.fail(Additive, "%s is declared and not there", r)
		}
	}
	if w.g.contract != nil {
		w.owned(changed)
	}
}

// changed lists the records in which the initial state differs from the
// domain's.
func (w *walk) changed() []string { return rules.Changed(w.g.domain.Environment(), w.start()) }

// owned checks that changed records that belong to a customer are listed by it.
func (w *walk) owned(changed []string) {
	for _, kind := range w.kinds() {
		for _, r := range changed {
			table, key, _ := strings.Cut(r, "/")
			if table != kind.Table {
				continue
			}
			owner := rules.OwnerOf(w.g.contract, w.start(), kind, key)
			list, _ := w.start().Record(w.g.contract.Customer.Table, owner)[kind.Listed].([]any)
			if !slices.ContainsFunc(list, func(v any) bool { return v == key }) {
				w.fail(Additive, "%s belongs to %s, whose record does not list it", r, owner)
			}
		}
	}
}

// kinds lists the contract's kinds of records in order of their names.
func (w *walk) kinds() []*contract.Record {
	var out []*contract.Record
	for _, k := range sortedKeys(w.g.contract.Records) {
		out = append(out, w.g.contract.Records[k])
	}
	return out
}
