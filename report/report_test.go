package report

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"taste/contract"
	"taste/role"
	"taste/run"
	"taste/stats"
	"taste/synth"
	"taste/tau"
	"taste/toolseq"
)

func vocab() toolseq.Vocab {
	return toolseq.Vocab{Names: []string{"get_user", "cancel_order", "end"}, Types: []toolseq.Type{toolseq.Read, toolseq.Write, toolseq.Generic}}
}

func task(id, reason string, tools ...string) tau.Task {
	t := tau.Task{ID: id, EvaluationCriteria: &tau.EvaluationCriteria{Actions: []tau.Action{}}}
	t.UserScenario.Instructions.Structured = &tau.StructuredInstructions{Domain: "toy", ReasonForCall: reason, TaskInstructions: "Be brief."}
	for _, n := range tools {
		t.EvaluationCriteria.Actions = append(t.EvaluationCriteria.Actions, tau.Action{ActionID: id, Name: n, Arguments: map[string]any{}})
	}
	return t
}

// directory is a finished run of three tasks.
func directory(t *testing.T) Input {
	t.Helper()
	m := &run.Manifest{
		Format: run.Format, Program: "taste 1", Canary: "canary-7", Domain: run.Domain{Name: "toy", Pack: "toys", License: "MIT"},
		Settings: run.Settings{Tasks: 4, Seed: 1, Method: synth.Paper},
	}
	d, err := run.Create(t.TempDir(), m)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	model, err := toolseq.NewModel(vocab(), toolseq.PaperParams())
	if err != nil {
		t.Fatal(err)
	}
	tasks := []tau.Task{
		task("a", "Cancel it.", "get_user", "cancel_order"), task("b", "Look.", "get_user"),
		task("c", "Cancel more.", "get_user", "cancel_order", "end"),
	}
	tasks[1].EvaluationCriteria.CommunicateInfo = []string{"27"}
	outcomes := []synth.Outcome{
		{Task: "a"},
		{Task: "b"},
		{Task: "c", Failed: synth.CheckDraft, Reason: "draft c: " + role.ErrUnbuildable.Error() + ": after 25 tries: call 4: record 0: no values fit: X1 cannot be adopted"},
		{Task: "c", Candidate: 1, Failed: synth.CheckGates, Reason: "mutant.replace: cancel_order order_id = 7 earns 1"},
		{Task: "c", Candidate: 1, Attempt: 1},
		{Task: "d", Failed: synth.CheckVerifier, Reason: "the database differs from the target: orders.1.status"},
	}
	verdicts := []run.Verdict{
		{Task: "a", Mutants: 5, Verifier: []role.Attempt{{Reward: 1}, {Reward: 1}}},
		{Task: "b", Mutants: 2, Verifier: []role.Attempt{{Why: "lost"}, {Reward: 1}}},
		{Task: "c", Verifier: []role.Attempt{{Reward: 1}}},
	}
	metas := map[string]run.Meta{"a": {Wishes: []string{"cancel", "cancel"}, Adds: []string{"orders/1"}}, "b": {Wishes: []string{"look"}}, "c": {Wishes: []string{"cancel"}}}
	base, baseMetas := slices.Clone(tasks), map[string]run.Meta{}
	tasks[2] = task("c", "You call.", "get_user", "cancel_order", "end")
	tasks[2].UserScenario.Instructions.Structured.TaskInstructions = "Cancel more. If this is refused, you insist once. Be brief."
	trap := role.Technique{Technique: "eligibility_pressure", Sentences: []string{"If this is refused, you insist once."}, Decoys: []string{"orders/9"}, Aim: "yields"}
	for i := range tasks {
		m := metas[tasks[i].ID]
		m.Hash = synth.ContentHash(&base[i])
		baseMetas[tasks[i].ID] = m
		m.Hash, m.Level, m.Why = synth.ContentHash(&tasks[i]), role.Base, "word task: "+role.ErrUnbuildable.Error()+": no traps found"
		if i == 2 {
			m.Level, m.Why, m.Techniques = role.Full, "", []role.Technique{trap}
		}
		metas[tasks[i].ID] = m
	}
	won := stats.NewShare(3, 3)
	drop := 1.0 / 3
	difficulty := synth.Difficulty{
		Tasks: 3, Trials: 1,
		Agents:     []synth.AgentRow{{Agent: "careful", Base: won, Evolved: stats.NewShare(3, 2), Drop: &drop, Paired: stats.Paired{P: 1}}},
		Techniques: []synth.TechniqueRow{{Technique: "eligibility_pressure", Agent: "yielding", Tasks: 1, Without: stats.NewShare(1, 1)}},
		Surprises:  []synth.Surprise{{Task: "c", Form: "evolved", Agent: "careful", Why: "trial 1: lost"}},
	}
	for _, err := range []error{
		d.WriteJSON(run.ModelFile, synth.Sampled{Model: model, Counts: toolseq.Counts{Attempts: 9, Plausible: 6, Implausible: 3}, Acceptance: synth.NewAcceptance(10, 8)}),
		d.WriteJSON(run.SelectionFile, synth.Selection{Dropped: []int{3}}),
		d.WriteJSON(run.MetaFile, metas),
		d.WriteJSON(run.BaseMetaFile, baseMetas),
		d.WriteJSON(run.DifficultyFile, difficulty),
		d.Write(run.BaseTasksFile, tau.AppendTasks(nil, base)),
		run.WriteLines(d, run.DraftsFile, outcomes),
		run.WriteLines(d, run.VerdictsFile, verdicts),
		d.Write(run.TasksFile, tau.AppendTasks(nil, tasks)),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return Input{Dir: d, Manifest: m, Vocab: vocab(), SeedTasks: tasks[:1]}
}

func TestReportCountsWhatTheDirectoryHolds(t *testing.T) {
	r, err := Build(directory(t))
	if err != nil {
		t.Fatal(err)
	}
	want := Attempts{Made: 6, Passed: 3, Attrition: []Count{
		{"draft: no values fit", 1}, {"gates: mutant.replace", 1}, {"verifier: the database differs from the target", 1},
	}}
	if diff := cmp.Diff(want, r.Attempts); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(Checks{Mutants: 7, FirstAttempt: 2, Communicate: 1, Database: 1}, r.Checks); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Count{{"cancel", 2}, {"look", 1}}, r.Wishes); diff != "" {
		t.Error(diff)
	}
	if r.Tasks != 3 || r.Asked != 4 || r.Missing != 1 || r.Dropped != 1 || r.GivenUp != 2 {
		t.Errorf("%d tasks, %d dropped, %d given up", r.Tasks, r.Dropped, r.GivenUp)
	}
	if c := r.Coverage; c.Benchmark.Length != 2 || c.Benchmark.WriteRead != 0.5 || c.SeedTasks.Length != 2 || c.SeedTasks.WriteRead != 1 {
		t.Errorf("coverage %+v", c)
	}
	var shown []string
	for _, e := range r.Examples {
		shown = append(shown, e.Task)
	}
	if diff := cmp.Diff([]string{"b", "a", "c"}, shown); diff != "" {
		t.Errorf("shortest, middle, longest: %s", diff)
	}
}

