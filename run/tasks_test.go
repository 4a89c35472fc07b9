package run

import (
	"errors"
	"strings"
	"testing"

	"taste/internal/hint"
	"taste/synth"
	"taste/tau"
)

// finished is a directory with two tasks and what was recorded of them.
func finished(t *testing.T) (*Dir, []tau.Task) {
	t.Helper()
	d, metas := create(t, t.TempDir()), map[string]Meta{}
	tasks := []tau.Task{{ID: "toy-1"}, {ID: "toy-2"}}
	for i := range tasks {
		tasks[i].UserScenario.Instructions.Plain = "Cancel " + tasks[i].ID
		metas[tasks[i].ID] = Meta{Hash: synth.ContentHash(&tasks[i])}
	}
	if err := errors.Join(d.WriteJSON(MetaFile, metas), d.Write(TasksFile, tau.AppendTasks(nil, tasks))); err != nil {
		t.Fatal(err)
	}
	return d, tasks
}

func TestTasksAreAsTheyWereMade(t *testing.T) {
	d, want := finished(t)
	got, err := d.Tasks()
	if err != nil || len(got) != len(want) {
		t.Errorf("got %d tasks, %v", len(got), err)
	}
}

func TestTasksNamesTheEditedOne(t *testing.T) {
	for name, edit := range map[string]func([]tau.Task) []tau.Task{
		"changed": func(ts []tau.Task) []tau.Task { ts[1].UserScenario.Instructions.Plain += "!"; return ts },
		"removed": func(ts []tau.Task) []tau.Task { return ts[:1] },
		"renamed": func(ts []tau.Task) []tau.Task { ts[0].ID = "toy-2"; return ts[:1] },
		"added":   func(ts []tau.Task) []tau.Task { return append(ts[:1], tau.Task{ID: "toy-2"}) },
	} {
		d, tasks := finished(t)
		if err := d.Write(TasksFile, tau.AppendTasks(nil, edit(tasks))); err != nil {
			t.Fatal(err)
		}
		_, err := d.Tasks()
		if !errors.Is(err, ErrEdited) || !strings.Contains(err.Error(), TasksFile) || !strings.Contains(err.Error(), "toy-2") || hint.Of(err) == "" {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// TestTasksThatDoNotLoad: a file of a run that is cut short is one that was
// changed.
func TestTasksThatDoNotLoad(t *testing.T) {
	d, _ := finished(t)
	if err := d.Write(TasksFile, []byte("[{")); err != nil {
		t.Fatal(err)
	}
	var foreign *tau.FileError // bad input of somebody's own
	if _, err := d.Tasks(); !errors.Is(err, ErrEdited) || errors.As(err, &foreign) || !strings.Contains(err.Error(), "broken JSON: line 1") || hint.Of(err) == "" {
		t.Errorf("got %v, hint %q", err, hint.Of(err))
	}
	if err := d.Write(DifficultyFile, []byte("{")); err != nil {
		t.Fatal(err)
	}
	if err := d.ReadJSON(DifficultyFile, &synth.Difficulty{}); !errors.Is(err, ErrEdited) || !strings.Contains(hint.Of(err), "or remove it") {
		t.Errorf("got %v, hint %q", err, hint.Of(err))
	}
}

// A finished run is not taken up where its tasks were edited, and what was paid
// for is of no more use.
func TestEvolveChecksAFinishedRun(t *testing.T) {
	d, tasks := finished(t)
	err := errors.Join(d.Write(WorkFile, []byte("{}\n")), d.Write(JudgementsFile, nil), d.finish(stageEvolve, TasksFile))
	if err != nil {
		t.Fatal(err)
	}
	s := Stages{Dir: d}
	if n, err := s.Evolve(t.Context(), Makers{}); n != 2 || err != nil || d.Has(WorkFile) {
		t.Errorf("got %d tasks, %v, work left: %v", n, err, d.Has(WorkFile))
	}
	if err := d.Write(TasksFile, tau.AppendTasks(nil, tasks[:1])); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Evolve(t.Context(), Makers{}); !errors.Is(err, ErrEdited) {
		t.Errorf("got %v, want ErrEdited", err)
	}
}
