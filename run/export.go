package run

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"taste/env"
	"taste/internal/hint"
)

// ExportTau2 writes a finished run as a data folder of τ²-bench: with
// TAU2_DATA_DIR set to it, `tau2 run --domain NAME` plays the tasks. upstream says
// which files it reads, see [env.Domain.Checkout]. Licence, canary, metadata and
// mutants lie beside them. The folder must be new or empty, and appears whole or
// not at all: it is written beside, under a name of its own.
func ExportTau2(d *Dir, canary string, domain *env.Domain, upstream, out string) error {
	if !d.Has(TasksFile) {
		return hint.Add(fmt.Errorf("export %s: %w: no %s", d.Path(), ErrMissing, TasksFile), "`taste generate` or `taste instantiate` makes it")
	}
	if _, err := d.Tasks(); err != nil {
		return fmt.Errorf("export %s: %w", d.Path(), err)
	}
	return WriteFolder("export", out, func(temp string) error { return d.exportTo(temp, canary, domain, upstream) })
}

// WriteFolder lets fill write the files of a folder that must be new or empty
// and appears whole or not at all: fill gets one beside, under a name of its
// own. What is done stands before errors.
func WriteFolder(doing, out string, fill func(dir string) error) error {
	if err := Vacant(doing, out); err != nil {
		return err
	}
	temp, err := beside(out, tempSuffix)
	if err == nil {
		err = os.RemoveAll(temp) // of one that was killed
	}
	if err == nil {
		err = os.MkdirAll(temp, 0o777)
	}
	const again = "no part of the folder was left behind, it begins anew"
	if err != nil {
		return noSpace(fmt.Errorf("%s: %w", doing, err), again)
	}
	if err = fill(temp); err == nil {
		err = moveTo(out, temp)
	}
	if err != nil {
		return noSpace(errors.Join(fmt.Errorf("%s: %w", doing, err), os.RemoveAll(temp)), again)
	}
	return nil
}

// beside names a hidden folder beside out.
func beside(out, suffix string) (string, error) {
	path, err := filepath.Abs(out)
	return filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+suffix), err
}

// moveTo gives a folder the name of one that is not there, or its entries to
// one that is empty.
func moveTo(out, temp string) error {
	entries, err := os.ReadDir(temp)
	if err != nil {
		return err
	}
	if _, err := os.Stat(out); errors.Is(err, fs.ErrNotExist) {
		return os.Rename(temp, out)
	}
	for _, e := range entries {
		if err := os.Rename(filepath.Join(temp, e.Name()), filepath.Join(out, e.Name())); err != nil {
			return err
		}
	}
	return os.Remove(temp)
}

// exportTo writes all files of an export.
func (d *Dir) exportTo(out, canary string, domain *env.Domain, upstream string) error {
	files, err := domain.Checkout(upstream)
	if err != nil {
		return err
	}
	for _, f := range append(files, env.File{Path: "CANARY", Data: []byte(canary + "\n")}) {
		if err := d.writeUnder(out, f.Path, f.Data); err != nil {
			return err
		}
	}
	data := filepath.Join("tau2", "domains", domain.Name)
	for name, to := range map[string]string{
		TasksFile: filepath.Join(data, "tasks.json"), SplitsFile: filepath.Join(data, "split_tasks.json"),
		MutantsFile: MutantsFile, MetaFile: MetaFile, LicenseFile: LicenseFile,
	} {
		content, err := d.Read(name)
		if err != nil {
			return err
		}
		if err := d.writeUnder(out, to, content); err != nil {
			return err
		}
	}
	return nil
}

func (d *Dir) writeUnder(root, path string, data []byte) error {
	path = filepath.Join(root, path)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return d.fill(path, data)
}
