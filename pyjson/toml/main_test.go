package toml

import (
	"flag"
	"os"
	"testing"
)

// TestMain draws the same random cases every time, unless -rapid.seed asks for
// others.
func TestMain(m *testing.M) {
	if err := flag.Set("rapid.seed", "1"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}
