package cache

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"taste/chat"
	"taste/internal/hint"
	"taste/llm"
)

// echo is a model that answers with what it was asked, and counts.
type echo struct {
	mu    sync.Mutex
	calls int
	err   error
	takes time.Duration
}

func (e *echo) Name() string { return "test/m" }

func (e *echo) Call(ctx context.Context, r *llm.Request) (*llm.Response, error) {
	e.mu.Lock()
	e.calls++
	e.mu.Unlock()
	if e.takes > 0 {
		select {
		case <-time.After(e.takes):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	if e.err != nil {
		return nil, e.err
	}
	return &llm.Response{
		Message: llm.Message{
			Role: chat.Assistant, Text: "<" + r.Messages[0].Text + ">", Thought: json.RawMessage(`{"b": 1.0, "a": "&"}`),
			Calls: []llm.Call{{ID: "1", Name: "f", Arguments: json.RawMessage(`{"z": 1, "a": [1.50]}`)}},
		},
		Stop: llm.ToolCalls, Reason: "tool_calls", Usage: llm.Usage{Input: 3, Output: 4, Calls: 1}, Model: "m-1", ID: "id",
	}, nil
}

func asks(text string) *llm.Request {
	return &llm.Request{Model: "m", Messages: []llm.Message{{Role: chat.User, Text: text}}, Label: llm.Label{Role: "judge", Item: text}}
}

func file1(t *testing.T) string { return filepath.Join(t.TempDir(), "calls.jsonl") }

func opened(t *testing.T, path string) *Store {
	t.Helper()
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func call(t *testing.T, m llm.Model, r *llm.Request) *llm.Response {
	t.Helper()
	res, err := m.Call(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func TestStoreKeepsAnswers(t *testing.T) {
	path, e := file1(t), &echo{}
	s := opened(t, path)
	first := call(t, s.Model(e), asks("a"))
	again := call(t, s.Model(e), asks("a"))
	relabelled := asks("a")
	relabelled.Label = llm.Label{Role: "author"}
	call(t, s.Model(e), relabelled)
	call(t, s.Model(e), asks("b"))
	if sent, spared := s.Counts(); e.calls != 2 || sent != 2 || spared != 2 {
		t.Errorf("%d calls, counted %d sent and %d spared", e.calls, sent, spared)
	}
	later := call(t, opened(t, path).Replay("test/m"), asks("a"))
	for _, res := range []*llm.Response{again, later} {
		if !reflect.DeepEqual(first, res) {
			t.Errorf("got %+v, at first %+v", res, first)
		}
	}
	if got := string(first.Message.Calls[0].Arguments); got != `{"z":1,"a":[1.50]}` {
		t.Errorf("arguments %s", got)
	}
}

func TestStoreFile(t *testing.T) {
	path := file1(t)
	r := asks("a")
	r.System = "policy"
	call(t, opened(t, path).Model(&echo{}), r)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"shared":"` + hashOf(`{"system":"policy"}`) + `","request":{"system":"policy"}}` + "\n" +
		`{"key":"` + keyHex(t, "test/m", r) + `","model":"test/m","label":{"role":"judge","item":"a"},` +
		`"shared":"` + hashOf(`{"system":"policy"}`) + `","request":{"model":"m"},"turns":[{"role":"user","text":"a"}],` +
		`"response":{"message":{"role":"assistant","text":"<a>","calls":[{"id":"1","name":"f","arguments":{"z":1,"a":[1.50]}}],"thought":{"b":1.0,"a":"&"}},` +
		`"stop":"tool_calls","reason":"tool_calls","usage":{"input":3,"output":4,"calls":1},"model":"m-1","id":"id"}}` + "\n"
	if string(text) != want {
		t.Errorf("got  %swant %s", text, want)
	}
}

func keyHex(t *testing.T, name string, r *llm.Request) string {
	t.Helper()
	e, err := newEntry(name, r)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x", e.key)
}

func hashOf(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }

// What calls share is written once.
func TestStoreSharesWhatIsLong(t *testing.T) {
	path := file1(t)
	m := opened(t, path).Model(&echo{})
	for i := range 10 {
		r := asks(fmt.Sprint(i))
		r.System = strings.Repeat("policy ", 1000+i/5)
		call(t, m, r)
	}
	if text, _ := os.ReadFile(path); strings.Count(string(text), "\n") != 12 || len(text) > 25_000 {
		t.Errorf("%d bytes in %d lines", len(text), strings.Count(string(text), "\n"))
	}
}

// Every field of a request but its label is part of the key.
func TestKeyHoldsWhatChangesTheAnswer(t *testing.T) {
	one, half := int64(1), .5
	full := llm.Request{
		Model: "m", System: "s", Messages: []llm.Message{{Role: "user"}}, Tools: []llm.Tool{{Name: "t"}}, Schema: &llm.Schema{Name: "n", JSON: json.RawMessage("{}")},
		MaxTokens: 1, Temperature: &half, TopP: &half, Seed: &one, Effort: "low", Extra: map[string]any{"a": 1}, Trial: 1, Label: llm.Label{Role: "judge"},
	}
	full.Tools[0].Parameters = json.RawMessage("{}")
	seen := map[string]string{keyHex(t, "test/m", &full): "nothing"}
	v := reflect.ValueOf(full)
	for i := range v.NumField() {
		name := v.Type().Field(i).Name
		if v.Field(i).IsZero() {
			t.Errorf("the test leaves %s out", name)
		}
		r := full
		reflect.ValueOf(&r).Elem().Field(i).SetZero()
		k := keyHex(t, "test/m", &r)
		if other, there := seen[k]; there != (name == "Label") {
			t.Errorf("without %s the key is that without %s", name, other)
		}
		seen[k] = name
	}
	if keyHex(t, "test/n", &full) == keyHex(t, "test/m", &full) {
		t.Error("another model has the same key")
	}
}

// How JSON within a request is spelt changes nothing.
func TestKeyIsCanonical(t *testing.T) {
	a, b := asks("x"), asks("x")
	a.Tools = []llm.Tool{{Name: "t", Parameters: json.RawMessage(`{"a": 1, "b": [true]}`)}}
	b.Tools = []llm.Tool{{Name: "t", Parameters: json.RawMessage(`{"b":[true],"a":1}`)}}
	a.Extra = map[string]any{"a": 1, "b": map[string]any{"c": "<"}}
	b.Extra = map[string]any{"b": json.RawMessage(`{"c": "\u003c"}`), "a": int64(1)}
	if keyHex(t, "m", a) != keyHex(t, "m", b) {
		t.Error("keys differ")
	}
	if string(a.Tools[0].Parameters) != `{"a": 1, "b": [true]}` || a.Extra["a"] != 1 {
		t.Errorf("the request became %+v", a)
	}
	a.Extra["a"] = json.RawMessage("{")
	if _, err := newEntry("m", a); err == nil {
		t.Error("a request without a JSON form has a key")
	}
}

func TestStoreKeepsNoErrors(t *testing.T) {
	path := file1(t)
	e := &echo{err: &llm.Error{Class: llm.Overloaded, Message: "sk-secret"}}
	s := opened(t, path)
	for range 2 {
		if _, err := s.Model(e).Call(t.Context(), asks("a")); llm.ClassOf(err) != llm.Overloaded {
			t.Error(err)
		}
	}
	if text, _ := os.ReadFile(path); e.calls != 2 || len(text) > 0 {
		t.Errorf("%d calls, kept %q", e.calls, text)
	}
	e.err = nil
	call(t, s.Model(e), asks("a"))
}

func TestStoreMakesACallOnce(t *testing.T) {
	path := file1(t)
	synctest.Test(t, func(t *testing.T) {
		e := &echo{takes: time.Second}
		s := opened(t, path)
		var wg sync.WaitGroup
		for i := range 64 {
			wg.Go(func() { call(t, s.Model(e), asks(fmt.Sprint(i%4))) })
		}
		wg.Wait()
		if sent, spared := s.Counts(); e.calls != 4 || sent != 4 || spared != 60 {
			t.Errorf("%d calls, counted %d sent and %d spared", e.calls, sent, spared)
		}
	})
}

// A failed call is every waiter's failure, except when its caller gave up.
func TestStoreSharesFlights(t *testing.T) {
	path := file1(t)
	synctest.Test(t, func(t *testing.T) {
		e := &echo{takes: time.Second}
		s := opened(t, path)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second/2)
		defer cancel()
		var wg sync.WaitGroup
		wg.Go(func() {
			if _, err := s.Model(e).Call(ctx, asks("a")); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("first: %v", err)
			}
		})
		synctest.Wait()
		wg.Go(func() { call(t, s.Model(e), asks("a")) })
		wg.Wait()
		if e.calls != 2 {
			t.Errorf("%d calls, want the second caller's own", e.calls)
		}
		e.err = &llm.Error{Class: llm.TooLong, Err: context.DeadlineExceeded}
		for range 3 {
			wg.Go(func() {
				if _, err := s.Model(e).Call(t.Context(), asks("b")); llm.ClassOf(err) != llm.TooLong {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if e.calls != 3 {
			t.Errorf("%d calls, want one for all", e.calls)
		}
	})
}

// A file cut at any byte yields its whole lines; the rest is asked anew, and the file
// ends as if it had never been cut.
func TestStoreCutAnywhere(t *testing.T) {
	path := file1(t)
	s := opened(t, path)
	ask := func(m llm.Model) {
		talk(t, m, asks("a"), 2)
		call(t, m, asks("ü"))
	}
	ask(s.Model(&echo{}))
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for n := range len(whole) + 1 {
		if err := os.WriteFile(path, whole[:n], 0o666); err != nil {
			t.Fatal(err)
		}
		ro, err := OpenReplay(path)
		if err != nil {
			t.Fatalf("cut at %d: %v", n, err)
		}
		_ = ro.Close()
		s, err := Open(path)
		if err != nil {
			t.Fatalf("cut at %d: %v", n, err)
		}
		lines := strings.Count(string(whole[:n]), `"key"`)
		if !strings.HasSuffix(string(whole[:n]), "\n") && strings.Contains(string(whole[strings.LastIndex(string(whole[:n]), "\n")+1:n]), `"key"`) {
			lines-- // the last one is torn
		}
		if len(s.places) != lines {
			t.Fatalf("cut at %d: %d calls kept", n, len(s.places))
		}
		if n%50 == 0 || strings.Contains(string(whole[max(n-2, 0):min(n+2, len(whole))]), "\n") { // each costs the disk some time
			e := &echo{}
			ask(s.Model(e))
			if got, _ := os.ReadFile(path); string(got) != string(whole) || e.calls != 3-lines {
				t.Fatalf("cut at %d: %d calls, ends as %q", n, e.calls, got)
			}
		}
		_ = s.Close()
	}
}

func TestStoreForgivesOnlyTheLastLine(t *testing.T) {
	for _, bad := range []string{`{"key":`, `{"shared":"abc"}`, `{}`, ``, `{"key":"` + hashOf("") + `","shared":"` + hashOf("") + `","request":{}}`} {
		path := file1(t)
		call(t, opened(t, path).Model(&echo{}), asks("a"))
		whole, _ := os.ReadFile(path)
		if err := os.WriteFile(path, []byte(bad+"\n"+string(whole)), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(path); err == nil || !strings.Contains(err.Error(), "line 1") || !strings.Contains(err.Error(), path) || hint.Of(err) == "" {
			t.Errorf("%q: got %v", bad, err)
		}
	}
}

// A file of calls cannot claim other questions than were asked.
func TestStoreRefusesEditedRequests(t *testing.T) {
	r := asks("a")
	r.System = "policy"
	keys := talk(t, opened(t, file1(t)).Model(&echo{}), r, 2)
	first, second := keys[0], keys[1]
	for old, edited := range map[string]string{
		`"text":"a"`: `"text":"b"`, `"text":"so"`: `"text":"no"`, `"text":"<a>"`: `"text":"<b>"`, `"after":"` + second: `"after":"` + first, `"model":"test/m"`: `"model":"test/n"`, `{"system":"policy"}`: `{"system":"police"}`, `"model":"m"`: `"model":"n"`,
	} {
		path := file1(t)
		r := asks("a")
		r.System = "policy"
		talk(t, opened(t, path).Model(&echo{}), r, 3)
		text, _ := os.ReadFile(path)
		if !strings.Contains(string(text), old) {
			t.Fatalf("no %s in %s", old, text)
		}
		if err := os.WriteFile(path, []byte(strings.Replace(string(text), old, edited, 1)), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := OpenReplay(path); !errors.Is(err, errEdited) {
			t.Errorf("%s → %s: %v", old, edited, err)
		}
	}
}

func TestStoreBill(t *testing.T) {
	path := file1(t)
	m := opened(t, path).Model(&echo{})
	call(t, m, asks("a"))
	call(t, m, asks("b"))
	r := asks("c")
	r.Label.Role = "author"
	call(t, m, r)
	prices := &llm.Prices{Models: map[string]llm.Price{"test/m": {Rates: llm.Rates{Input: 1e6}}}}
	b := opened(t, path).Bill(prices)
	if len(b.Rows) != 2 || b.Rows[0].Role != "author" || b.Rows[1].Usage != (llm.Usage{Input: 6, Output: 8, Calls: 2}) || *b.Dollars != llm.Dollars(9) {
		t.Errorf("got %+v", b)
	}
}
