package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"taste/gates"
	"taste/run"
	"taste/synth"
	"taste/tau"
)

// origin is what lies beside a task file and says where it comes from.
type origin struct {
	dir  string
	file string        // the task file
	run  *run.Manifest // of the run that made it; nil for other files
	pack *packHead     // the pack that it lies in; nil for other files
}

// findOrigin takes a task file, or a folder that holds tasks.json.
func findOrigin(path string) (*origin, error) {
	o := &origin{dir: filepath.Dir(path), file: path}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		o.dir, o.file = path, filepath.Join(path, run.TasksFile)
	}
	data, err := os.ReadFile(filepath.Join(o.dir, run.ManifestFile))
	if errors.Is(err, fs.ErrNotExist) {
		return o, nil
	}
	if err != nil {
		return nil, usage(err, "the manifest beside a task file says where it comes from")
	}
	return o, o.read(data)
}

// read tells a run's manifest from a pack's by its domain. Any other file of
// that name says nothing.
func (o *origin) read(data []byte) error {
	var is struct {
		Domain json.RawMessage `json:"domain"`
	}
	if json.Unmarshal(data, &is) != nil || len(is.Domain) == 0 {
		return nil
	}
	switch is.Domain[0] {
	case '{':
		o.run = &run.Manifest{}
		if err := json.Unmarshal(data, o.run); err != nil {
			return usage(fmt.Errorf("read %s: %w", filepath.Join(o.dir, run.ManifestFile), err), "the file was changed: restore it")
		}
	case '"':
		head, err := readPackHead(o.dir)
		o.pack = head
		return err
	}
	return nil
}

// tasks loads the task file.
func (o *origin) tasks() ([]tau.Task, error) {
	tasks, err := tau.LoadTasks(o.file)
	return tasks, usage(err, "a task file is a JSON array of tasks in the schema of τ²-bench; a run directory holds one when its run is done")
}

// domain names the domain of the tasks: that of their run or pack, else the one
// that the tasks themselves name, else the first built-in one. sure is false for
// the last.
func (o *origin) domain(tasks []tau.Task) (name string, sure bool) {
	switch {
	case o.run != nil:
		return o.run.Domain.Name, true
	case o.pack != nil:
		return o.pack.domain(), true
	}
	for i := range tasks {
		if s := tasks[i].UserScenario.Instructions.Structured; s != nil && s.Domain != "" {
			return s.Domain, true
		}
	}
	return builtins[0].name, false
}

// claims are what a run says of its tasks: which records they add or change.
// edited are the ids of tasks that are not as the run made them.
func (o *origin) claims(tasks []tau.Task) (claims map[string]*gates.Claims, edited []string, err error) {
	if o.run == nil || filepath.Base(o.file) != run.TasksFile {
		return nil, nil, nil
	}
	var metas map[string]struct {
		Adds []string `json:"adds"`
		Hash string   `json:"hash"`
	}
	if err := decodeFile(filepath.Join(o.dir, run.MetaFile), &metas); err != nil {
		return nil, nil, usage(err, "the run directory is not whole: copy %s and %s elsewhere to check them on their own", run.TasksFile, run.ManifestFile)
	}
	claims = map[string]*gates.Claims{}
	for id, m := range metas {
		claims[id] = &gates.Claims{Adds: m.Adds}
	}
	for i := range tasks {
		if t := &tasks[i]; synth.ContentHash(t) != metas[t.ID].Hash {
			edited = append(edited, t.ID)
		}
	}
	return claims, edited, nil
}
