package env_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"taste/domain/mock"
	"taste/env"
	"taste/env/native/nativetest"
	"taste/pyjson"
)

var choresFiles = map[string]string{
	"manifest.json": `{"format": 1, "name": "chores", "domain": "mock", "semantics": "tau2", "license": "CC0", "source": {"repository": "r", "commit": "c"},
		"policy": ["policy.md", {"file": "policy.md", "tag": "t"}], "policy_solo": ["policy.md"], "databases": {"agent": "db.json", "user": "user.json"},
		"tools": "tools.json", "tasks": {"default": "tasks.json"}, "splits": "splits.json", "user_guidelines": "policy.md", "clock": "2024-05-15T15:00:00",
		"initial_hash": [null, null]}`,
	"policy.md":   "Be kind.",
	"db.json":     `{"tasks": {"t1": {"task_id": "t1", "title": "Sweep", "status": "pending"}}, "users": {"ann": {"user_id": "ann", "name": "Ann", "tasks": ["t1"]}}}`,
	"user.json":   `{"notifications": {"n1": {"notification_id": "n1", "message": "Sweep!", "task_id": "t1"}}}`,
	"splits.json": `{"base": ["1"]}`,
	"tools.json": `[{"name": "update_task_status", "requestor": "assistant", "type": "write", "mutates_state": true, "schema": {"type": "function", "function":
		{"name": "update_task_status", "parameters": {"type": "object", "properties": {"task_id": {"type": "string"}, "status": {}}, "required": ["task_id", "status"]}}}}]`,
	"tasks.json": `[{"id": "1", "user_scenario": {"instructions": "Sweep."}, "user_tools": ["check_notifications"], "initial_state": {"initialization_actions": [
		{"env_type": "user", "func_name": "add_notification", "arguments": {"notification_id": "n2", "message": "Mop!"}}]}, "evaluation_criteria": {"actions": [
		{"action_id": "1", "name": "update_task_status", "arguments": {"task_id": "t1", "status": "completed"}}], "env_assertions": [
		{"env_type": "assistant", "func_name": "assert_task_status", "arguments": {"task_id": "t1", "expected_status": "completed"}}]}}]`,
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestCheckAnything puts odd values in the place of every value of every file:
// the check always comes to an end, and what it finds nothing wrong with loads.
func TestCheckAnything(t *testing.T) {
	reg := env.Registry{"mock": mock.Native}
	dir := t.TempDir()
	for name, text := range choresFiles {
		write(t, dir, name, text)
	}
	tried := 0
	for name, text := range choresFiles {
		if !strings.HasSuffix(name, ".json") {
			continue
		}
		spoil(nativetest.Decode(t, text), func(spoilt any) {
			tried++
			write(t, dir, name, pyjson.Dumps(spoilt))
			review, err := env.CheckPack(dir, reg)
			if err != nil {
				t.Fatalf("%s: %s: %v", name, pyjson.Dumps(spoilt), err)
			}
			for _, f := range review.Faults {
				if f.Grade == env.Wrong {
					return
				}
			}
			if _, err := env.LoadPack(dir, reg); err != nil {
				t.Errorf("%s: %s\nnothing wrong, but %v", name, pyjson.Dumps(spoilt), err)
			}
		})
		write(t, dir, name, text)
	}
	if tried < 500 {
		t.Errorf("%d spoilt packs only", tried)
	}
}

var odd = []any{nil, true, int64(5), 2.5, "", "x", "../x", []any{}, []any{int64(1)}, []any{nil}, pyjson.NewObject(), pyjson.NewObject("x", nil)}

// spoil calls yield with v for each value in it replaced by each odd one, or left
// out.
func spoil(v any, yield func(any)) {
	for _, o := range odd {
		yield(o)
	}
	switch x := v.(type) {
	case *pyjson.Object:
		for key, inner := range x.All() {
			without := x.Shallow()
			without.Delete(key)
			yield(without)
			spoil(inner, func(spoilt any) {
				with := x.Shallow()
				with.Set(key, spoilt)
				yield(with)
			})
		}
	case []any:
		for i, inner := range x {
			spoil(inner, func(spoilt any) {
				with := append([]any(nil), x...)
				with[i] = spoilt
				yield(with)
			})
		}
	}
}
