package tau

import (
	"strings"
	"testing"

	"taste/pyjson"
)

func parseOne(t *testing.T, text string) *Task {
	t.Helper()
	tasks, err := ParseTasks("t", []byte("["+text+"]"))
	if err != nil {
		t.Fatal(err)
	}
	return &tasks[0]
}

// What is spelt out and what is left out by default is the same content; what is
// for the reader does not count, what is asked for does.
func TestContent(t *testing.T) {
	const bare = `{"id": "a", "user_scenario": {"instructions": "x"}, "initial_state": {"message_history": [{"role": "user", "content": "hi"}]},
	 "evaluation_criteria": {"actions": [{"action_id": "0", "name": "f", "arguments": {"b": 1, "a": 2}}], "env_assertions": [{"env_type": "user", "func_name": "g", "arguments": {}}]}}`
	const spelt = `{"id": "a", "description": {"purpose": "why", "notes": null}, "issues": [{"id": 1}], "ticket": null, "user_tools": null,
	 "user_scenario": {"persona": null, "instructions": "x"},
	 "initial_state": {"initialization_data": null, "initialization_actions": null, "message_history": [{"role": "user", "content": "hi", "tool_calls": null, "timestamp": "t", "is_audio": false}]},
	 "evaluation_criteria": {"actions": [{"action_id": "9", "requestor": "assistant", "name": "f", "arguments": {"a": 2, "b": 1}, "info": "i", "compare_args": null}],
	  "env_assertions": [{"env_type": "user", "func_name": "g", "arguments": {}, "assert_value": true, "message": null}], "communicate_info": [], "nl_assertions": null, "reward_basis": ["DB", "COMMUNICATE"], "alternatives": null}}`
	a, b := parseOne(t, bare).Content(), parseOne(t, spelt).Content()
	if !pyjson.Same(a, b) {
		t.Errorf("%q", pyjson.Diff("", a, b, pyjson.Same))
	}
	for from, to := range map[string]string{
		`"instructions": "x"`:            `"instructions": "y"`,
		`"b": 1`:                         `"b": 1.0`,
		`"reward_basis": ["DB"`:          `"reward_basis": ["ACTION"`,
		`"communicate_info": []`:         `"communicate_info": ["z"]`,
		`"assert_value": true`:           `"assert_value": false`,
		`"content": "hi"`:                `"content": "ho"`,
		`"compare_args": null`:           `"compare_args": ["a"]`,
		`"alternatives": null`:           `"alternatives": [{"name": "n", "actions": []}]`,
		`"user_tools": null`:             `"user_tools": []`,
		`"ticket": null`:                 `"ticket": "t"`,
		`"initialization_actions": null`: `"initialization_actions": [{"env_type": "user", "func_name": "f", "arguments": {}}]`,
		`"initialization_data": null`:    `"initialization_data": {"agent_data": {"x": 1}}`,
	} {
		if !strings.Contains(spelt, from) {
			t.Fatalf("%s is not there", from)
		}
		c := parseOne(t, strings.Replace(spelt, from, to, 1)).Content()
		if d := pyjson.Diff("", b, c, pyjson.Same); len(d) != 1 {
			t.Errorf("%s for %s: %q", to, from, d)
		}
	}
	none, empty := parseOne(t, `{"id": "a", "user_scenario": {"instructions": "x"}, "evaluation_criteria": {"actions": null}}`), parseOne(t, `{"id": "a", "user_scenario": {"instructions": "x"}, "evaluation_criteria": {"actions": []}}`)
	if pyjson.Same(none.Content(), empty.Content()) {
		t.Error("no actions named and none wanted are one")
	}
}

func TestAlternativesComeBack(t *testing.T) {
	const text = `{"id": "a", "user_scenario": {"instructions": "x"}, "evaluation_criteria": {"actions": [], "alternatives": [{"why": 1, "name": "n", "actions": [{"action_id": "0", "name": "f", "arguments": {}}], "communicate_info": ["5"]}]}}`
	task := parseOne(t, text)
	want, _ := pyjson.Decode([]byte(text))
	if got := task.JSON(); pyjson.Dumps(got) != pyjson.Dumps(want) {
		t.Errorf("%s", pyjson.Dumps(got))
	}
	alt := task.EvaluationCriteria.Alternatives[0]
	if alt.Name != "n" || alt.Actions[0].Name != "f" || alt.CommunicateInfo[0] != "5" {
		t.Errorf("%+v", alt)
	}
	made := Task{ID: "b", EvaluationCriteria: &EvaluationCriteria{Alternatives: []Alternative{{Name: "n", Actions: []Action{}}}}}
	if got := pyjson.Dumps(made.JSON()); !strings.Contains(got, `"alternatives": [{"name": "n", "actions": []}]`) {
		t.Errorf("%s", got)
	}
}
