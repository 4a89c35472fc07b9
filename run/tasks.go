package run

import (
	"errors"
	"fmt"

	"taste/internal/hint"
	"taste/synth"
	"taste/tau"
)

// ErrEdited says that a finished run is not as it was made.
var ErrEdited = errors.New("changed since it was made")

// Tasks reads the tasks of a finished run and holds them to the content hashes
// that were recorded with them. Where they differ the error wraps ErrEdited and
// names file and task.
func (d *Dir) Tasks() ([]tau.Task, error) { return d.held(TasksFile, MetaFile) }

// BaseTasks reads the tasks before they were made harder, as Tasks does.
func (d *Dir) BaseTasks() ([]tau.Task, error) { return d.held(BaseTasksFile, BaseMetaFile) }

// held reads tasks and holds them to the hashes of their metadata.
func (d *Dir) held(file, meta string) ([]tau.Task, error) {
	data, err := d.Read(file)
	if err != nil {
		return nil, err
	}
	tasks, err := tau.ParseTasks(file, data)
	if err != nil {
		return nil, d.edited(file, "%v", err)
	}
	metas := map[string]Meta{}
	if err := d.ReadJSON(meta, &metas); err != nil {
		return nil, err
	}
	for i := range tasks {
		t := &tasks[i]
		if m, ok := metas[t.ID]; !ok {
			return nil, d.edited(file, "task %s has no entry in %s", t.ID, meta)
		} else if got := synth.ContentHash(t); got != m.Hash {
			return nil, d.edited(file, "task %s has content hash %.12s, %s says %.12s", t.ID, got, meta, m.Hash)
		}
		delete(metas, t.ID)
	}
	for _, id := range sortedKeys(metas) {
		return nil, d.edited(file, "task %s of %s is missing", id, meta)
	}
	return tasks, nil
}

func (d *Dir) edited(file, format string, args ...any) error {
	err := fmt.Errorf("read %s: %w: %s", d.file(file), ErrEdited, fmt.Sprintf(format, args...))
	return hint.Add(err, "restore the file; to edit tasks, copy it elsewhere, and `taste validate FILE` checks the copy")
}
