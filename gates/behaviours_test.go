package gates_test

import (
	"slices"
	"testing"

	"taste/gates"
	"taste/tau"
)

// TestRow08EmptyGateIsALint: a component that the basis names and that asks for
// nothing is a finding, beside components that do ask; a basis that nobody wrote
// is none.
func TestRow08EmptyGateIsALint(t *testing.T) {
	k := newKit(t)
	const gold = `"actions": [{"action_id": "1", "name": "cancel_reservation", "arguments": {"reservation_id": "AAA111"}}]`
	for criteria, want := range map[string][]string{
		`{` + gold + `, "communicate_info": [], "reward_basis": ["DB", "COMMUNICATE"]}`:     {"COMMUNICATE"},
		`{` + gold + `, "communicate_info": null, "reward_basis": ["DB", "COMMUNICATE"]}`:   {"COMMUNICATE"},
		`{` + gold + `, "reward_basis": ["DB", "NL_ASSERTION", "ENV_ASSERTION", "ACTION"]}`: {"NL_ASSERTION", "ENV_ASSERTION"},
		`{` + gold + `, "communicate_info": ["7"], "reward_basis": ["DB", "COMMUNICATE"]}`:  nil,
		`{` + gold + `, "reward_basis": ["DB"]}`:                                            nil,
		`{` + gold + `, "reward_basis": null}`:                                              nil,
		`{` + gold + `}`:                                                                    nil,
		`{` + gold + `, "reward_basis": ["COMMUNICATE"]}`:                                   nil, // ungated, which says it all
	} {
		tasks, err := tau.ParseTasks("t", []byte(`[{"id": "t", "user_scenario": {"instructions": "Cancel it."}, "evaluation_criteria": `+criteria+`}]`))
		must(t, err)
		var got []string
		for _, f := range validate(t, k, tasks...) {
			if f.Rule != gates.EmptyPart {
				continue
			}
			if f.Kind != gates.Warning || f.Path != "evaluation_criteria.reward_basis" {
				t.Errorf("%s: %+v", criteria, f)
			}
			got = append(got, f.Evidence)
		}
		for i := range want {
			want[i] = "the reward rests on " + want[i] + ", which asks for nothing: leave it out, or say what it is to check"
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", criteria, got, want)
		}
	}
}
