package mock

import (
	"testing"

	"taste/internal/words"
)

func TestToolsAreDescribedInOurWords(t *testing.T) {
	words.Own(t, func(string) string { return string(Tools()) }, "tools.json")
}
