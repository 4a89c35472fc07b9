package run

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"taste/internal/hint"
	"taste/role"
	"taste/synth"
	"taste/tau"
)

// HardMeta is what tasks_meta.json says of a task that was not made here.
type HardMeta struct {
	Hash       string           `json:"hash"`      // synth.ContentHash
	BaseHash   string           `json:"base_hash"` // of the task that it was made from
	Level      role.Level       `json:"level"`     // how far it was made harder
	Why        string           `json:"why"`       // why it is not full
	Techniques []role.Technique `json:"techniques"`
	Adds       []string         `json:"adds"` // records added to or changed in the database, table/key
}

// WriteHardened writes tasks that were made harder, those before, and what is
// known of them to a folder that is new or empty; it appears whole or not at all.
// The split "harder" names the tasks that are not as they were.
func WriteHardened(out string, before []tau.Task, made []synth.Hardened) error {
	if entries, err := os.ReadDir(out); err == nil && len(entries) > 0 {
		return hint.Add(fmt.Errorf("evolve to %s: %w", out, os.ErrExist), "choose a new or empty folder with --out")
	}
	temp, err := tempBeside(out)
	if err == nil {
		err = os.MkdirAll(temp, 0o777)
	}
	if err != nil {
		return full(fmt.Errorf("evolve: %w", err))
	}
	if err = writeHardened(temp, before, made); err == nil {
		err = moveTo(out, temp)
	}
	if err != nil {
		return full(errors.Join(fmt.Errorf("evolve: %w", err), os.RemoveAll(temp)))
	}
	return nil
}

func writeHardened(out string, before []tau.Task, made []synth.Hardened) error {
	metas, splits := map[string]HardMeta{}, map[string][]string{"base": {}, "harder": {}}
	var tasks []tau.Task
	for i := range made {
		h := &made[i]
		tasks = append(tasks, h.Task)
		splits["base"] = append(splits["base"], h.Task.ID)
		if h.Level != role.Base {
			splits["harder"] = append(splits["harder"], h.Task.ID)
		}
		metas[h.Task.ID] = HardMeta{
			Hash: h.Outcome.Hash, BaseHash: synth.ContentHash(&before[i]), Level: h.Level, Why: h.Why,
			Techniques: append([]role.Technique{}, h.Techniques...), Adds: list(h.Adds),
		}
	}
	meta, err := marshal(metas)
	if err != nil {
		return err
	}
	parts, err := marshal(splits)
	if err != nil {
		return err
	}
	for _, f := range []struct {
		name string
		data []byte
	}{
		{BaseTasksFile, tau.AppendTasks(nil, before)}, {MetaFile, meta}, {SplitsFile, parts}, {TasksFile, tau.AppendTasks(nil, tasks)},
	} {
		if err := os.WriteFile(filepath.Join(out, f.name), f.data, 0o666); err != nil {
			return err
		}
	}
	return nil
}
