package run

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"taste/internal/hint"
	"taste/tau"
)

// Names of the stages in stages.json, in their order.
const (
	stageSample      = "sample"
	stageSelect      = "select"
	stageInstantiate = "instantiate"
	stageEvolve      = "evolve"
)

var stageOrder = []string{stageSample, stageSelect, stageInstantiate, stageEvolve}

// seal is what a file was when its stage was done. The journal of verdicts,
// which later stages add to, has to begin with these bytes; any other file has
// to be them.
type seal struct {
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"` // in hex
}

// done says whether a stage was done to its end.
func (d *Dir) done(stage string) bool { return d.stages[stage] != nil }

// finish records that a stage is done, and what its files are. A stage that a
// crash kept from this is done again.
func (d *Dir) finish(stage string, files ...string) error {
	seals := map[string]seal{}
	for _, name := range append(files, JudgementsFile) {
		s, err := sealed(d.file(name), -1)
		if err != nil {
			return fmt.Errorf("finish %s: %w", stage, err)
		}
		seals[name] = s
	}
	d.stages[stage] = seals
	return d.WriteJSON(StagesFile, d.stages)
}

// verify reads which stages are done and holds their files to the seals.
// ErrEdited and ErrGone are wrapped.
func (d *Dir) verify() error {
	d.stages = map[string]map[string]seal{}
	if !d.Has(StagesFile) {
		return nil
	}
	if err := d.ReadJSON(StagesFile, &d.stages); err != nil {
		return err
	}
	for _, stage := range stageOrder {
		for _, name := range sortedKeys(d.stages[stage]) {
			if err := d.intact(name, d.stages[stage][name]); err != nil {
				return err
			}
		}
	}
	return nil
}

// intact holds a file to its seal. Of edited tasks it says which ones.
func (d *Dir) intact(name string, want seal) error {
	size := int64(-1)
	if name == JudgementsFile {
		size = want.Bytes
	}
	got, err := sealed(d.file(name), size)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return d.broken(name, ErrGone)
	case err != nil:
		return fmt.Errorf("check run directory: %w", err)
	case got == want:
		return nil
	}
	tasks := map[string]func() ([]tau.Task, error){TasksFile: d.Tasks, BaseTasksFile: d.BaseTasks}
	if read := tasks[name]; read != nil {
		if _, err := read(); err != nil {
			return err
		}
	}
	return d.broken(name, ErrEdited)
}

const restoreAdvice = "restore the file, or begin in another directory; without " + StagesFile + " and " + JudgementsFile + " all stages are done again"

func (d *Dir) broken(name string, err error) error {
	return hint.Add(fmt.Errorf("check %s: %w", d.file(name), err), "%s", restoreAdvice)
}

// sealed hashes a file, or its first size bytes if size is not negative.
func sealed(path string, size int64) (seal, error) {
	f, err := os.Open(path)
	if err != nil {
		return seal{}, err
	}
	defer func() { _ = f.Close() }() // it was only read
	in := io.Reader(f)
	if size >= 0 {
		in = io.LimitReader(f, size)
	}
	h := sha256.New()
	n, err := io.Copy(h, in)
	return seal{n, hex.EncodeToString(h.Sum(nil))}, err
}
