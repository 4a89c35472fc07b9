package run

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"taste/role"
	"taste/synth"
)

// HardReport counts what became of tasks that were made harder.
type HardReport struct {
	Tasks      int                `json:"tasks"`
	Twin       string             `json:"twin"` // file of the same tasks as they were before
	Levels     map[role.Level]int `json:"levels"`
	Traps      int                `json:"traps"`
	Techniques map[string]int     `json:"techniques"` // traps by technique
	Kept       []HardReason       `json:"kept"`       // tasks that are not full, by the kind of reason, most frequent first
}

// HardReason is why tasks are not made harder fully.
type HardReason struct {
	Reason string   `json:"reason"` // N for numbers, without what it quotes
	Tasks  []string `json:"tasks"`
}

// namedTasks is how many tasks are named to people where there are many.
const namedTasks = 3

// Many tells whether the tasks are more than people are to read.
func (r *HardReason) Many() bool { return len(r.Tasks) > namedTasks+1 }

// Some names the tasks, the first of them where there are many.
func (r *HardReason) Some() string {
	if !r.Many() {
		return strings.Join(r.Tasks, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(r.Tasks[:namedTasks], ", "), len(r.Tasks)-namedTasks)
}

// cell makes a text one cell of a table.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ").Replace(text)
}

func reportHarder(made []synth.Hardened) *HardReport {
	r := &HardReport{Tasks: len(made), Twin: BaseTasksFile, Levels: map[role.Level]int{}, Techniques: map[string]int{}, Kept: []HardReason{}}
	for i := range made {
		h := &made[i]
		r.Levels[h.Level]++
		r.Traps += len(h.Techniques)
		for _, t := range h.Techniques {
			r.Techniques[t.Technique]++
		}
		if h.Level == role.Full {
			continue
		}
		kind := reasonKind(h.Why)
		n := slices.IndexFunc(r.Kept, func(k HardReason) bool { return k.Reason == kind })
		if n < 0 {
			n, r.Kept = len(r.Kept), append(r.Kept, HardReason{Reason: kind})
		}
		r.Kept[n].Tasks = append(r.Kept[n].Tasks, h.Task.ID)
	}
	slices.SortStableFunc(r.Kept, func(a, b HardReason) int { return cmp.Compare(len(b.Tasks), len(a.Tasks)) })
	return r
}

var (
	reasonAside  = regexp.MustCompile(` \([^)]*\)`)
	reasonNumber = regexp.MustCompile(`\b\d+\b`)
)

// reasonKind is what reasons for several tasks have in common.
func reasonKind(why string) string {
	if i := strings.IndexAny(why, ":;"); i >= 0 {
		why = why[:i]
	}
	return reasonNumber.ReplaceAllString(reasonAside.ReplaceAllString(why, ""), "N")
}

// markdown is the report to read.
func (r *HardReport) markdown() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Tasks made harder\n\n%d tasks: %d full, %d lite, %d as they were. They carry %d traps. `%s` holds the same tasks as they were before.\n",
		r.Tasks, r.Levels[role.Full], r.Levels[role.Lite], r.Levels[role.Base], r.Traps, r.Twin)
	if len(r.Techniques) > 0 {
		b.WriteString("\n| technique | traps |\n|---|---|\n")
		for _, t := range slices.Sorted(maps.Keys(r.Techniques)) {
			fmt.Fprintf(&b, "| %s | %d |\n", t, r.Techniques[t])
		}
	}
	if len(r.Kept) > 0 {
		fmt.Fprintf(&b, "\nNot full, and why (`%s` lists all tasks, `%s` has each reason in full):\n\n| reason | tasks | which |\n|---|---|---|\n", ReportFile, MetaFile)
		for i := range r.Kept {
			k := &r.Kept[i]
			fmt.Fprintf(&b, "| %s | %d | %s |\n", cell(k.Reason), len(k.Tasks), cell(k.Some()))
		}
	}
	return b.Bytes()
}
