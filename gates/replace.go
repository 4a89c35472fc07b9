package gates

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"taste/chat"
	"taste/contract"
	"taste/rules"
)

// replacement is a call's arguments with one value replaced.
type replacement struct {
	args        map[string]any
	place       string // e.g. passengers[1].dob
	value, gold any
}

// replaced lists the replacements of one argument of write k.
func (w *walk) replaced(k int, args map[string]any, path string, arg *contract.Arg) []replacement {
	if arg.Others == nil {
		return nil
	}
	scope := w.scope(w.moments[k], nil, map[string]any{}, args)
	if arg.Idle != nil {
		if idle, err := scope.Holds(arg.Idle); err == nil && idle {
			return nil
		}
	}
	var out []replacement
	for _, at := range places(args, path) {
		scope.Extra["item"] = at.item
		v, err := scope.Eval(arg.Others)
		if err != nil {
			w.skip("mutant."+Replace, "%s of write %d: %v", at.place, k, err)
			continue
		}
		list, _ := v.([]any)
		for _, value := range others(list, at.value) {
			if rules.Names(value, w.moments[k].env.Drawn(chat.Assistant)) {
				continue
			}
			out = append(out, replacement{at.with(value), at.place, value, at.value})
		}
	}
	return out
}

// undescribed lists the arguments of a call of which the contract says nothing:
// nobody knows what else they could be.
func undescribed(args map[string]any, tool *contract.Tool) []string {
	var out []string
	known := func(path string) bool { return tool.Args[path] != nil }
	for _, name := range sortedKeys(args) {
		if known(name) {
			continue
		}
		for _, path := range elementPaths(name, args[name]) {
			if !known(path) {
				out = append(out, path)
			}
		}
	}
	return out
}

// elementPaths lists the paths of what the elements of a list are made of; the
// argument itself where it is no list.
func elementPaths(name string, v any) []string {
	paths := map[string]bool{}
	list, _ := v.([]any)
	for _, e := range list {
		item, ok := e.(map[string]any)
		if !ok {
			paths[name+"[]"] = true
		}
		for f := range item {
			paths[name+"[]."+f] = true
		}
	}
	if len(paths) == 0 {
		return []string{name}
	}
	return sortedKeys(paths)
}

// others keeps the values that differ from gold and from each other.
func others(list []any, gold any) []any {
	seen := map[string]bool{fmt.Sprint(gold): true}
	var out []any
	for _, v := range list {
		if k := fmt.Sprint(v); !seen[k] && !same(v, gold) {
			seen[k] = true
			out = append(out, v)
		}
	}
	return out
}

// place is one value within a call's arguments.
type place struct {
	place string
	item  any // the element that holds it, or is it; the arguments themselves for a plain one
	value any
	with  func(v any) map[string]any // the arguments with another value there
}

// places finds the values that a path means: "cabin" is one argument,
// "flights[].date" a field of every element of a list, "item_ids[]" every
// element.
func places(args map[string]any, path string) []place {
	name, field, list := strings.Cut(path, "[]")
	field = strings.TrimPrefix(field, ".")
	if !list {
		v, ok := args[name]
		if !ok {
			return nil
		}
		return []place{{name, args, v, func(v any) map[string]any { return put(args, name, v) }}}
	}
	elements, _ := args[name].([]any)
	var out []place
	for i, e := range elements {
		with := func(v any) map[string]any {
			l := slices.Clone(elements)
			l[i] = v
			return put(args, name, l)
		}
		if field == "" {
			out = append(out, place{fmt.Sprintf("%s[%d]", name, i), e, e, with})
			continue
		}
		item, ok := e.(map[string]any)
		if v, has := item[field]; ok && has {
			out = append(out, place{fmt.Sprintf("%s[%d].%s", name, i, field), item, v, func(v any) map[string]any { return with(put(item, field, v)) }})
		}
	}
	return out
}

// put returns a copy of m with one entry set.
func put(m map[string]any, key string, v any) map[string]any {
	out := maps.Clone(m)
	out[key] = v
	return out
}
