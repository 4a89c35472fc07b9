package phrase

import (
	"fmt"
	"testing"
)

// What stands between “ and ”, and calls, are one token each; nothing in them
// ends a sentence.
func TestVerbatimTokens(t *testing.T) {
	for text, want := range map[string]string{
		"It says “Lamp: ON. Or so.\nLevel: 2”. Fine.":         "[It says “Lamp: ON. Or so.\nLevel: 2”] [Fine]",
		`Run switch_on(lamp="a b. C", level=2), then look().`: `[Run switch_on(lamp="a b. C", level=2) then look()]`,
		"An open “ quote. And bag(s) (or two)":                "[An open quote] [And bag(s or two]",
		"“All of it.”":                                        "[“All of it.”]",
	} {
		got := ""
		for i, s := range sentences(text) {
			if i > 0 {
				got += " "
			}
			got += "[" + joinRaw(s.tokens) + "]"
		}
		if got != want {
			t.Errorf("%q:\n got %s\nwant %s", text, got, want)
		}
	}
	if fmt.Sprint(isCall("a_b()"), isCall("a_b() "), isCall(""), isQuotation("“”"), isQuotation("“a”b”")) != "true false false false false" {
		t.Error("calls and quotations are not told from other texts")
	}
}
