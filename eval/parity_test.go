package eval_test

import (
	"context"
	"path/filepath"
	"testing"

	"taste/eval"
	"taste/internal/shared"
)

// TestParity replays every recorded call, merge, target state and score of each
// domain and accepts no difference.
func TestParity(t *testing.T) {
	for domain := range natives {
		t.Run(domain, func(t *testing.T) { parity(t, domain) })
	}
}

func parity(t *testing.T, domain string) {
	dir, pack := shared.Dir(t), loadPack(t, domain)
	pattern := "parity/tau2-" + domain + "-*.jsonl.gz"
	files, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(pattern)))
	if err != nil || len(files) == 0 {
		t.Skipf("no files match %s in %s", pattern, dir)
	}
	replay := eval.PackReplay(pack, "")
	replay.Workers = 2
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) {
			rep, err := replay.File(context.Background(), f)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d traces, %d calls (%d by flag and hash alone, %d but for a key drawn at random), %d mismatches",
				rep.Traces, rep.Calls, rep.Inexact, rep.Drawn, rep.Mismatches)
			for i := range rep.First {
				t.Error(rep.First[i].String())
			}
		})
	}
}
