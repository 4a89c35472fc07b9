// Package report says what a finished run directory holds: as report.json for
// programs and report.md for people. It reads the directory's files alone, so a
// report can be made again at any time and has the same bytes.
package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"taste/contract"
	"taste/role"
	"taste/run"
	"taste/synth"
	"taste/tau"
	"taste/toolseq"
)

// Report is the content of report.json.
type Report struct {
	Program    string            `json:"program"`
	Canary     string            `json:"canary"`
	Domain     run.Domain        `json:"domain"`
	Settings   run.Settings      `json:"settings"`
	Tasks      int               `json:"tasks"`    // that were made
	Asked      int               `json:"asked"`    // that were asked for
	Missing    int               `json:"missing"`  // asked for and not made
	Dropped    int               `json:"dropped"`  // clusters given up by the selection
	GivenUp    int               `json:"given_up"` // sequences of which no task could be made, replacements included
	Coverage   Coverage          `json:"coverage"`
	Sampling   toolseq.Counts    `json:"sampling"`
	Acceptance *synth.Acceptance `json:"acceptance"`
	Attempts   Attempts          `json:"attempts"`
	Checks     Checks            `json:"checks"`
	Tools      []Share           `json:"tools"`
	Wishes     []Count           `json:"wishes"`
	Rules      []Count           `json:"rules"`
	Faults     *Faults           `json:"faults,omitempty"` // null where the contract has none
	Size       Size              `json:"size"`
	Evolution  Evolution         `json:"evolution"`
	Difficulty *synth.Difficulty `json:"difficulty"` // null until it is measured
	Twin       *Twin             `json:"twin"`       // null where no task has a trap
	Models     *Models           `json:"models,omitempty"`
	Comparable bool              `json:"comparable_with_tau2"` // false where rules played the customer: τ²'s is a language model
	Examples   []Example         `json:"examples"`
}

// Coverage puts the benchmark beside the domain's own tasks.
type Coverage struct {
	Benchmark toolseq.Coverage `json:"benchmark"`
	SeedTasks toolseq.Coverage `json:"seed_tasks"`
	// Changes says that gold keeps no reads, so that W/R says nothing.
	Changes bool `json:"changes_only,omitempty"`
}

// Attempts tells how many tasks were tried and why some failed.
type Attempts struct {
	Made      int     `json:"made"`
	Passed    int     `json:"passed"`
	Attrition []Count `json:"attrition"` // by check and reason
}

// Checks tells what the emitted tasks went through.
type Checks struct {
	Mutants      int `json:"mutants"`            // wrong variants of gold, all of which earn 0
	FirstAttempt int `json:"first_attempt"`      // tasks that the verifier solved at once
	Communicate  int `json:"communicate"`        // tasks with something to tell the customer
	Database     int `json:"database"`           // tasks that bring records of their own
	Asserted     int `json:"asserted,omitempty"` // tasks whose reward rests on assertions about the environment
}

// Faults tells what is wrong in the tasks before anything is repaired.
type Faults struct {
	Tasks []Count `json:"tasks"`         // tasks by fault, those that stand nowhere included
	Three int     `json:"three_or_more"` // tasks that combine so many
}

// Count is how often something occurs.
type Count struct {
	What  string `json:"what"`
	Count int    `json:"count"`
}

// Share is in how many of the tasks a tool occurs, here and in the seed tasks.
type Share struct {
	Tool      string  `json:"tool"`
	Benchmark float64 `json:"benchmark"`
	SeedTasks float64 `json:"seed_tasks"`
}

// Example is a task as a reader meets it.
type Example struct {
	Task         string   `json:"task"`
	Sequence     []string `json:"sequence"`
	Reason       string   `json:"reason_for_call"`
	Known        string   `json:"known_info"`
	Instructions string   `json:"task_instructions"`
	Communicate  []string `json:"communicate_info"`
}

// Input is what a report is made from beside the directory.
type Input struct {
	Dir       *run.Dir
	Manifest  *run.Manifest
	Vocab     toolseq.Vocab
	SeedTasks []tau.Task
	Contract  *contract.Contract // what verdicts of models are compared with
}

// Write makes both files of the report and returns what they say.
func Write(in Input) (*Report, error) {
	r, err := Build(in)
	if err != nil {
		return nil, fmt.Errorf("make report: %w", err)
	}
	text, err := r.Markdown()
	if err != nil {
		return nil, fmt.Errorf("make report: %w", err)
	}
	if err := in.Dir.Write(run.ReportTextFile, text); err != nil {
		return nil, err
	}
	return r, in.Dir.WriteJSON(run.ReportFile, r)
}

