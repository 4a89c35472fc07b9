package llm

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Class is a kind of failure, by what can be done about it.
type Class string

// Kinds of failures.
const (
	RateLimited Class = "rate_limited" // asked to wait (429)
	Overloaded  Class = "overloaded"   // the provider fails (5xx, 529)
	TimedOut    Class = "timed_out"    // no answer within the time of one attempt
	Network     Class = "network"      // no connection
	Cut         Class = "cut"          // the answer broke off
	TooLong     Class = "too_long"     // the conversation exceeds the model's context
	Auth        Class = "auth"         // key missing, wrong, or without the right (401, 403)
	BadRequest  Class = "bad_request"  // the provider does not take the request
	Refused     Class = "refused"      // the provider takes no request: there is no such model (404), or many came to nothing in a row
	Blocked     Class = "blocked"      // the provider's filter refuses the request itself
	Malformed   Class = "malformed"    // the answer cannot be read
	OverBudget  Class = "over_budget"  // not sent: it could exceed the budget
	Miss        Class = "miss"         // not sent: replayed, and not among the kept calls
)

// Error is a call that failed.
type Error struct {
	Class      Class
	Model      string        // the model's name
	Status     int           // of HTTP; 0: there is none
	RetryAfter time.Duration // how long the provider asks to be left alone; 0: it does not say
	Message    string        // what the provider says, or what went wrong
	Err        error         // beneath it; may be nil
}

func (e *Error) Error() string {
	if errors.Is(e.Err, ErrUseless) { // says it all, as it does of records of the same failures
		return e.Err.Error()
	}
	var b strings.Builder
	fmt.Fprintf(&b, "call %s: %s", e.Model, strings.ReplaceAll(string(e.Class), "_", " "))
	if e.Status != 0 {
		fmt.Fprintf(&b, " (%d)", e.Status)
	}
	switch {
	case e.Message != "":
		b.WriteString(": " + e.Message)
	case e.Err != nil:
		b.WriteString(": " + e.Err.Error())
	}
	return b.String()
}

func (e *Error) Unwrap() error { return e.Err }

// Temporary says whether the same call may succeed later.
func (e *Error) Temporary() bool {
	switch e.Class {
	case RateLimited, Overloaded, TimedOut, Network, Cut:
		return true
	}
	return false
}

// Hopeless says whether no other call to the same model will fare better, so
// that the whole run has to stop.
func (e *Error) Hopeless() bool {
	switch e.Class {
	case Auth, Refused, OverBudget, Miss:
		return true
	}
	return false
}

// Own says whether the request itself, or the answer to it, is to blame: the same call
// fails again, while others may fare better. It costs what it was made for, no more.
func (e *Error) Own() bool {
	switch e.Class {
	case TooLong, BadRequest, Blocked, Malformed:
		return true
	}
	return false
}

// NoAnswer tells whether an error says no more than that one question found no usable
// answer: why, and what came in its place, raw answers or the provider's words. Any
// other error is a fault that further questions may meet as well.
func NoAnswer(err error) (why string, raw []string, ok bool) {
	if u, is := errors.AsType[*Unusable](err); is {
		return u.Why.Error(), u.Answers, true
	}
	if e, is := errors.AsType[*Error](err); is && e.Own() {
		return e.Error(), []string{e.Error()}, true
	}
	return "", nil, false
}

// ClassOf returns the class of the *Error in err's chain, or "".
func ClassOf(err error) Class {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Class
	}
	return ""
}
