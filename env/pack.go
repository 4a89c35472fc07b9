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
	return fmt.Sprintf("load pack %s: %s: %s", e.Dir, e.File, brief(e.Err))
}

// brief tells an error in one line: of a validation, which may have thousands of
// issues, the first ones.
func brief(err error) string {
	const keep = 3
	var l *lax.Error
	if !errors.As(err, &l) {
		return err.Error()
	}
	var told []string
	for _, i := range l.Issues[:min(keep, len(l.Issues))] {
		told = append(told, strings.Join(i.Loc, ".")+": "+issue(i))
	}
	if more := len(l.Issues) - keep; more > 0 {
		told = append(told, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(told, "; ")
}

// issue says what does not fit, and what stands there.
func issue(i lax.Issue) string { return i.Msg + ", got " + short(i.Input) }

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
