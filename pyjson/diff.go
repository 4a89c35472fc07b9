package pyjson

import (
	"fmt"
	"strconv"
)

// Absent stands for a value that is not there in what Diff compares.
type Absent struct{}

// Diff lists in which fields two values differ, one line each, "path: a → b",
// spelt as Python's repr; a field that one side lacks is "absent". Objects are
// compared by key, lists by place; same tells of all other pairs whether they
// are equal. path is the place of the values themselves.
func Diff(path string, a, b any, same func(a, b any) bool) []string {
	d := differ{same: same}
	d.compare(path, a, b)
	return d.lines
}

type differ struct {
	same  func(a, b any) bool
	lines []string
}

func (d *differ) compare(path string, a, b any) {
	switch x := a.(type) {
	case *Object:
		if y, ok := b.(*Object); ok {
			d.objects(path, x, y)
			return
		}
	case []any:
		if y, ok := b.([]any); ok {
			d.lists(path, x, y)
			return
		}
	}
	if gone(a) == gone(b) && (gone(a) || d.same(a, b)) {
		return
	}
	d.lines = append(d.lines, fmt.Sprintf("%s: %s → %s", path, spellOrAbsent(a), spellOrAbsent(b)))
}

func (d *differ) objects(path string, x, y *Object) {
	for k, v := range x.All() {
		w, ok := y.Get(k)
		if !ok {
			w = Absent{}
		}
		d.compare(inside(path, k), v, w)
	}
	for k, w := range y.All() {
		if !x.Has(k) {
			d.compare(inside(path, k), Absent{}, w)
		}
	}
}

func inside(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

func (d *differ) lists(path string, x, y []any) {
	for i := range max(len(x), len(y)) {
		var a, b any = Absent{}, Absent{}
		if i < len(x) {
			a = x[i]
		}
		if i < len(y) {
			b = y[i]
		}
		d.compare(path+"["+strconv.Itoa(i)+"]", a, b)
	}
}

func gone(v any) bool {
	_, ok := v.(Absent)
	return ok
}

func spellOrAbsent(v any) string {
	if gone(v) {
		return "absent"
	}
	return Repr(v)
}
