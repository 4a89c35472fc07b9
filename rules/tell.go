package rules

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"taste/phrase"
	"taste/role"
	"taste/tau"
)

// spoilt checks that no answer stands in the scenario, compared as scoring
// compares messages: lower case, without commas.
func spoilt(s phrase.Scenario, answers []string) error {
	text := strings.Join([]string{s.ReasonForCall, s.KnownInfo, s.UnknownInfo, s.TaskInstructions}, "\n")
	text = strings.ReplaceAll(strings.ToLower(text), ",", "")
	for _, a := range answers {
		if strings.Contains(text, strings.ToLower(a)) {
			return fmt.Errorf("%w: %q", ErrSpoilt, a)
		}
	}
	return nil
}

func scenario(domain string, s phrase.Scenario) tau.UserScenario {
	return tau.UserScenario{Instructions: tau.Instructions{Structured: &tau.StructuredInstructions{
		Domain: domain, ReasonForCall: s.ReasonForCall, KnownInfo: textOrNil(s.KnownInfo),
		UnknownInfo: textOrNil(s.UnknownInfo), TaskInstructions: s.TaskInstructions}}}
}

func textOrNil(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// purpose says what a task is about for whoever browses the benchmark.
func purpose(m role.Meta) *string {
	s := fmt.Sprintf("A conversation of %d tool calls: %s.", len(m.Sequence), strings.Join(m.Wishes, ", "))
	return &s
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
