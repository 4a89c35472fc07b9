package kmedoids

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)
var _ = json.Marshal
var _ = os.ReadFile
var _ = filepath.Join
func line(xs ...int) Distances {
	d := Distances{N: len(xs), D: make([]uint16, len(xs)*len(xs))}
	for i, a := range xs {
		for j, b := range xs {
			d.D[i*d.N+j] = uint16(max(a-b, b-a))
		}
	}
	return d
}

func TestTwoGroupsOnALine(t *testing.T) {
	d := line(0, 1, 2, 100, 101, 102)
	for name, f := range map[string]func(Distances, Options) (Result, error){"alternate": Alternate, "fasterpam": FasterPAM} {
		res, err := f(d, Options{K: 2, Seed: 1})
		if err != nil || res.Loss != 4 {
			t.Fatalf("%s: %+v %v", name, res, err)
		}
	}
}
