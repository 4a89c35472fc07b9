package trials_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"taste/players"
	"taste/run"
	"taste/tau"
	"taste/trials"
)

// TestMatrixIsRefusedWhole: nothing is made for a matrix of which one system
// cannot be played, or is not the one that is there.
func TestMatrixIsRefusedWhole(t *testing.T) {
	good, bad := newBench(t, 2, 1), newBench(t, 2, 1)
	good.Name, bad.Name = "good", "bad"
	bad.Agents.(*agents).fits = func(*tau.Task) error { return fmt.Errorf("%w: too dull", players.ErrUnfit) }
	root := filepath.Join(t.TempDir(), "matrix")
	if _, err := trials.OpenMatrix(root, []trials.System{good.System, bad.System}, good.Settings); !errors.Is(err, players.ErrUnfit) {
		t.Errorf("unfit: %v", err)
	}
	if _, err := os.Stat(root); err == nil {
		t.Error("something was made")
	}

	open := func(c trials.Settings, systems ...trials.System) error {
		logs, err := trials.OpenMatrix(root, systems, c)
		for _, l := range logs {
			err = errors.Join(err, l.Close())
		}
		return err
	}
	other := newBench(t, 2, 1)
	other.Name = "before"
	if err := open(good.Settings, good.System); err != nil {
		t.Fatal(err)
	}
	seeded := good.Settings
	seeded.Seed++
	if err := open(seeded, other.System, good.System); !errors.Is(err, run.ErrDifferent) {
		t.Errorf("another seed: %v", err)
	}
	if err := open(good.Settings, other.System); !errors.Is(err, run.ErrDifferent) {
		t.Errorf("without the system that is there: %v", err)
	}
	if names, err := trials.Systems(root); err != nil || len(names) != 1 || names[0] != "good" {
		t.Errorf("%q, %v", names, err)
	}
	if err := open(good.Settings, other.System, good.System); err != nil {
		t.Errorf("a further system: %v", err)
	}
	if names, err := trials.Systems(root); err != nil || len(names) != 2 {
		t.Errorf("%q, %v", names, err)
	}
}
