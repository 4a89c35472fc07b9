package builtin

import (
	"testing"

	"taste/internal/words"
)

func TestGuidelinesAreOurOwn(t *testing.T) {
	words.Own(t, func(string) string { return guidelines }, "user_guidelines.md")
	words.Own(t, func(string) string { return toolGuidelines }, "user_guidelines_tools.md")
}
