// Package shared finds the public test material that lies beside a checkout.
package shared

import (
	"os"
	"path/filepath"
	"testing"
)

// Dir returns the folder of the test material: TASTE_SHARED, or the nearest
// folder named shared beside a parent of the working directory. Without one the
// test is skipped.
func Dir(tb testing.TB) string {
	tb.Helper()
	if d := os.Getenv("TASTE_SHARED"); d != "" {
		return d
	}
	dir, err := os.Getwd()
	if err != nil {
		tb.Fatal(err)
	}
	for ; ; dir = filepath.Dir(dir) {
		d := filepath.Join(dir, "shared")
		if _, err := os.Stat(filepath.Join(d, "packs")); err == nil {
			return d
		}
		if dir == filepath.Dir(dir) {
			tb.Skip("the folder shared (packs, parity, labels, bench) is missing: set TASTE_SHARED or put it beside the checkout")
			return ""
		}
	}
}
