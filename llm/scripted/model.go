package scripted

import (
	"context"
	"errors"
	"regexp"
	"time"

	"taste/llm"
)

// Func answers a request, or fails: by a *Fault, or by an *llm.Error, which
// over the wire becomes the fault of its class. It is safe for concurrent use.
// Thought in an answer is a JSON string.
type Func func(ctx context.Context, r *llm.Request) (*llm.Response, error)

// Model is f as a model, within the process.
func Model(name string, f Func) llm.Model { return model{name, f} }

type model struct {
	name string
	f    Func
}

func (m model) Name() string { return m.name }

func (m model) Call(ctx context.Context, r *llm.Request) (*llm.Response, error) {
	res, err := m.f(ctx, r)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err == nil {
		return complete(r, res), nil
	}
	if f, ok := errors.AsType[*Fault](err); ok {
		if err = f.happen(ctx); ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	e, ok := errors.AsType[*llm.Error](err)
	if !ok {
		e = &llm.Error{Class: llm.BadRequest, Err: err}
	}
	named := *e
	named.Model = m.name
	return nil, &named
}

// complete fills in what an answer leaves open: ids, why it stopped, and its
// size.
func complete(r *llm.Request, res *llm.Response) *llm.Response {
	out := *res
	sum := digest(r)
	if out.ID == "" {
		out.ID = "mock-" + sum
	}
	if out.Model == "" {
		out.Model = r.Model
	}
	out.Message.Role = "assistant"
	out.Message.Calls = named(out.Message.Calls, sum)
	if out.Stop == "" {
		out.Stop = llm.End
		if len(out.Message.Calls) > 0 {
			out.Stop = llm.ToolCalls
		}
	}
	if out.Usage == (llm.Usage{}) {
		out.Usage = estimate(r, &out.Message)
	}
	out.Usage.Calls = 1
	return &out
}

var heading = regexp.MustCompile(`^Role: ([a-z][a-z-]*) \(v[1-9][0-9]*\)\n`)

// role is what the first line of our prompts says: see package prompts.
func role(r *llm.Request) string {
	if m := heading.FindStringSubmatch(r.System); m != nil {
		return m[1]
	}
	return ""
}

// Delayed lets every answer of f take so long.
func Delayed(f Func, d time.Duration) Func {
	return func(ctx context.Context, r *llm.Request) (*llm.Response, error) {
		if err := pause(ctx, d); err != nil {
			return nil, err
		}
		return f(ctx, r)
	}
}