// Build reads the directory.
func Build(in Input) (*Report, error) {
	f, err := read(in.Dir)
	if err != nil {
		return nil, err
	}
	r := &Report{
		Program: in.Manifest.Program, Canary: in.Manifest.Canary, Domain: in.Manifest.Domain, Settings: in.Manifest.Settings,
		Tasks: len(f.tasks), Asked: in.Manifest.Settings.Tasks, Missing: in.Manifest.Settings.Tasks - len(f.tasks), Dropped: len(f.selection.Dropped), Sampling: f.sampled.Counts, Acceptance: f.sampled.Acceptance,
	}
	if r.Coverage.Benchmark, err = measure(in.Vocab, f.tasks); err != nil {
		return nil, err
	}
	if r.Coverage.SeedTasks, err = measure(in.Vocab, in.SeedTasks); err != nil {
		return nil, err
	}
	r.Coverage.Changes = in.Contract != nil && len(in.Contract.Gold.Keep) > 0
	for i, name := range in.Vocab.Names {
		if in.Contract != nil && !in.Contract.InGold(name) {
			continue // it stands in no gold
		}
		r.Tools = append(r.Tools, Share{name, r.Coverage.Benchmark.Share[i], r.Coverage.SeedTasks.Share[i]})
	}
	r.attempts(f.outcomes)
	r.checks(f)
	r.Faults = faults(in.Contract, f)
	r.Size, r.Evolution, r.Difficulty, r.Twin = size(f), evolution(f), f.difficulty, twin(f)
	r.Examples = examples(f.tasks)
	if r.Models, err = modelsOf(in, f.verdicts); err != nil {
		return nil, err
	}
	r.Comparable = r.ByModel("user")
	return r, nil
}

// files are the parts of a directory that a report is about.
type files struct {
	sampled   synth.Sampled
	selection synth.Selection
	outcomes  []synth.Outcome
	verdicts  []run.Verdict
	metas     map[string]run.Meta
	base      []tau.Task
	tasks     []tau.Task
	// difficulty is nil until it is measured.
	difficulty *synth.Difficulty
}

func read(d *run.Dir) (*files, error) {
	f := &files{sampled: synth.Sampled{Model: &toolseq.Model{}}}
	for name, into := range map[string]any{run.ModelFile: &f.sampled, run.SelectionFile: &f.selection, run.MetaFile: &f.metas} {
		if err := d.ReadJSON(name, into); err != nil {
			return nil, err
		}
	}
	var err error
	if f.outcomes, err = run.ReadLines[synth.Outcome](d, run.DraftsFile); err != nil {
		return nil, err
	}
	if f.verdicts, err = run.ReadLines[run.Verdict](d, run.VerdictsFile); err != nil {
		return nil, err
	}
	if f.base, err = d.BaseTasks(); err != nil {
		return nil, err
	}
	if d.Has(run.DifficultyFile) {
		f.difficulty = &synth.Difficulty{}
		if err := d.ReadJSON(run.DifficultyFile, f.difficulty); err != nil {
			return nil, err
		}
	}
	f.tasks, err = d.Tasks()
	return f, err
}

func measure(v toolseq.Vocab, tasks []tau.Task) (toolseq.Coverage, error) {
	var seqs [][]int
	for i := range tasks {
		seq, err := synth.Numbers(v, run.GoldSequence(&tasks[i]))
		if err != nil {
			return toolseq.Coverage{}, fmt.Errorf("task %s: %w", tasks[i].ID, err)
		}
		seqs = append(seqs, seq)
	}
	return toolseq.Measure(v, seqs)
}

// attempts counts what became of the attempts at tasks. The last attempt with a
// sequence is the one after which it was made or given up.
func (r *Report) attempts(outcomes []synth.Outcome) {
	why := map[string]int{}
	for i := range outcomes {
		o := &outcomes[i]
		if o.Failed == "" {
			r.Attempts.Passed++
			continue
		}
		why[reason(o)]++
	}
	r.Attempts.Made = len(outcomes)
	r.Attempts.Attrition = counts(why)
	r.GivenUp = givenUp(outcomes)
}

// reason is the check and the kind of its objection: what it says without the
// particulars of one task.
func reason(o *synth.Outcome) string {
	switch o.Failed {
	case synth.CheckVerifier:
		what, _, _ := strings.Cut(o.Reason, ": ")
		return string(o.Failed) + ": " + what
	case synth.CheckDraft:
		return string(o.Failed) + ": " + firstClause(afterUnbuildable(o.Reason))
	}
	rule, _, _ := strings.Cut(o.Reason, ": ")
	return string(o.Failed) + ": " + rule
}

