package builtin

import (
	"testing"

	"taste/internal/words"
)

func TestGuidelinesAreOurOwn(t *testing.T) {
	words.Own(t, func(string) string { return Guidelines() }, "user_guidelines.md")
	words.Own(t, func(string) string { return ToolGuidelines() }, "user_guidelines_tools.md")
}
