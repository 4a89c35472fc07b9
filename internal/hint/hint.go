// Package hint puts advice beside errors: the error says what went wrong and
// where, the hint what to do about it.
package hint

import (
	"errors"
	"fmt"
)

// Error is an error with advice.
type Error struct {
	Err  error
	Hint string
}

func (e *Error) Error() string { return e.Err.Error() }

func (e *Error) Unwrap() error { return e.Err }

// Add puts advice beside err. Of several hints in a chain the outermost counts.
func Add(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	return &Error{Err: err, Hint: fmt.Sprintf(format, args...)}
}

// Of returns the advice that stands beside err, or "".
func Of(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Hint
	}
	return ""
}
