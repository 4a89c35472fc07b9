package wire_test

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"taste/llm"
	"taste/llm/internal/wire"
)

func TestRetryAfter(t *testing.T) {
	const date = "Mon, 30 Nov 2026 20:00:00 GMT"
	for _, c := range []struct {
		header map[string]string
		want   time.Duration
	}{
		{nil, 0},
		{map[string]string{"Retry-After": "7"}, 7 * time.Second},
		{map[string]string{"Retry-After": "0.5"}, 500 * time.Millisecond},
		{map[string]string{"Retry-After-Ms": "250", "Retry-After": "1"}, 250 * time.Millisecond},
		{map[string]string{"Retry-After": "Mon, 30 Nov 2026 20:01:30 GMT", "Date": date}, 90 * time.Second},
		{map[string]string{"Retry-After": "Mon, 30 Nov 2026 19:00:00 GMT", "Date": date}, 0},
		{map[string]string{"Retry-After": "Mon, 30 Nov 2026 20:01:30 GMT"}, 0}, // as of when?
		{map[string]string{"Retry-After": "-5"}, 0},
		{map[string]string{"Retry-After": "NaN"}, 0},
		{map[string]string{"Retry-After": "1e300"}, 24 * time.Hour},
		{map[string]string{"Retry-After": "soon"}, 0},
	} {
		h := http.Header{}
		for k, v := range c.header {
			h.Set(k, v)
		}
		if got := wire.Failure(429, h, nil).RetryAfter; got != c.want {
			t.Errorf("%v: got %s, want %s", c.header, got, c.want)
		}
	}
}

// Messages are found wherever servers put them.
func TestMessages(t *testing.T) {
	for body, want := range map[string]string{
		`{"error": {"message": "no", "type": "x", "code": 5}}`: "no",
		`{"error": "no"}`:                       "no",
		`{"message": "no"}`:                     "no",
		`{"detail": "no"}`:                      "no",
		`{"detail": [{"msg": "no"}]}`:           `[{"msg": "no"}]`,
		`[{"error": {"message": "no"}}]`:        "no",
		"upstream  timed\nout":                  "upstream timed out",
		`{"error": null, "message": "no"}`:      "no",
		`{"something": "else"}`:                 `{"something": "else"}`,
		`{"error": {"status": "UNAVAILABLE"} }`: `{"status": "UNAVAILABLE"}`,
	} {
		if got := wire.Failure(500, nil, []byte(body)).Message; got != want {
			t.Errorf("%s: got %q", body, got)
		}
	}
}

// The words of real providers and servers.
func TestClasses(t *testing.T) {
	for _, c := range []struct {
		status int
		body   string
		want   llm.Class
	}{
		{400, `{"error": {"message": "This model's maximum context length is 128000 tokens.", "code": "context_length_exceeded"}}`, llm.TooLong},
		{400, `{"error": {"type": "invalid_request_error", "message": "prompt is too long: 210000 tokens > 200000 maximum"}}`, llm.TooLong},
		{400, `{"error": {"message": "Your input exceeds the context window of this model."}}`, llm.TooLong},
		{400, `{"error": {"code": 400, "message": "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).", "status": "INVALID_ARGUMENT"}}`, llm.TooLong},
		{400, `{"error": {"code": 400, "type": "exceed_context_size_error", "message": "the request exceeds the available context size"}}`, llm.TooLong},
		{400, `{"error": {"code": "content_filter", "message": "The response was filtered due to the prompt triggering Azure OpenAI's content management policy."}}`, llm.Blocked},
		{400, `{"error": {"code": 400, "message": "API key not valid. Please pass a valid API key.", "status": "INVALID_ARGUMENT", "details": [{"reason": "API_KEY_INVALID"}]}}`, llm.Auth},
		{400, `{"error": {"message": "max_tokens: 0 is too small"}}`, llm.BadRequest},
		{402, `{"error": {"message": "Insufficient credits"}}`, llm.Auth},
		{409, ``, llm.Overloaded},
		{422, `{"detail": "schema is not supported"}`, llm.BadRequest},
		{429, `{"error": {"code": 429, "status": "RESOURCE_EXHAUSTED", "details": [{"retryDelay": "32s"}]}}`, llm.RateLimited},
		{429, `{"error": {"type": "rate_limit_error", "message": "would exceed your rate limit of 20,000 input tokens per minute"}}`, llm.RateLimited},
		{429, `{"error": {"type": "insufficient_quota", "message": "check your plan and billing details"}}`, llm.Auth},
		{500, `{"error": {"message": "billing service is down"}}`, llm.Overloaded},
		{529, `{"error": {"type": "overloaded_error"}}`, llm.Overloaded},
	} {
		if got := wire.Failure(c.status, nil, []byte(c.body)).Class; got != c.want {
			t.Errorf("%d %s: got %s, want %s", c.status, c.body, got, c.want)
		}
	}
	if got := wire.Failure(429, nil, []byte(`{"error": {"details": [{"retryDelay": "32s"}]}}`)).RetryAfter; got != 32*time.Second {
		t.Errorf("delay in the body: %s", got)
	}
}

