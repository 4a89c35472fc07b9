package builtin

import (
	"testing"

	"taste/internal/words"
)

func TestGuidelinesAreOurOwn(t *testing.T) { words.Own(t, "user_guidelines.md", Guidelines()) }
