package inspect_test

import (
	"math"
	"os"
	"strings"
	"testing"

	"taste/eval"
	"taste/inspect"
	"taste/pyjson"
	"taste/results"
	"taste/tau"
)

// at finds a value by its path: keys, and places of lists.
func at(t *testing.T, v any, path ...any) any {
	t.Helper()
	for _, step := range path {
		switch s := step.(type) {
		case string:
			o, _ := v.(*pyjson.Object)
			v, _ = o.Get(s)
		case int:
			l, _ := v.([]any)
			if s >= len(l) {
				t.Fatalf("%v: the list has %d", path, len(l))
			}
			v = l[s]
		}
	}
	return v
}

func load(t *testing.T) *results.Results {
	t.Helper()
	data, err := os.ReadFile("testdata/run.json")
	if err != nil {
		t.Fatal(err)
	}
	r, err := results.Parse("run.json", data)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func scored(r *results.Results) []results.Scored {
	var out []results.Scored
	for i := range r.Simulations {
		out = append(out, results.Scored{Simulation: &r.Simulations[i], Recorded: r.Simulations[i].Reward()})
	}
	return out
}

func TestLog(t *testing.T) {
	r := load(t)
	log, err := inspect.Log(r, scored(r))
	if err != nil {
		t.Fatal(err)
	}
	const s = "samples"
	for _, c := range []struct {
		want any
		path []any
	}{
		{int64(2), []any{"version"}},
		{"agent-model", []any{"eval", "model"}},
		{"u", []any{"eval", "model_roles", "user", "model"}},
		{"2026-01-02T03:04:05.000006+00:00", []any{"eval", "created"}},
		{int64(3), []any{"eval", "config", "epochs"}},
		{"idle", []any{"eval", "dataset", "sample_ids", 1}},
		{"Be kind.\n", []any{"eval", "metadata", "policy"}},

		// Trials are epochs.
		{"finish", []any{s, 1, "id"}},
		{int64(2), []any{s, 1, "epoch"}},
		{`update_task_status(task_id="t1", status="completed")`, []any{s, 0, "target", 0}},
		{`user: dismiss_notification(notification_id="n1")`, []any{s, 0, "target", 1}},
		{"say: 1,200", []any{s, 0, "target", 2}},

		// The user's calls stand in text and metadata, answers name their function.
		{`→ dismiss_notification(notification_id="n1")`, []any{s, 0, "messages", 2, "content"}},
		{"u1", []any{s, 0, "messages", 2, "metadata", "tool_calls", 0, "id"}},
		{"dismiss_notification", []any{s, 0, "messages", 3, "function"}},
		{"user", []any{s, 0, "messages", 3, "metadata", "requestor"}},
		{"I will look at both.", []any{s, 0, "messages", 4, "content"}},
		{"t9", []any{s, 0, "messages", 4, "tool_calls", 1, "arguments", "task_id"}},
		{"update_task_status", []any{s, 0, "messages", 6, "function"}},
		{"2", []any{s, 0, "messages", 6, "tool_call_id"}},
		{"Error: Task t9 not found", []any{s, 0, "messages", 6, "error", "message"}},
		{"Done; it is worth 1200.", []any{s, 0, "output", "choices", 0, "message", "content"}},
		{int64(30), []any{s, 0, "model_usage", "agent-model", "input_tokens"}},
		{0.0125, []any{s, 0, "model_usage", "agent-model", "total_cost"}},

		// What a fault broke off has an error and no score, what a limit ended has it.
		{1.0, []any{s, 0, "scores", "reward", "value"}},
		{0.0, []any{s, 1, "scores", "COMMUNICATE", "value"}},
		{"infrastructure_error", []any{s, 2, "error", "message"}},
		{nil, []any{s, 2, "scores"}},
		{9.0, []any{s, 3, "limit", "limit"}},
		{"max_steps", []any{s, 3, "limit", "reason"}},

		{int64(6), []any{"results", "total_samples"}},
		{int64(3), []any{"results", "completed_samples"}},
		{"reward", []any{"results", "scores", 0, "name"}},
		{int64(3), []any{"results", "scores", 0, "scored_samples"}},
		{int64(1), []any{"results", "scores", 0, "unscored_samples"}},
		{0.25, []any{"results", "scores", 0, "metrics", "mean", "value"}}, // 1/2 of one task, 0 of the other
		{0.25, []any{"results", "scores", 0, "metrics", "stderr", "value"}},
		{0.25, []any{"results", "scores", 0, "metrics", "pass^1", "value"}},
		{0.5, []any{"reductions", 0, "samples", 0, "value"}},
	} {
		if got := at(t, log, c.path...); got != c.want {
			t.Errorf("%v is %v, want %v", c.path, got, c.want)
		}
	}
	if name := inspect.Name(r); !strings.HasPrefix(name, "2026-01-02T03-04-05-00-00_mock_") {
		t.Errorf("it is named %s", name)
	}
}

// Scores of today stand in both modes; one that is open is passed over by metrics
// and says why.
func TestLogOfToday(t *testing.T) {
	r := load(t)
	all := scored(r)
	one, zero := 1.0, 0.0
	for i := range all {
		all[i].Score = &eval.Score{Compat: &eval.RewardInfo{Reward: 1}, Strict: &zero, Checks: []eval.Check{
			{Kind: tau.DB, InBasis: true, Strict: eval.Failed, Evidence: []string{"a: 1 → 2", "b: 1 → 2"}},
			{Kind: tau.ActionReward, Strict: eval.Met},
			{Kind: tau.Communicate, InBasis: true, Strict: eval.Nothing},
		}}
	}
	all[0].Score.Strict = &one
	all[1].Score.Strict, all[1].Score.Reason, all[1].Score.Detail = nil, eval.NotJudged, "no judge"
	log, err := inspect.Log(r, all)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		want any
		path []any
	}{
		{1.0, []any{"samples", 0, "scores", "compat", "value"}},
		{1.0, []any{"samples", 0, "scores", "strict", "value"}},
		{"a: 1 → 2\nb: 1 → 2", []any{"samples", 0, "scores", "DB", "explanation"}},
		{nil, []any{"samples", 0, "scores", "ACTION"}},
		{nil, []any{"samples", 0, "scores", "COMMUNICATE"}},
		{"not_judged", []any{"samples", 1, "scores", "strict", "reason"}},
		{"not_judged: no judge", []any{"samples", 1, "scores", "strict", "explanation"}},
		{"strict", []any{"results", "scores", 1, "name"}},
		{int64(2), []any{"results", "scores", 1, "scored_samples"}},
		{0.5, []any{"results", "scores", 1, "metrics", "mean", "value"}},
	} {
		if got := at(t, log, c.path...); got != c.want {
			t.Errorf("%v is %v, want %v", c.path, got, c.want)
		}
	}
	if v, _ := at(t, log, "samples", 1, "scores", "strict", "value").(float64); !math.IsNaN(v) {
		t.Errorf("an open score is %v", v)
	}
}

func TestLogWantsTrials(t *testing.T) {
	r := load(t)
	r.Simulations[1].Trial = r.Simulations[0].Trial
	if _, err := inspect.Log(r, scored(r)); err == nil {
		t.Error("the same trial twice is taken")
	}
	r.Simulations[1].Trial = nil
	if _, err := inspect.Log(r, scored(r)); err == nil {
		t.Error("a simulation without a number is taken")
	}
}
