package contract

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"cel.dev/cel-go/common/ast"
)

// Field is a field of something that a contract speaks of.
type Field struct {
	Name  string // args.NAME is an argument of the call
	Place string // in the contract, the first by name
}

// Fields lists the fields of records, arguments and answers that the contract
// speaks of, in order of their names: those that expressions select, those of
// arguments, and those by which prose is read. What the contract brings along
// itself, in its tables, in maps that expressions write and in calls, is left out.
func (c *Contract) Fields() []Field {
	own := map[string]bool{"": true, "name": true, "args": true, "before": true, "ask": true, "tool": true}
	addKeys(own, c.Tables)
	places := map[string][]string{}
	for name, at := range c.lang.selected {
		if !own[name] && !c.lang.written[name] {
			places[name] = slices.Clone(at)
		}
	}
	for _, f := range append(c.Lint.fields(), c.argFields()...) {
		if !own[f.Name] {
			places[f.Name] = append(places[f.Name], f.Place)
		}
	}
	var out []Field
	for _, name := range slices.Sorted(maps.Keys(places)) {
		out = append(out, Field{name, slices.Min(places[name])})
	}
	return out
}

// argFields lists the fields of arguments that tools declare.
func (c *Contract) argFields() []Field {
	var out []Field
	for name, t := range c.Tools {
		for path := range t.Args {
			out = append(out, pathFields("tool "+name, path)...)
		}
	}
	return out
}

// fields lists the fields that reading prose goes by.
func (l *Lint) fields() []Field {
	p, y := &l.People, &l.Pays
	out := []Field{{p.First, "lint people"}, {p.Last, "lint people"}, {p.Born, "lint people"}, {y.Field, "lint pays"}, {y.Kind, "lint pays"}}
	for _, f := range l.Facts {
		for _, name := range strings.Split(f.Field, ".") {
			out = append(out, Field{name, "lint facts"})
		}
	}
	for _, path := range y.Args {
		out = append(out, pathFields("lint pays", path)...)
	}
	for name, t := range l.Tools {
		for path := range t.Args {
			out = append(out, pathFields("lint tool "+name, path)...)
		}
	}
	if g := l.Goods; g != nil {
		for _, name := range []string{g.Name, g.Variants, g.Options, g.Available, g.Price, g.Items, g.Item} {
			out = append(out, Field{name, "lint goods"})
		}
		out = append(out, Field{"args." + g.Old, "lint goods"}, Field{"args." + g.New, "lint goods"})
	}
	return out
}

// pathFields lists the fields of a path to an argument or a part of one, such as
// "flights[].date".
func pathFields(place, path string) []Field {
	parts := strings.Split(strings.ReplaceAll(path, "[]", ""), ".")
	out := []Field{{"args." + parts[0], place}}
	for _, name := range parts[1:] {
		out = append(out, Field{name, place})
	}
	return out
}

// addKeys adds the keys of all maps in a value of YAML.
func addKeys(to map[string]bool, v any) {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			to[k] = true
			addKeys(to, e)
		}
	case []any:
		for _, e := range v {
			addKeys(to, e)
		}
	}
}

// note keeps which fields an expression selects, and which it writes in maps.
func (l *language) note(place string, e ast.Expr) {
	ast.PostOrderVisit(e, ast.NewExprVisitor(func(e ast.Expr) {
		switch e.Kind() {
		case ast.SelectKind:
			if name := fieldName(e.AsSelect()); name != "" {
				l.selected[name] = append(l.selected[name], place)
			}
		case ast.MapKind:
			for _, entry := range e.AsMap().Entries() {
				if k := entry.AsMapEntry().Key(); k.Kind() == ast.LiteralKind {
					l.written[fmt.Sprint(k.AsLiteral().Value())] = true
				}
			}
		}
	}))
}

// fieldName is the field of a selection as Field has it, "" for a slot of an
// earlier call.
func fieldName(e ast.SelectExpr) string {
	of, name := e.Operand(), e.FieldName()
	switch {
	case of.Kind() == ast.IdentKind && of.AsIdent() == "args":
		return "args." + name
	case of.Kind() == ast.SelectKind && of.AsSelect().FieldName() == "ask":
		return ""
	}
	return name
}
