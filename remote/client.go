package remote

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"taste/internal/hint"
	"taste/pyjson"
	"taste/sim"
)

// Client reaches the program behind an address. It is safe for concurrent use;
// its fields are not to be changed once it is used.
type Client struct {
	URL      string         // requests go to URL/start, URL/next and URL/end
	HTTP     *http.Client   // nil: one that keeps many connections
	Args     *pyjson.Object // told to the program as they are; nil: none
	Session  string         // tells this run's conversations from those of others at the same program
	Attempts int            // at one request, before it is a fault; 0: 5
	Pause    time.Duration  // before the second attempt, twice as long before each further; 0: half a second
	Patience time.Duration  // for the answer to one request; 0: ten minutes

	busy gate
}

const (
	attempts  = 5
	pause     = time.Second / 2
	patience  = 10 * time.Minute
	farewell  = 5 * time.Second // for the request that ends a conversation
	bodyLimit = 64 << 20
)

// shared is the client of those who bring none.
var shared = func() *http.Client {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConns, t.MaxIdleConnsPerHost = 0, 256
	return &http.Client{Transport: t}
}()

// errAgain marks an attempt that may be repeated.
var errAgain = errors.New("no answer")

// post makes a request until it is answered, and returns the answer.
func (c *Client) post(ctx context.Context, step string, body *pyjson.Object) (*pyjson.Object, error) {
	data := pyjson.Append(nil, body, pyjson.UTF8)
	wait := cmp.Or(c.Pause, pause)
	for left := cmp.Or(c.Attempts, attempts); ; {
		if err := c.busy.pass(ctx); err != nil {
			return nil, err
		}
		answer, later, err := c.try(ctx, step, data, cmp.Or(c.Patience, patience))
		if ctx.Err() != nil && err != nil {
			return nil, ctx.Err()
		}
		if later > 0 {
			c.busy.shut(later)
			continue
		}
		if left--; left <= 0 || !errors.Is(err, errAgain) {
			return answer, err
		}
		if err := sleep(ctx, wait); err != nil {
			return nil, err
		}
		wait *= 2
	}
}

// try makes a request once. later is how long a busy program asks to be left
// alone.
func (c *Client) try(ctx context.Context, step string, data []byte, patience time.Duration) (answer *pyjson.Object, later time.Duration, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	url := strings.TrimSuffix(c.URL, "/") + "/" + step
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(data))
	if err != nil {
		return nil, 0, fmt.Errorf("ask remote party: %w", err)
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := cmp.Or(c.HTTP, shared).Do(req)
	if err != nil {
		return nil, 0, hint.Add(fmt.Errorf("%w: %w", errAgain, err), "is the program running? docs/remote-agent.md tells what it has to answer")
	}
	defer res.Body.Close() //nolint:errcheck // it was read
	text, err := io.ReadAll(io.LimitReader(res.Body, bodyLimit))
	if err != nil {
		return nil, 0, fmt.Errorf("%w: read answer of %s: %w", errAgain, req.URL.Redacted(), err)
	}
	if res.StatusCode != http.StatusOK {
		return nil, retryAfter(res), refusal(step, req.URL.Redacted(), res.StatusCode, text)
	}
	answer, err = pyjson.DecodeObject(text)
	if err != nil && res.ContentLength < 0 && len(res.TransferEncoding) == 0 {
		return nil, 0, fmt.Errorf("%w: the answer to %s, of unknown length, breaks off: %w", errAgain, step, err)
	}
	if err != nil {
		return nil, 0, fmt.Errorf("%w: the answer to %s is no JSON object: %w", sim.ErrGaveUp, step, err)
	}
	return answer, 0, failure(answer)
}

// failure is what a program says of its own failure.
func failure(answer *pyjson.Object) error {
	v, ok := answer.Get("error")
	if !ok || v == nil {
		return nil
	}
	text, ok := v.(string)
	if !ok {
		text = pyjson.Dumps(v)
	}
	if long, _ := answer.Get("too_long"); long == true {
		return fmt.Errorf("%w: %s", sim.ErrTooLong, text)
	}
	return fmt.Errorf("%w: %s", sim.ErrGaveUp, text)
}

// refusal is the error of a status.
func refusal(step, url string, status int, body []byte) error {
	err := fmt.Errorf("%s answers %d %s: %s", url, status, http.StatusText(status), excerpt(body))
	switch {
	case status >= 500 || status == http.StatusTooManyRequests || status == http.StatusRequestTimeout:
		return fmt.Errorf("%w: %w", errAgain, err)
	case step == start || status == http.StatusUnauthorized || status == http.StatusForbidden:
		return fmt.Errorf("%w: %w", sim.ErrHopeless, err)
	}
	return fmt.Errorf("ask remote party: %w", err)
}

func excerpt(body []byte) string {
	const most = 200
	text := strings.TrimSpace(strings.ToValidUTF8(string(body), "?"))
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}

// retryAfter is how long a busy server asks to be left alone, 0 if it does not
// say so in seconds.
func retryAfter(res *http.Response) time.Duration {
	if res.StatusCode != http.StatusTooManyRequests && res.StatusCode != http.StatusServiceUnavailable {
		return 0
	}
	seconds, err := strconv.ParseFloat(res.Header.Get("Retry-After"), 64)
	if err != nil || seconds <= 0 || seconds > 24*60*60 {
		return 0
	}
	return time.Duration(seconds * float64(time.Second))
}

// gate holds all requests of a client up while its program is busy.
type gate struct {
	mu     sync.Mutex
	closed chan struct{} // until it opens; nil: it is open
}

// shut closes the gate for a while, unless it is closed already.
func (g *gate) shut(d time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed != nil {
		return
	}
	g.closed = make(chan struct{})
	time.AfterFunc(d, func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		close(g.closed)
		g.closed = nil
	})
}

// pass waits until the gate is open.
func (g *gate) pass(ctx context.Context) error {
	g.mu.Lock()
	closed := g.closed
	g.mu.Unlock()
	if closed == nil {
		return nil
	}
	select {
	case <-closed:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// sleep waits for d or the end of ctx, which is an error.
func sleep(ctx context.Context, d time.Duration) error {
	timer, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	<-timer.Done()
	return ctx.Err()
}