func TestReportReads(t *testing.T) {
	in := directory(t)
	r, err := Write(in)
	if err != nil {
		t.Fatal(err)
	}
	text, err := in.Dir.Read(run.ReportTextFile)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"# 3 tasks, domain toy",
		"**1 of 4 tasks is missing.** 1 found no plausible sequence in the pool; for 0 no sequence",
		"| solved by the verifier at the first attempt | 2 (67 %) |",
		"| average length | 2.00 | 2.00 |",
		"| `cancel_order` | 67 % | 100 % |",
		"Of 10 sequences never seen before the judge then accepted 8: 80.0 % (95 %: 49.0 to 94.3).",
		"| gates: mutant.replace | 1 |",
		"get_user → cancel_order → end",
		"> Cancel more.",
		"To be told: 27",
		"    canary-7",
	} {
		if !strings.Contains(string(text), line+"\n") {
			t.Errorf("no line %q", line)
		}
	}
	again, err := r.Markdown()
	if err != nil || string(again) != string(text) {
		t.Errorf("a second report differs: %v", err)
	}
}

func TestExamplesOfFewTasks(t *testing.T) {
	for n, want := range map[int]int{1: 1, 2: 2, 3: 3, 9: 3} {
		var tasks []tau.Task
		for range n {
			tasks = append(tasks, task("x", "", "end"))
		}
		if got := len(examples(tasks)); got != want {
			t.Errorf("%d examples of %d tasks, want %d", got, n, want)
		}
	}
}

