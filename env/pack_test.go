package env

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"taste/internal/hint"
	"taste/pyjson"
	"taste/pyjson/lax"
)

// fakeState is never used.
type fakeState struct{ State }

type fakeNative struct{ err error }

func (f fakeNative) Load(agent, user any) (State, error) { return fakeState{}, f.err }

func (fakeNative) Tools(string) []Signature { return []Signature{{Class: "ShopTools", Name: "look"}} }

func (fakeNative) Functions(string) []string { return nil }

func (fakeNative) References() []Reference { return nil }

var fakes = Registry{"shop": fakeNative{}, "shop/tau1": fakeNative{}}

// writePack writes a small sound pack with some files replaced; "" removes a
// file.
func writePack(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	all := map[string]string{
		"manifest.json": `{"format": 1, "name": "p", "domain": "shop", "semantics": "tau2", "policy": ["a.md", {"file": "b.md", "tag": "extra"}], "databases": {"agent": "db.json"},
			"tools": "tools.json", "tasks": {"default": "tasks.json"}, "policy_sha256": "` + soundHash + `"}`,
		"a.md": "Be kind.", "b.md": "Be brief.", "db.json": `{}`, "tasks.json": `[]`,
		"tools.json": `[{"name": "look", "requestor": "assistant", "type": "read", "schema": {}}]`,
	}
	for k, v := range files {
		all[k] = v
	}
	for name, text := range all {
		if text == "" {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// soundHash is the SHA-256 of "Be kind.<extra>\nBe brief.\n</extra>".
const soundHash = "09a0a9be5f3ca36f0a216231910a8ecf97a9878c6b7c32a1ad5ae1172d425d7f"

func TestLoadPack(t *testing.T) {
	p, err := LoadPack(writePack(t, nil), fakes)
	if err != nil {
		t.Fatal(err)
	}
	if want := "Be kind.<extra>\nBe brief.\n</extra>"; p.Domain.Policy != want {
		t.Errorf("policy %q, want %q", p.Domain.Policy, want)
	}
	if tool := p.Domain.Tool("look"); tool == nil || tool.MutatesState {
		t.Errorf("tool %+v", tool)
	}
	if tasks, err := p.Tasks("default"); err != nil || len(tasks) != 0 {
		t.Errorf("tasks %v, %v", tasks, err)
	}
	if _, err := p.Tasks("hard"); err == nil || !strings.Contains(hint.Of(err), "default") {
		t.Errorf("unknown task set: %v, hint %q", err, hint.Of(err))
	}
}

func TestLoadPackErrors(t *testing.T) {
	manifest := func(from, to string) map[string]string {
		text, _ := os.ReadFile(filepath.Join(writePack(t, nil), "manifest.json"))
		return map[string]string{"manifest.json": strings.Replace(string(text), from, to, 1)}
	}
	for _, c := range []struct {
		name  string
		files map[string]string
		is    error
		want  string
		hint  string
	}{
		{"no manifest", map[string]string{"manifest.json": ""}, fs.ErrNotExist, "manifest.json: file is missing", "--pack"},
		{"broken manifest", map[string]string{"manifest.json": "{"}, nil, "manifest.json: broken JSON: line 1", ""},
		{"no domain", manifest(`"domain": "shop",`, ``), nil, "manifest.json: domain: required string is missing", ""},
		{"unknown domain", manifest(`"shop"`, `"bank"`), ErrUnknownDomain, `unknown domain "bank"`, "known domains: shop, shop/tau1"},
		{"other semantics", manifest(`"tau2"`, `"tau9"`), ErrUnknownDomain, `semantics "tau9"`, ""},
		{"missing policy", map[string]string{"b.md": ""}, fs.ErrNotExist, "b.md: file is missing", "manifest names it"},
		{"edited policy", map[string]string{"a.md": "Be rude."}, ErrHash, "hash differs", "policy_sha256"},
		{"broken database", map[string]string{"db.json": "{]"}, nil, "db.json: broken JSON: line 1 column 2", ""},
		{"database in another encoding", map[string]string{"db.json": "{\"a\": \"\xfc\"}"}, nil, "db.json: broken JSON: line 1 column 8: byte that is no UTF-8", ""},
		{"missing tools", map[string]string{"tools.json": ""}, fs.ErrNotExist, "tools.json: file is missing", ""},
		{"bad tool", map[string]string{"tools.json": `[{"name": "x", "type": "magic", "schema": {}}]`}, nil, "tools.json: tools[0].type: want read", "docs/pack.md"},
		{"other format", manifest(`"format": 1`, `"format": 2`), nil, "format 2: this program reads format 1", "docs/pack.md"},
		{"no time", manifest(`"name": "p"`, `"name": "p", "clock": "nope"`), nil, `clock: "nope" is no time`, "2024-05-15T15:00:00"},
		{"no splits", manifest(`"name": "p"`, `"name": "p", "splits": "nope.json"`), fs.ErrNotExist, "nope.json: file is missing", "manifest names it"},
		{"no tasks", map[string]string{"tasks.json": ""}, fs.ErrNotExist, "tasks.json: file is missing", "manifest names it"},
		{"odd hash", manifest(`"name": "p"`, `"name": "p", "initial_hash": ["x"]`), nil, "initial_hash: want a list of two", "docs/pack.md"},
		{"tool twice", map[string]string{"tools.json": `[{"name":"x","type":"read","schema":{}},{"name":"x","type":"read","schema":{}}]`}, nil, "tool x is specified twice", ""},
	} {
		_, err := LoadPack(writePack(t, c.files), fakes)
		if err == nil || !strings.Contains(err.Error(), c.want) || c.is != nil && !errors.Is(err, c.is) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
		if h := hint.Of(err); !strings.Contains(h, c.hint) {
			t.Errorf("%s: hint %q, want %q", c.name, h, c.hint)
		}
		var pe *PackError
		if !errors.As(err, &pe) {
			t.Errorf("%s: %T is no PackError", c.name, err)
		}
	}
	many := &lax.Error{Title: "DB", Issues: make([]lax.Issue, 9)}
	if _, err := LoadPack(writePack(t, nil), Registry{"shop": fakeNative{many}}); err == nil || !strings.HasSuffix(err.Error(), "and 6 more") {
		t.Errorf("many issues: %v", err)
	}
	bad := errors.New("no such field")
	if _, err := LoadPack(writePack(t, nil), Registry{"shop": fakeNative{bad}}); !errors.Is(err, bad) || !strings.Contains(err.Error(), "db.json") {
		t.Errorf("database that does not fit: %v", err)
	}
}

func TestMergeObject(t *testing.T) {
	base, _ := pyjson.DecodeObject([]byte(`{"a": {"x": 1, "l": [1, 2]}, "b": 5, "c": {"k": 1}}`))
	data, _ := pyjson.DecodeObject([]byte(`{"b": {"n": 1}, "a": {"l": [3], "y": null}, "c": 7, "d": {}}`))
	want := `{"a": {"x": 1, "l": [3], "y": null}, "b": {"n": 1}, "c": 7, "d": {}}`
	before := pyjson.Dumps(base)
	if got := pyjson.Dumps(MergeObject(base, data)); got != want {
		t.Errorf("merged %s, want %s", got, want)
	}
	if pyjson.Dumps(base) != before {
		t.Error("the base was changed")
	}
}

func TestBind(t *testing.T) {
	s := Signature{Class: "T", Name: "f", Params: []string{"a", "b", "c"}}
	for args, want := range map[string]string{
		`{"c": 3, "a": 1, "b": 2}`: "",
		`{"a": 1, "b": 2}`:         "T.f() missing 1 required positional argument: 'c'",
		`{"b": 2}`:                 "T.f() missing 2 required positional arguments: 'a' and 'c'",
		`{}`:                       "T.f() missing 3 required positional arguments: 'a', 'b', and 'c'",
		`{"z": 1, "y": 2, "a": 1, "b": 2, "c": 3}`: "T.f() got an unexpected keyword argument 'z'",
		`{"a": 1, "y": 1}`:                         "T.f() got an unexpected keyword argument 'y'",
	} {
		o, _ := pyjson.DecodeObject([]byte(args))
		values, err := s.Bind(o)
		if err == nil && want == "" {
			if pyjson.Repr(values) != "[1, 2, 3]" {
				t.Errorf("bound %s", pyjson.Repr(values))
			}
			continue
		}
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", args, err, want)
		}
	}
}

// TestAnswer: behaviours of the wire form.
func TestAnswer(t *testing.T) {
	plain, _ := pyjson.Decode([]byte(`{"a": 1, "b": true, "c": null, "d": [1.5], "e": "x"}`))
	for _, c := range []struct {
		v    any
		want string
	}{
		{plain, `{"a": "1", "b": "True", "c": null, "d": ["1.5"], "e": "x"}`},
		{int64(5), `"5"`},
		{nil, "null"},
		{"é", "é"},
		{Lazy(func() any { return plain }), `{"a": 1, "b": true, "c": null, "d": [1.5], "e": "x"}`},
	} {
		if got := answer(c.v).Content; got != c.want {
			t.Errorf("answer is %s, want %s", got, c.want)
		}
	}
}
