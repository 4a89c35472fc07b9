package players_test

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"taste/chat"
	"taste/domain/airline"
	"taste/players"
	"taste/pyjson"
	"taste/sim"
	"taste/tau"
)

// example starts the example server on scripts and returns its address.
func example(t *testing.T, scripts *pyjson.Object) string {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is missing: the example server needs it")
	}
	file := filepath.Join(t.TempDir(), "scripts.json")
	if err := os.WriteFile(file, []byte(pyjson.Dumps(scripts)), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), python, filepath.Join("..", "examples", "remote_agent.py"), file, "0") //nolint:gosec // our own example
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = cmd.Process.Kill(), cmd.Wait() })
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(address)
}

// script spells what the oracle would do and say in a task.
func script(task *tau.Task) []any {
	var out []any
	for i := range task.EvaluationCriteria.Actions {
		a := &task.EvaluationCriteria.Actions[i]
		m := chat.Calls(chat.Assistant, chat.ToolCall{Name: a.Name, Arguments: a.Arguments})
		out = append(out, m.JSON())
	}
	return append(out, pyjson.NewObject("content", strings.Join(append(task.EvaluationCriteria.CommunicateInfo, sim.Stop), "\n")))
}

func TestExampleServerPlaysTenTasks(t *testing.T) {
	d := deps(t)
	seeds, err := airline.Seeds()
	if err != nil {
		t.Fatal(err)
	}
	seeds = seeds[:10]
	agent, user := pyjson.NewObject(), pyjson.NewObject()
	for i := range seeds {
		agent.Set(seeds[i].ID, script(&seeds[i]))
		user.Set(seeds[i].ID, []any{pyjson.NewObject("content", "I need help.")})
	}
	agentURL, userURL := example(t, agent), example(t, user)
	for i := range seeds {
		r, reward := play(t, agentURL, userURL, players.Deps{Domain: d.Domain}, &seeds[i])
		if reward != 1 || r.Termination != sim.AgentStop || r.Messages[1].Body() != "I need help." {
			t.Errorf("task %s: %s, reward %v", seeds[i].ID, r.Termination, reward)
		}
	}
}
