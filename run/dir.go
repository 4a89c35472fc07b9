package run

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"

	"taste/internal/hint"
)

// The files of a run directory, in the order in which they appear.
const (
	ManifestFile   = "manifest.json"        // settings, hashes, seeds
	StagesFile     = "stages.json"          // which stages are done, and the hashes of their files
	JudgementsFile = "judgements.jsonl"     // journal: every verdict, in order of asking
	ModelFile      = "model.json"           // the trained sampler and its counts
	PoolFile       = "pool.jsonl"           // what was sampled to choose from
	SelectionFile  = "selection.json"       // the chosen sequences
	CallsFile      = "calls.jsonl"          // journal: calls of language models, kept for replay
	WorkFile       = "work.jsonl"           // journal: drafts and checks paid for; gone when their stage is done
	DraftsFile     = "drafts.jsonl"         // log: every attempt at a task and what became of it
	LicenseFile    = "DATA_LICENSE"         // licence of the data
	BaseMetaFile   = "tasks_base_meta.json" // per task id: where it comes from
	BaseTasksFile  = "tasks_base.json"      // the tasks before they are made harder
	EvolutionFile  = "evolution.jsonl"      // log: every attempt to make a task harder
	MutantsFile    = "mutants.jsonl"        // gold sequences with one fault each, all of which earn 0
	VerdictsFile   = "verdicts.jsonl"       // review, gates and verifier of each task
	MetaFile       = "tasks_meta.json"      // per task id: where it comes from, and what makes it hard
	SplitsFile     = "splits.json"          // task ids by split
	TasksFile      = "tasks.json"           // the benchmark
	DifficultyFile = "difficulty.json"      // how reference agents fare
	ReportFile     = "report.json"          // what is in it
	ReportTextFile = "report.md"            // the same to read
	lockFile       = ".lock"
)

// ErrLocked says that another process works on the directory.
var ErrLocked = errors.New("another process is working on this run directory")

// ErrNoRun says that a folder is no run directory.
var ErrNoRun = errors.New("not a run directory")

// ErrManifest says that the manifest of a directory is not one of this program's.
var ErrManifest = errors.New("no manifest of a run that this program makes")

// ErrGone says that a file of a stage that is done is missing.
var ErrGone = errors.New("file is missing")

// Dir is a run directory held by this process until Close. Its methods may be
// used by several goroutines, each file by one at a time.
type Dir struct {
	path   string
	lock   *flock.Flock
	out    func(io.Writer) io.Writer
	stages map[string]map[string]seal // by stage that is done and file
}

// Create makes a run directory with the given manifest, or takes up the one
// that is there if its manifest is equal. A *DifferentError names what differs;
// files that were changed or removed since their stage was done are refused
// with ErrEdited or ErrGone.
func Create(path string, m *Manifest) (*Dir, error) {
	if err := os.MkdirAll(path, 0o777); err != nil {
		return nil, fmt.Errorf("make run directory: %w", err)
	}
	d, err := hold(path)
	if err != nil {
		return nil, err
	}
	err = d.begin(m)
	if err == nil {
		err = d.verify()
	}
	if err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

// Open takes up an existing run directory and returns its manifest. What is
// wrong with its files is refused as by Create.
func Open(path string) (*Dir, *Manifest, error) {
	if _, err := os.Stat(filepath.Join(path, ManifestFile)); err != nil {
		return nil, nil, hint.Add(fmt.Errorf("open %s: %w", path, ErrNoRun), "`taste sample` or `taste generate` makes one")
	}
	d, err := hold(path)
	if err != nil {
		return nil, nil, err
	}
	m, err := d.manifest()
	if err == nil {
		err = d.verify()
	}
	if err != nil {
		return nil, nil, errors.Join(err, d.Close())
	}
	return d, m, nil
}

func hold(path string) (*Dir, error) {
	d := &Dir{path: path, lock: flock.New(filepath.Join(path, lockFile)), out: func(w io.Writer) io.Writer { return w }}
	ok, err := d.lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock run directory: %w", err)
	}
	if !ok {
		return nil, hint.Add(fmt.Errorf("open %s: %w", path, ErrLocked), "wait for it to end, or choose another directory with --out")
	}
	return d, d.sweep()
}

