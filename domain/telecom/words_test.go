package telecom

import (
	"testing"

	"taste/internal/words"
)

func TestTextsAreOurOwn(t *testing.T) {
	words.Own(t, files.Text, "policy.md", soloFile, manualFile, workflowFile, "tools.json", "seeds.json")
}

func TestPolicySentencesStandAlone(t *testing.T) { words.Alone(t, Policy()) }
