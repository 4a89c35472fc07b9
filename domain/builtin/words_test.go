package builtin

import (
	"testing"

	"taste/internal/words"
)

func TestGuidelinesAreOurOwn(t *testing.T) {
	words.Own(t, func(string) string { return Guidelines() }, "user_guidelines.md")
}
