package airline

import (
	"testing"

	"taste/domain/builtin"
	"taste/internal/words"
)

func TestWordsAreOurOwn(t *testing.T) {
	words.Own(t, files.Text, builtin.PolicyFile, builtin.ToolsFile, builtin.SeedsFile)
}

func TestSentencesOfThePolicyStandAlone(t *testing.T) { words.Alone(t, Policy()) }
