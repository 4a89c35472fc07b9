package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// hiccups are faults that are gone when a call is tried again.
const hiccups = `
rules:
  - {when: {asked: 1, share: 0.005, seed: a}, fault: {status: 429, retry_after: 1s}}
  - {when: {asked: 1, share: 0.02, seed: b}, fault: {status: 500}}
  - {when: {asked: 1, share: 0.02, seed: c}, fault: {cut: true}}
  - {when: {asked: 1, share: 0.02, seed: d}, fault: {reset: true}}
  - {when: {asked: 1, share: 0.01, seed: e}, fault: {hang: true}}
`

// A generation whose provider fails now and then ends with the bytes of one whose
// provider never does, and with as many answered calls. No key is written anywhere.
func TestGenerationUnderFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for retries: run without -short")
	}
	dir := t.TempDir()
	faults, models := filepath.Join(dir, "faults.yaml"), filepath.Join(dir, "models.yaml")
	write(t, faults, hiccups)
	write(t, models, "timeout: 3s\n")
	generate := func(out string, player ...string) (said, log string) {
		address, calls, end := mocked(t, append([]string{"rules", "airline"}, player...)...)
		code, _, said := served(t, address, "generate", "airline", "--models", models, "--llm", "anthropic/m", "--tasks", "1",
			"--attempts", "40", "--pool", "30", "--probe", "10", "--out", filepath.Join(dir, out))
		if code != codeDone {
			t.Fatalf("%s: exit code %d: %s", out, code, said)
		}
		end()
		return said, calls.String()
	}
	_, calm := generate("calm")
	said, rough := generate("rough", "--first", faults)
	for _, file := range []string{"tasks.json", "tasks_base.json", "judgements.jsonl", "pool.jsonl", "drafts.jsonl", "verdicts.jsonl", "evolution.jsonl", "manifest.json"} {
		want, err := os.ReadFile(filepath.Join(dir, "calm", file))
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(dir, "rough", file))
		if err != nil || string(got) != string(want) {
			t.Errorf("%s differs (%v)", file, err)
		}
	}
	if a, b := strings.Count(calm, " 200 · "), strings.Count(rough, " 200 · "); a != b-strings.Count(rough, "fault: cut") {
		t.Errorf("%d calls were answered without faults, %d with them", a, b)
	}
	for _, fault := range []string{"status 500", "cut", "reset"} {
		if !strings.Contains(rough, "fault: "+fault) {
			t.Errorf("the script played no %s:\n%s", fault, rough)
		}
	}
	if !strings.Contains(said, "overloaded (500)") {
		t.Errorf("retries are not told of:\n%s", said)
	}
	if found := holding(t, plantedKey, dir); found != "" || strings.Contains(said+rough, plantedKey) {
		t.Errorf("the key is in %q, or in what was said", found)
	}
}
