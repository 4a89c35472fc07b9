package retail

import (
	"testing"

	"taste/domain/builtin/builtintest"
)

var built = builtintest.Domain[DB]{World: World, Read: FromJSON, State: NewState, Domain: Builtin, Tasks: Seeds}

func TestBuiltinRunsEveryToolItDescribes(t *testing.T) {
	builtintest.RunsEveryTool(t, built.Of(t, 1), 16)
}

func TestBuiltinToolsTakeTheReferenceArguments(t *testing.T) {
	builtintest.TakesReferenceArguments(t, built.Of(t, 1), Native)
}
