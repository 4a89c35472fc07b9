package run

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"taste/synth"
)

func manifest() *Manifest {
	return &Manifest{
		Format: Format, Program: "test", Domain: Domain{Name: "airline", Hashes: map[string]string{"database": "x"}},
		Settings: Settings{Tasks: 5, Seed: 1, Method: synth.Paper, Sample: synth.DefaultSampleSettings()},
	}
}

func TestCreateTakesUpAnEqualRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "run")
	for range 2 {
		d, err := Create(path, manifest())
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestCreateNamesWhatDiffers(t *testing.T) {
	path := t.TempDir()
	d, err := Create(path, manifest())
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	other := manifest()
	other.Settings.Seed, other.Settings.Sample.Params.LambdaNeg, other.Domain.Hashes["database"] = 2, 0, strings.Repeat("0a", 32)
	_, err = Create(path, other)
	var different *DifferentError
	if !errors.As(err, &different) {
		t.Fatalf("got %v", err)
	}
	want := []string{"settings.sample.params.lambda_neg: 1 there, 0 here", "settings.seed: 1 there, 2 here", `domain.hashes.database: "x" there, "0a0a0a0a…" here`}
	if !slices.Equal(different.Differences, want) {
		t.Errorf("got %q, want %q", different.Differences, want)
	}
	if _, err := Create(path, manifest()); err != nil {
		t.Errorf("the refusal left the directory held: %v", err)
	}
}

func TestDirectoryIsHeldByOne(t *testing.T) {
	d := create(t, t.TempDir())
	if _, err := Create(d.Path(), &Manifest{Format: Format}); !errors.Is(err, ErrLocked) {
		t.Errorf("got %v, want ErrLocked", err)
	}
}

func TestCreateRefusesForeignFolders(t *testing.T) {
	path := t.TempDir()
	if err := os.WriteFile(filepath.Join(path, "thesis.tex"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Create(path, manifest()); !errors.Is(err, ErrNoRun) {
		t.Errorf("got %v, want ErrNoRun", err)
	}
}

// A crash between the making of a folder and its manifest leaves a lock and a
// torn temporary file.
func TestCreateAfterACrashAtTheStart(t *testing.T) {
	path := t.TempDir()
	torn := filepath.Join(path, "."+ManifestFile+tempSuffix)
	for _, f := range []string{torn, filepath.Join(path, lockFile)} {
		if err := os.WriteFile(f, []byte("{"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	d, err := Create(path, manifest())
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if _, err := os.Stat(torn); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the torn file is still there: %v", err)
	}
}

func TestCanaryFollowsFromTheManifest(t *testing.T) {
	a, b, c := manifest(), manifest(), manifest()
	c.Settings.Seed = 9
	for _, m := range []*Manifest{a, b, c} {
		if err := m.SetCanary(); err != nil {
			t.Fatal(err)
		}
	}
	if a.Canary != b.Canary || a.Canary == c.Canary || len(a.Canary) != len("taste-canary-")+36 {
		t.Errorf("canaries %q %q %q", a.Canary, b.Canary, c.Canary)
	}
}
