package retail

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"taste/chat"
	"taste/env"
	"taste/internal/shared"
	"taste/pyjson"
)

func ours(t *testing.T, seed uint64) *env.Domain {
	t.Helper()
	d, err := Builtin(seed)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestBuiltinRunsEveryToolItDescribes(t *testing.T) {
	d := ours(t, 1)
	if len(d.Tools) != 16 {
		t.Errorf("%d tools", len(d.Tools))
	}
	for _, spec := range d.Tools {
		r := d.Environment().Call(chat.Assistant, spec.Name, map[string]any{})
		if strings.Contains(r.Content, "Tool '") {
			t.Errorf("%s is not implemented: %s", spec.Name, r.Content)
		}
		if spec.MutatesState != (spec.Type == chat.Write) {
			t.Errorf("%s: type %s, mutates state %v", spec.Name, spec.Type, spec.MutatesState)
		}
	}
}

// TestBuiltinToolsTakeTheReferenceArguments compares names, kinds and
// parameters with the pack's specifications.
func TestBuiltinToolsTakeTheReferenceArguments(t *testing.T) {
	pack, err := env.LoadPack(filepath.Join(shared.Dir(t), "packs", "tau2-retail"), env.Registry{"retail": Native})
	if err != nil {
		t.Fatal(err)
	}
	own := ours(t, 1).Tools
	if len(own) != len(pack.Domain.Tools) {
		t.Fatalf("%d tools, want %d", len(own), len(pack.Domain.Tools))
	}
	for i, want := range pack.Domain.Tools {
		got := own[i]
		if got.Name != want.Name || got.Type != want.Type || got.Requestor != want.Requestor || got.MutatesState != want.MutatesState {
			t.Errorf("tool %d is %s (%s), want %s (%s)", i, got.Name, got.Type, want.Name, want.Type)
		}
		a, b := shapes(t, &got), shapes(t, &want)
		if !slices.Equal(a, b) {
			t.Errorf("%s takes %q, want %q", got.Name, a, b)
		}
	}
}

// shapes spells each parameter as its name, type, choices and whether it is
// required.
func shapes(t *testing.T, spec *chat.ToolSpec) []string {
	t.Helper()
	params, err := spec.Parameters()
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, p := range params {
		kind, _ := p.Schema.Get("type")
		enum, _ := p.Schema.Get("enum")
		required := map[bool]string{true: " required", false: " optional"}[p.Required]
		out = append(out, p.Name+" "+pyjson.Str(kind)+required+" "+pyjson.Str(enum))
	}
	return out
}
