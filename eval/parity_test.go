package eval_test

import (
	"context"
	"path/filepath"
	"testing"

	"taste/domain/airline"
	"taste/domain/mock"
	"taste/domain/retail"
	"taste/env"
	"taste/eval"
	"taste/internal/shared"
)

// TestParity replays every recorded call, merge, target state and score of each
// domain and accepts no difference.
func TestParity(t *testing.T) {
	for name, native := range map[string]env.Native{
		"airline": airline.Native,
		"mock":    mock.Native,
		"retail":  retail.Native,
	} {
		t.Run(name, func(t *testing.T) { parity(t, name, native) })
	}
}

func parity(t *testing.T, domain string, native env.Native) {
	dir := shared.Dir(t)
	pack, err := env.LoadPack(filepath.Join(dir, "packs", "tau2-"+domain), env.Registry{domain: native})
	if err != nil {
		t.Fatal(err)
	}
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
			t.Logf("%d traces, %d calls (%d by flag and hash alone), %d mismatches", rep.Traces, rep.Calls, rep.Inexact, rep.Mismatches)
			for i := range rep.First {
				t.Error(rep.First[i].String())
			}
		})
	}
}
