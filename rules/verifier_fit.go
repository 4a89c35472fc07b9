package rules

import (
	"errors"
	"strings"

	"taste/contract"
	"taste/pyjson"
)

// errUnlike says that a hint is about something else.
var errUnlike = errors.New("the hint does not agree")

// fit merges a hint with what was worked out.
type fit struct {
	hint    *hint
	sources map[string]*contract.Arg // of the tool's arguments, by path
	merged  map[string]any
	agreed  int
	changed int // values that the hint overrides
}

func (f *fit) arguments(m *matter) error {
	f.merged = map[string]any{}
	for _, name := range sortedKeys(m.wish.Args) {
		mine, have := m.args[name]
		given, shown := f.hint.args[name]
		var err error
		switch {
		case have && shown:
			f.merged[name], err = f.value(name, mine, given)
		case have:
			f.merged[name] = mine
		case shown && !f.customers(name):
			f.merged[name] = given
			f.changed++
		default:
			err = errUnlike
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// customers reports whether values at or below a path come from the customer.
func (f *fit) customers(path string) bool {
	for p, a := range f.sources {
		if rest, ok := strings.CutPrefix(p, path); ok && a.Source == "customer" && (rest == "" || rest[0] == '.' || rest[0] == '[') {
			return true
		}
	}
	return false
}

// value merges at a path: the customer's values must be equal, of others the
// hint's count.
func (f *fit) value(path string, mine, given any) (any, error) {
	switch g := given.(type) {
	case map[string]any:
		if own, ok := mine.(map[string]any); ok {
			return f.object(path, own, g)
		}
	case []any:
		if own, ok := mine.([]any); ok && len(own) == len(g) {
			return f.list(path, own, g)
		}
	default:
		if pyjson.Equal(mine, given) {
			f.agreed++
			return mine, nil
		}
		if a := f.sources[path]; a != nil && a.Source != "customer" {
			f.changed++
			return given, nil
		}
	}
	return nil, errUnlike
}

func (f *fit) object(path string, mine, given map[string]any) (any, error) {
	out := map[string]any{}
	for _, k := range sortedKeys(given) {
		v, err := f.value(path+"."+k, mine[k], given[k])
		if err != nil {
			return nil, err
		}
		out[k] = v
	}
	return out, nil
}

func (f *fit) list(path string, mine, given []any) (any, error) {
	out := make([]any, len(given))
	for i, g := range given {
		v, err := f.value(path+"[]", mine[i], g)
		if err != nil {
			return nil, err
		}
		out[i] = v
	}
	return out, nil
}
