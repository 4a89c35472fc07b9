package env

import (
	"strconv"
	"strings"

	"taste/pyjson"
)

// Signature is a function's parameters, in order, under the names that error
// texts use.
type Signature struct {
	Class    string // e.g. "AirlineTools"
	Name     string // e.g. "book_reservation"
	Params   []string
	Defaults []any // of the last parameters; the others are required
}

// required returns the number of parameters that must be given.
func (s *Signature) required() int { return len(s.Params) - len(s.Defaults) }

// Bind puts named arguments in the order of the parameters, and defaults where
// there is none. An unexpected or a missing argument is a TypeError.
func (s *Signature) Bind(args *pyjson.Object) ([]any, error) {
	values := make([]any, len(s.Params))
	given, missing := 0, false
	for i, p := range s.Params {
		v, ok := args.Get(p)
		switch {
		case ok:
			given++
		case i < s.required():
			missing = true
		default:
			v = s.Defaults[i-s.required()]
		}
		values[i] = v
	}
	if given < args.Len() {
		return nil, s.unexpected(args)
	}
	if missing {
		return nil, s.missing(args)
	}
	return values, nil
}

func (s *Signature) unexpected(args *pyjson.Object) error {
	for _, k := range args.Keys() {
		known := false
		for _, p := range s.Params {
			known = known || p == k
		}
		if !known {
			return TypeFault(s.Class + "." + s.Name + "() got an unexpected keyword argument '" + k + "'")
		}
	}
	return nil
}

func (s *Signature) missing(args *pyjson.Object) error {
	var names []string
	for _, p := range s.Params[:s.required()] {
		if !args.Has(p) {
			names = append(names, pyjson.Repr(p))
		}
	}
	text := " required positional argument: "
	if len(names) > 1 {
		text = " required positional arguments: "
	}
	return TypeFault(s.Class + "." + s.Name + "() missing " + strconv.Itoa(len(names)) + text + enumerate(names))
}

func enumerate(names []string) string {
	last := len(names) - 1
	switch last {
	case 0:
		return names[0]
	case 1:
		return names[0] + " and " + names[1]
	}
	return strings.Join(names[:last], ", ") + ", and " + names[last]
}
