package llm

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strings"
)

// Redact takes secrets out of what comes back from a model, as providers and
// clients repeat keys: out of errors, and of answers, which are kept in files. Of the
// error beneath an error only its words are left: what a client keeps there holds the
// request with its headers.
func Redact(m Model, secrets ...string) Model {
	mask := masker(secrets)
	long := masker(slices.DeleteFunc(slices.Clone(secrets), func(s string) bool { return len(s) < secretEnough }))
	return &decorated{m, func(ctx context.Context, r *Request) (*Response, error) {
		res, err := m.Call(ctx, r)
		if err == nil {
			return clean(res, long), nil
		}
		if cause := ctx.Err(); cause != nil && errors.Is(err, cause) {
			return nil, cause
		}
		out := &Error{Class: Malformed, Model: m.Name(), Message: mask.Replace(err.Error())}
		if e, ok := errors.AsType[*Error](err); ok {
			*out = *e
			out.Message = mask.Replace(e.Message)
			if e.Err != nil {
				out.Err = errors.New(mask.Replace(e.Err.Error()))
			}
		}
		return nil, out
	}}
}

// secretEnough is how long a secret is that is looked for in answers: what is set
// as a key where none is needed, "none" or "test", is a word of theirs.
const secretEnough = 12

// clean is an answer without secrets in any of its texts.
func clean(r *Response, mask *strings.Replacer) *Response {
	raw := func(text json.RawMessage) json.RawMessage {
		if text == nil {
			return nil
		}
		return json.RawMessage(mask.Replace(string(text)))
	}
	out := *r
	out.Reason, out.Model, out.ID = mask.Replace(r.Reason), mask.Replace(r.Model), mask.Replace(r.ID)
	out.Message.Text, out.Message.Thought = mask.Replace(r.Message.Text), raw(r.Message.Thought)
	out.Message.Calls = slices.Clone(r.Message.Calls)
	for i := range out.Message.Calls {
		c := &out.Message.Calls[i]
		*c = Call{mask.Replace(c.ID), mask.Replace(c.Name), raw(c.Arguments), mask.Replace(c.Bad)}
	}
	return &out
}

// masker replaces secrets, as they are and as they stand in addresses and JSON,
// the longer ones first: one may begin another.
func masker(secrets []string) *strings.Replacer {
	secrets = slices.SortedFunc(slices.Values(secrets), func(a, b string) int { return len(b) - len(a) })
	var pairs []string
	for _, s := range secrets {
		if s != "" {
			quoted, _ := json.Marshal(s) // no string fails
			pairs = append(pairs, s, "[key]", url.QueryEscape(s), "[key]", string(quoted[1:len(quoted)-1]), "[key]")
		}
	}
	return strings.NewReplacer(pairs...)
}
