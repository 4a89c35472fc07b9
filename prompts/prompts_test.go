package prompts_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"taste/prompts"
)

// folder is a set of two versions of one prompt and one of another.
func folder() fstest.MapFS {
	file := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	return fstest.MapFS{
		"parts.md":              file(`{{define "greet"}}Hello {{.}}.{{end}}`),
		"sorter-v1.md":          file(`<!-- Before. -->{{define "system"}}Old.{{end}}{{define "user"}}{{end}}`),
		"sorter-v2.md":          file("<!--\nBefore\nthe rest. -->\n{{define \"system\"}}\n{{template \"greet\" .Name}}\n{{end}}{{define \"user\"}}Sort: {{input .Items}}{{end}}"),
		"sorter-v2.schema.json": file(`{"type": "array"}`),
		"teller-v1.md":          file(`<!-- After. -->{{define "system"}}Tell.{{end}}{{define "user"}}{{end}}`),
	}
}

func load(t *testing.T, files fstest.MapFS) *prompts.Set {
	t.Helper()
	s, err := prompts.Load(files)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestRequest(t *testing.T) {
	p, err := load(t, folder()).Get("sorter")
	if err != nil {
		t.Fatal(err)
	}
	if p.ID() != "sorter-v2" || p.Place != "Before the rest." || len(p.Sum) != 64 {
		t.Errorf("got %s, %q, %s", p.ID(), p.Place, p.Sum)
	}
	r, err := p.Request(map[string]any{"Name": "Ann", "Items": []string{"</input>", "a & b"}})
	if err != nil {
		t.Fatal(err)
	}
	if want := "Role: sorter (v2)\n\nHello Ann."; r.System != want {
		t.Errorf("system text %q, want %q", r.System, want)
	}
	if want := "Sort: <input>\n[\n \"<\\/input>\",\n \"a & b\"\n]\n</input>"; len(r.Messages) != 1 || r.Messages[0].Text != want {
		t.Errorf("messages %+v, want %q", r.Messages, want)
	}
	if r.Schema == nil || r.Schema.Name != "sorter" || string(r.Schema.JSON) != `{"type":"array"}` {
		t.Errorf("schema %+v", r.Schema)
	}
	if name, ok := prompts.RoleOf(r.System); !ok || name != "sorter" {
		t.Errorf("the text is of role %q, %v", name, ok)
	}
	var items []string
	if err := prompts.Input(r.Messages[0].Text, &items); err != nil || !slices.Equal(items, []string{"</input>", "a & b"}) {
		t.Errorf("read back %q, %v", items, err)
	}
	if _, err := p.Request(map[string]any{"Name": "Ann"}); err == nil || !strings.Contains(err.Error(), "sorter-v2") {
		t.Errorf("without items: %v", err)
	}
}

func TestTextWithoutItem(t *testing.T) {
	s := load(t, folder())
	p, err := s.Get("teller")
	if err != nil {
		t.Fatal(err)
	}
	r, err := p.Request(nil)
	if err != nil || len(r.Messages) != 0 || r.Schema != nil {
		t.Errorf("got %+v, %v", r, err)
	}
	if _, ok := prompts.RoleOf("Tell me."); ok {
		t.Error("any text has a role")
	}
	if err := prompts.Input("no input", new(int)); !errors.Is(err, prompts.ErrNoInput) {
		t.Errorf("got %v", err)
	}
	if _, err := s.Get("singer"); err == nil {
		t.Error("found a prompt that is not there")
	}
	var ids []string
	for _, p := range s.Newest() {
		ids = append(ids, p.ID())
	}
	if !slices.Equal(ids, []string{"sorter-v2", "teller-v1"}) {
		t.Errorf("newest: %q", ids)
	}
}

// The sum of a prompt follows each of the files that it is made from.
func TestSums(t *testing.T) {
	sum := func(files fstest.MapFS) string {
		p, err := load(t, files).Get("sorter")
		if err != nil {
			t.Fatal(err)
		}
		return p.Sum
	}
	was := sum(folder())
	for _, name := range []string{"parts.md", "sorter-v2.md", "sorter-v2.schema.json"} {
		files := folder()
		files[name].Data = append(files[name].Data, ' ')
		if sum(files) == was {
			t.Errorf("%s does not count", name)
		}
	}
	files := folder()
	files["teller-v1.md"].Data = append(files["teller-v1.md"].Data, ' ')
	if sum(files) != was {
		t.Error("another prompt counts")
	}
}

func TestFaultyFolders(t *testing.T) {
	for fault, files := range map[string]fstest.MapFS{
		"no name of a prompt":             {"Sorter.md": {}},
		"begin with a comment":            {"a-v1.md": {Data: []byte(`{{define "system"}}x{{end}}{{define "user"}}{{end}}`)}},
		`does not define "user"`:          {"a-v1.md": {Data: []byte(`<!-- x -->{{define "system"}}x{{end}}`)}},
		"its schema is no JSON":           {"a-v1.md": {}, "a-v1.schema.json": {Data: []byte("{")}},
		`function "shout" not defined`:    {"a-v1.md": {Data: []byte(`<!-- x -->{{define "system"}}{{shout}}{{end}}`)}},
		`template: :1: unexpected "}" in`: {"parts.md": {Data: []byte("{{}")}, "a-v1.md": {Data: []byte("<!-- x -->")}},
	} {
		if _, err := prompts.Load(files); err == nil || !strings.Contains(err.Error(), fault) {
			t.Errorf("want %q, got %v", fault, err)
		}
	}
}

// Schemas keep to what all providers take: objects name all their properties as
// required and admit no others.
func TestBuiltinPrompts(t *testing.T) {
	for _, p := range prompts.Builtin().Newest() {
		if p.Place == "" {
			t.Errorf("%s does not say where it stands", p.ID())
		}
		if p.Schema == nil {
			continue
		}
		var schema any
		if err := json.Unmarshal(p.Schema.JSON, &schema); err != nil {
			t.Fatal(err)
		}
		checkSchema(t, p.ID(), schema)
	}
}

func checkSchema(t *testing.T, path string, schema any) {
	t.Helper()
	s, ok := schema.(map[string]any)
	if !ok {
		return
	}
	properties, _ := s["properties"].(map[string]any)
	if s["type"] == "object" {
		required := map[string]bool{}
		for _, name := range s["required"].([]any) {
			required[name.(string)] = true
		}
		if s["additionalProperties"] != false || len(required) != len(properties) {
			t.Errorf("%s: an object has to require all its properties and to admit no others", path)
		}
	}
	for name, p := range properties {
		checkSchema(t, path+"."+name, p)
	}
	checkSchema(t, path+"[]", s["items"])
}

// The documentation lists every prompt.
func TestDocumented(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "docs", "llm-roles.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range prompts.Builtin().Newest() {
		if !strings.Contains(string(text), "`"+p.Name+"`") {
			t.Errorf("docs/llm-roles.md does not name %s", p.Name)
		}
	}
}
