package retail

import (
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

func TestBuiltinRunsEveryToolItDescribes(t *testing.T) { builtintest.RunsEveryTool(t, ours(t, 1), 16) }

func TestBuiltinToolsTakeTheReferenceArguments(t *testing.T) {
	builtintest.TakesReferenceArguments(t, ours(t, 1), Native)
}
