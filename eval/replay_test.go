package eval_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"taste/eval"
	"taste/tau"
)

// traceFile writes lines as a trace file, gzipped or not.
func traceFile(t *testing.T, zip bool, lines ...string) string {
	t.Helper()
	var buf bytes.Buffer
	if zip {
		w := gzip.NewWriter(&buf)
		fmt.Fprintln(w, strings.Join(lines, "\n"))
		w.Close()
	} else {
		fmt.Fprintln(&buf, strings.Join(lines, "\n"))
	}
	path := filepath.Join(t.TempDir(), "x.jsonl")
	if err := os.WriteFile(path, buf.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func replayOf(t *testing.T, tasks ...tau.Task) *eval.Replay {
	t.Helper()
	return &eval.Replay{Domain: desk(t), Workers: 2, Keep: 3, Tasks: func(string) ([]tau.Task, error) { return tasks, nil }}
}

// sound returns traces of all kinds that hold for the desk, with its hashes.
func sound(t *testing.T) []string {
	d := desk(t)
	e := d.Environment()
	h0 := e.Hash()
	e.Call("assistant", "send_certificate", map[string]any{"user_id": "kim", "amount": 50})
	h1 := e.Hash()
	call := `{"requestor": "assistant", "name": "send_certificate", "arguments": {"user_id": "kim", "amount": 50}, "content": "Certificate certificate_3221322 added to user kim with amount 50.", "error": false, "hash": ["` + h1 + `", null]}`
	fail := `{"requestor": "assistant", "name": "send_certificate", "arguments": {"user_id": "bo", "amount": 50}, "content": "Error: User bo not found", "error": true}`
	act := `{"env": {"env_type": "assistant", "func_name": "transfer_to_human_agents", "arguments": {"summary": "x"}, "result": "Transfer successful", "error": false}}`
	rough := `{"requestor": "assistant", "name": "calculate", "arguments": {"expression": "("}, "content": "Error: some text", "error": true, "exact": false}`
	info := `{"reward": 1.0, "db_check": {"db_match": true, "db_reward": 1.0}, "env_assertions": [], "action_checks": [{"action_match": true, "action_reward": 1.0, "tool_type": "write"}], "reward_basis": ["DB", "COMMUNICATE"], "reward_breakdown": {"DB": 1.0, "COMMUNICATE": 1.0}, "info": {"communicate": {"note": "No communicate_info to evaluate"}}}`
	return []string{
		`{"id": "fuzz", "task": null, "hash0": ["` + h0 + `", null], "calls": [` + fail + `, ` + call + `, ` + act + `, ` + rough + `]}`,
		`{"id": "init", "agent_data": {"users": {"kim": {"x": 1}}}, "hash0": ["` + h0 + `", null], "calls": [` + call + `]}`,
		`{"id": "bad", "agent_data": {"hotels": 1}, "raised": "ValidationError"}`,
		`{"id": "t", "hash0": ["` + h0 + `", null], "calls": [` + call + `], "gold_hash": ["` + h1 + `", null], "gold_errors": []}`,
		`{"task": "t", "variant": "gold", "termination_reason": "user_stop", "messages": [{"role": "assistant", "tool_calls": [{"id": "1", "name": "send_certificate", "arguments": {"user_id": "kim", "amount": 50}}]}, {"role": "tool", "id": "1", "content": "Certificate certificate_3221322 added to user kim with amount 50."}], "reward_info": ` + info + `}`,
	}
}

func TestReplaySound(t *testing.T) {
	r := replayOf(t, *task(t, `{"actions": [`+goldSend+`]}`))
	for _, zip := range []bool{false, true} {
		rep, err := r.File(context.Background(), traceFile(t, zip, sound(t)...))
		if err != nil {
			t.Fatal(err)
		}
		if rep.Traces != 5 || rep.Calls != 4+2+1+2+1 || rep.Inexact != 1 || rep.Mismatches != 0 || rep.OtherStart != 0 {
			t.Errorf("%+v", rep)
		}
	}
}

// TestReplayNoticesEveryChange alters one recorded fact at a time.
func TestReplayNoticesEveryChange(t *testing.T) {
	lines := sound(t)
	for _, c := range []struct {
		line     int
		from, to string
		what     string
	}{
		{0, `kim with amount 50.`, `kim with amount 50`, "content"},
		{0, `bo not found", "error": true`, `bo not found", "error": false`, "error"},
		{0, `"hash": [`, `"hush": [`, "hash"},
		{0, `"hash0": ["`, `"hash0": ["0`, "hash0"},
		{0, `Error: some text", "error": true`, `Error: some text", "error": false`, "error"},
		{0, `"Transfer successful", "error": false`, `"Transfer successfu", "error": false`, "result"},
		{0, `"Transfer successful", "error": false`, `"Transfer successful", "error": true`, "error"},
		{1, `"x": 1`, `"membership": "gold"`, "hash0"},
		{1, `{"users"`, `{"nusers"`, "raised"},
		{2, `hotels": 1`, `users": {}`, "raised"},
		{3, `"gold_hash": ["`, `"gold_hash": ["0`, "gold_hash"},
		{3, `"gold_errors": []`, `"gold_errors": [{"index": 0, "message": "m", "exception": "ValueError"}]`, "gold_errors"},
		{4, `"reward": 1.0`, `"reward": 0.0`, "reward_info"},
		{4, `"action_match": true`, `"action_match": false`, "reward_info"},
		{4, `kim with amount 50.`, `kim with amount 51.`, "raised"},
	} {
		changed := append([]string(nil), lines...)
		changed[c.line] = strings.Replace(changed[c.line], c.from, c.to, 1)
		r := replayOf(t, *task(t, `{"actions": [`+goldSend+`]}`))
		rep, err := r.File(context.Background(), traceFile(t, true, changed...))
		if err != nil {
			t.Errorf("%s: %v", c.from, err)
			continue
		}
		if rep.Mismatches == 0 || rep.First[0].What != c.what || rep.First[0].Line != c.line+1 {
			t.Errorf("%s → %s: %+v, want a difference in %s", c.from, c.to, rep, c.what)
			continue
		}
		if s := rep.First[0].String(); !strings.Contains(s, "expected") || !strings.Contains(s, "got") {
			t.Errorf("report %s", s)
		}
	}
}

func TestReplayKeepsTheFirstOnes(t *testing.T) {
	bad := `{"id": "x", "hash0": ["0", null], "calls": []}`
	rep, err := replayOf(t).File(context.Background(), traceFile(t, false, bad, bad, bad, bad, bad))
	if err != nil || rep.Mismatches != 5 || rep.OtherStart != 5 || len(rep.First) != 3 || rep.First[2].Line != 3 {
		t.Errorf("%+v, %v", rep, err)
	}
}

func TestReplayUnusableFiles(t *testing.T) {
	for line, want := range map[string]string{
		`{"id": "x"}`: "line 1: not a trace of a known format",
		`{"id": `:     "line 1: line 1 column",
		`[]`:          "line 1: want object, got list",
		`{"id": "nope", "hash0": [null, null], "calls": [], "gold_hash": [null, null], "gold_errors": []}`: "line 1: the task set has no such task: nope",
		`{"id": "x", "hash0": ["", null], "calls": [{"name": "f"}]}`:                                       "line 1: calls[0].arguments: required object is missing",
		`{"id": "x", "hash0": ["", null], "calls": [7]}`:                                                   "line 1: calls[0]: want an object",
		`{"task": "t", "messages": [{"role": "x"}], "termination_reason": "stop"}`:                         "line 1: messages[0].role",
	} {
		_, err := replayOf(t, *task(t, `null`)).File(context.Background(), traceFile(t, false, line))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", line, err, want)
		}
	}
	if _, err := replayOf(t).File(context.Background(), filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	many := strings.Split(strings.Repeat(`{"id": "x", "hash0": ["0", null], "calls": []}`+"\n", 200), "\n")
	if _, err := replayOf(t).File(ctx, traceFile(t, false, many...)); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestReplayRefusesMisspeltTraces: what could not be compared names line and
// field.
func TestReplayRefusesMisspeltTraces(t *testing.T) {
	r := replayOf(t, *task(t, `{"actions": [`+goldSend+`]}`))
	lines := sound(t)
	for _, c := range []struct {
		line           int
		from, to, want string
	}{
		{0, `"calls": [`, `"calls": null, "was": [`, "line 1: calls: required array is missing"},
		{0, `"error": true, "exact"`, `"exact"`, "line 1: calls[3].error: required boolean is missing"},
		{0, `"error": false, "hash": ["`, `"error": 0, "hash": ["`, "line 1: calls[1].error: want a boolean, got"},
		{0, `"content": "Error: User bo not found", `, ``, "line 1: calls[0].content: required string is missing"},
		{0, `"Transfer successful", "error": false`, `"Transfer successful"`, "line 1: calls[2].env.error: required boolean"},
		{0, `, null], "calls"`, `], "calls"`, "line 1: hash0: want a list of two hashes"},
		{1, `"error": false, "hash": ["`, `"error": false, "hash": [5, "`, "line 1: calls[0].hash: want a list of two hashes"},
		{3, `"gold_errors": []`, `"gold_errors": {}`, "line 1: gold_errors: want an array"},
		{4, `"reward_info": {`, `"rewards": {`, "line 1: reward_info: required object is missing"},
		{4, `"reward_info": {`, `"nl_verdicts": [1], "reward_info": {`, "line 1: nl_verdicts[0]: want a boolean"},
	} {
		text := strings.Replace(lines[c.line], c.from, c.to, 1)
		if text == lines[c.line] {
			t.Fatalf("%s does not occur", c.from)
		}
		if _, err := r.File(context.Background(), traceFile(t, false, text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.to, err, c.want)
		}
	}
}

// TestReplayRefusesEmptyAndTruncatedFiles: neither is a file without
// differences.
func TestReplayRefusesEmptyAndTruncatedFiles(t *testing.T) {
	r := replayOf(t, *task(t, `{"actions": [`+goldSend+`]}`))
	if _, err := r.File(context.Background(), traceFile(t, false, "", " ")); !errors.Is(err, eval.ErrEmpty) {
		t.Errorf("empty file: %v", err)
	}
	path := traceFile(t, true, sound(t)...)
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, info.Size()-9); err != nil {
		t.Fatal(err)
	}
	if _, err := r.File(context.Background(), path); err == nil || !strings.Contains(err.Error(), "gzip file is truncated") {
		t.Errorf("truncated file: %v", err)
	}
}
