package run

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"taste/role"
	"taste/synth"
	"taste/tau"
)

// TestHardeningIsTakenUp: what was paid for lies beside the folder, is one process's at a
// time, and is gone once the folder is there.
func TestHardeningIsTakenUp(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "harder")
	open := func() *Hardening {
		h, err := OpenHardening(out)
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	h := open()
	if err := h.Keep("devise a", json.RawMessage(`{"b":1}`)); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenHardening(out); !errors.Is(err, ErrLocked) {
		t.Errorf("it is opened twice: %v", err)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	h = open()
	if got, ok := h.Recall("devise a"); !ok || string(got) != `{"b":1}` {
		t.Errorf("recalled %s, %v", got, ok)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	m := &HardManifest{Canary: "c"}
	if r, _, err := Hardened(out, m); r != nil || err != nil {
		t.Errorf("before it is written: %v, %v", r, err)
	}
	if err := WriteHardened(out, m, "", nil, nil); err != nil {
		t.Fatal(err)
	}
	if r, _, err := Hardened(out, &HardManifest{Canary: "d"}); r != nil || err != nil {
		t.Errorf("by another manifest: %v, %v", r, err)
	}
	if r, metas, err := Hardened(out, m); r == nil || metas == nil || err != nil {
		t.Errorf("read back: %v, %v, %v", r, metas, err)
	}
	if left, err := filepath.Glob(filepath.Join(dir, ".*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// TestReportOfManyTasks: people are told a few of them, programs all.
func TestReportOfManyTasks(t *testing.T) {
	var made []synth.Hardened
	for i := range 2000 {
		made = append(made, synth.Hardened{Task: tau.Task{ID: fmt.Sprintf("[a]b|c%04d[P:None]", i)}, Level: role.Base, Why: "gold | changes nothing"})
	}
	made = append(made, synth.Hardened{Task: tau.Task{ID: "x"}, Level: role.Base, Why: "rare"}, synth.Hardened{Task: tau.Task{ID: "y"}, Level: role.Full})
	r := reportHarder(made)
	text := string(r.markdown())
	want := "| gold \\| changes nothing | 2000 | [a]b\\|c0000[P:None], [a]b\\|c0001[P:None], [a]b\\|c0002[P:None] and 1997 more |\n| rare | 1 | x |\n"
	if !strings.HasSuffix(text, want) || len(text) > 2000 {
		t.Errorf("%d bytes:\n%.2000s", len(text), text)
	}
	data, err := json.Marshal(r)
	if err != nil || !strings.Contains(string(data), "[a]b|c1999[P:None]") {
		t.Errorf("the last task is not in %.200s, %v", data, err)
	}
}

func TestFewTasksAreAllNamed(t *testing.T) {
	for n, want := range map[int]string{1: "0", 4: "0, 1, 2, 3", 5: "0, 1, 2 and 2 more"} {
		var k HardReason
		for i := range n {
			k.Tasks = append(k.Tasks, fmt.Sprint(i))
		}
		if got := k.Some(); got != want {
			t.Errorf("%d tasks: %q, want %q", n, got, want)
		}
	}
}