// afterUnbuildable is what an error says behind role.ErrUnbuildable, or all of it.
func afterUnbuildable(text string) string {
	if _, rest, ok := strings.Cut(text, role.ErrUnbuildable.Error()+": "); ok {
		return rest
	}
	return text
}

// counting is what a clause begins with that only counts.
var counting = []string{"after ", "record ", "call "}

// firstClause passes over what only counts: "after 25 tries: record 0: …".
func firstClause(text string) string {
	for {
		clause, rest, more := strings.Cut(text, ": ")
		counts := slices.ContainsFunc(counting, func(word string) bool { return strings.HasPrefix(clause, word) })
		if !more || !counts {
			return clause
		}
		text = rest
	}
}

// givenUp counts the sequences none of whose attempts passed.
func givenUp(outcomes []synth.Outcome) int {
	type sequence struct {
		task      string
		candidate int
	}
	passed := map[sequence]bool{}
	for i := range outcomes {
		o := &outcomes[i]
		k := sequence{o.Task, o.Candidate}
		passed[k] = passed[k] || o.Failed == ""
	}
	n := 0
	for _, ok := range passed {
		if !ok {
			n++
		}
	}
	return n
}

// counts sorts by count, then by name.
func counts(m map[string]int) []Count {
	out := []Count{}
	for what, n := range m {
		out = append(out, Count{what, n})
	}
	slices.SortFunc(out, func(a, b Count) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.What, b.What))
	})
	return out
}

func (r *Report) checks(f *files) {
	for _, v := range f.verdicts {
		r.Checks.Mutants += v.Mutants
		if len(v.Verifier) > 0 && v.Verifier[0].Reward >= synth.Success {
			r.Checks.FirstAttempt++
		}
	}
	wishes, rules := map[string]int{}, map[string]int{}
	for i := range f.tasks {
		t := &f.tasks[i]
		if c := t.EvaluationCriteria; c != nil && len(c.CommunicateInfo) > 0 {
			r.Checks.Communicate++
		}
		if c := t.EvaluationCriteria; c != nil && slices.Contains(c.RewardBasis, tau.EnvAssertionReward) {
			r.Checks.Asserted++
		}
		m := f.metas[t.ID]
		if len(m.Adds) > 0 {
			r.Checks.Database++
		}
		tally(wishes, m.Wishes)
		tally(rules, m.Rules)
	}
	r.Wishes, r.Rules = counts(wishes), counts(rules)
}

// faults counts the faults of the contract's catalogue.
func faults(c *contract.Contract, f *files) *Faults {
	if c == nil || len(c.Faults) == 0 {
		return nil
	}
	found, out := map[string]int{}, &Faults{}
	for _, d := range c.Faults {
		found[d.Name] = 0
	}
	for i := range f.tasks {
		m := f.metas[f.tasks[i].ID]
		tally(found, m.Faults)
		if len(m.Faults) >= 3 {
			out.Three++
		}
	}
	out.Tasks = counts(found)
	return out
}

// tally counts each name once.
func tally(m map[string]int, names []string) {
	for i, n := range names {
		if !slices.Contains(names[:i], n) {
			m[n]++
		}
	}
}

// examples are the shortest task, the longest and the one in the middle.
func examples(tasks []tau.Task) []Example {
	byLength := make([]*tau.Task, len(tasks))
	for i := range tasks {
		byLength[i] = &tasks[i]
	}
	slices.SortStableFunc(byLength, func(a, b *tau.Task) int {
		return cmp.Compare(len(run.GoldSequence(a)), len(run.GoldSequence(b)))
	})
	out := []Example{}
	for i, at := range []int{0, len(tasks) / 2, len(tasks) - 1} {
		if at == i || len(tasks) > 2 {
			out = append(out, example(byLength[at]))
		}
	}
	return out
}

func example(t *tau.Task) Example {
	e := Example{Task: t.ID, Sequence: run.GoldSequence(t), Communicate: []string{}}
	if c := t.EvaluationCriteria; c != nil && c.CommunicateInfo != nil {
		e.Communicate = c.CommunicateInfo
	}
	s := t.UserScenario.Instructions.Structured
	if s == nil {
		e.Instructions = t.UserScenario.Instructions.Plain
		return e
	}
	e.Reason, e.Instructions = s.ReasonForCall, s.TaskInstructions
	if s.KnownInfo != nil {
		e.Known = *s.KnownInfo
	}
	return e
}
