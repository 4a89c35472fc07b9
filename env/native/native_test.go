package native_test

import (
	"strings"
	"testing"

	"taste/chat"
	"taste/env"
	"taste/env/native"
	"taste/env/native/nativetest"
	"taste/pyjson"
	"taste/pyjson/lax"
)

// shelf is a domain of one table of counts, which the agent can raise.
type shelf struct{ counts env.Table[int64] }

var countType = env.RecordType[int64]{
	Clone: native.Copy[int64],
	Equal: func(a, b *int64) bool { return *a == *b },
	JSON:  func(n *int64) *pyjson.Object { return pyjson.NewObject("n", *n) },
	Valid: func(c *lax.Check, v any) *int64 {
		i, _ := c.FieldInt(c.Model(v, "Count"), "n").Value().(int64)
		return &i
	},
}

func (s *shelf) Fork() *shelf { return &shelf{s.counts.Fork()} }

func (s *shelf) Database(side string) native.Database {
	if side != chat.Assistant {
		return native.Database{}
	}
	return native.Database{Class: "ShelfDB", Tables: []native.Table{native.Named("counts", &s.counts)}}
}

func (s *shelf) Kit(side string) *native.Kit[*shelf] {
	if side != chat.Assistant {
		return nil
	}
	return &native.Kit[*shelf]{
		Class:   "ShelfTools",
		Tools:   map[string]native.Tool[*shelf]{"raise": {Params: []string{"key", "by"}, Defaults: []any{int64(1)}, Run: raise}},
		Helpers: map[string]native.Tool[*shelf]{"is_empty": {Run: func(s *shelf, _ []any) (any, error) { return s.counts.Len() == 0, nil }}},
	}
}

func (s *shelf) Sync() error { return nil }

func raise(s *shelf, a []any) (any, error) {
	found, err := native.Find(s.counts.Get, a[0], func() error { return env.ValueError("no " + pyjson.Str(a[0])) })
	if err != nil {
		return nil, err
	}
	by, _ := a[1].(int64)
	*s.counts.Mut(a[0].(string)) = *found + by
	return native.Answer(&s.counts, a[0].(string)), nil
}

var shelves = native.OneSided(func(v any) (*native.Records[int64], error) {
	c := lax.New("ShelfDB")
	var r native.Records[int64]
	r.Read(c, c.Model(v, "ShelfDB"), "counts", &countType)
	return &r, c.Err()
}, func(r *native.Records[int64]) *shelf { return &shelf{r.Table(&countType)} })

const cups = `{"counts": {"cups": {"n": "3"}, "a": {"n": 0}}}`

func TestModel(t *testing.T) {
	e := nativetest.Environment(t, shelves, cups, "")
	nativetest.Script(t, e, `
		assistant raise {"key": "cups"} → {"n": 4}
		assistant raise {"key": "cups", "by": 2} → {"n": 6}
		assistant raise {"key": 3} → Error: no 3
		assistant raise {"key": []} → Error: unhashable type: 'list'
		assistant raise {"by": 1} → Error: ShelfTools.raise() missing 1 required positional argument: 'key'
		assistant lower {} → Error: Tool 'lower' not found.
		assistant is_empty {} → Error: Tool 'is_empty' not found.
		user raise {"key": "cups"} → Error: User tools not available
		ENV assistant is_empty {} → False
		ENV assistant lower {} → raised 'ShelfTools' object has no attribute 'lower'
		ENV user raise {} → raised 'NoneType' object has no attribute 'raise'
	`)
	start := e.Domain().Environment()
	if got := strings.Join(start.Diff(e), "\n"); got != "counts.cups.n: 3 → 6" || start.Equal(e) || start.Hash() == e.Hash() {
		t.Errorf("diff %q, equal %v", got, start.Equal(e))
	}
	if e.UserHash() != "" || e.Domain().Strict() != e.Domain() {
		t.Error("there is no user database, and nothing to correct")
	}
}

func TestMerge(t *testing.T) {
	for data, want := range map[string]string{
		`{"agent_data": {"counts": {"b": {"n": 7}}}}`:                 "",
		`{"agent_data": {"counts": {"b": {}}}}`:                       "counts.b.n\n  Field required",
		`{"agent_data": {"counts": []}}`:                              "counts\n  Input should be a valid dictionary",
		`{"agent_data": {"shelves": 1}}`:                              "shelves\n  Extra inputs are not permitted",
		`{"user_data": {"counts": {"b": {"n": 7}}}}`:                  "'NoneType' object has no attribute 'update_db'",
		`{"agent_data": {"counts": {"cups": {"n": 4, "colour": 1}}}}`: "",
	} {
		e := nativetest.Environment(t, shelves, cups, "")
		err := nativetest.Start(t, e, `{"initialization_data": `+data+`}`)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", data, err, want)
		}
	}
}

func TestLoadErrors(t *testing.T) {
	if _, err := shelves.Load(nativetest.Decode(t, cups), pyjson.NewObject()); err == nil || !strings.Contains(err.Error(), "no user database") {
		t.Errorf("with a user's database: %v", err)
	}
	if _, err := shelves.Load(nil, nil); err == nil {
		t.Error("no database is taken for one")
	}
}

func TestSchema(t *testing.T) {
	e := nativetest.Environment(t, shelves, cups, "")
	want := `{"type":"object","properties":{"counts":{"type":"object","additionalProperties":` +
		`{"title":"Count","type":"object","properties":{"n":{"type":"integer"}},"required":["n"],"additionalProperties":false}}},"additionalProperties":false}`
	if got := string(pyjson.Append(nil, e.Domain().Schema(chat.Assistant), pyjson.Style{Tight: true})); got != want {
		t.Errorf("got %s", got)
	}
	if h := e.Domain().Helpers(chat.Assistant); len(h) != 1 || h[0].Name != "is_empty" {
		t.Errorf("helpers %v", h)
	}
	if h := e.Domain().Helpers(chat.User); h != nil {
		t.Errorf("the user's helpers: %v", h)
	}
	if s := e.Domain().Schema(chat.User); s != nil {
		t.Errorf("the user has no database, and its schema is %v", s)
	}
}
