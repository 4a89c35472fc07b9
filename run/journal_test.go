package run

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"taste/internal/hint"
)

type entry struct {
	N    int    `json:"n"`
	Text string `json:"text"`
}

func create(t *testing.T, path string) *Dir {
	t.Helper()
	d, err := Create(path, &Manifest{Format: Format})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}

func write(t *testing.T, d *Dir, entries ...entry) {
	t.Helper()
	j, _, err := OpenJournal[entry](d, "j.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if err := j.Append(e); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
}

var some = []entry{{1, "a"}, {2, "<b>"}, {3, "ü"}}

// A journal cut at any byte yields its whole lines, and goes on to be the
// journal that was never cut.
func TestJournalCutAnywhere(t *testing.T) {
	d := create(t, t.TempDir())
	write(t, d, some...)
	path := d.file("j.jsonl")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for n := range len(whole) + 1 {
		if err := os.WriteFile(path, whole[:n], 0o666); err != nil {
			t.Fatal(err)
		}
		j, have, err := OpenJournal[entry](d, "j.jsonl")
		if err != nil {
			t.Fatalf("cut at %d: %v", n, err)
		}
		if want := some[:strings.Count(string(whole[:n]), "\n")]; !slices.Equal(have, want) {
			t.Fatalf("cut at %d: have %v, want %v", n, have, want)
		}
		for _, e := range some[len(have):] {
			if err := j.Append(e); err != nil {
				t.Fatal(err)
			}
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		if got, _ := os.ReadFile(path); string(got) != string(whole) {
			t.Fatalf("cut at %d: ends as %q", n, got)
		}
	}
}

func TestJournalForgivesOnlyTheLastLine(t *testing.T) {
	d := create(t, t.TempDir())
	if err := os.WriteFile(d.file("j.jsonl"), []byte("{\"n\":1}\n{\"n\":\n{\"n\":3}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	_, _, err := OpenJournal[entry](d, "j.jsonl")
	if err == nil || !strings.Contains(err.Error(), "line 2") || !strings.Contains(err.Error(), "j.jsonl") {
		t.Errorf("got %v, want an error that names file and line", err)
	}
	if hint.Of(err) == "" {
		t.Error("no hint")
	}
}

// fullDisk takes so many bytes and then has no space left.
type fullDisk struct {
	w    io.Writer
	left *int
}

func (f fullDisk) Write(p []byte) (int, error) {
	n := min(len(p), *f.left)
	*f.left -= n
	n, err := f.w.Write(p[:n])
	if err == nil && n < len(p) {
		err = &os.PathError{Op: "write", Path: "disk", Err: syscall.ENOSPC}
	}
	return n, err
}

func fill(d *Dir, space int) {
	d.out = func(w io.Writer) io.Writer { return fullDisk{w, &space} }
}

func TestFullDiskLosesNothing(t *testing.T) {
	path := t.TempDir()
	d := create(t, path)
	if err := d.Write("whole.json", []byte("before")); err != nil {
		t.Fatal(err)
	}
	fill(d, 25)
	j, _, err := OpenJournal[entry](d, "j.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Append(some[0]); err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{j.Append(some[1]), d.Write("whole.json", []byte("after"))} {
		if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(hint.Of(err), "make room") {
			t.Errorf("got %v (%s), want a full disk with a hint", err, hint.Of(err))
		}
	}
	fill(d, 1000)
	_, have, err := OpenJournal[entry](d, "j.jsonl")
	if err != nil || !slices.Equal(have, some[:1]) {
		t.Errorf("journal has %v, %v", have, err)
	}
	if data, _ := d.Read("whole.json"); string(data) != "before" {
		t.Errorf("file has %q", data)
	}
	if left, _ := filepath.Glob(filepath.Join(path, ".*"+tempSuffix)); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}
