package airline

import (
	"slices"
	"testing"

	"taste/domain/builtin/builtintest"
	"taste/env"
)

func ours(t *testing.T, seed uint64) *env.Domain {
	t.Helper()
	d, err := Builtin(seed)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestBuiltinRunsEveryToolItDescribes(t *testing.T) { builtintest.RunsEveryTool(t, ours(t, 1), 14) }

func TestBuiltinListsItsAirports(t *testing.T) {
	var want [][2]string
	for _, a := range mustPlaces().Airports {
		want = append(want, [2]string{a.IATA, a.City})
	}
	if got := Airports(); !slices.Equal(got, want) {
		t.Errorf("airports of the tools %v, of the world %v", got, want)
	}
}

func TestBuiltinToolsTakeTheReferenceArguments(t *testing.T) {
	builtintest.TakesReferenceArguments(t, ours(t, 1), Native)
}
