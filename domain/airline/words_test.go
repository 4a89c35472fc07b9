package airline

import (
	"testing"

	"taste/domain/builtin"
	"taste/internal/words"
)

func TestWordsAreOurOwn(t *testing.T) {
	for _, name := range []string{builtin.PolicyFile, builtin.ToolsFile, builtin.SeedsFile} {
		words.Own(t, name, files.Text(name))
	}
}

func TestSentencesOfThePolicyStandAlone(t *testing.T) { words.Alone(t, Policy()) }
