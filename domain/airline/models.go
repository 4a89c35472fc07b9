package airline

import (
	"taste/env"
	"taste/pyjson"
	"taste/pyjson/lax"
)

// models is a list argument of a tool: validated elements where every element
// is an object, else (raw) the value as it came.
type models[T any] struct {
	items []T
	raw   bool
	value any // as it came
}

// readModels treats an argument as the reference does: it loops over whatever
// it gets (a string's characters, a dict's keys), and turns the elements into
// models of the given name if all of them are dicts.
func readModels[T any](v any, name string, fields func(*lax.Check, *pyjson.Object) T) (models[T], error) {
	m := models[T]{value: v}
	var elements []any
	switch x := v.(type) {
	case []any:
		elements = x
	case string:
		m.raw = x != ""
	case *pyjson.Object:
		m.raw = x.Len() > 0
	default:
		return m, env.NotIterable(v)
	}
	for _, e := range elements {
		if _, ok := e.(*pyjson.Object); !ok {
			m.raw = true
		}
	}
	if m.raw {
		return m, nil
	}
	m.items = make([]T, len(elements))
	for i, e := range elements {
		c := lax.New(name)
		m.items[i] = fields(c, e.(*pyjson.Object))
		if err := c.Err(); err != nil {
			return m, err
		}
	}
	return m, nil
}

// first returns the first element that a loop over a raw value meets.
func (m *models[T]) first() any {
	if l, ok := m.value.([]any); ok {
		return l[0]
	}
	return ""
}

// flightInfo names a flight on a date.
type flightInfo struct{ number, date string }

func flightInfoFields(c *lax.Check, o *pyjson.Object) flightInfo {
	return flightInfo{c.FieldStr(o, "flight_number"), c.FieldStr(o, "date")}
}
