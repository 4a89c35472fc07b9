package eval_test

import (
	"context"
	"path/filepath"
	"testing"

	"taste/domain/airline"
	"taste/env"
	"taste/eval"
	"taste/internal/shared"
)

// TestAirlineParity replays every recorded call, merge, target state and score
// of the airline and accepts no difference.
func TestAirlineParity(t *testing.T) {
	dir := shared.Dir(t)
	pack, err := env.LoadPack(filepath.Join(dir, "packs", "tau2-airline"), env.Registry{"airline": airline.Native})
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "parity", "tau2-airline-*.jsonl.gz"))
	if err != nil || len(files) == 0 {
		t.Skipf("no files match parity/tau2-airline-*.jsonl.gz in %s", dir)
	}
	replay := eval.PackReplay(pack, "")
	replay.Workers = 2
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) {
			rep, err := replay.File(context.Background(), f)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d traces, %d calls (%d by flag and hash alone), %d mismatches", rep.Traces, rep.Calls, rep.Inexact, rep.Mismatches)
			for i := range rep.First {
				t.Error(rep.First[i].String())
			}
		})
	}
}
