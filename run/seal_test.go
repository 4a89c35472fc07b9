package run

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"taste/internal/hint"
	"taste/synth"
)

// sealedRun is a directory whose first two stages are done, and whose journal
// has gone on since.
func sealedRun(t *testing.T) string {
	t.Helper()
	path := t.TempDir()
	d := createSound(t, path)
	err := errors.Join(
		d.Write(JudgementsFile, []byte("{}\n{}\n")), d.Write(ModelFile, []byte("{}")), d.finish(stageSample, ModelFile),
		d.Write(PoolFile, []byte("{}\n")), d.Write(SelectionFile, []byte("{}")), d.finish(stageSelect, PoolFile, SelectionFile),
		d.Write(JudgementsFile, []byte("{}\n{}\n{\"why\"")), d.Close(),
	)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func soundManifest(t *testing.T) *Manifest {
	t.Helper()
	m := manifest()
	m.Settings.Select, m.Settings.Instantiate = synth.DefaultSelectSettings(), synth.DefaultInstantiateSettings()
	m.Settings.Evolve = synth.DefaultEvolveSettings()
	if err := m.SetCanary(); err != nil {
		t.Fatal(err)
	}
	return m
}

func createSound(t *testing.T, path string) *Dir {
	t.Helper()
	d, err := Create(path, soundManifest(t))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestFilesOfDoneStagesAreSealed: whatever happens to one of them is noticed,
// and named with advice; a journal that goes on is none of that.
func TestFilesOfDoneStagesAreSealed(t *testing.T) {
	path := sealedRun(t)
	d, _, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if !d.done(stageSample) || !d.done(stageSelect) || d.done(stageInstantiate) {
		t.Errorf("stages done: %v", d.stages)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		harm func(file string) error
		is   error
	}{
		{PoolFile, func(f string) error { return os.Truncate(f, 0) }, ErrEdited},
		{SelectionFile, func(f string) error { return os.WriteFile(f, []byte("{ }"), 0o666) }, ErrEdited},
		{JudgementsFile, func(f string) error { return os.Truncate(f, 3) }, ErrEdited},
		{JudgementsFile, func(f string) error { return os.WriteFile(f, []byte("{}\n[]\n{}\n"), 0o666) }, ErrEdited},
		{ModelFile, os.Remove, ErrGone},
		{StagesFile, func(f string) error { return os.Truncate(f, 20) }, ErrEdited},
	} {
		path := sealedRun(t)
		if err := c.harm(filepath.Join(path, c.name)); err != nil {
			t.Fatal(err)
		}
		for what, open := range map[string]func() error{
			"open":   func() error { _, _, err := Open(path); return err },
			"create": func() error { _, err := Create(path, soundManifest(t)); return err },
		} {
			if err := open(); !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.name) || hint.Of(err) == "" {
				t.Errorf("%s after harm to %s: %v, hint %q", what, c.name, err, hint.Of(err))
			}
		}
	}
}

// TestEditedManifestsAreRefused: what flags would refuse is refused in a
// manifest too.
func TestEditedManifestsAreRefused(t *testing.T) {
	sound, err := marshal(soundManifest(t))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ParseManifest(sound); err != nil {
		t.Errorf("sound manifest: %v", err)
	}
	for _, c := range []struct{ from, to, want string }{
		{`"pool": 2000`, `"pool": -1`, "a pool of -1"},
		{`"tasks": 5`, `"tasks": 999999999`, "999999999 tasks: want 1 to 1000"},
		{`"lambda0": 0.1`, `"lambda0": -1`, "lambda0 is -1"},
		{`"n": 3`, `"n": 300`, "n is 300"},
		{`"seed": 1`, `"seed": 1, "sead": 2`, `unknown field "sead"`},
		{`"format": 1`, `"format": 2`, "format 2: this program reads format 1"},
		{string(sound), `{}`, "says no format"},
		{string(sound), `null`, "says no format"},
		{string(sound), `[]`, "cannot unmarshal"},
	} {
		text := strings.Replace(string(sound), c.from, c.to, 1)
		if text == string(sound) {
			t.Fatalf("%s does not occur", c.from)
		}
		if _, err := ParseManifest([]byte(text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.to, err, c.want)
		}
	}
}

// TestCanaryTellsOfEdits: a manifest whose settings were changed for others that
// are allowed, or whose canary was, is not the one that was made.
func TestCanaryTellsOfEdits(t *testing.T) {
	for _, edit := range []func(*Manifest){
		func(m *Manifest) { m.Settings.Seed = 7 },
		func(m *Manifest) { m.Canary = "taste-canary-none" },
	} {
		have := soundManifest(t)
		edit(have)
		want := *have
		if err := want.SetCanary(); err != nil {
			t.Fatal(err)
		}
		if err := Equal("r", have, &want); !errors.Is(err, ErrDifferent) || !strings.Contains(err.Error(), "the manifest was edited") {
			t.Errorf("%v", err)
		}
	}
}

// TestCreateOverAForeignManifest names its format.
func TestCreateOverAForeignManifest(t *testing.T) {
	for _, text := range []string{`{"format": 2}`, `{}`, `null`, `7`} {
		path := t.TempDir()
		if err := os.WriteFile(filepath.Join(path, ManifestFile), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		var different *DifferentError
		if _, err := Create(path, soundManifest(t)); err == nil || errors.As(err, &different) || !errors.Is(err, ErrManifest) || hint.Of(err) == "" {
			t.Errorf("%s: %v, hint %q", text, err, hint.Of(err))
		}
	}
}
