package env

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"taste/pyjson"
)

// packFormat is the version of the manifest's layout.
const packFormat = 1

// head checks what says how to read the rest.
func (l *loader) head() error {
	if f, ok := l.man.Value("format"); ok && f != int64(packFormat) {
		return l.fail(manifestName, "docs/pack.md describes the format", fmt.Errorf("format %s: this program reads format %d", pyjson.Repr(f), packFormat))
	}
	if clock := l.man.StringOr("clock", ""); clock != "" {
		if _, err := time.Parse("2006-01-02T15:04:05", clock); err != nil {
			return l.fail(manifestName, "a clock looks like 2024-05-15T15:00:00", fmt.Errorf("clock: %q is no time", clock))
		}
	}
	return nil
}

// exists checks for a file that is read later, if at all.
func (l *loader) exists(file string) error {
	info, err := os.Stat(filepath.Join(l.dir, file))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return l.missing(file, "")
	case err != nil:
		return l.fail(file, "", err)
	case info.IsDir():
		return l.fail(file, "the manifest names it", errors.New("want a file, it is a folder"))
	}
	return nil
}

// hashes holds the initial databases to the hashes in the manifest.
func (l *loader) hashes(d *Domain) error {
	v, ok := l.man.Value("initial_hash")
	if !ok {
		return nil
	}
	want, _ := v.([]any)
	if len(want) != 2 {
		return l.fail(manifestName, "docs/pack.md describes it", errors.New("initial_hash: want a list of two, for the databases of agent and user"))
	}
	e := d.Environment()
	for i, got := range []string{e.Hash(), e.UserHash()} {
		if want[i] == nil && got == "" || want[i] == got {
			continue
		}
		err := fmt.Errorf("initial_hash[%d] is %s, the %s's database has %s: %w", i, pyjson.Repr(want[i]), [2]string{"agent", "user"}[i], pyjson.Repr(got), ErrHash)
		return l.fail(manifestName, "a database was edited: restore it, or correct initial_hash, or leave it out", err)
	}
	return nil
}
