package run

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"taste/gates"
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

// HardManifest fixes every byte of a folder of tasks that were made harder. It
// is no run's: it has no settings of the stages before.
type HardManifest struct {
	Format  int    `json:"format"`
	Program string `json:"program"`
	Canary  string `json:"canary"` // see Manifest.SetCanary
	Domain  Domain `json:"domain"`
	Harder  Harder `json:"harder"`
}

// Harder are the choices that such a folder was made with.
type Harder struct {
	Tasks    string               `json:"tasks"` // SHA-256 of the tasks before, in hex
	Seed     uint64               `json:"seed"`
	Settings synth.EvolveSettings `json:"settings"`
}

// SetCanary derives the canary from everything else.
func (m *HardManifest) SetCanary() (err error) {
	m.Canary = ""
	m.Canary, err = canary(m)
	return err
}

// Vacant refuses a folder that something lies in; doing says what it was to be
// used for.
func Vacant(doing, out string) error {
	if entries, err := os.ReadDir(out); err == nil && len(entries) > 0 {
		return hint.Add(fmt.Errorf("%s to %s: %w", doing, out, os.ErrExist), "choose a new or empty folder with --out")
	}
	return nil
}

// Hardening is the ledger of tasks on their way to the folder out: the journals of a
// fourth stage, in a hidden folder beside it until Hardened finds that it is written.
type Hardening struct {
	*Evolution
	dir *Dir
}

// workSuffix ends the name of the folder that a Hardening lies in.
const workSuffix = ".work"

// OpenHardening takes up what was paid for on the way to out, or begins. Close it
// after use.
func OpenHardening(out string) (*Hardening, error) {
	path, err := beside(out, workSuffix)
	if err == nil {
		err = os.MkdirAll(path, 0o777)
	}
	if err != nil {
		return nil, full(fmt.Errorf("evolve to %s: %w", out, err))
	}
	d, err := hold(path)
	if err != nil {
		return nil, err
	}
	e, err := d.Evolution()
	if err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return &Hardening{e, d}, nil
}

// Close closes the journals and lets go of their folder.
func (h *Hardening) Close() error { return errors.Join(h.Evolution.Close(), h.dir.Close()) }

// WriteHardened writes tasks that were made harder, those before as their twin,
// and what is known of them to a folder that is new or empty; it appears whole or
// not at all. The split "harder" names the tasks that are not as they were. The
// canary goes into the notes of every task but the twin's. license is the text of
// the licence of the data, "" for none.
func WriteHardened(out string, m *HardManifest, license string, before []tau.Task, made []synth.Hardened) error {
	return WriteFolder("evolve", out, func(temp string) error {
		d := &Dir{path: temp, out: func(w io.Writer) io.Writer { return w }}
		return d.harder(m, license, before, made, reportHarder(made))
	})
}

// Hardened reads what WriteHardened has written to the folder out for that manifest,
// the report and what is known of each task, and removes what a Hardening kept on the
// way there. Of any other folder it returns nil.
func Hardened(out string, m *HardManifest) (*HardReport, map[string]HardMeta, error) {
	d, is := &Dir{path: out}, &HardManifest{}
	if err := d.ReadJSON(ManifestFile, is); err != nil || is.Canary != m.Canary {
		return nil, nil, nil //nolint:nilerr // whatever it is, it is no such folder
	}
	r, metas := &HardReport{}, map[string]HardMeta{}
	if err := errors.Join(d.ReadJSON(ReportFile, r), d.ReadJSON(MetaFile, &metas)); err != nil {
		return nil, nil, err
	}
	work, err := beside(out, workSuffix)
	return r, metas, errors.Join(err, os.RemoveAll(work))
}

func (d *Dir) harder(m *HardManifest, license string, before []tau.Task, made []synth.Hardened, r *HardReport) error {
	metas, splits := map[string]HardMeta{}, map[string][]string{"base": {}, "harder": {}}
	var tasks []tau.Task
	var mutants []gates.Mutant
	for i := range made {
		h := &made[i]
		t := h.Task
		synth.Mark(&t, m.Canary)
		tasks, mutants = append(tasks, t), append(mutants, h.Mutants...)
		splits["base"] = append(splits["base"], t.ID)
		if h.Level != role.Base {
			splits["harder"] = append(splits["harder"], t.ID)
		}
		metas[t.ID] = HardMeta{
			Hash: synth.ContentHash(&t), BaseHash: synth.ContentHash(&before[i]), Level: h.Level, Why: h.Why,
			Techniques: append([]role.Technique{}, h.Techniques...), Adds: list(h.Adds),
		}
	}
	return inTurn(
		func() error { return d.WriteJSON(ManifestFile, m) },
		func() error { return d.Write(LicenseFile, dataLicense(&m.Domain, license)) },
		func() error { return d.Write(BaseTasksFile, tau.AppendTasks(nil, before)) },
		func() error { return WriteLines(d, MutantsFile, mutants) },
		func() error { return d.WriteJSON(MetaFile, metas) },
		func() error { return d.WriteJSON(SplitsFile, splits) },
		func() error { return d.Write(TasksFile, tau.AppendTasks(nil, tasks)) },
		func() error { return d.WriteJSON(ReportFile, r) },
		func() error { return d.Write(ReportTextFile, r.markdown()) },
	)
}

// isHarder tells the manifest of such a folder from a run's.
func isHarder(manifest []byte) bool {
	var is struct {
		Harder *Harder `json:"harder"`
	}
	return json.Unmarshal(manifest, &is) == nil && is.Harder != nil
}

// OpenHarder takes up a folder of tasks that were made harder, until Close; it
// returns nil for any other folder.
func OpenHarder(path string) (*Dir, *HardManifest, error) {
	data, err := os.ReadFile(filepath.Join(path, ManifestFile))
	if err != nil || !isHarder(data) {
		return nil, nil, nil //nolint:nilerr // whatever it is, it is no such folder
	}
	m := &HardManifest{}
	if err := json.Unmarshal(data, m); err != nil {
		return nil, nil, hint.Add(fmt.Errorf("read %s: %w: %w", filepath.Join(path, ManifestFile), ErrManifest, err), "restore the file")
	}
	d, err := hold(path)
	return d, m, err
}
