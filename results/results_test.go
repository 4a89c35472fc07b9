package results_test

import (
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"taste/chat"
	"taste/internal/shared"
	"taste/pyjson"
	"taste/results"
)

// domains whose results the public harness wrote.
var domains = []string{"airline", "mock", "retail", "telecom"}

// file is the path of a domain's results; the test is skipped without it.
func file(t testing.TB, domain string) string {
	t.Helper()
	path := filepath.Join(shared.Dir(t), "results", "tau2-"+domain+"-results.json.gz")
	if _, err := os.Stat(path); err != nil {
		t.Skipf("%s is missing", path)
	}
	return path
}

func load(t testing.TB, path string) *results.Results {
	t.Helper()
	r, err := results.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestPublicFilesComeBackEqual(t *testing.T) {
	for _, domain := range domains {
		t.Run(domain, func(t *testing.T) {
			path := file(t, domain)
			f, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			z, err := gzip.NewReader(f)
			if err != nil {
				t.Fatal(err)
			}
			data, err := io.ReadAll(z)
			if err != nil {
				t.Fatal(err)
			}
			want, err := pyjson.DecodeObject(data)
			if err != nil {
				t.Fatal(err)
			}
			r := load(t, path)
			if !pyjson.Same(want, r.JSON()) {
				t.Error(pyjson.Diff("", want, r.JSON(), pyjson.Same)[0])
			}
			// By way of the other layout, too.
			folder, again := filepath.Join(t.TempDir(), "folder"), filepath.Join(t.TempDir(), "again.json.gz")
			if err := results.Save(folder, r, results.Folder); err != nil {
				t.Fatal(err)
			}
			if err := results.Save(again, load(t, folder), results.File); err != nil {
				t.Fatal(err)
			}
			got := load(t, again).JSON()
			if !pyjson.Same(want, got) {
				t.Error(pyjson.Diff("", want, got, pyjson.Same)[0])
			}
		})
	}
}

const small = `{
 "info": {"git_commit": "c", "num_trials": 2, "max_steps": 9, "max_errors": 3, "seed": 7, "new": {"x": 1},
  "user_info": {"implementation": "user_simulator", "llm": null, "llm_args": {"temperature": 0.0}, "voice_settings": null},
  "agent_info": {"implementation": "llm_agent", "llm": "m", "llm_args": null, "z": 1},
  "environment_info": {"domain_name": "mock", "policy": "p", "tool_defs": null}},
 "tasks": [{"id": "a", "user_scenario": {"instructions": "x"}, "evaluation_criteria": {"actions": [], "alternatives": [{"name": "n", "actions": [], "why": 1}]}}],
 "simulations": [
  {"id": "s2", "task_id": "a", "start_time": "t", "end_time": "t", "duration": 2, "termination_reason": "user_stop", "agent_cost": 1, "user_cost": null,
   "reward_info": {"reward": 1, "odd": []}, "messages": [{"role": "user", "content": "x", "cost": 1e-7}], "trial": 0, "ticks": null, "later": true},
  {"id": "s1", "task_id": "a", "start_time": "t", "end_time": "t", "duration": 0.5, "termination_reason": "max_steps", "reward_info": null, "messages": null, "trial": 1, "mode": "full_duplex", "ticks": [{"a": 1}]}],
 "extra": null}`

func TestUnknownFieldsSurvive(t *testing.T) {
	want, _ := pyjson.DecodeObject([]byte(small))
	r, err := results.Parse("small", []byte(small))
	if err != nil {
		t.Fatal(err)
	}
	if pyjson.Dumps(want) != pyjson.Dumps(r.JSON()) {
		t.Error(pyjson.Diff("", want, r.JSON(), pyjson.Same))
	}
	if s := r.Simulations[0]; *s.Reward() != 1 || s.Duration != 2 || r.Info.Agent.Name() != "m" || r.Info.User.Name() != "user_simulator" || *r.Info.Seed != 7 {
		t.Errorf("%+v", r.Info)
	}
	r.Simulations[0].Duration = 3
	if got := pyjson.Dumps(r.JSON()); !strings.Contains(got, `"duration": 3.0`) || !strings.Contains(got, `"agent_cost": 1,`) {
		t.Error(got)
	}
}

func TestFolderKeepsTheOrderOfTheRun(t *testing.T) {
	r, err := results.Parse("small", []byte(small))
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "r")
	if err := results.Save(dir, r, results.Folder); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir, filepath.Join(dir, "results.json")} {
		if got := load(t, path); len(got.Simulations) != 2 || got.Simulations[0].ID != "s2" {
			t.Errorf("%s: %+v", path, got.Simulations)
		}
	}
	if err := results.Save(dir, r, results.Folder); !errors.Is(err, fs.ErrExist) {
		t.Errorf("written over what is there: %v", err)
	}
	head, err := os.ReadFile(filepath.Join(dir, "results.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"reward": 1,`, `"reward": null`, `"termination_reason": "max_steps"`} {
		if !strings.Contains(string(head), want) {
			t.Errorf("the index lacks %s: %s", want, head)
		}
	}
	if strings.Contains(string(head), `"simulations"`) {
		t.Error("the head holds the simulations")
	}
	// Files that are missing or stray are told.
	if err := os.Rename(filepath.Join(dir, "simulations", "s1.json"), filepath.Join(dir, "simulations", "s3.json")); err != nil {
		t.Fatal(err)
	}
	if _, err := results.Load(dir); err == nil || !strings.Contains(err.Error(), "simulation_index[1].id: the file simulations/s1.json is missing") {
		t.Errorf("a missing file: %v", err)
	}
}

