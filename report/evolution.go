package report

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"taste/role"
	"taste/run"
	"taste/synth"
	"taste/tau"
)

// Evolution tells how far tasks were made harder, and by what.
type Evolution struct {
	Levels     []synth.LevelCount `json:"levels"`
	Why        []Count            `json:"why"`        // why tasks are not full
	Techniques []Count            `json:"techniques"` // tasks that carry each
	Traps      []Count            `json:"traps"`      // tasks by number of traps
	Decoys     int                `json:"decoys"`     // look-alike records in all tasks
}

// does says what the customer does by technique.
var does = map[string]string{
	"eligibility_pressure":      "insists on what the policy refuses",
	"argument_misdirection":     "says a particular wrongly first and corrects it when it is read back",
	"factual_misrepresentation": "states as a fact what the records belie",
	"decoy_entity":              "names a look-alike first, or describes what one almost fits",
	"conditional_escalation":    "demands a supervisor before saying yes or doing a step",
	"information_withholding":   "says a particular only when asked for it",
	"forbidden_extra_write":     "slips a request that the policy refuses in with a yes",
}

// Size tells how long tasks are.
type Size struct {
	Words     int `json:"words"`      // of task_instructions, median
	BaseWords int `json:"base_words"` // before evolution
	Messages  int `json:"messages"`   // of the verifier's longest conversation
}

// Steps is a limit of steps that leaves an agent room: twice the longest conversation,
// and no less than what τ²-bench allows.
func (s Size) Steps() int { return max(200, (2*s.Messages+9)/10*10) }

func size(f *files) Size {
	out := Size{Words: words(f.tasks), BaseWords: words(f.base)}
	for _, v := range f.verdicts {
		for _, a := range v.Verifier {
			out.Messages = max(out.Messages, a.Turns)
		}
	}
	return out
}

// words is the median number of words of instructions, 0 without tasks.
func words(tasks []tau.Task) int {
	var n []int
	for i := range tasks {
		if s := tasks[i].UserScenario.Instructions.Structured; s != nil {
			n = append(n, len(strings.Fields(s.TaskInstructions)))
		}
	}
	if len(n) == 0 {
		return 0
	}
	slices.Sort(n)
	return n[len(n)/2]
}

// Twin is a task before and after its evolution.
type Twin struct {
	Base    Example `json:"base"`
	Evolved Example `json:"evolved"`
	Traps   []Trap  `json:"traps"`
}

// Trap is a technique of an evolved task.
type Trap struct {
	Number int `json:"number"`
	role.Technique
}

// evolution sums up what tasks_meta.json says of the tasks' evolution.
func evolution(f *files) Evolution {
	levels, why, techniques, traps := map[role.Level]int{}, map[string]int{}, map[string]int{}, map[string]int{}
	var out Evolution
	for i := range f.tasks {
		m := f.metas[f.tasks[i].ID]
		levels[m.Level]++
		if m.Why != "" {
			why[string(m.Level)+": "+firstClause(afterUnbuildable(m.Why))]++
		}
		var names []string
		for _, k := range m.Techniques {
			names = append(names, k.Technique)
			out.Decoys += len(k.Decoys)
		}
		tally(techniques, names)
		traps[strconv.Itoa(len(names))]++
	}
	for _, l := range role.Levels() {
		out.Levels = append(out.Levels, synth.LevelCount{Level: l, Tasks: levels[l]})
	}
	out.Why, out.Techniques, out.Traps = counts(why), counts(techniques), counts(traps)
	return out
}

// twin is the evolved task with the most techniques of those of middling length,
// beside its base.
func twin(f *files) *Twin {
	var best *tau.Task
	for i := range f.tasks {
		t := &f.tasks[i]
		if best == nil || cmp.Compare(worth(f, t), worth(f, best)) > 0 {
			best = t
		}
	}
	if best == nil || len(f.metas[best.ID].Techniques) == 0 {
		return nil
	}
	i := slices.IndexFunc(f.base, func(b tau.Task) bool { return b.ID == best.ID })
	if i < 0 {
		return nil
	}
	out := &Twin{Base: example(&f.base[i]), Evolved: example(best)}
	for n, k := range f.metas[best.ID].Techniques {
		out.Traps = append(out.Traps, Trap{n + 1, k})
	}
	return out
}

// worth counts the different techniques of a task that is short enough to read.
func worth(f *files, t *tau.Task) int {
	if len(run.GoldSequence(t)) > 10 {
		return 0
	}
	seen := map[string]bool{}
	for _, k := range f.metas[t.ID].Techniques {
		seen[k.Technique] = true
	}
	return len(seen)
}

// Marked is the evolved instructions with each trap's sentences in bold, its
// number before them.
func (t *Twin) Marked() string {
	text := t.Evolved.Instructions
	for _, trap := range t.Traps {
		for _, s := range trap.Sentences {
			text = strings.Replace(text, s, "**["+strconv.Itoa(trap.Number)+"] "+s+"**", 1)
		}
	}
	return text
}
