package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"taste/run"
	"taste/tau"
)

// some reads the tasks, those of a split alone if one is given, and refuses a file
// without any.
func (o *origin) some(given bool, split, pack string) ([]tau.Task, error) {
	tasks, err := o.tasks()
	if err == nil && given {
		tasks, err = o.split(split, pack, tasks)
	}
	if err == nil && len(tasks) == 0 {
		err = usage(fmt.Errorf("%s: no tasks", o.file), "a task file is a JSON array of tasks")
	}
	return tasks, err
}

// split keeps the tasks of a split, in the order of the file. The splits are
// those of the folder that the file lies in, else those of a pack.
func (o *origin) split(name, pack string, tasks []tau.Task) ([]tau.Task, error) {
	file, splits, err := o.splits(pack)
	if err != nil {
		return nil, err
	}
	ids, ok := splits[name]
	if !ok {
		return nil, usage(fmt.Errorf("%s: no split %q", file, name), "splits: %s", strings.Join(slices.Sorted(maps.Keys(splits)), ", "))
	}
	var out []tau.Task
	left := map[string]bool{}
	for _, id := range ids {
		left[id] = true
	}
	for i := range tasks {
		if left[tasks[i].ID] {
			out = append(out, tasks[i])
			delete(left, tasks[i].ID)
		}
	}
	if len(left) > 0 {
		missing := slices.Sorted(maps.Keys(left))
		return nil, usage(fmt.Errorf("%s has not %s of split %q, the first %s", o.file, plural(len(missing), "task"), name, missing[0]),
			"the splits are those of %s", file)
	}
	return out, nil
}

// splits reads task ids by split, and says from which file.
func (o *origin) splits(pack string) (string, map[string][]string, error) {
	var files []string
	if o.pack != nil && o.pack.Splits != "" {
		files = append(files, filepath.Join(o.dir, o.pack.Splits))
	}
	files = append(files, filepath.Join(o.dir, run.SplitsFile))
	if pack != "" {
		head, err := readPackHead(pack)
		if err != nil {
			return "", nil, err
		}
		if head.Splits != "" {
			files = append(files, filepath.Join(pack, head.Splits))
		}
	}
	var splits map[string][]string
	for _, file := range files {
		err := decodeFile(file, &splits)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		return file, splits, usage(err, "a file of splits is a JSON object: task ids by split")
	}
	return "", nil, usage(fmt.Errorf("%s: there are no splits beside it", o.file), "splits are in the %s of a run directory or pack; leave --split out to take all tasks", run.SplitsFile)
}
