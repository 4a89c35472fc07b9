package scripted

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"taste/llm"
	"taste/llm/internal/wire"
)

// Fault is a way to fail. One of Status, Hang, Cut, Reset, Overflow and Blocked
// is set.
type Fault struct {
	Status     int           `yaml:"status"`      // of HTTP; 200 with a Body that is no answer
	RetryAfter time.Duration `yaml:"retry_after"` // how long to leave the server alone
	Message    string        `yaml:"message"`     // what the error says
	Code       string        `yaml:"code"`        // of the error, as the provider's own word
	Body       string        `yaml:"body"`        // sent as it is, in place of an error in the provider's form

	Hang     bool `yaml:"hang"`     // no answer, until the client goes
	Cut      bool `yaml:"cut"`      // half an answer, then the connection ends
	Reset    bool `yaml:"reset"`    // the connection ends without an answer
	Overflow bool `yaml:"overflow"` // the conversation exceeds the model's context
	Blocked  bool `yaml:"blocked"`  // the provider's filter refuses the request
}

func (f *Fault) Error() string {
	switch {
	case f.Hang:
		return "fault: hang"
	case f.Cut:
		return "fault: cut"
	case f.Reset:
		return "fault: reset"
	case f.Overflow:
		return "fault: overflow"
	case f.Blocked:
		return "fault: blocked"
	}
	if f.Message != "" {
		return fmt.Sprintf("fault: status %d: %s", f.Status, f.Message)
	}
	return fmt.Sprintf("fault: status %d", f.Status)
}

// check says what is wrong with a fault of a script.
func (f *Fault) check() error {
	kinds := 0
	for _, is := range []bool{f.Status != 0, f.Hang, f.Cut, f.Reset, f.Overflow, f.Blocked} {
		if is {
			kinds++
		}
	}
	switch {
	case kinds != 1:
		return errors.New("a fault has one of status, hang, cut, reset, overflow and blocked")
	case f.Status != 0 && f.Status != http.StatusOK && (f.Status < 400 || f.Status > 599):
		return fmt.Errorf("status %d is no failure: want 400 to 599, or 200 with a body that is no answer", f.Status)
	case f.Status == http.StatusOK && f.Body == "":
		return errors.New("status 200 is a fault with a body only")
	case f.Status == 0 && (f.RetryAfter != 0 || f.Code != "" || f.Body != "" || f.Message != ""):
		return errors.New("retry_after, code, body and message go with a status")
	case f.RetryAfter < 0:
		return errors.New("retry_after is negative")
	}
	return nil
}

// happen is the fault as an adapter would tell of it.
func (f *Fault) happen(ctx context.Context) error {
	switch {
	case f.Hang:
		<-ctx.Done()
		return ctx.Err()
	case f.Cut:
		return &llm.Error{Class: llm.Cut, Message: "the answer broke off"}
	case f.Reset:
		return &llm.Error{Class: llm.Network, Message: "the connection was reset"}
	case f.Overflow:
		return &llm.Error{Class: llm.TooLong, Status: http.StatusBadRequest, Message: overflowed}
	case f.Blocked:
		return &llm.Error{Class: llm.Blocked, Status: http.StatusBadRequest, Message: filtered}
	case f.Status == http.StatusOK:
		if err := wire.Unreadable([]byte(f.Body)); err != nil {
			return err
		}
		return &llm.Error{Class: llm.Malformed, Message: "the answer holds no message"}
	}
	body := []byte(f.Body)
	if f.Body == "" {
		body = chatFailure(f)
	}
	e := wire.Failure(f.Status, http.Header{}, body)
	e.RetryAfter = f.RetryAfter
	return e
}

// What the provider says, where the script does not.
const (
	overflowed = "This model's maximum context length is 200000 tokens, and the messages come to 210000."
	filtered   = "The request was blocked by the content management policy."
)

// faultOf is the fault that makes an adapter tell of err.
func faultOf(err error) *Fault {
	if f, ok := errors.AsType[*Fault](err); ok {
		return f
	}
	e, ok := errors.AsType[*llm.Error](err)
	if !ok {
		return &Fault{Status: http.StatusBadRequest, Message: err.Error()}
	}
	switch e.Class {
	case llm.TimedOut:
		return &Fault{Hang: true}
	case llm.Cut:
		return &Fault{Cut: true}
	case llm.Network:
		return &Fault{Reset: true}
	case llm.TooLong:
		return &Fault{Overflow: true}
	case llm.Blocked:
		return &Fault{Blocked: true}
	case llm.Malformed:
		return &Fault{Status: http.StatusOK, Body: "no JSON"}
	}
	status := e.Status
	if status == 0 {
		status = statuses[e.Class]
	}
	return &Fault{Status: status, RetryAfter: e.RetryAfter, Message: e.Message}
}

var statuses = map[llm.Class]int{
	llm.RateLimited: http.StatusTooManyRequests,
	llm.Overloaded:  http.StatusServiceUnavailable,
	llm.Auth:        http.StatusUnauthorized,
	llm.BadRequest:  http.StatusBadRequest,
	llm.Refused:     http.StatusNotFound,
	llm.OverBudget:  http.StatusBadRequest,
	llm.Miss:        http.StatusBadRequest,
}
