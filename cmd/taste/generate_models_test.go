package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"taste/llm"
	playing "taste/llm/scripted"
	"taste/models"
	"taste/run"
)

var modelTasks = flag.Int("model-tasks", 2, "tasks of runs in which models play all roles")

// playedModels are models that the rules play behind the wire formats, with a count of
// what they were asked.
type playedModels struct {
	*httptest.Server
	mu      sync.Mutex
	asked   map[string]int // by what an answer is known by
	flying  int
	highest int
}

// playModels serves the airline's rules as models, each answer after a while.
func playModels(t *testing.T, delay time.Duration) *playedModels {
	t.Helper()
	src, err := (&sourceFlags{worldSeed: 1}).load("airline")
	if err != nil {
		t.Fatal(err)
	}
	book, err := src.book()
	if err != nil {
		t.Fatal(err)
	}
	play, err := models.RulesScript(models.Kit{Domain: src.Domain, Contract: src.Contract, Book: book})
	if err != nil {
		t.Fatal(err)
	}
	p := &playedModels{asked: map[string]int{}}
	count := func(ctx context.Context, r *llm.Request) (*llm.Response, error) {
		text, err := json.Marshal(r)
		if err != nil {
			return nil, err
		}
		id := fmt.Sprintf("%x", sha256.Sum256(text))
		p.mu.Lock()
		p.asked[id]++
		p.flying++
		p.highest = max(p.highest, p.flying)
		p.mu.Unlock()
		defer func() {
			p.mu.Lock()
			p.flying--
			p.mu.Unlock()
		}()
		time.Sleep(delay)
		res, err := play(ctx, r)
		if err != nil {
			return nil, err
		}
		res.ID = id
		return res, nil
	}
	p.Server = httptest.NewServer(&playing.Server{Func: count})
	t.Cleanup(p.Close)
	return p
}

// take returns what was asked since the last time.
func (p *playedModels) take() map[string]int {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := p.asked
	p.asked = map[string]int{}
	return out
}

// byModels is a generation by models at an address.
func byModels(address, model, dir string, more ...string) *exec.Cmd {
	args := []string{
		"generate", "airline", "--llm", model, "--out", dir, "--tasks", strconv.Itoa(*modelTasks),
		"--attempts", "120", "--probe", "10", "--pool", strconv.Itoa(40 + 4**modelTasks),
	}
	c := exec.Command("taste", append(args, more...)...)
	c.Env = append(os.Environ(),
		"OPENAI_BASE_URL="+address+"/v1", "ANTHROPIC_BASE_URL="+address, "GEMINI_BASE_URL="+address,
		"OPENAI_API_KEY="+plantedKey, "ANTHROPIC_API_KEY="+plantedKey, "GEMINI_API_KEY="+plantedKey)
	return c
}

// done runs a command to its end; its output must not have the key.
func done(t *testing.T, c *exec.Cmd) string {
	t.Helper()
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	keyless(t, "output", out)
	return string(out)
}

func keyless(t *testing.T, where string, text []byte) {
	t.Helper()
	if bytes.Contains(text, []byte(plantedKey)) {
		t.Errorf("the key stands in %s", where)
	}
}

// filesOf reads the files of a run but for the calls, whose order is that of answers.
func filesOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		keyless(t, e.Name(), data)
		if e.Name() != run.CallsFile {
			files[e.Name()] = string(data)
		}
	}
	return files
}

// Models play every role over each wire format. The run has all tasks, the same
// over each; it takes little memory; its calls alone make the same files again.
func TestGenerationByModels(t *testing.T) {
	if testing.Short() {
		t.Skip("makes whole runs")
	}
	judged := map[string]string{}
	for _, model := range wires {
		t.Run(plain(model), func(t *testing.T) {
			p := playModels(t, 20*time.Millisecond)
			dir, again := filepath.Join(t.TempDir(), "run"), filepath.Join(t.TempDir(), "again")
			c := byModels(p.URL, model, dir)
			done(t, c)
			files := filesOf(t, dir)
			var r struct{ Tasks int }
			if err := json.Unmarshal([]byte(files[run.ReportFile]), &r); err != nil || r.Tasks != *modelTasks {
				t.Fatalf("%d tasks of %d, %v", r.Tasks, *modelTasks, err)
			}
			judged[model] = files[run.JudgementsFile]
			if peak := c.ProcessState.SysUsage().(*syscall.Rusage).Maxrss >> 10; peak > 300 {
				t.Errorf("it took %d MB", peak)
			} else {
				t.Logf("%d tasks, %d MB, %d calls in flight at most", r.Tasks, peak, p.highest)
			}
			if p.highest > defaultInFlight {
				t.Errorf("%d calls in flight, at most %d were agreed", p.highest, defaultInFlight)
			}
			p.Close()
			done(t, byModels("http://127.0.0.1:9", model, again, "--replay="+dir))
			if diff := differing(files, filesOf(t, again)); diff != nil {
				t.Errorf("the replay differs in %s", diff)
			}
		})
	}
	for model, lines := range judged {
		if lines != judged[wires[0]] {
			t.Errorf("%s judges otherwise than %s", model, wires[0])
		}
	}
}

