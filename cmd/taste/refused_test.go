package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"taste/run"
)

// refusing generates a task by models whose provider takes some requests not.
func refusing(t *testing.T, rules string, more ...string) (code int, log, dir string) {
	t.Helper()
	folder := t.TempDir()
	script, dir := filepath.Join(folder, "script.yaml"), filepath.Join(folder, "run")
	write(t, script, "rules:\n"+rules)
	address, _, end := mocked(t, "rules", "airline", "--first", script)
	defer end()
	code, _, log = served(t, address, append([]string{
		"generate", "airline", "--judge", "rules", "--llm", "anthropic/m", "--tasks", "1", "--workers", "1",
		"--attempts", "40", "--pool", "30", "--probe", "10", "--out", dir,
	}, more...)...)
	return code, log, dir
}

// What a provider does not take of one task fails that task's check, with the reason in
// the log, and the run goes on.
func TestRefusedRequestsCostTheirTask(t *testing.T) {
	var script strings.Builder
	for _, role := range []string{"author-scenario", "reviewer", "user", "user", "verifier", "verifier"} { // two attempts make a verification
		script.WriteString("  - {when: {role: " + role + "}, times: 1, fault: {status: 400, message: 'the " + role + " is odd'}}\n")
	}
	code, log, dir := refusing(t, script.String())
	if code != codeDone {
		t.Fatalf("exit code %d: %s", code, log)
	}
	drafts, err := os.ReadFile(filepath.Join(dir, run.DraftsFile))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(drafts), "\n")
	for i, want := range []struct{ check, role string }{{"draft", "author-scenario"}, {"reviewer", "reviewer"}, {"verifier", "user"}, {"verifier", "verifier"}} {
		if !strings.Contains(lines[i], `"failed":"`+want.check+`"`) || !strings.Contains(lines[i], "bad request (400): the "+want.role+" is odd") {
			t.Errorf("attempt %d: %s", i, lines[i])
		}
	}
}

// What a provider takes of no task stops the run, with advice.
func TestRefusedModelsStopTheRun(t *testing.T) {
	for says, rule := range map[string]string{
		"20 times in a row": "  - {when: {role: verifier}, fault: {status: 400, message: temperature is not supported}}\n",
		"no model m":        "  - {when: {role: author-*}, fault: {status: 404, message: no model m}}\n",
	} {
		code, log, _ := refusing(t, rule)
		if code != codeInput || !strings.Contains(log, says) || !strings.Contains(log, "  hint: ") {
			t.Errorf("exit code %d: %s", code, log)
		}
	}
	code, log, _ := refusing(t, "  - {when: {role: judge}, fault: {status: 400, message: seed is not supported}}\n", "--judge", "anthropic/m")
	if code != codeInput || !strings.Contains(log, " times in a row") {
		t.Errorf("judge: exit code %d: %s", code, log)
	}
}

// What a provider refuses is told alike when the same command meets its records: with one
// exit code, and without a refusal inside another.
func TestRefusedModelsAreToldAlikeAgain(t *testing.T) {
	folder := t.TempDir()
	script := filepath.Join(folder, "script.yaml")
	write(t, script, "rules:\n  - {when: {role: author-*}, fault: {status: 400, message: temperature is not supported}}\n")
	address, _, end := mocked(t, "rules", "airline", "--first", script)
	defer end()
	for try := range 3 {
		code, _, log := served(t, address, "generate", "airline", "--judge", "rules", "--llm", "anthropic/m", "--tasks", "2", "--workers", "1",
			"--attempts", "40", "--pool", "30", "--probe", "10", "--out", filepath.Join(folder, "run"))
		_, last, _ := strings.Cut(log, "\ntaste: instantiate: draft airline-00")
		if code != codeInput || !strings.Contains(last, "the model is of no use: 20 times in a row nothing came of what it was asked, the last: ") ||
			!strings.Contains(last, "call anthropic/m: bad request (400): temperature is not supported\n  hint: ") || strings.Contains(last, "refused") {
			t.Errorf("try %d: exit code %d: %s", try, code, last)
		}
	}
}
