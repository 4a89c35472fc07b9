package retail_test

import (
	"strings"
	"testing"

	"taste/chat"
	"taste/domain/retail"
	"taste/pyjson"
)

// What no order of the world has yet, returns and exchanges, is tried out.
func TestSchema(t *testing.T) {
	d, err := retail.Builtin(1)
	if err != nil {
		t.Fatal(err)
	}
	text := string(pyjson.Append(nil, d.Schema(chat.Assistant), pyjson.Style{Tight: true}))
	for _, want := range []string{
		`"options":{"type":"object","additionalProperties":{"type":"string"}}`,
		`"return_items":{"anyOf":[{"type":"array","items":{"type":"string"}},{"type":"null"}]}`,
		`"exchange_price_difference":{"anyOf":[{"type":"number"},{"type":"null"}]}`,
		`"cancel_reason":{"anyOf":[{"type":"string","enum":["no longer needed","ordered by mistake"]},{"type":"null"}]}`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the schema lacks %s:\n%s", want, text)
		}
	}
}
