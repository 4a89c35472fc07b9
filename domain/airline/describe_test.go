package airline_test

import (
	"strings"
	"testing"

	"taste/chat"
	"taste/domain/airline"
	"taste/env"
	"taste/env/native/nativetest"
	"taste/pyjson"
)

func world(t *testing.T) *env.Domain {
	t.Helper()
	d, err := airline.Builtin(1)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// What a record may be follows from the functions that read it: literals, unions
// told apart by one, fields that may be missing or null.
func TestSchema(t *testing.T) {
	text := string(pyjson.Append(nil, world(t).Schema(chat.Assistant), pyjson.Style{Tight: true}))
	for _, want := range []string{
		`"cabin":{"type":"string","enum":["business","economy","basic_economy"]}`,
		`"properties":{"source":{"type":"string","enum":["credit_card"]},"id":{"type":"string"},"brand":{"type":"string"},"last_four":{"type":"string"}}`,
		`"properties":{"source":{"type":"string","enum":["certificate","gift_card"]},"id":{"type":"string"},"amount":{"type":"number"}}`,
		`"address2":{"anyOf":[{"type":"string"},{"type":"null"}]}`,
		`"total_baggages":{"type":"integer"}`,
		`"status":{"anyOf":[{"type":"string","enum":["cancelled"]},{"type":"null"}]}`, // no reservation of the world is cancelled
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the schema lacks %s:\n%s", want, text)
		}
	}
}

func TestDangling(t *testing.T) {
	e := world(t).Environment()
	if got := e.Dangling(); len(got) > 0 {
		t.Fatalf("the world has records that name none: %q", got)
	}
	user := e.Keys("users")[0]
	data := `{"initialization_data": {"agent_data": {"users": {"` + user + `": {"reservations": ["NOSUCH"]}}}}}`
	if err := nativetest.Start(t, e, data); err != nil {
		t.Fatal(err)
	}
	if got := e.Dangling(); len(got) != 1 || got[0] != "users."+user+".reservations[0]: 'NOSUCH' is not in reservations" {
		t.Errorf("got %q", got)
	}
}