func TestReportTellsOfTheEvolution(t *testing.T) {
	r, err := Build(directory(t))
	if err != nil {
		t.Fatal(err)
	}
	want := Evolution{
		Levels:     []synth.LevelCount{{Level: "full", Tasks: 1}, {Level: "lite", Tasks: 0}, {Level: "base", Tasks: 2}},
		Why:        []Count{{"base: no traps found", 2}},
		Techniques: []Count{{"eligibility_pressure", 1}},
		Traps:      []Count{{"0", 2}, {"1", 1}},
		Decoys:     1,
	}
	if diff := cmp.Diff(want, r.Evolution); diff != "" {
		t.Error(diff)
	}
	if r.Twin == nil || r.Twin.Base.Reason != "Cancel more." {
		t.Fatalf("twin %+v", r.Twin)
	}
	if got, want := r.Twin.Marked(), "Cancel more. **[1] If this is refused, you insist once.** Be brief."; got != want {
		t.Errorf("marked %q, want %q", got, want)
	}
	text, err := r.Markdown()
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{
		"| full | 1 |", "| base: no traps found | 2 |", "| careful | 1.00 (0.44 to 1.00) | 0.67 (0.21 to 0.94) | 33 % | 1 |",
		"careful on c (evolved): trial 1: lost", "| 1 | eligibility_pressure | `orders/9` | yields |",
		"| eligibility_pressure: the customer insists on what the policy refuses | yielding | 1 |", "| words of instructions, median (base tasks) | 2 (2) |",
	} {
		if !strings.Contains(string(text), part) {
			t.Errorf("the report lacks %q", part)
		}
	}
}

// Where customers complain of faults the report says how many tasks have each of
// the catalogue, and that W/R says nothing of gold without reads.
func TestFaultsAreCounted(t *testing.T) {
	in := directory(t)
	in.Contract = &contract.Contract{
		Faults: []*contract.Defect{{Name: "dead_battery"}, {Name: "loose_wire"}, {Name: "never"}}, Gold: contract.Gold{Keep: []string{"WRITE"}},
	}
	var metas map[string]run.Meta
	if err := in.Dir.ReadJSON(run.MetaFile, &metas); err != nil {
		t.Fatal(err)
	}
	for id, faults := range map[string][]string{"a": {"loose_wire"}, "b": {"dead_battery", "loose_wire", "x"}} {
		m := metas[id]
		m.Faults = faults
		metas[id] = m
	}
	if err := in.Dir.WriteJSON(run.MetaFile, metas); err != nil {
		t.Fatal(err)
	}
	r, err := Build(in)
	if err != nil {
		t.Fatal(err)
	}
	want := &Faults{Tasks: []Count{{"loose_wire", 2}, {"dead_battery", 1}, {"x", 1}, {"never", 0}}, Three: 1}
	if diff := cmp.Diff(want, r.Faults); diff != "" {
		t.Error(diff)
	}
	text, err := r.Markdown()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), "loose_wire 2, dead_battery 1, x 1, never 0. Three or more at once in 1 (33 %).") || strings.Contains(string(text), "| W/R |") {
		t.Errorf("report:\n%s", text)
	}
}