func TestLongMessagesAreCut(t *testing.T) {
	body := make([]byte, 5000)
	for i := range body {
		body[i] = "é"[i%2]
	}
	if got := wire.Failure(500, nil, body).Message; len(got) > 620 || got[len(got)-len("é …"):] != "é …" {
		t.Errorf("got %d bytes: %s", len(got), got)
	}
}

func TestFit(t *testing.T) {
	strict := wire.Dialect{Keywords: []string{"minItems", "const"}}
	loose := wire.Dialect{Optional: true}
	open := wire.Dialect{Open: true, Optional: true}
	const partial = `{"type": "object", "properties": {"b": {"type": "string"}, "a": {"type": "integer"}}, "required": ["b"]}`
	for _, c := range []struct {
		name    string
		dialect wire.Dialect
		schema  string
		want    string // "": it does not fit
	}{
		{
			"constraints are dropped", strict, `{"$schema": "x", "type": "object", "properties": {"l": {"type": "array", "items": {"type": "string", "minLength": 2}, "minItems": 1, "uniqueItems": true}}, "required": ["l"], "additionalProperties": false}`,
			`{"type":"object","properties":{"l":{"type":"array","items":{"type":"string"},"minItems":1}},"required":["l"],"additionalProperties":false}`,
		},
		{
			"names are no keywords", strict, `{"type": "object", "properties": {"minLength": {"type": "string"}, "not": {"const": 1}}, "required": ["minLength", "not"]}`,
			`{"type":"object","properties":{"minLength":{"type":"string"},"not":{"const":1}},"required":["minLength","not"],"additionalProperties":false}`,
		},
		{"all have to be required", strict, partial, ""},
		{"or not", loose, partial, `{"type":"object","properties":{"b":{"type":"string"},"a":{"type":"integer"}},"required":["b"],"additionalProperties":false}`},
		{"open objects", loose, `{"type": "object", "properties": {"m": {"type": "object", "additionalProperties": {"type": "string"}}}}`, ""},
		{"objects of anything", loose, `{"type": "object"}`, ""},
		{"open where it may be", open, `{"type": "object", "additionalProperties": {"type": "string"}}`, `{"type":"object","additionalProperties":{"type":"string"}}`},
		{
			"definitions", loose, `{"type": "object", "properties": {"x": {"anyOf": [{"$ref": "#/$defs/n"}, {"type": "null"}]}}, "$defs": {"n": {"type": "number", "maximum": 3}}}`,
			`{"type":"object","properties":{"x":{"anyOf":[{"$ref":"#/$defs/n"},{"type":"null"}]}},"$defs":{"n":{"type":"number"}},"additionalProperties":false}`,
		},
		{"other combinations", loose, `{"type": "object", "properties": {"x": {"oneOf": [{"type": "null"}]}}}`, ""},
		{"lists", loose, `{"type": "array", "items": {"type": "string"}}`, ""},
		{"no schema", loose, `true`, ""},
		{"no JSON", loose, `{`, ""},
	} {
		got := c.dialect.Fit(&llm.Schema{JSON: json.RawMessage(c.schema)})
		var want string
		if c.want != "" {
			want = c.want
		}
		if compact(t, got) != want {
			t.Errorf("%s: got %s", c.name, got)
		}
	}
}

func compact(t *testing.T, text json.RawMessage) string {
	t.Helper()
	if text == nil {
		return ""
	}
	out, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// Kept calls are compared by what they say.
func TestSame(t *testing.T) {
	call := func(arguments string) []llm.Call { return []llm.Call{wire.Call("1", "a", arguments)} }
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{`{"x": 1.0, "y": "é<"}`, `{"x":1.0,"y":"\u00e9\u003c"}`, true},
		{`{"x": 1.0}`, `{"x": 1}`, false},
		{`{"x": 1}`, `{"x": 2}`, false},
		{`no`, `no`, false},
	} {
		if got := wire.Same(call(c.a), call(c.b)); got != c.want {
			t.Errorf("%s and %s: %v", c.a, c.b, got)
		}
	}
	if wire.Same(nil, call(`{}`)) || !wire.Same(nil, nil) {
		t.Error("calls that are not there")
	}
}
