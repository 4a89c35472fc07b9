package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// exitCase is a command that ends with a code for a reason that the help names.
type exitCase struct {
	code   int
	says   string // words of the help
	script string // of the models; "": nobody is there
	args   string // DIR is a folder of its own
}

// generating is a small generation by models, of which one attempt is made at a call.
const generating = "generate airline --llm anthropic/m --models DIR/once.yaml --tasks 1 --attempts 9 --pool 30 --probe 0 --out DIR/run "

const failing = "rules: [{fault: "

var exitCases = []exitCase{
	{0, "done", "", "domain list"},
	{1, "findings", "", "validate DIR/tasks.json --domain airline --strict"},
	{1, "implausible sequences", "", "judge airline DIR/sequences.jsonl --strict"},
	{1, "fewer tasks than asked for", "rules: [{answer: {json: {path: none, findings: [{severity: critical, rule: r, evidence: e}]}}}]", "generate airline --reviewer anthropic/m --tasks 1 --attempts 60 --pool 6 --probe 0 --tries 1 --out DIR/run"},
	{1, "simulations missing", "", "eval DIR/tasks.json --domain airline --agent anthropic/m --user anthropic/m --models DIR/once.yaml --save-to DIR/run"},
	{1, "a budget that is used up", "rules: [{answer: {text: no}}]", generating + "--models DIR/poor.yaml"},
	{2, "flags", "", "generate airline --tasks many"},
	{2, "files", "", "validate DIR/nowhere.json"},
	{2, "packs", "", "generate airline --pack DIR"},
	{2, "tasks of another domain", "", "validate DIR/tasks.json --domain retail"},
	{2, "a key", failing + "{status: 401}}]", generating},
	{2, "a model", failing + "{status: 404}}]", generating},
	{2, "settings that a provider refuses", failing + "{status: 400}}]", generating},
	{2, "a call not kept", "", generating + "--replay=DIR/none.jsonl"},
	{3, "no run directory", "", "evolve DIR"},
	{4, "damaged journal", "", "calls DIR/damaged.jsonl"},
	{4, "a provider that cannot be reached", "", generating},
	{4, "fails after all tries", failing + "{status: 503}}]", generating},
	{2, "a model whose answers are of no use", "rules: [{answer: {text: no}}]", generating + "--attempts 60"},
}

// What the help says of exit codes is what happens, and the README says the same.
func TestExitCodes(t *testing.T) {
	_, codes, _ := strings.Cut(longAbout, "Exit codes")
	help := " " + strings.Join(strings.Fields(codes), " ")
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range exitCases {
		t.Run(c.says, func(t *testing.T) {
			row := regexp.MustCompile(`(?m)^\| ` + string(rune('0'+c.code)) + ` \|.*$`).FindString(string(readme))
			of := regexp.MustCompile(` ` + string(rune('0'+c.code)) + ` .*?(?: ` + string(rune('1'+c.code)) + ` | 130 )`).FindString(help)
			words := strings.NewReplacer("a call not kept", "a call that is not kept", "simulations missing", "simulations that are missing").Replace(c.says)
			if !strings.Contains(of, c.says) || !strings.Contains(strings.ReplaceAll(row, "`", ""), words) {
				t.Errorf("of %d the help says %q, the README %q", c.code, of, row)
			}
			dir := exitFolder(t)
			address := "http://127.0.0.1:1"
			if c.script != "" {
				write(t, filepath.Join(dir, "script.yaml"), c.script)
				var end func() int
				address, _, end = mocked(t, filepath.Join(dir, "script.yaml"))
				defer end()
			}
			code, out, log := served(t, address, strings.Fields(strings.ReplaceAll(c.args, "DIR", dir))...)
			if code != c.code {
				t.Errorf("exit code %d, want %d: %s%s", code, c.code, out, log)
			}
			if code > codeFindings && !strings.Contains(log, "taste: ") {
				t.Errorf("nothing is said: %s", log)
			}
		})
	}
	for _, code := range regexp.MustCompile(`(?m)^  (\d+) `).FindAllStringSubmatch(longAbout, -1) {
		if !strings.Contains(string(readme), "\n| "+code[1]+" | ") {
			t.Errorf("the README lacks %s", code[1])
		}
	}
}

// exitFolder is a folder with what the cases need.
func exitFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	tasks := `[{"id": "a", "user_scenario": {"instructions": "x"}, "evaluation_criteria": {"reward_basis": ["DB"], "actions": [{"action_id": "0", "name": "cancel_reservation", "arguments": {"reservation_id": "NONE00"}}]}}]`
	for name, text := range map[string]string{
		"tasks.json": tasks, "sequences.jsonl": `{"id": "a", "sequence": ["cancel_reservation"]}` + "\n", "damaged.jsonl": "{\n{}\n", "none.jsonl": "",
		"once.yaml": "retries: 0\n", "poor.yaml": "retries: 0\nbudget: {calls: 1}\n",
	} {
		write(t, filepath.Join(dir, name), text)
	}
	return dir
}