func TestMadeByAProgram(t *testing.T) {
	trial, hello := 0, chat.Text(chat.User, "hello")
	r := &results.Results{
		Info: results.Info{NumTrials: 1, MaxSteps: 200, MaxErrors: 10, DomainName: "mock", Policy: "p", User: results.Party{Implementation: "u"}, Agent: results.Party{Implementation: "a"}},
		Simulations: []results.Simulation{{
			ID: "1", TaskID: "t", StartTime: "s", EndTime: "e", Duration: 1.5, Termination: "user_stop", Trial: &trial, Mode: results.HalfDuplex,
			Messages: []chat.Message{hello},
		}},
	}
	want := `{"info": {"git_commit": "", "num_trials": 1, "max_steps": 200, "max_errors": 10, "user_info": {"implementation": "u", "llm": null, "llm_args": null}, ` +
		`"agent_info": {"implementation": "a", "llm": null, "llm_args": null}, "environment_info": {"domain_name": "mock", "policy": "p"}, "seed": null}, "tasks": null, ` +
		`"simulations": [{"id": "1", "task_id": "t", "start_time": "s", "end_time": "e", "duration": 1.5, "termination_reason": "user_stop", "agent_cost": null, "user_cost": null, ` +
		`"reward_info": null, "messages": [{"role": "user", "content": "hello", "tool_calls": null}], "trial": 0, "seed": null, "mode": "half_duplex", "info": null}]}`
	if got := pyjson.Dumps(r.JSON()); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestBrokenFilesNameThePlace(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{`"num_trials": 2`, `"num_trials": "2"`, "f: info.num_trials: want a whole number or null, got a string"},
		{`"implementation": "llm_agent",`, ``, "f: info.agent_info.implementation: required string is missing"},
		{`"domain_name": "mock"`, `"domain_name": 1`, "f: info.environment_info.domain_name: want a string"},
		{`{"id": "a", "user_scenario"`, `{"id": "a", "scenario"`, "f: tasks[0].user_scenario: required object is missing"},
		{`"task_id": "a", "start_time": "t", "end_time": "t", "duration": 2`, `"task_id": "b", "start_time": "t", "end_time": "t", "duration": 2`, "f: simulations[0].task_id: there is no task b"},
		{`{"reward": 1, "odd"`, `{"reward": "1", "odd"`, "f: simulations[0].reward_info.reward: want a number or null"},
		{`{"role": "user", "content": "x"`, `{"role": "robot", "content": "x"`, "f: simulations[0].messages[0].role: want system"},
		{`"name": "n", "actions"`, `"name": "n", "acts"`, "f: tasks[0].evaluation_criteria.alternatives[0].actions: required array is missing"},
		{`"tasks": [`, `"tasks": {}, "x": [`, "f: tasks: want an array"},
		{`{`, `[`, "f: read JSON"},
	} {
		_, err := results.Parse("f", []byte(strings.Replace(small, c.from, c.to, 1)))
		var broken *results.Error
		if !errors.As(err, &broken) || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.to, err, c.want)
		}
	}
}

func TestFilesAreSpeltSimulationBySimulation(t *testing.T) {
	for name, text := range map[string]string{
		"none":     `{"info": {"git_commit": "x", "num_trials": 1, "max_steps": 1, "max_errors": 1, "user_info": {"implementation": "u"}, "agent_info": {"implementation": "a"}, "environment_info": {"domain_name": "mock"}}, "tasks": [], "simulations": []}`,
		"keys too": `{"note": "\n  \"simulations\": []", "info": {"git_commit": "x", "num_trials": 1, "max_steps": 1, "max_errors": 1, "user_info": {"implementation": "u"}, "agent_info": {"implementation": "a"}, "environment_info": {"domain_name": "mock"}}, "tasks": [{"id": "1", "user_scenario": {"instructions": "x"}}], "simulations": [SIM, SIM], "later": {"simulations": []}}`,
	} {
		sim := `{"id": "s", "task_id": "1", "start_time": "a", "end_time": "b", "duration": 1.0, "termination_reason": "user_stop", "messages": [{"role": "user", "content": "two\nlines"}], "empty": []}`
		r, err := results.Parse(name, []byte(strings.ReplaceAll(text, "SIM", sim)))
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "r.json")
		if err := results.Save(path, r, results.File); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if want := string(pyjson.Append(nil, r.JSON(), pyjson.Style{Indent: "  "})) + "\n"; string(got) != want {
			t.Errorf("%s: got %s\nwant %s", name, got, want)
		}
	}
}
