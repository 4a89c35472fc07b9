package env

import (
	"errors"
	"fmt"
	"iter"

	"taste/chat"
	"taste/pyjson"
	"taste/tau"
)

// Environment is one run's own state of a domain.
type Environment struct {
	domain *Domain
	start  State // what Reset returns to; never written to
	state  State
}

// Domain returns the domain that the environment belongs to.
func (e *Environment) Domain() *Domain { return e.domain }

// Clone returns an independent environment in the same state, with the same
// start.
func (e *Environment) Clone() *Environment {
	return &Environment{domain: e.domain, start: e.start, state: e.state.Fork()}
}

// Reset goes back to the start: the state after the last SetState, or the
// domain's initial one.
func (e *Environment) Reset() { e.state = e.start.Fork() }

// Call makes a tool call as agent (chat.Assistant) or user (chat.User), then
// couples the two sides. A tool of the other side or an unknown one is an
// error message and changes nothing; a failing call may have partial effects,
// as the reference's has. Arguments are as in chat.ToolCall.
func (e *Environment) Call(requestor, name string, args map[string]any) Result {
	return e.call(requestor, name, pyjson.Ordered(nil, args))
}

// Do makes the call of a message.
func (e *Environment) Do(call *chat.ToolCall) Result {
	return e.call(call.Owner(), call.Name, call.Args())
}

// CallOrdered is Call with arguments in a given order, which error texts about
// unexpected arguments depend on.
func (e *Environment) CallOrdered(requestor, name string, args *pyjson.Object) Result {
	return e.call(requestor, name, args)
}

func (e *Environment) call(requestor, name string, args *pyjson.Object) Result {
	owner, err := e.owner(requestor, name)
	if err != nil {
		return Failure(err)
	}
	v, err := e.do(owner, name, args)
	if err != nil {
		return Failure(err)
	}
	if err := e.state.Sync(); err != nil {
		return Failure(err)
	}
	return answer(v)
}

// owner is the side on which a call is made: the requestor's, but that an agent
// without a user has the user's tools.
func (e *Environment) owner(requestor, name string) (string, error) {
	if !e.domain.solo {
		return requestor, nil
	}
	if requestor == chat.User {
		return "", ValueError("User tool calls are not allowed in solo mode")
	}
	if t := e.domain.Tool(name); t != nil {
		return t.Requestor, nil
	}
	return requestor, nil
}

func (e *Environment) do(requestor, name string, args *pyjson.Object) (any, error) {
	if err := reserved(args); err != nil {
		return nil, err
	}
	return e.state.Call(requestor, name, args)
}

// Apply makes a gold action without coupling the sides, as scoring replays it.
// The answer of a call that succeeds is not spelt out: its Content is empty.
func (e *Environment) Apply(a *tau.Action) Result {
	if _, err := e.do(a.Owner(), a.Name, a.Args()); err != nil {
		return Failure(err)
	}
	return Result{}
}

// Act makes an action and couples the two sides, as a conversation does. Its
// answer is spelt out no more than that of Apply.
func (e *Environment) Act(a *tau.Action) Result {
	if r := e.Apply(a); r.Error {
		return r
	}
	if err := e.state.Sync(); err != nil {
		return Failure(err)
	}
	return Result{}
}

// Sync couples the two sides.
func (e *Environment) Sync() error { return e.state.Sync() }

// EnvCall runs an environment function and couples the two sides.
func (e *Environment) EnvCall(c *tau.EnvCall) (any, error) {
	v, err := e.state.EnvCall(c.EnvType, c.FuncName, c.Args())
	if err != nil {
		return nil, err
	}
	err = e.state.Sync()
	return force(v), err
}

// ErrNotBoolean says that an assertion's function returned no boolean.
var ErrNotBoolean = errors.New("assertion function did not return a boolean")

// Assert runs an assertion and says whether it holds.
func (e *Environment) Assert(a *tau.EnvAssertion) (bool, error) {
	v, err := e.EnvCall(&a.EnvCall)
	if err != nil {
		return false, fmt.Errorf("run assertion %s: %w", a.FuncName, err)
	}
	b, ok := v.(bool)
	if !ok {
		return false, fmt.Errorf("run assertion %s: %w", a.FuncName, ErrNotBoolean)
	}
	return b == a.AssertValue, nil
}

// Read makes a call, of a tool of either side, that must succeed and returns its JSON answer as plain Go
// values (map[string]any, []any, string, int64, float64, bool, nil). A text
// that is no JSON is returned as a string.
func (e *Environment) Read(name string, args map[string]any) (any, error) {
	side := chat.Assistant
	if t := e.domain.Tool(name); t != nil && t.Requestor == chat.User {
		side = chat.User
	}
	r := e.Call(side, name, args)
	if r.Error {
		return nil, fmt.Errorf("read %s: %s", name, r.Content)
	}
	v, err := pyjson.Decode([]byte(r.Content))
	if err != nil {
		return r.Content, nil
	}
	return pyjson.Plain(v), nil
}

// Equal compares the states of both sides as the hash does (25 and 25.0
// differ), without hashing.
func (e *Environment) Equal(other *Environment) bool { return e.state.Equal(other.state) }

// Hash returns the τ² hash of the agent's database: SHA-256 of its JSON with
// sorted keys, ", " and ": ", ASCII escapes, in lower-case hex.
func (e *Environment) Hash() string { return e.state.Hash(chat.Assistant) }

// UserHash is Hash of the user's database, "" where there is none.
func (e *Environment) UserHash() string { return e.state.Hash(chat.User) }

// Drawn returns the keys of one side's database that the reference draws at
// random: they, and the hash, are other ones there.
func (e *Environment) Drawn(side string) []string {
	if r, ok := e.state.(Random); ok {
		return r.Drawn(side)
	}
	return nil
}

// Tables names the tables of the agent's database.
func (e *Environment) Tables() []string { return e.state.Tables(chat.Assistant) }

// Keys returns the keys of a table in order; read-only.
func (e *Environment) Keys(table string) []string { return e.state.Keys(chat.Assistant, table) }

// Record returns a record as plain Go values, nil where there is none. It is
// shared between callers: read-only.
func (e *Environment) Record(table, key string) map[string]any {
	return e.state.Plain(chat.Assistant, table, key)
}

// RecordJSON is Record as an ordered object; read-only.
func (e *Environment) RecordJSON(table, key string) *pyjson.Object {
	return e.state.Record(chat.Assistant, table, key)
}

// Records iterates over a table in key order.
func (e *Environment) Records(table string) iter.Seq2[string, map[string]any] {
	return func(yield func(string, map[string]any) bool) {
		for _, k := range e.Keys(table) {
			if !yield(k, e.Record(table, k)) {
				return
			}
		}
	}
}

// Untouched tells whether a table of the agent's database was not written to: its
// records are those of the domain's initial state.
func (e *Environment) Untouched(table string) bool {
	return len(e.state.Touched(chat.Assistant, table, e.domain.initial)) == 0
}

// Freeze makes an environment safe to be cloned and compared by many
// goroutines at once, as long as none changes it.
func (e *Environment) Freeze() { e.state = e.state.Fork() }