// sweep removes what a crash left of files that were being written.
func (d *Dir) sweep() error {
	left, err := filepath.Glob(filepath.Join(d.path, ".*"+tempSuffix))
	if err != nil {
		return fmt.Errorf("sweep run directory: %w", err)
	}
	for _, f := range left {
		if err := os.Remove(f); err != nil {
			return fmt.Errorf("sweep run directory: %w", err)
		}
	}
	return nil
}

// begin writes the manifest, or compares it with the one that is there.
func (d *Dir) begin(m *Manifest) error {
	want, err := marshal(m)
	if err != nil {
		return err
	}
	have, err := os.ReadFile(d.file(ManifestFile))
	if errors.Is(err, fs.ErrNotExist) {
		return d.first(ManifestFile, want)
	}
	if err == nil {
		err = checkFormat(have)
	}
	if err != nil {
		return d.unread(ManifestFile, err)
	}
	return compare(d.path, have, want)
}

// manifest reads the manifest that is there.
func (d *Dir) manifest() (*Manifest, error) {
	data, err := d.Read(ManifestFile)
	if err != nil {
		return nil, err
	}
	if isHarder(data) {
		return nil, hint.Add(fmt.Errorf("open %s: %w: its tasks were made harder from a file of tasks", d.path, ErrNoRun),
			"`validate`, `coverage` and `export tau2` take it; prose of others needs a customer that is a model, so export it to see how agents fare")
	}
	m, err := ParseManifest(data)
	if err != nil {
		return nil, d.unread(ManifestFile, err)
	}
	return m, nil
}

func (d *Dir) unread(name string, err error) error {
	return hint.Add(fmt.Errorf("read %s: %w: %w", d.file(name), ErrManifest, err), "restore the file, or begin in another directory")
}

// first writes the manifest into a directory that must be empty.
func (d *Dir) first(name string, manifest []byte) error {
	entries, err := os.ReadDir(d.path)
	if err != nil {
		return fmt.Errorf("read run directory: %w", err)
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") {
			return hint.Add(fmt.Errorf("make run directory %s: %w, and it holds %s", d.path, ErrNoRun, e.Name()), "choose a new or empty folder with --out")
		}
	}
	return d.Write(name, manifest)
}

// Path returns the directory's path as it was given.
func (d *Dir) Path() string { return d.path }

// Close lets go of the directory.
func (d *Dir) Close() error {
	if err := d.lock.Unlock(); err != nil {
		return fmt.Errorf("unlock run directory: %w", err)
	}
	return nil
}

func (d *Dir) file(name string) string { return filepath.Join(d.path, name) }

// Has says whether a file is there.
func (d *Dir) Has(name string) bool {
	_, err := os.Stat(d.file(name))
	return err == nil
}

// Read returns a file's content.
func (d *Dir) Read(name string) ([]byte, error) {
	data, err := os.ReadFile(d.file(name))
	if err != nil {
		return nil, fmt.Errorf("read run directory: %w", err)
	}
	return data, nil
}

// ReadJSON decodes a file into v. Of one that does not decode the error wraps
// ErrEdited.
func (d *Dir) ReadJSON(name string, v any) error {
	data, err := d.Read(name)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, v); err != nil {
		return d.garbled(name, err)
	}
	return nil
}

// garbled tells of a file that does not decode any more.
func (d *Dir) garbled(name string, err error) error {
	advice := restoreAdvice
	if name == DifficultyFile {
		advice = "restore the file, or remove it: the same command makes it anew"
	}
	return hint.Add(fmt.Errorf("read %s: %w: %w", d.file(name), ErrEdited, err), "%s", advice)
}
