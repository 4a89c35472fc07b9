package run

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"taste/synth"
)

// What was kept is there after a crash that tore the last line, and the log of
// attempts begins anew.
func TestOutcomesAreTakenUp(t *testing.T) {
	d := create(t, t.TempDir())
	o, err := d.Outcomes()
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for i := range 20 {
		group.Go(func() {
			if err := o.Keep(fmt.Sprint("draft ", i), json.RawMessage(fmt.Sprint(i))); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if err := o.Record(synth.Outcome{Task: "a"}); err != nil {
		t.Fatal(err)
	}
	if err := o.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(filepath.Join(d.Path(), WorkFile), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = f.WriteString(`{"key":"draft 99","val`)
	_ = f.Close()
	if o, err = d.Outcomes(); err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	for i := range 20 {
		if v, ok := o.Recall(fmt.Sprint("draft ", i)); !ok || string(v) != fmt.Sprint(i) {
			t.Errorf("draft %d: got %s, %v", i, v, ok)
		}
	}
	if _, ok := o.Recall("draft 99"); ok {
		t.Error("a torn line counts")
	}
	if log, err := ReadLines[synth.Outcome](d, DraftsFile); err != nil || len(log) != 0 {
		t.Errorf("the log holds %v, %v", log, err)
	}
}
