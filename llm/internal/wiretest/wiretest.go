// Package wiretest plays providers for tests of adapters: it gives answers as they
// stand on the wire, and shows what was sent for them.
package wiretest

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
)

// Body is the body of a request, by field.
type Body map[string]json.RawMessage

// Serve answers with the bodies given in turn, the last one again and again, and
// returns its address and what it is sent.
func Serve(t *testing.T, bodies ...string) (address string, sent *[]Body) {
	t.Helper()
	sent = &[]Body{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		var body Body
		if err := json.Unmarshal(text, &body); err != nil {
			t.Error(err)
		}
		w.Header().Set("Content-Type", "text/plain") // as some servers have it
		if _, err := io.WriteString(w, bodies[min(len(*sent), len(bodies)-1)]); err != nil {
			t.Error(err)
		}
		*sent = append(*sent, body)
	}))
	t.Cleanup(s.Close)
	return s.URL, sent
}

// Compact is JSON without blanks.
func Compact(t *testing.T, text []byte) string {
	t.Helper()
	out, err := json.Marshal(json.RawMessage(text))
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}
