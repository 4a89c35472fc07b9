package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"taste/chat"
	"taste/domain/airline"
	"taste/pyjson"
	"taste/results"
	"taste/tau"
	"taste/trials"
)

const plantedKey = "sk-planted-5f2b9c"

// served runs the program where the environment has keys and leads to a server.
func served(t *testing.T, address string, args ...string) (code int, out, log string) {
	t.Helper()
	env := map[string]string{
		"OPENAI_BASE_URL": address + "/v1", "ANTHROPIC_BASE_URL": address, "GEMINI_BASE_URL": address,
		"OPENAI_API_KEY": plantedKey, "ANTHROPIC_API_KEY": plantedKey, "GEMINI_API_KEY": plantedKey,
	}
	var o, l safeBuffer
	a := &app{in: strings.NewReader(""), out: &o, log: &l, now: time.Now, getenv: func(name string) string { return env[name] }}
	code = a.main(t.Context(), args)
	return code, o.String(), l.String()
}

// The providers whose wire formats the server speaks.
var wires = []string{"openai/m", "openai-responses/m", "anthropic/m", "google/m"}

func matrixOf(tasks, dir string, more ...string) []string {
	args := []string{"eval", tasks, "--protocol", "strict", "--num-tasks", "2", "--max-concurrency", "8", "--save-to", dir, "--user", "openai/m"}
	for _, w := range wires {
		args = append(args, "--agent", w)
	}
	return append(args, more...)
}

// Models play over each wire format; what they said is kept, so that a second run
// and a replay ask nobody, and the replay gives the same bytes, times and prices aside. No
// key is written anywhere.
func TestEvaluationByModels(t *testing.T) {
	address, log, end := mocked(t, "rules", "airline")
	tasks, dir := filepath.Join(t.TempDir(), "tasks"), filepath.Join(t.TempDir(), "run")
	finish(t, tasks, 3)
	code, out, said := served(t, address, matrixOf(tasks, dir)...)
	if code != 0 {
		t.Fatalf("exit code %d: %s%s%s", code, out, said, log)
	}
	want := systemsIn(t, dir)
	for _, w := range wires {
		r := want[plain(w)]
		if len(r.Simulations) != 2 || r.Info.Agent.Implementation != "llm_agent" || r.Info.Agent.Name() != w || r.Info.User.Implementation != "user_simulator" {
			t.Fatalf("%s: recorded as %+v", w, r.Info.Agent)
		}
		for i := range r.Simulations {
			if s := &r.Simulations[i]; s.Reward() == nil || *s.Reward() != 1 {
				t.Errorf("%s: task %s ends with %s, reward %v", w, s.TaskID, s.Termination, show(s.Reward()))
			}
		}
	}
	requests := strings.Count(log.String(), "\n")
	if code, _, said := served(t, address, matrixOf(tasks, dir)...); code != 0 || strings.Count(log.String(), "\n") != requests {
		t.Errorf("the same command again: exit code %d, %d further requests: %s", code, strings.Count(log.String(), "\n")-requests, said)
	}
	end()
	again := filepath.Join(t.TempDir(), "again")
	if code, _, said := served(t, "http://127.0.0.1:9", matrixOf(tasks, again, "--replay", dir)...); code != 0 {
		t.Fatalf("replay: exit code %d: %s", code, said)
	}
	for _, w := range wires {
		name := filepath.Join(plain(w), trials.ResultsFile)
		if one, two := timeless(t, filepath.Join(dir, name)), timeless(t, filepath.Join(again, name)); one != two {
			t.Errorf("%s: the replay differs", w)
		}
	}
	if found := holding(t, plantedKey, dir, again); found != "" || strings.Contains(out+said, plantedKey) {
		t.Errorf("the key stands in %q or in what was printed", found)
	}
	// Another seed asks what was not asked before.
	code, _, said = served(t, "http://127.0.0.1:9", matrixOf(tasks, filepath.Join(t.TempDir(), "other"), "--replay", dir, "--seed", "7")...)
	if code == 0 || !strings.Contains(said, "no such call") && !strings.Contains(said, "kept") {
		t.Errorf("a replay of another seed: exit code %d: %s", code, said)
	}
}

func show(reward *float64) string {
	if reward == nil {
		return "none"
	}
	return fmt.Sprint(*reward)
}

