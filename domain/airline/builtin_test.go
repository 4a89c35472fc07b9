package airline

import (
	"slices"
	"testing"

	"taste/domain/builtin/builtintest"
)

var built = builtintest.Domain[DB]{World: World, Read: FromJSON, State: NewState, Domain: Builtin, Tasks: Seeds}

func TestBuiltinRunsEveryToolItDescribes(t *testing.T) {
	builtintest.RunsEveryTool(t, built.Of(t, 1), 14)
}

func TestBuiltinListsItsAirports(t *testing.T) {
	var want [][2]string
	for _, a := range mustPlaces().Airports {
		want = append(want, [2]string{a.IATA, a.City})
	}
	if !slices.Equal(airports, want) {
		t.Errorf("airports of the tools %v, of the world %v", airports, want)
	}
}

func TestBuiltinToolsTakeTheReferenceArguments(t *testing.T) {
	builtintest.TakesReferenceArguments(t, built.Of(t, 1), Native)
}
