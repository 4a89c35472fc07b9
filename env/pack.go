package env

import (
	"errors"
	"fmt"
	"path/filepath"
	"sort"
	"strings"

	"taste/pyjson/lax"
	"taste/tau"
)

// Pack is a loaded pack folder.
type Pack struct {
	Dir    string
	Domain *Domain

	taskFiles map[string]string
}

// PackError says what is wrong with a pack. Advice stands beside it (see
// package hint).
type PackError struct {
	Dir  string
	File string // relative to Dir
	Err  error
}

func (e *PackError) Error() string {
	return fmt.Sprintf("load pack %s: %s: %v", e.Dir, e.File, brief(e.Err))
}

// brief keeps the first issues of a validation that may have thousands.
func brief(err error) error {
	const keep = 3
	var l *lax.Error
	if !errors.As(err, &l) || len(l.Issues) <= keep {
		return err
	}
	return fmt.Errorf("%w\nand %d more", &lax.Error{Title: l.Title, Issues: l.Issues[:keep]}, len(l.Issues)-keep)
}

func (e *PackError) Unwrap() error { return e.Err }

var (
	// ErrUnknownDomain: the registry has no implementation for the pack.
	ErrUnknownDomain = errors.New("unknown domain")
	// ErrHash: a file is not the one that the manifest describes.
	ErrHash = errors.New("hash differs from the manifest's")
)

const manifestName = "manifest.json"

// Tasks loads one of the pack's task sets, by its name in the manifest.
func (p *Pack) Tasks(name string) ([]tau.Task, error) {
	file, ok := p.taskFiles[name]
	if !ok {
		return nil, packError(p.Dir, manifestName, "task sets: "+strings.Join(p.TaskSets(), ", "), fmt.Errorf("no task set %q", name))
	}
	return tau.LoadTasks(filepath.Join(p.Dir, file))
}

// TaskSets returns the names of the pack's task sets in ascending order.
func (p *Pack) TaskSets() []string {
	names := make([]string, 0, len(p.taskFiles))
	for n := range p.taskFiles {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}

// Names returns the domains of a registry in ascending order.
func (r Registry) Names() []string {
	names := make([]string, 0, len(r))
	for n := range r {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}