// Killed at random moments, in any stage, a run sends no call again whose answer it
// had kept; at most those in flight are lost, and it ends with the same bytes.
func TestKilledRunBuysNothingTwice(t *testing.T) {
	if testing.Short() {
		t.Skip("kills whole runs")
	}
	p := playModels(t, 5*time.Millisecond)
	began, untouched := time.Now(), filepath.Join(t.TempDir(), "whole")
	done(t, byModels(p.URL, "openai/m", untouched))
	whole, plainly, want := time.Since(began), p.take(), filesOf(t, untouched)
	seed := uint64(time.Now().UnixNano())
	r := rand.New(rand.NewPCG(seed, 0))
	dir, killed := filepath.Join(t.TempDir(), "killed"), 0
	kept := map[string]int{}
	for range *kills {
		ended := !kill(t, byModels(p.URL, "openai/m", dir), time.Duration(r.Int64N(int64(whole/2))))
		kept = p.settle(t, dir, kept, plainly, seed, ended)
		if !ended {
			killed++
			continue
		}
		if err := os.RemoveAll(dir); err != nil { // it was done: begin anew
			t.Fatal(err)
		}
		kept = map[string]int{}
	}
	done(t, byModels(p.URL, "openai/m", dir))
	kept = p.settle(t, dir, kept, plainly, seed, true)
	t.Logf("%d runs killed, seed %d; %d calls kept, %d in a run left alone", killed, seed, len(kept), len(plainly))
	if diff := differing(want, filesOf(t, dir)); diff != nil {
		t.Errorf("seed %d: the killed run differs in %s", seed, diff)
	}
}

// settle holds what was asked in one life of a run to what was kept before and
// after it, and returns the latter.
func (p *playedModels) settle(t *testing.T, dir string, before, plainly map[string]int, seed uint64, ended bool) map[string]int {
	t.Helper()
	after := keptAnswers(t, dir)
	lost := 0
	for id, n := range p.take() {
		new := after[id] - before[id]
		if before[id] > 0 && plainly[id] == 1 {
			t.Errorf("seed %d: a call that was kept is made again: %s", seed, id)
		}
		lost += n - new
	}
	if ended && lost != 0 || lost > defaultInFlight {
		t.Errorf("seed %d: %d calls were made that are not kept (run ended: %v)", seed, lost, ended)
	}
	return after
}

// keptAnswers counts the whole lines of calls by what their answers are known by.
func keptAnswers(t *testing.T, dir string) map[string]int {
	t.Helper()
	out := map[string]int{}
	data, err := os.ReadFile(filepath.Join(dir, run.CallsFile))
	if os.IsNotExist(err) {
		return out
	}
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(data) {
		var l struct{ Response *struct{ ID string } }
		if !bytes.HasSuffix(line, []byte("\n")) {
			continue // torn
		}
		if err := json.Unmarshal(line, &l); err != nil {
			t.Fatal(err)
		}
		if l.Response != nil {
			out[l.Response.ID]++
		}
	}
	return out
}

// A provider that spells out the key it refuses is not quoted with it.
func TestKeysAreNotQuoted(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprintf(w, `{"error": {"type": "authentication_error", "code": 401, "status": "UNAUTHENTICATED", "message": "no such key: %s %s"}}`, plantedKey, r.Header)
	}))
	defer server.Close()
	for _, model := range wires {
		dir := filepath.Join(t.TempDir(), "run")
		out, err := byModels(server.URL, model, dir).CombinedOutput()
		if err == nil || !strings.Contains(string(out), "401") {
			t.Errorf("%s: %v: %s", model, err, out)
		}
		keyless(t, "output of "+model, out)
		filesOf(t, dir)
	}
}

