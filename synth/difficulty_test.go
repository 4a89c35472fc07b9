package synth_test

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"taste/role"
	"taste/synth"
	"taste/tau"
)

// oddPlayer wins a play where the rule of its agent says so.
type oddPlayer struct{}

func (oddPlayer) Play(_ context.Context, agent string, t *tau.Task, _ uint64) (role.Attempt, error) {
	won := map[string]bool{
		"careful": true,
		"noop":    strings.HasSuffix(t.ID, "-leak"),
		"greedy":  !strings.Contains(purposeOf(t), "trap"),
		"hasty":   !strings.Contains(purposeOf(t), "trap"),
	}[agent]
	if won {
		return role.Attempt{Reward: 1}, nil
	}
	return role.Attempt{Why: "lost"}, nil
}

func purposeOf(t *tau.Task) string { return *t.Description.Purpose }

func form(id, purpose string) *tau.Task {
	return &tau.Task{ID: id, Description: &tau.Description{Purpose: &purpose}}
}

// noMemory forgets everything.
type noMemory struct{}

func (noMemory) Recall(string) (json.RawMessage, bool) { return nil, false }
func (noMemory) Keep(string, json.RawMessage) error    { return nil }

func difficultyInput() synth.DifficultyInput {
	in := synth.DifficultyInput{
		Agents: []string{"careful", "greedy", "noop"}, Player: oddPlayer{}, Memory: noMemory{}, Trials: 1, Workers: 3, Observer: silent{},
		Flawed: func(technique string) string { return map[string]string{"misdirection": "hasty"}[technique] },
	}
	for i := range 6 {
		id := fmt.Sprintf("t%d", i)
		in.Cases = append(in.Cases, synth.Case{
			Base: form(id, "plain"), Evolved: form(id, "trap"), Level: "full", Length: 4 + 2*i, WriteShare: float64(i) / 6,
			Traps: []synth.Trap{{"misdirection", form(id, "without")}},
		})
	}
	in.Cases[5] = synth.Case{Base: form("t5-leak", "plain"), Evolved: form("t5-leak", "plain"), Level: "base", Length: 12}
	return in
}

func TestDifficultyCounts(t *testing.T) {
	d, err := synth.Measure(t.Context(), difficultyInput())
	if err != nil {
		t.Fatal(err)
	}
	if want := []synth.LevelCount{{"full", 5}, {"lite", 0}, {"base", 1}}; !reflect.DeepEqual(d.Levels, want) {
		t.Errorf("levels %v", d.Levels)
	}
	greedy := d.Agents[1]
	if greedy.Base.Successes != 6 || greedy.Evolved.Successes != 1 || *greedy.Drop != 5.0/6 || greedy.Paired.First != 5 {
		t.Errorf("greedy %+v", greedy)
	}
	if p := greedy.Paired.P; p != 2.0/32 {
		t.Errorf("p = %v, want 1/16", p)
	}
	if noop := d.Agents[2]; noop.Drop == nil || *noop.Drop != 0 {
		t.Errorf("noop %+v", noop)
	}
	row := d.Techniques[0]
	if row.Agent != "hasty" || row.Tasks != 5 || row.With.Successes != 0 || row.Without.Successes != 5 || row.Paired.Second != 5 {
		t.Errorf("technique %+v", row)
	}
	var lengths []string
	for _, g := range d.Groups {
		if g.By == "length" && g.Agent == "careful" {
			lengths = append(lengths, fmt.Sprintf("%s: %d", g.Group, g.Base.Trials))
		}
	}
	if got := strings.Join(lengths, ", "); got != "3 to 5: 1, 6 to 10: 3, 11 and more: 2" {
		t.Errorf("by length %s", got)
	}
	if len(d.Surprises) != 2 || d.Surprises[0].Agent != "noop" || d.Surprises[0].Task != "t5-leak" {
		t.Errorf("surprises %+v", d.Surprises)
	}
}

func TestDifficultyIsTheSameForAnyWorkers(t *testing.T) {
	in := difficultyInput()
	a, err := synth.Measure(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	in.Workers = 1
	b, err := synth.Measure(t.Context(), in)
	if err != nil || !reflect.DeepEqual(a, b) {
		t.Errorf("%v, %+v and %+v", err, a, b)
	}
}

// More trials of the same tasks are no more tasks.
func TestDifficultyCountsTasks(t *testing.T) {
	in := difficultyInput()
	in.Trials = 4
	d, err := synth.Measure(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	if g := d.Agents[1]; g.Base.Trials != 6 || g.Evolved.Successes != 1 || g.Paired.First != 5 || g.Paired.P != 2.0/32 {
		t.Errorf("greedy %+v", g)
	}
	if len(d.Surprises) != 8 {
		t.Errorf("%d surprises in 4 trials, want 8", len(d.Surprises))
	}
}
