package results_test

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"taste/chat"
	"taste/domain/airline"
	"taste/domain/mock"
	"taste/domain/retail"
	"taste/domain/telecom"
	"taste/env"
	"taste/internal/shared"
	"taste/pyjson"
	"taste/results"
	"taste/stats"
	"taste/tau"
)

var natives = env.Registry{"airline": airline.Native, "mock": mock.Native, "retail": retail.Native, "telecom": telecom.Native}

func pack(t testing.TB, domain string) *env.Pack {
	t.Helper()
	p, err := env.LoadPack(filepath.Join(shared.Dir(t), "packs", "tau2-"+domain), natives)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func rescore(t testing.TB, s *results.Rescorer, r *results.Results) []results.Scored {
	t.Helper()
	s.Workers = 2
	scored, err := s.Run(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	return scored
}

// published are the figures that the reference harness itself computes from the
// files, pass^1 to pass^4.
var published = map[string][4]float64{
	"airline": {0.839, 0.702, 0.589, 0.500},
	"retail":  {0.804, 0.643, 0.518, 0.429},
	"telecom": {0.562, 0.292, 0.138, 0.050},
	"mock":    {0.500, 0.283, 0.125, 0.000},
}

func TestRow31Rescoring(t *testing.T) {
	for _, domain := range domains {
		t.Run(domain, func(t *testing.T) {
			r, p := load(t, file(t, domain)), pack(t, domain)
			scored := rescore(t, &results.Rescorer{Domain: p.Domain, Recorded: true}, r)
			reasons := map[string]int{}
			for _, s := range scored {
				if len(s.Changed) > 0 || s.Score.Raised != nil || len(s.Score.Drift) > 0 {
					t.Errorf("task %s trial %d: %q changed, %v, drift %q", s.Simulation.TaskID, *s.Simulation.Trial, s.Changed, s.Score.Raised, s.Score.Drift)
				}
				// The whole record comes out as it was written, evidence and all.
				if s.Simulation.RewardInfo != nil && !pyjson.Same(s.Simulation.RewardInfo, s.Score.Compat.JSON()) {
					t.Errorf("task %s trial %d: %q", s.Simulation.TaskID, *s.Simulation.Trial, pyjson.Diff("", s.Simulation.RewardInfo, s.Score.Compat.JSON(), pyjson.Same))
				}
				compat, _ := s.Score.CompatReward()
				if s.Score.Strict == nil || *s.Score.Strict != compat {
					reasons[s.Score.Reason]++
					if len(s.Score.Differs) == 0 {
						t.Errorf("task %s trial %d: strict differs without a why", s.Simulation.TaskID, *s.Simulation.Trial)
					}
				}
			}
			t.Logf("%d simulations; strict has another reward for %v", len(scored), reasons)
			passAs(t, r, scored, published[domain])
			drift, err := r.DriftFrom(p.Domain, p.TaskSets(), p.Tasks)
			if err != nil || drift.Any() {
				t.Errorf("drift from %s: %+v, %v", drift.TaskSet, drift, err)
			}
		})
	}
}

func passAs(t *testing.T, r *results.Results, scored []results.Scored, want [4]float64) {
	t.Helper()
	table, err := results.Table(r, scored, false)
	if err != nil {
		t.Fatal(err)
	}
	pass := table.PassHat(stats.V2, 1)
	if pass.Missing != 0 || len(pass.Pass) != 4 {
		t.Errorf("%+v", pass)
	}
	for i, k := range pass.Pass {
		if math.Abs(*k.Value-want[i]) > 0.00051 {
			t.Errorf("pass^%d is %.4f, want %.3f", k.K, *k.Value, want[i])
		}
	}
}

// chores is a small run on a domain of the same kind, with its database.
func chores(t *testing.T) (*results.Results, *env.Domain) {
	t.Helper()
	agent, _ := pyjson.Decode([]byte(`{"tasks": {"t1": {"task_id": "t1", "title": "x", "description": null, "status": "pending"}}, "users": {"ann": {"user_id": "ann", "name": "Ann", "tasks": ["t1"]}}}`))
	state, err := mock.Native.Load(agent, nil)
	if err != nil {
		t.Fatal(err)
	}
	specs := []chat.ToolSpec{{Name: "create_task", Type: chat.Write, MutatesState: true}, {Name: "update_task_status", Type: chat.Write, MutatesState: true}}
	d, err := env.NewDomain(env.Domain{Name: "mock", Tools: specs, Policy: "Be kind."}, state)
	if err != nil {
		t.Fatal(err)
	}
	r, err := results.Parse("chores", []byte(choresFile))
	if err != nil {
		t.Fatal(err)
	}
	return r, d
}

const (
	choresTask = `{"id": "finish", "user_scenario": {"instructions": "x"}, "evaluation_criteria": {"reward_basis": ["DB", "NL_ASSERTION"], "nl_assertions": ["kind"],
  "actions": [{"action_id": "0", "name": "update_task_status", "arguments": {"task_id": "t1", "status": "completed"}}]}}`
	choresFile = `{"info": {"git_commit": "c", "num_trials": 4, "max_steps": 9, "max_errors": 3, "user_info": {"implementation": "u"}, "agent_info": {"implementation": "a"},
  "environment_info": {"domain_name": "mock", "policy": "Be kind."}}, "tasks": [` + choresTask + `], "simulations": [
  {"id": "s0", "task_id": "finish", "start_time": "t", "end_time": "t", "duration": 1, "termination_reason": "user_stop", "trial": 0,
   "reward_info": {"reward": 1.0, "db_check": {"db_match": true, "db_reward": 1.0}, "nl_assertions": [{"nl_assertion": "kind", "met": true, "justification": "so"}]},
   "messages": [{"role": "assistant", "tool_calls": [{"id": "1", "name": "update_task_status", "arguments": {"task_id": "t1", "status": "completed"}}]},
    {"role": "tool", "id": "1", "content": "{\"task_id\": \"t1\", \"title\": \"x\", \"description\": null, \"status\": \"completed\"}"}]},
  {"id": "s1", "task_id": "finish", "start_time": "t", "end_time": "t", "duration": 1, "termination_reason": "user_stop", "trial": 1,
   "reward_info": {"reward": 0.0}, "messages": []},
  {"id": "s2", "task_id": "finish", "start_time": "t", "end_time": "t", "duration": 1, "termination_reason": "infrastructure_error", "trial": 2, "reward_info": null, "messages": []}]}`
)

func TestVerdictsStandOrAreLeftOpen(t *testing.T) {
	r, d := chores(t)
	with := rescore(t, &results.Rescorer{Domain: d, Recorded: true}, r)
	if s := with[0].Score; s.Strict == nil || *s.Strict != 1 || len(with[0].Changed) != 0 {
		t.Errorf("recorded: %+v, changed %q", s, with[0].Changed)
	}
	// Without a judge the score is open, but for one that is lost anyway.
	without := rescore(t, &results.Rescorer{Domain: d}, r)
	if s := without[0].Score; s.Strict != nil || s.Reason != "not_judged" || s.Compat.Unscored == "" || len(without[0].Changed) != 0 {
		t.Errorf("left open: %+v, changed %q", s, without[0].Changed)
	}
	if s := without[1].Score; s.Strict == nil || *s.Strict != 0 || s.Compat.Reward != 0 {
		t.Errorf("lost: %+v", s)
	}
	// Why stands in the record, and goes when there is a score.
	open := results.WithScores(r, without)
	if got := pyjson.Dumps(open.Simulations[0].Info); got != `{"unscored": "no judge has decided on the assertions in words"}` {
		t.Errorf("diagnostics %s", got)
	}
	again := results.WithScores(open, with)
	again.Simulations[0] = open.Simulations[0]
	if again.Simulations[0].Take(with[0].Score); again.Simulations[0].Info != nil || again.Simulations[1].Info != nil {
		t.Errorf("diagnostics %v", again.Simulations[0].Info)
	}
	table, err := results.Table(r, without, true)
	if err != nil {
		t.Fatal(err)
	}
	if p := table.PassHat(stats.Planned, 1); p.Planned != 4 || p.Evaluated != 1 || p.Missing != 3 || *p.Pass[0].Best != 0.75 {
		t.Errorf("%+v", p)
	}
}

func TestDriftIsTold(t *testing.T) {
	r, d := chores(t)
	sets := func(of map[string]string) func(string) ([]tau.Task, error) {
		return func(set string) ([]tau.Task, error) { return tau.ParseTasks(set, []byte(of[set])) }
	}
	// The same task, spelt with all that a record spells out.
	spelt := strings.Replace(choresTask, `"action_id": "0",`, `"action_id": "9", "requestor": "assistant", "info": null, "compare_args": null,`, 1)
	other := strings.Replace(choresTask, `"status": "completed"`, `"status": "pending"`, 1)
	drift, err := r.DriftFrom(d, []string{"default", "new"}, sets(map[string]string{"default": "[" + other + "]", "new": "[" + spelt + "]"}))
	if err != nil || drift.Any() || drift.TaskSet != "new" {
		t.Errorf("%+v, %v", drift, err)
	}
	r.Info.Policy = "Be quick."
	drift, err = r.DriftFrom(d, []string{"default"}, sets(map[string]string{"default": "[" + other + "]"}))
	want := "evaluation_criteria.actions[0].arguments.status: 'completed' → 'pending'"
	if err != nil || !drift.Policy || len(drift.Tasks) != 1 || strings.Join(drift.Tasks[0].Fields, ";") != want {
		t.Errorf("%+v, %v", drift, err)
	}
	drift, err = r.DriftFrom(d, []string{"default"}, sets(map[string]string{"default": "[]"}))
	if err != nil || len(drift.Unknown) != 1 {
		t.Errorf("%+v, %v", drift, err)
	}
	// Scored by the task of today, the record does not stand.
	today, _ := tau.ParseTasks("today", []byte("["+other+"]"))
	scored := rescore(t, &results.Rescorer{Domain: d, Recorded: true, Tasks: today}, r)
	if len(scored[0].Changed) == 0 || scored[0].Changed[0] != "reward" {
		t.Errorf("changed %q", scored[0].Changed)
	}
	// An answer that is no longer given does not cost the score.
	text := `{"task_id": "t1", "title": "y", "description": null, "status": "completed"}`
	r.Simulations[0].Messages[1].Content = &text
	scored = rescore(t, &results.Rescorer{Domain: d, Recorded: true}, r)
	if s := scored[0].Score; len(s.Drift) != 1 || *s.Strict != 1 || s.Compat.Reward != 1 {
		t.Errorf("%+v", s)
	}
}

func TestAlternativesFromAFile(t *testing.T) {
	r, d := chores(t)
	path := filepath.Join(t.TempDir(), "alternatives.json")
	if err := os.WriteFile(path, []byte(`{"finish": [{"name": "nothing is done", "actions": []}]}`), 0o644); err != nil {
		t.Fatal(err)
	}
	extra, err := tau.LoadAlternatives(path)
	if err != nil {
		t.Fatal(err)
	}
	r.Simulations[1].RewardInfo = r.Simulations[0].RewardInfo // with the judge's yes
	scored := rescore(t, &results.Rescorer{Domain: d, Recorded: true, Alternatives: extra}, r)
	for i, goal := range []string{"gold", "nothing is done"} {
		if s := scored[i].Score; s.Goal != goal || *s.Strict != 1 {
			t.Errorf("%d: by %s: %+v", i, s.Goal, s)
		}
	}
	for text, want := range map[string]string{
		`{"finish": []}`:                "task finish: want a list of alternatives",
		`{"finish": [{"actions": []}]}`: "task finish: finish[0].name: required string is missing",
		`[`:                             "read JSON",
		`{"finish": [{"name": "a"}]}`:   "finish[0].actions: required array is missing",
		`{"finish": {"name": "a"}}`:     "want an array, got an object",
		`{"finish": [{"name": "a", "actions": [{"name": 1}]}]}`: "finish[0].actions[0]",
	} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := tau.LoadAlternatives(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

func TestDuplicateTrialsAreRefused(t *testing.T) {
	r, d := chores(t)
	r.Simulations[1].Trial = r.Simulations[0].Trial
	if _, err := results.Table(r, rescore(t, &results.Rescorer{Domain: d}, r), true); !errors.Is(err, stats.ErrDuplicate) || !strings.Contains(err.Error(), "task finish, trial 0") {
		t.Errorf("%v", err)
	}
	r.Simulations[1].Trial = nil
	if _, err := results.Table(r, rescore(t, &results.Rescorer{Domain: d}, r), true); err == nil || !strings.Contains(err.Error(), "no trial number") {
		t.Errorf("%v", err)
	}
}
