package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"

	"taste/internal/shared"
	"taste/pyjson"
)

// TestImportAgain lays the public packs out as the repository of τ²-bench does
// and imports them: what comes out is the pack.
func TestImportAgain(t *testing.T) {
	packs := filepath.Join(shared.Dir(t), "packs")
	for _, name := range registry().Names() {
		t.Run(name, func(t *testing.T) {
			pack, out := filepath.Join(packs, "tau2-"+name), filepath.Join(t.TempDir(), "pack")
			man := readManifest(t, pack)
			commit, _ := object(man, "source").Get("commit")
			args := []string{
				"pack", "import", layOut(t, pack, name), "--domain", name, "--out", out, "--commit", commit.(string),
				"--tools", filepath.Join(pack, "tools.json"),
			}
			if verified, ok := object(man, "tasks").Get("verified"); ok {
				args = append(args, "--tasks", "verified="+filepath.Join(pack, verified.(string)))
			}
			var log bytes.Buffer
			a := &app{out: io.Discard, log: &log}
			if code := a.main(context.Background(), args); code != codeDone {
				t.Fatalf("exit code %d: %s", code, log.String())
			}
			samePack(t, pack, out)
		})
	}
}

func readManifest(t *testing.T, dir string) *pyjson.Object {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	o, err := pyjson.DecodeObject(data)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// object returns the object at a key.
func object(o *pyjson.Object, key string) *pyjson.Object {
	v, _ := o.Get(key)
	inner, _ := v.(*pyjson.Object)
	return inner
}

// layOut makes a checkout of links to a pack's files.
func layOut(t *testing.T, pack, domain string) string {
	t.Helper()
	root := t.TempDir()
	data, users := filepath.Join(root, "data", "tau2", "domains", domain), filepath.Join(root, "data", "tau2", "user_simulator")
	for _, dir := range []string{data, users} {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	elsewhere := map[string]string{
		"LICENSE": filepath.Join(root, "LICENSE"), "splits.json": filepath.Join(data, "split_tasks.json"),
		"user_guidelines.md":       filepath.Join(users, "simulation_guidelines.md"),
		"user_guidelines_tools.md": filepath.Join(users, "simulation_guidelines_tools.md"),
	}
	entries, err := os.ReadDir(pack)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		to, ok := elsewhere[e.Name()]
		if !ok {
			to = filepath.Join(data, e.Name())
		}
		if err := os.Symlink(filepath.Join(pack, e.Name()), to); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// samePack compares all files; of the manifests what they say, but for the
// origin of further tasks.
func samePack(t *testing.T, want, got string) {
	t.Helper()
	entries, err := os.ReadDir(want)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		a, _ := os.ReadFile(filepath.Join(want, e.Name()))
		b, err := os.ReadFile(filepath.Join(got, e.Name()))
		if err != nil {
			t.Error(err)
		} else if e.Name() != "manifest.json" && !bytes.Equal(a, b) {
			t.Errorf("%s differs", e.Name())
		}
	}
	if others, _ := os.ReadDir(got); len(others) != len(entries) {
		t.Errorf("%d files, want %d", len(others), len(entries))
	}
	a, b := readManifest(t, want), readManifest(t, got)
	a.Delete("source_verified")
	b.Delete("source_verified")
	if !pyjson.Same(a, b) {
		t.Errorf("manifest\n%s\nwant\n%s", pyjson.Dumps(b), pyjson.Dumps(a))
	}
}
