package env

import (
	"fmt"
	"strconv"

	"taste/chat"
	"taste/pyjson"
)

// Diff lists the fields in which other differs from e, one line each:
// "reservations.ABC123.cabin: 'economy' → 'business'". Values are spelt as
// Python's repr; a field that one side lacks is "absent". The user's database
// is prefixed "user.". Order: tables in file order, keys ascending.
func (e *Environment) Diff(other *Environment) []string { return e.DiffBy(other, pyjson.Same) }

// DiffBy is Diff with another notion of equal values, which is asked about
// values that are not both objects or both lists.
func (e *Environment) DiffBy(other *Environment, same func(a, b any) bool) []string {
	d := differ{same: same}
	for _, side := range sides {
		prefix := ""
		if side == chat.User {
			prefix = "user."
		}
		for _, table := range e.state.Tables(side) {
			for _, key := range e.state.Touched(side, table, other.state) {
				a, b := e.state.Record(side, table, key), other.state.Record(side, table, key)
				d.compare(prefix+table+"."+key, orAbsent(a), orAbsent(b))
			}
		}
	}
	return d.lines
}

// absent stands for a value that is not there.
type absent struct{}

func orAbsent(o *pyjson.Object) any {
	if o == nil {
		return absent{}
	}
	return o
}

type differ struct {
	same  func(a, b any) bool
	lines []string
}

func (d *differ) compare(path string, a, b any) {
	switch x := a.(type) {
	case *pyjson.Object:
		if y, ok := b.(*pyjson.Object); ok {
			d.objects(path, x, y)
			return
		}
	case []any:
		if y, ok := b.([]any); ok {
			d.lists(path, x, y)
			return
		}
	}
	if _, gone := a.(absent); !gone {
		if _, gone := b.(absent); !gone && d.same(a, b) {
			return
		}
	}
	d.lines = append(d.lines, fmt.Sprintf("%s: %s → %s", path, spell(a), spell(b)))
}

func (d *differ) objects(path string, x, y *pyjson.Object) {
	for k, v := range x.All() {
		w, ok := y.Get(k)
		if !ok {
			w = absent{}
		}
		d.compare(path+"."+k, v, w)
	}
	for k, w := range y.All() {
		if !x.Has(k) {
			d.compare(path+"."+k, absent{}, w)
		}
	}
}

func (d *differ) lists(path string, x, y []any) {
	for i := range max(len(x), len(y)) {
		var a, b any = absent{}, absent{}
		if i < len(x) {
			a = x[i]
		}
		if i < len(y) {
			b = y[i]
		}
		d.compare(path+"["+strconv.Itoa(i)+"]", a, b)
	}
}

func spell(v any) string {
	if _, ok := v.(absent); ok {
		return "absent"
	}
	return pyjson.Repr(v)
}
