package trials

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"taste/run"
)

// OpenMatrix opens, as Open does, the directories of several systems: folders of
// their names in the one at path. Nothing is made there before all systems are
// known to be playable, nor beside what another evaluation made: then the error
// wraps run.ErrDifferent.
func OpenMatrix(path string, systems []System, c Settings) ([]*Log, error) {
	if err := strangers(path, systems); err != nil {
		return nil, err
	}
	logs := make([]*Log, len(systems))
	for i, s := range systems {
		l, err := newLog(s, c)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.Name, err)
		}
		logs[i] = l
	}
	// Those that are there come first, so that nothing is made if one of them
	// is refused.
	var open []*Log
	for _, there := range []bool{true, false} {
		for _, l := range logs {
			dir := filepath.Join(path, l.System.Name)
			if l.dir != nil || there && !exists(filepath.Join(dir, PlanFile)) {
				continue
			}
			if err := l.open(dir); err != nil {
				for _, o := range open {
					err = errors.Join(err, o.Close())
				}
				return nil, err
			}
			open = append(open, l)
		}
	}
	return logs, nil
}

// strangers refuses a directory that holds an evaluation of one system, or
// systems that are not of this matrix.
func strangers(path string, systems []System) error {
	if exists(filepath.Join(path, PlanFile)) {
		return fmt.Errorf("evaluate in %s: %w: it holds one system, not a matrix", path, run.ErrDifferent)
	}
	there, err := Systems(path)
	if err != nil {
		return err
	}
	for _, name := range there {
		if !slices.ContainsFunc(systems, func(s System) bool { return s.Name == name }) {
			return fmt.Errorf("evaluate in %s: %w: it holds the system %s, which is not of this matrix", path, run.ErrDifferent, name)
		}
	}
	return nil
}

// Systems names the systems of the matrix at path, in order; none where it is no
// matrix.
func Systems(path string) ([]string, error) {
	entries, err := os.ReadDir(path)
	if err != nil {
		if !exists(path) {
			return nil, nil
		}
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	var out []string
	for _, e := range entries {
		if exists(filepath.Join(path, e.Name(), PlanFile)) {
			out = append(out, e.Name())
		}
	}
	return out, nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
