package run

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"taste/domain/airline"
	"taste/internal/hint"
)

// TestExportOnAFullDiskLeavesNothing: then the same command can be run again.
func TestExportOnAFullDiskLeavesNothing(t *testing.T) {
	d, _ := finished(t)
	for _, name := range []string{SplitsFile, MutantsFile, LicenseFile} {
		if err := d.Write(name, []byte("{}")); err != nil {
			t.Fatal(err)
		}
	}
	domain, err := airline.Builtin(1)
	if err != nil {
		t.Fatal(err)
	}
	parent := t.TempDir()
	empty, fresh := filepath.Join(parent, "empty"), filepath.Join(parent, "fresh")
	if err := os.Mkdir(empty, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, out := range []string{empty, fresh} {
		fill(d, 5000)
		if err := ExportTau2(d, "canary", domain, airline.Upstream, out); !errors.Is(err, syscall.ENOSPC) || !strings.Contains(hint.Of(err), "begins anew") {
			t.Errorf("full disk: %v, hint %q", err, hint.Of(err))
		}
		fill(d, 1<<30)
		if err := ExportTau2(d, "canary", domain, airline.Upstream, out); err != nil {
			t.Errorf("the same again: %v", err)
		}
		if _, err := os.Stat(filepath.Join(out, "tau2", "domains", "airline", "tasks.json")); err != nil {
			t.Error(err)
		}
		if err := ExportTau2(d, "canary", domain, airline.Upstream, out); !errors.Is(err, os.ErrExist) {
			t.Errorf("export over an export: %v", err)
		}
	}
	if left, err := os.ReadDir(parent); err != nil || len(left) != 2 {
		t.Errorf("left over: %v, %v", left, err)
	}
}
