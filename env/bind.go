package env

import (
	"strconv"
	"strings"

	"taste/pyjson"
)

// Signature is a function's required parameters, in order, under the name that
// error texts use.
type Signature struct {
	Name   string // e.g. "AirlineTools.book_reservation"
	Params []string
}

// Bind puts named arguments in the order of the parameters. An unexpected or a
// missing argument is a TypeError.
func (s *Signature) Bind(args *pyjson.Object) ([]any, error) {
	values := make([]any, len(s.Params))
	given := 0
	for i, p := range s.Params {
		if v, ok := args.Get(p); ok {
			values[i] = v
			given++
		}
	}
	if given < args.Len() {
		return nil, s.unexpected(args)
	}
	if given < len(s.Params) {
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
			return TypeFault(s.Name + "() got an unexpected keyword argument '" + k + "'")
		}
	}
	return nil
}

func (s *Signature) missing(args *pyjson.Object) error {
	var names []string
	for _, p := range s.Params {
		if !args.Has(p) {
			names = append(names, pyjson.Repr(p))
		}
	}
	text := " required positional argument: "
	if len(names) > 1 {
		text = " required positional arguments: "
	}
	return TypeFault(s.Name + "() missing " + strconv.Itoa(len(names)) + text + enumerate(names))
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
