package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"

	"taste/llm"
)

// bodyLimit is how much of an answer is read, in bytes.
const bodyLimit = 64 << 20

// Client makes the HTTP client of an adapter: base (nil: a transport that keeps
// many connections) with all failures as *llm.Error.
func Client(base http.RoundTripper) *http.Client {
	if base == nil {
		base = shared
	}
	return &http.Client{Transport: transport{base}}
}

var shared = func() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConns, t.MaxIdleConnsPerHost = 0, 256
	return t
}()

// transport hands on whole answers in JSON, and fails otherwise.
type transport struct{ base http.RoundTripper }

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx := r.Context()
	res, err := t.base.RoundTrip(r)
	if err != nil {
		return nil, lost(ctx, llm.Network, err)
	}
	body, err := readBody(res)
	switch {
	case err != nil:
		return nil, lost(ctx, llm.Cut, err)
	case res.StatusCode >= 400:
		return nil, Failure(res.StatusCode, res.Header, body)
	case res.StatusCode >= 300: // the client follows it, or not
		return res, nil
	}
	if err := Unreadable(body); err != nil {
		return nil, err
	}
	if kept, ok := ctx.Value(bodyKey{}).(*[]byte); ok {
		*kept = body
	}
	res.Header.Set("Content-Type", "application/json") // SDKs read nothing else
	return res, nil
}

// readBody takes the body in and puts it back.
func readBody(res *http.Response) ([]byte, error) {
	defer res.Body.Close() //nolint:errcheck // it has been read
	body, err := io.ReadAll(io.LimitReader(res.Body, bodyLimit+1))
	if err == nil && len(body) > bodyLimit {
		err = fmt.Errorf("the answer is longer than %d MiB", bodyLimit>>20)
	}
	res.Body = io.NopCloser(bytes.NewReader(body))
	return body, err
}

// lost is a failure of the connection.
func lost(ctx context.Context, class llm.Class, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var slow net.Error
	if errors.As(err, &slow) && slow.Timeout() {
		class = llm.TimedOut
	}
	return &llm.Error{Class: class, Err: err}
}

// Unreadable is what is wrong with the body of an answer that is no JSON: it
// broke off, or it is something else.
func Unreadable(body []byte) error {
	var v json.RawMessage
	err := json.NewDecoder(bytes.NewReader(body)).Decode(&v)
	switch {
	case err == nil && json.Valid(body):
		return nil
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return &llm.Error{Class: llm.Cut, Message: "the answer broke off"}
	}
	return &llm.Error{Class: llm.Malformed, Message: "the answer is no JSON: " + clip(string(body))}
}

type bodyKey struct{}

// Keep has the body of an answer put down at the returned place.
func Keep(ctx context.Context) (context.Context, *[]byte) {
	body := new([]byte)
	return context.WithValue(ctx, bodyKey{}, body), body
}

// Fault makes an adapter's error of an SDK's: the context's, or an *llm.Error
// that names the model.
func Fault(ctx context.Context, model string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	e, ok := errors.AsType[*llm.Error](err)
	if !ok {
		return &llm.Error{Class: llm.Malformed, Model: model, Err: err}
	}
	named := *e
	named.Model = model
	return &named
}
