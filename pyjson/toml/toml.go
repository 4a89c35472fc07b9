// Package toml reads and writes TOML as values of package pyjson, tables in their
// written order. Dates and times become their text.
package toml

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"taste/pyjson"
)

// Decode parses one document. Errors say line and column.
func Decode(data []byte) (*pyjson.Object, error) {
	if err := check(data); err != nil {
		return nil, err
	}
	root := pyjson.NewObject()
	b := builder{at: root}
	var p unstable.Parser
	p.Reset(data)
	for p.NextExpression() {
		e := p.Expression()
		switch e.Kind {
		case unstable.Table:
			b.at = descend(root, keys(e))
		case unstable.ArrayTable:
			b.at = appended(root, keys(e))
		case unstable.KeyValue:
			b.set(e)
		}
		if b.err != nil {
			return nil, b.err
		}
	}
	return root, p.Error()
}

// check refuses what the parser alone lets pass, such as keys that stand twice.
func check(data []byte) error {
	var v map[string]any
	err := toml.Unmarshal(data, &v)
	var at *toml.DecodeError
	if errors.As(err, &at) {
		line, column := at.Position()
		return fmt.Errorf("line %d column %d: %s", line, column, strings.TrimPrefix(at.Error(), "toml: "))
	}
	return err
}

// builder fills the table that was named last.
type builder struct {
	at  *pyjson.Object
	err error
}

func keys(n *unstable.Node) []string {
	var names []string
	for it := n.Key(); it.Next(); {
		names = append(names, string(it.Node().Data))
	}
	return names
}

// descend goes to a table, through the last elements of arrays of tables, and
// makes what is not there.
func descend(o *pyjson.Object, path []string) *pyjson.Object {
	for _, name := range path {
		v, ok := o.Get(name)
		if list, isList := v.([]any); isList && len(list) > 0 {
			v = list[len(list)-1]
		}
		next, isTable := v.(*pyjson.Object)
		if !ok || !isTable {
			next = pyjson.NewObject()
			o.Set(name, next)
		}
		o = next
	}
	return o
}

// appended adds a table to an array of tables.
func appended(root *pyjson.Object, path []string) *pyjson.Object {
	last := len(path) - 1
	parent := descend(root, path[:last])
	v, _ := parent.Get(path[last])
	list, _ := v.([]any)
	o := pyjson.NewObject()
	parent.Set(path[last], append(list, o))
	return o
}

func (b *builder) set(n *unstable.Node) {
	path := keys(n)
	last := len(path) - 1
	descend(b.at, path[:last]).Set(path[last], b.value(n.Value()))
}

func (b *builder) value(n *unstable.Node) any {
	text := string(n.Data)
	switch n.Kind {
	case unstable.String:
		return text
	case unstable.Bool:
		return text == "true"
	case unstable.Integer:
		i, err := strconv.ParseInt(strings.ReplaceAll(text, "_", ""), 0, 64)
		b.keep(err)
		return i
	case unstable.Float:
		f, err := strconv.ParseFloat(strings.ReplaceAll(text, "_", ""), 64)
		b.keep(err)
		return f
	case unstable.Array:
		list := []any{}
		for it := n.Children(); it.Next(); {
			list = append(list, b.value(it.Node()))
		}
		return list
	case unstable.InlineTable:
		inner := builder{at: pyjson.NewObject()}
		for it := n.Children(); it.Next(); {
			inner.set(it.Node())
		}
		b.keep(inner.err)
		return inner.at
	}
	return text
}

func (b *builder) keep(err error) {
	if b.err == nil {
		b.err = err
	}
}
