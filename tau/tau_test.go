package tau

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"taste/chat"
	"taste/internal/shared"
	"taste/pyjson"
)

// TestPacksRoundTrip reads and writes every public task file and compares the
// JSON values, unknown fields included.
func TestPacksRoundTrip(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(shared.Dir(t), "packs", "tau2-*", "tasks*.json"))
	if len(files) == 0 {
		t.Skip("packs/tau2-*/tasks*.json are missing")
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		tasks, err := ParseTasks(f, data)
		if err != nil {
			t.Fatal(err)
		}
		want, _ := pyjson.Decode(data)
		got, err := pyjson.Decode(AppendTasks(nil, tasks))
		if err != nil || !pyjson.Same(want, got) {
			t.Errorf("%s does not come back equal (%v)", f, err)
		}
	}
}

const rich = `[{
 "zz": {"a": [1, 1.0, null]}, "id": "t1", "annotations": null, "ticket": null, "issues": [{"id": "i", "x": 1e3}],
 "description": {"purpose": "p", "author": "me"},
 "user_scenario": {"mood": "low", "instructions": {"domain": "airline", "reason_for_call": "r", "task_instructions": "t", "hint": 3}},
 "initial_state": {"seed": 7, "initialization_data": {"agent_data": {"b": {"y": 1, "x": 2.0}}, "note": "n"},
   "initialization_actions": [{"env_type": "user", "func_name": "f", "arguments": {"b": 1, "a": []}, "why": "w"}],
   "message_history": [
     {"role": "assistant", "content": null, "tool_calls": [{"id": "1", "name": "f", "arguments": {"z": 1, "a": {"k": 1.0}}, "index": 4}], "cost": 0.25, "usage": {"n": 1}},
     {"role": "tool", "id": "1", "content": "x", "error": true, "extra": {}},
     {"role": "tool", "tool_messages": [{"role": "tool", "id": "2", "content": null}], "q": 1},
     {"role": "user", "content": "", "tool_calls": [], "turn_idx": 3, "timestamp": "now"}]},
 "evaluation_criteria": {"weight": 0.5, "actions": [{"action_id": "a", "name": "f", "arguments": {"b": 25, "a": 25.0}, "compare_args": [], "tag": "t"}],
   "env_assertions": [{"env_type": "user", "func_name": "g", "arguments": {}, "assert_value": false, "sev": 1}],
   "communicate_info": null, "nl_assertions": []}
}]`

func TestUnknownFieldsSurvive(t *testing.T) {
	tasks, err := ParseTasks("rich.json", []byte(rich))
	if err != nil {
		t.Fatal(err)
	}
	want, _ := pyjson.Decode([]byte(rich))
	got, _ := pyjson.Decode(AppendTasks(nil, tasks))
	if pyjson.Dumps(want) != pyjson.Dumps(got) {
		t.Errorf("got  %s\nwant %s", pyjson.Dumps(got), pyjson.Dumps(want))
	}
	// A changed field changes that key alone, and the given order of the
	// arguments holds until they are changed.
	c := tasks[0].EvaluationCriteria
	if a := c.Actions[0].Args(); a.Keys()[0] != "b" {
		t.Errorf("arguments read as %s", pyjson.Dumps(a))
	}
	c.Actions[0].Arguments["b"] = 26
	text := string(AppendTasks(nil, tasks))
	if !strings.Contains(text, `"b": 26`) || !strings.Contains(text, `"tag": "t"`) {
		t.Errorf("change is not written: %s", text)
	}
}

func TestErrorsNameThePlace(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{`"id": "t1"`, `"id": 5`, "f.json: task 5: id: want a string, got a number"},
		{`"name": "f", "arguments": {"b": 25`, `"name": 1, "arguments": {"b": 25`, "f.json: task t1: evaluation_criteria.actions[0].name: want a string"},
		{`"arguments": {"z": 1`, `"arguments": [], "o": {"z": 1`, "f.json: task t1: initial_state.message_history[0].tool_calls[0].arguments: want an object"},
		{`"env_type": "user", "func_name": "f"`, `"env_type": "robot", "func_name": "f"`, "initial_state.initialization_actions[0].env_type: want assistant or user"},
		{`"role": "user"`, `"role": "boss"`, "initial_state.message_history[3].role"},
		{`"communicate_info": null`, `"communicate_info": ["a", 2]`, "evaluation_criteria.communicate_info[1]: want a string"},
		{`"communicate_info": null`, `"reward_basis": ["DB", "LUCK"]`, "evaluation_criteria.reward_basis: unknown reward type 'LUCK'"},
		{`"user_scenario"`, `"user"`, "task t1: user_scenario: required object is missing"},
		{`"reason_for_call": "r", `, ``, "user_scenario.instructions.reason_for_call: required string is missing"},
	} {
		text := strings.Replace(rich, c.from, c.to, 1)
		_, err := ParseTasks("f.json", []byte(text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s → %s: error %v, want %q", c.from, c.to, err, c.want)
		}
	}
	for text, want := range map[string]string{
		`[{]`:            "f.json: broken JSON: line 1 column 3",
		"[\"\xff\"]":     "f.json: broken JSON: line 1 column 3: byte that is no UTF-8",
		`5`:              "f.json: want an array of tasks",
		`[5]`:            "f.json: task #0: want an object, got a number",
		rich[:1] + `{}]`: "f.json: task #0: id: required string is missing",
		strings.Replace(rich, "[{", "[{\"id\":\"t1\",\"user_scenario\":{\"instructions\":\"x\"}},{", 1): "f.json: task t1: id: this id occurs twice",
	} {
		if _, err := ParseTasks("f.json", []byte(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%.20s: error %v, want %q", text, err, want)
		}
	}
	if _, err := LoadTasks(filepath.Join(t.TempDir(), "none.json")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
}

// TestOwnTasks writes a task made by a program: upstream's keys and nothing
// else, the reward basis always.
func TestOwnTasks(t *testing.T) {
	purpose := "p"
	task := Task{
		ID: "1", Description: &Description{Purpose: &purpose},
		UserScenario: UserScenario{Instructions: Instructions{Structured: &StructuredInstructions{Domain: "airline"}}},
		EvaluationCriteria: &EvaluationCriteria{
			Actions: []Action{{ActionID: "a", Name: "f", Arguments: map[string]any{"n": 3, "f": 3.0, "l": []string{"x"}}}},
		},
	}
	want := `{"id": "1", "description": {"purpose": "p", "relevant_policies": null, "notes": null}, ` +
		`"user_scenario": {"persona": null, "instructions": {"domain": "airline", "reason_for_call": "", "known_info": null, "unknown_info": null, "task_instructions": ""}}, ` +
		`"initial_state": null, "evaluation_criteria": {"actions": [{"action_id": "a", "requestor": "assistant", "name": "f", "arguments": {"f": 3.0, "l": ["x"], "n": 3}, "info": null}], ` +
		`"communicate_info": null, "nl_assertions": null, "reward_basis": ["DB", "COMMUNICATE"]}}`
	if got := pyjson.Dumps(task.JSON()); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	task.InitialState = &InitialState{MessageHistory: []chat.Message{chat.Text(chat.User, "hi")}}
	if got := pyjson.Dumps(task.InitialState.JSON()); got != `{"initialization_data": null, "initialization_actions": null, "message_history": [{"role": "user", "content": "hi", "tool_calls": null}]}` {
		t.Errorf("initial state: %s", got)
	}
}
