package llm

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"
)

// Redact takes secrets out of what a model's errors say, as providers and
// clients repeat keys. Of the error beneath only its words are left: what a client keeps
// there holds the request with its headers.
func Redact(m Model, secrets ...string) Model {
	mask := masker(secrets)
	return &decorated{m, func(ctx context.Context, r *Request) (*Response, error) {
		res, err := m.Call(ctx, r)
		if err == nil {
			return res, nil
		}
		if cause := ctx.Err(); cause != nil && errors.Is(err, cause) {
			return nil, cause
		}
		clean := &Error{Class: Malformed, Model: m.Name(), Message: mask.Replace(err.Error())}
		if e, ok := errors.AsType[*Error](err); ok {
			*clean = *e
			clean.Message = mask.Replace(e.Message)
			if e.Err != nil {
				clean.Err = errors.New(mask.Replace(e.Err.Error()))
			}
		}
		return nil, clean
	}}
}

// masker replaces secrets, as they are and as they stand in addresses, the
// longer ones first: one may begin another.
func masker(secrets []string) *strings.Replacer {
	secrets = slices.SortedFunc(slices.Values(secrets), func(a, b string) int { return len(b) - len(a) })
	var pairs []string
	for _, s := range secrets {
		if s != "" {
			pairs = append(pairs, s, "[key]", url.QueryEscape(s), "[key]")
		}
	}
	return strings.NewReplacer(pairs...)
}
