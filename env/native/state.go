package native

import (
	"maps"
	"slices"

	"taste/chat"
	"taste/env"
	"taste/pyjson"
)

// Model is what a domain has to give: tables, tools and what couples its sides.
// M is the model's own type.
type Model[M any] interface {
	// Fork returns a copy-on-write copy of all tables.
	Fork() M
	// Database views the tables of a side; the zero value: it has none.
	Database(side string) Database
	// Kit returns the functions of a side, nil where it has none.
	Kit(side string) *Kit[M]
	// Sync couples the two sides after a call.
	Sync() error
}

// Corrected is implemented by models of domains whose reference has known
// faults: Correct makes the model do what the reference should.
type Corrected interface{ Correct() }

// Sharing is implemented by models with databases on both sides. Initialization
// data for one side make both sides work on that side's database from then on,
// as the reference does: Share is called before they are merged, and refuses
// what would not work.
type Sharing interface{ Share(side string) error }

// state implements env.State over a model.
type state[M Model[M]] struct {
	model      M
	references []env.Reference
}

// NewState makes a state of a model, which must not be used by the caller
// afterwards, and of the references between its records.
func NewState[M Model[M]](m M, references ...env.Reference) env.State {
	return &state[M]{m, references}
}

// Schema implements env.Described.
func (s *state[M]) Schema(side string) *pyjson.Object { return s.model.Database(side).schema() }

// References implements env.Described.
func (s *state[M]) References() []env.Reference { return s.references }

// Helpers implements env.Described.
func (s *state[M]) Helpers(side string) []env.Signature {
	k := s.model.Kit(side)
	if k == nil {
		return nil
	}
	var all []env.Signature
	for _, name := range slices.Sorted(maps.Keys(k.Helpers)) {
		all = append(all, k.signature(name, k.Helpers[name]))
	}
	return all
}

func (s *state[M]) Call(requestor, name string, args *pyjson.Object) (any, error) {
	k := s.model.Kit(requestor)
	if k == nil {
		return nil, env.ValueError(missingKit[requestor])
	}
	return k.call(s.model, name, args)
}

// missingKit is what the reference says about a side without tools.
var missingKit = map[string]string{
	chat.Assistant: "Tools not available",
	chat.User:      "User tools not available",
}

func (s *state[M]) EnvCall(side, function string, args *pyjson.Object) (any, error) {
	k := s.model.Kit(side)
	if k == nil {
		return nil, env.NoAttribute(nil, function)
	}
	return k.envCall(s.model, function, args)
}

func (s *state[M]) Sync() error { return s.model.Sync() }

func (s *state[M]) Merge(side string, data *pyjson.Object) (env.State, error) {
	next := s.model.Fork()
	if m, ok := any(next).(Sharing); ok {
		if err := m.Share(side); err != nil {
			return nil, err
		}
	}
	db := next.Database(side)
	if db.Tables == nil {
		return nil, env.NoAttribute(nil, "update_db")
	}
	if err := db.merge(data); err != nil {
		return nil, err
	}
	return &state[M]{next, s.references}, nil
}

func (s *state[M]) Fork() env.State { return &state[M]{s.model.Fork(), s.references} }

// Strict implements env.Strict.
func (s *state[M]) Strict() (env.State, bool) {
	m := s.model.Fork()
	c, ok := any(m).(Corrected)
	if !ok {
		return nil, false
	}
	c.Correct()
	return &state[M]{m, s.references}, true
}

// Drawn implements env.Random.
func (s *state[M]) Drawn(side string) []string {
	if r, ok := any(s.model).(env.Random); ok {
		return r.Drawn(side)
	}
	return nil
}

func (s *state[M]) Equal(other env.State) bool {
	o, ok := other.(*state[M])
	return ok && s.model.Database(chat.Assistant).equal(o.model.Database(chat.Assistant)) &&
		s.model.Database(chat.User).equal(o.model.Database(chat.User))
}

func (s *state[M]) Hash(side string) string { return s.model.Database(side).hash() }

func (s *state[M]) JSON(side string) *pyjson.Object { return s.model.Database(side).json() }

func (s *state[M]) Tables(side string) []string { return s.model.Database(side).names() }

func (s *state[M]) Keys(side, table string) []string {
	if t := s.model.Database(side).rows(table); t != nil {
		return t.Keys()
	}
	return nil
}

func (s *state[M]) Record(side, table, key string) *pyjson.Object {
	if t := s.model.Database(side).rows(table); t != nil {
		return t.Record(key)
	}
	return nil
}

func (s *state[M]) Plain(side, table, key string) map[string]any {
	if t := s.model.Database(side).rows(table); t != nil {
		return t.Plain(key)
	}
	return nil
}

func (s *state[M]) Touched(side, table string, other env.State) []string {
	o, ok := other.(*state[M])
	if !ok {
		return nil
	}
	if t := s.model.Database(side).rows(table); t != nil {
		return t.touched(o.model.Database(side).rows(table))
	}
	return nil
}