// What cannot work is refused before anything is asked or written.
func TestCastsThatCannotWork(t *testing.T) {
	p := playModels(t, 0)
	file := filepath.Join(t.TempDir(), "models.yaml")
	if err := os.WriteFile(file, []byte("judge: rules+openai/m\nreviewer: anthropic/m\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for want, args := range map[string][]string{
		"do not understand what a model writes": {"--author", "openai/m"},
		"with --verifier rules":                 {"--llm", "openai/m", "--verifier", "rules"},
		"with --user rules":                     {"--evolver", "openai/m", "--verifier", "openai/m"},
		"only a judge can be both":              {"--reviewer", "rules+openai/m"},
		"vertex is not supported":               {"--judge", "vertex/m"},
		"rules answer at once":                  {"--in-flight", "8"},
		"one judge is no committee":             {"--judges", "openai/m"},
		"stands there twice":                    {"--judges", "openai/m,openai/m"},
		"in the place of --reviewer":            {"--models", file, "--judges", "openai/m,rules"},
		"price is not known":                    {"--llm", "openai/m", "--budget", "1"},
		"a share":                               {"--judge", "rules+openai/m", "--audit", "2"},
		"no such file":                          {"--llm", "openai/m", "--replay=nowhere"},
		"acceptance of 1":                       {"--judge", "openai/m", "--stop-at", "1"},
	} {
		dir := filepath.Join(t.TempDir(), "run")
		c := byModels(p.URL, "openai/m", dir)
		c.Args = append([]string{"taste", "generate", "airline", "--attempts", "9", "--pool", "9", "--tasks", "1", "--out", dir}, args...)
		out, _ := c.CombinedOutput()
		if got := c.ProcessState.ExitCode(); got != codeInput || !strings.Contains(string(out), want) {
			t.Errorf("%v: exit code %d: %s, want %q", args, got, out, want)
		}
		if _, err := os.Stat(filepath.Join(dir, run.ManifestFile)); err == nil && want != "no such file" {
			t.Errorf("%v: the run directory was made", args)
		}
	}
	if asked := p.take(); len(asked) > 0 {
		t.Errorf("%d calls were made", len(asked))
	}
}

// A file of models, with a judge behind the rules and a committee, says all that
// flags do; the run goes on with the file or without.
func TestModelsByFile(t *testing.T) {
	p := playModels(t, 0)
	file, dir := filepath.Join(t.TempDir(), "models.yaml"), filepath.Join(t.TempDir(), "run")
	if err := os.WriteFile(file, []byte("llm: rules\njudge: rules+openai/m\njudges: [rules, anthropic/m]\nroles: {judge: {temperature: 0.5}}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	c := byModels(p.URL, "", dir)
	c.Args = []string{"taste", "sample", "airline", "--models", file, "--attempts", "150", "--probe", "10", "--pool", "60", "--tasks", "2", "--out", dir}
	done(t, c)
	asked := len(p.take())
	for _, step := range [][]string{{"select", dir}, {"instantiate", dir, "--models", file}, {"evolve", dir, "--workers", "3"}} {
		next := byModels(p.URL, "", dir)
		next.Args = append([]string{"taste"}, step...)
		done(t, next)
	}
	text := filesOf(t, dir)
	for _, want := range []string{`"judge": "rules+openai/m"`, `"temperature": 0.5`, `"in_flight": 32`, `"judge-v1": "`, `"reviewer-v2": "`} {
		if !strings.Contains(text[run.ManifestFile], want) {
			t.Errorf("the manifest lacks %s", want)
		}
	}
	var r struct {
		Comparable bool `json:"comparable_with_tau2"`
		Difficulty any
		Models     struct {
			Judge struct {
				Asked, Certain int
				Audited        struct{ Trials, Successes int }
			} `json:"judge_calls"`
			Panel struct{ Members []any }
		}
	}
	if err := json.Unmarshal([]byte(text[run.ReportFile]), &r); err != nil {
		t.Fatal(err)
	}
	if j := r.Models.Judge; j.Asked == 0 || j.Certain == 0 || j.Audited.Trials == 0 || j.Audited.Successes != 0 || asked == 0 {
		t.Errorf("judge %+v, %d asked while sampling", j, asked)
	}
	if r.Comparable || r.Difficulty == nil || len(r.Models.Panel.Members) != 2 {
		t.Errorf("report %+v", r)
	}
	other := byModels(p.URL, "", dir)
	other.Args = []string{"taste", "evolve", dir, "--judge", "openai/m"}
	out, _ := other.CombinedOutput()
	if !strings.Contains(string(out), `models.roles.judge: "rules+openai/m" there, "openai/m" here`) {
		t.Errorf("another judge: %s", out)
	}
}
