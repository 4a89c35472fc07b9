package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"taste/chat"
	"taste/domain/airline"
	"taste/pyjson"
	"taste/results"
	"taste/sim"
	"taste/tau"
)

// exampleServer starts the example of a remote agent on scripts.
func exampleServer(t *testing.T, python, scripts string) (*exec.Cmd, string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), python, filepath.Join("..", "..", "examples", "remote_agent.py"), scripts, "0") //nolint:gosec // our own example
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return cmd, strings.TrimSpace(address)
}

// door stands before a server that dies once some conversations have ended:
// requests of all others wait for that, and find nobody there.
type door struct {
	mu     sync.Mutex
	target string // of the server
	starts int
	ends   int
	served map[any]bool // conversations that are let through
	die    func()
	dead   chan struct{} // closed once the server is dead; nil: it does not die
}

const servedBeforeDeath = 4

func (d *door) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var ask map[string]any
	if err := json.Unmarshal(body, &ask); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	d.mu.Lock()
	if r.URL.Path == "/start" {
		d.starts++
		if len(d.served) < servedBeforeDeath {
			d.served[ask["conversation"]] = true
		}
	}
	dead, through := d.dead, d.served[ask["conversation"]]
	d.mu.Unlock()
	if dead != nil && !through {
		<-dead
		panic(http.ErrAbortHandler) // which closes the connection
	}
	res, err := http.Post(d.target+r.URL.Path, "application/json", bytes.NewReader(body)) //nolint:gosec,noctx // the server of the test
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	defer res.Body.Close()
	text, _ := io.ReadAll(res.Body)
	w.WriteHeader(res.StatusCode)
	_, _ = w.Write(text)
	if r.URL.Path == "/end" && dead != nil {
		d.mu.Lock()
		defer d.mu.Unlock()
		if d.ends++; d.ends == servedBeforeDeath {
			d.die()
			close(dead)
		}
	}
}

// scripted writes the scripts of ten tasks: what the oracle does, and a user who
// says one thing.
func scripted(t *testing.T, dir string) (tasks, agent, user string) {
	t.Helper()
	seeds, err := airline.Seeds()
	if err != nil {
		t.Fatal(err)
	}
	seeds = seeds[:10]
	agents, users, list := pyjson.NewObject(), pyjson.NewObject(), []any{}
	for i := range seeds {
		list = append(list, seeds[i].JSON())
		agents.Set(seeds[i].ID, oracleScript(&seeds[i]))
		users.Set(seeds[i].ID, []any{pyjson.NewObject("content", "I need help.")})
	}
	write := func(name string, v any) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(pyjson.Dumps(v)), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	return write("tasks.json", list), write("agent.json", agents), write("user.json", users)
}

func oracleScript(task *tau.Task) []any {
	var out []any
	for i := range task.EvaluationCriteria.Actions {
		a := &task.EvaluationCriteria.Actions[i]
		m := chat.Calls(chat.Assistant, chat.ToolCall{Name: a.Name, Arguments: a.Arguments})
		out = append(out, m.JSON())
	}
	return append(out, pyjson.NewObject("content", strings.Join(append(task.EvaluationCriteria.CommunicateInfo, sim.Stop), "\n")))
}

// The example server plays ten tasks with the oracle's calls. It dies once, and
// the run goes on with what it had not played.
func TestRemoteAgentDiesMidWay(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for a server that does not come back")
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is missing: the example server needs it")
	}
	dir := t.TempDir()
	tasks, agentScripts, userScripts := scripted(t, dir)
	server, address := exampleServer(t, python, agentScripts)
	_, user := exampleServer(t, python, userScripts)
	d := &door{target: address, served: map[any]bool{}, dead: make(chan struct{}), die: func() { _, _ = server.Process.Kill(), server.Wait() }}
	front := httptest.NewServer(d)
	t.Cleanup(front.Close)

	eval := func() (string, int) {
		cmd := exec.CommandContext(t.Context(), "taste", "eval", tasks, "--domain", "airline", "--world-seed", "1", //nolint:gosec // the program under test
			"--agent", front.URL, "--user", user, "--max-concurrency", "10", "--save-to", filepath.Join(dir, "run"))
		out, err := cmd.CombinedOutput()
		if err != nil && cmd.ProcessState == nil {
			t.Fatal(err)
		}
		return string(out), cmd.ProcessState.ExitCode()
	}
	if out, code := eval(); code != 1 || !strings.Contains(out, "missing") {
		t.Fatalf("with a server that dies: exit code %d: %s", code, out)
	}
	_, d.target = exampleServer(t, python, agentScripts)
	d.dead, d.starts = nil, 0
	if out, code := eval(); code != 0 {
		t.Fatalf("after the server came back: exit code %d: %s", code, out)
	}
	if d.starts != 10-servedBeforeDeath {
		t.Errorf("%d conversations were held again, want %d", d.starts, 10-servedBeforeDeath)
	}
	r, err := results.Load(filepath.Join(dir, "run", "results.json"))
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Simulations) != 10 {
		t.Errorf("%d simulations", len(r.Simulations))
	}
	for i := range r.Simulations {
		if s := &r.Simulations[i]; s.Reward() == nil || *s.Reward() != 1 || s.Termination != "agent_stop" {
			t.Errorf("task %s: %s, %v", s.TaskID, s.Termination, s.RewardInfo)
		}
	}
}
