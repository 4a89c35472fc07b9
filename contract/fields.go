package contract

import (
	"fmt"
	"maps"
	"slices"

	"cel.dev/cel-go/common/ast"
)

// Field is a field that some expression selects.
type Field struct {
	Name  string // args.NAME is an argument of the call
	Place string // of the first such expression, by name
}

// Fields lists the fields that expressions select of records, arguments and
// answers, in order of their names. Those that the contract brings along itself,
// in its tables, in maps that expressions write and in calls, are left out.
func (c *Contract) Fields() []Field {
	own := map[string]bool{"name": true, "args": true, "before": true, "ask": true, "tool": true}
	addKeys(own, c.Tables)
	var out []Field
	for _, name := range slices.Sorted(maps.Keys(c.lang.selected)) {
		if !own[name] && !c.lang.written[name] {
			out = append(out, Field{name, slices.Min(c.lang.selected[name])})
		}
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