func systemsIn(t *testing.T, dir string) map[string]*results.Results {
	t.Helper()
	names, err := trials.Systems(dir)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]*results.Results{}
	for _, name := range names {
		if out[name], err = results.Load(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func timeless(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return times.ReplaceAllString(string(data), `"$1": 0`)
}

// holding names the first file below dirs with a text in it.
func holding(t *testing.T, text string, dirs ...string) (found string) {
	t.Helper()
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			data, err := os.ReadFile(path)
			if strings.Contains(string(data), text) {
				found = path
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return found
}

// Row 10 of the list of behaviours: where the judge of assertions fails the
// conversation is kept and unscored; the same command asks the judge alone again.
func TestJudgeOfAssertionsFails(t *testing.T) {
	tasks, err := airline.Seeds()
	if err != nil {
		t.Fatal(err)
	}
	criteria := *tasks[0].EvaluationCriteria
	criteria.NLAssertions, criteria.RewardBasis = []string{"The agent greets."}, []tau.RewardType{tau.DB, tau.NLAssertion}
	tasks[0].EvaluationCriteria = &criteria
	data, err := json.Marshal(tasks[:1])
	if err != nil {
		t.Fatal(err)
	}
	file, runs := filepath.Join(t.TempDir(), "tasks.json"), t.TempDir()
	write(t, file, string(data))
	const user = "rules:\n- when: {role: user}\n  answer: {text: Hello.}\n- when: {role: nl-judge}\n"
	const yes = `  answer: {json: {results: [{statement: s, reasoning: r, met: true}]}}`
	for _, turn := range []struct {
		script   string
		reward   string
		requests int
		why      string
		run      string
	}{
		{user + "  fault: {status: 403}\n", "none", 3, "auth (403)", "a"}, // the judge is asked when the conversation ends, and when all have
		{user + yes, "1", 1, "", "a"},
		{user + "  answer: {text: I think so.}\n", "none", 3, "no usable answer in 2 tries: it is no JSON value", "b"},
		{user + yes, "none", 0, "no usable answer in 2 tries: it is no JSON value", "b"}, // answers are kept
	} {
		dir := filepath.Join(runs, turn.run)
		script := filepath.Join(t.TempDir(), "script.yaml")
		write(t, script, turn.script)
		address, log, end := mocked(t, script)
		code, out, said := served(t, address, "eval", file, "--domain", "airline", "--agent", "oracle", "--user", "openai/m", "--nl-judge", "anthropic/m", "--save-to", dir)
		end()
		r, err := results.Load(dir)
		if err != nil {
			t.Fatalf("exit code %d: %s%s: %v", code, out, said, err)
		}
		if got := show(r.Simulations[0].Reward()); got != turn.reward {
			t.Errorf("reward %s, want %s: %s%s", got, turn.reward, out, said)
		}
		if got := strings.Count(log.String(), "\n"); got != turn.requests {
			t.Errorf("%d requests, want %d: %s", got, turn.requests, log)
		}
		// Why a reward is missing stands in the results and is told, then and by whatever reads them.
		switch info := pyjson.Dumps(r.Simulations[0].Info); {
		case turn.why == "":
			if info != "null" || strings.Contains(out, "unscored") {
				t.Errorf("diagnostics %s: %s", info, out)
			}
			continue
		case !strings.Contains(info, `"unscored": "the judge failed: `) || !strings.Contains(info, turn.why):
			t.Errorf("diagnostics %s", info)
		case !strings.Contains(out, "unscored in strict: 1 × not_judged\n  task ") || !strings.Contains(out, turn.why):
			t.Errorf("the report does not say %s: %s", turn.why, out)
		}
		for _, command := range [][]string{{"score", dir}, {"view", dir, "--trial", "0"}} {
			if _, out, said := served(t, address, command...); !strings.Contains(strings.Join(strings.Fields(out), " "), turn.why) {
				t.Errorf("%s does not say %s: %s%s", command, turn.why, out, said)
			}
		}
	}
}

// Scoring anew asks the judge alone, and once.
func TestScoreByModel(t *testing.T) {
	dir := t.TempDir()
	script, kept, file := filepath.Join(dir, "script.yaml"), filepath.Join(dir, "calls.jsonl"), filepath.Join(dir, "results.json")
	write(t, script, `rules: [{answer: {json: {results: [{statement: s, reasoning: r, met: false}]}}}]`)
	world, err := airline.Builtin(1)
	if err != nil {
		t.Fatal(err)
	}
	recorded := results.Results{
		Info:  results.Info{NumTrials: 1, DomainName: "airline", Policy: world.Policy, Agent: results.Party{Implementation: "a"}, User: results.Party{Implementation: "u"}},
		Tasks: []tau.Task{{ID: "t", EvaluationCriteria: &tau.EvaluationCriteria{NLAssertions: []string{"The agent greets."}, RewardBasis: []tau.RewardType{tau.NLAssertion}}}},
		Simulations: []results.Simulation{{
			ID: "s", TaskID: "t", Termination: "user_stop", Trial: new(int), Mode: results.HalfDuplex,
			Messages: []chat.Message{chat.Text(chat.Assistant, "Hello."), chat.Text(chat.User, "Bye.")},
		}},
	}
	if err := results.Save(file, &recorded, results.File); err != nil {
		t.Fatal(err)
	}
	address, log, end := mocked(t, script)
	defer end()
	for range 2 {
		code, out, said := served(t, address, "score", file, "--nl-judge", "google/m", "--calls", kept, "--json")
		if code != 0 || !strings.Contains(out, `"strict":{"reward":0,`) {
			t.Errorf("exit code %d: %s%s", code, out, said)
		}
	}
	if got := strings.Count(log.String(), "\n"); got != 1 {
		t.Errorf("%d requests: %s", got, log)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
