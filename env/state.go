package env

import (
	"taste/chat"
	"taste/pyjson"
)

// Result is what a tool call answers.
type Result struct {
	Content string // the text of the tool message
	Error   bool   // the call failed; Content starts with "Error: "

	// Exception is the name of the Python exception class that the reference
	// harness raises where Error is set.
	Exception string
	// Inexact marks a Content that the reference takes from inside its
	// interpreter or validation library, so that only Error is dependable.
	Inexact bool
}

// Lazy is the dump of a data model, or a list of such, alone or inside an
// object, that is spelt out only where someone reads it, which must be before
// the state's next call.
type Lazy func() any

// force spells a value out.
func force(v any) any {
	switch x := v.(type) {
	case Lazy:
		return x()
	case *pyjson.Object:
		out := pyjson.Sized(x.Len())
		for k, e := range x.All() {
			out.Set(k, force(e))
		}
		return out
	}
	return v
}

// answer is the result of a call. A string is taken as it is and a data model
// as JSON; in any other value numbers and booleans become strings first, as the
// reference does.
func answer(v any) Result {
	switch x := v.(type) {
	case string:
		return Result{Content: x}
	case Lazy:
		return Result{Content: pyjson.Dumps(x())}
	}
	return Result{Content: pyjson.Dumps(scalarsAsText(v))}
}

func scalarsAsText(v any) any {
	switch x := v.(type) {
	case nil, string:
		return v
	case Lazy:
		return x()
	case []any:
		out := make([]any, len(x))
		for i, e := range x {
			out[i] = scalarsAsText(e)
		}
		return out
	case *pyjson.Object:
		out := pyjson.Sized(x.Len())
		for k, e := range x.All() {
			out.Set(k, scalarsAsText(e))
		}
		return out
	}
	return pyjson.Str(v)
}

// State is the databases of both sides and the tools over them. One goroutine
// uses a state; a frozen one (see Fork) may be shared.
type State interface {
	// Call runs a tool and returns its value: Lazy for data models, else a
	// plain pyjson value. A failing call may leave partial effects; its error
	// is a *Fault or a *lax.Error. requestor is chat.Assistant or chat.User.
	Call(requestor, tool string, args *pyjson.Object) (any, error)
	// EnvCall runs any function of one side, tools or not, as tasks do in
	// initialization actions and assertions. The result is a pyjson value.
	EnvCall(side, function string, args *pyjson.Object) (any, error)
	// Sync couples the two sides after a call, where the domain does that.
	Sync() error
	// Merge returns a state with data merged into one side's database:
	// objects recursively, everything else replaced whole, the result
	// validated again. The receiver is not changed.
	Merge(side string, data *pyjson.Object) (State, error)
	// Fork returns a copy-on-write copy. A state that was not written to since
	// its last Fork is frozen: many goroutines may fork and read it at once.
	Fork() State
	// Equal compares the content as the hash does, without hashing.
	Equal(other State) bool
	// Hash returns the τ² hash of one side's database, "" for a side without
	// one.
	Hash(side string) string
	// JSON is one side's database as files hold it, nil for a side without one.
	JSON(side string) *pyjson.Object
	// Tables names the tables of one side in file order.
	Tables(side string) []string
	// Keys returns a table's keys in order. The caller must not change them.
	Keys(side, table string) []string
	// Record returns one record as an ordered JSON object, nil where there is
	// none. It is shared: read-only.
	Record(side, table, key string) *pyjson.Object
	// Plain is Record as plain Go values; shared: read-only.
	Plain(side, table, key string) map[string]any
	// Touched returns the keys of a table whose records may differ between
	// the two states, in ascending order.
	Touched(side, table string, other State) []string
}

// Strict is implemented by states of domains that may have a corrected form:
// tools without known faults of the reference's.
type Strict interface {
	// Strict returns the state under corrected tools, false where there is
	// nothing to correct. The receiver is not changed; the two compare.
	Strict() (State, bool)
}

// Described is implemented by states that can say what their records look like.
type Described interface {
	// Schema is the JSON schema of initialization data for one side, with a
	// property for each table: what validation asks of the records, as far as
	// those of the state show it. It is nil for a side without a database.
	Schema(side string) *pyjson.Object
	// References says which fields hold keys of records.
	References() []Reference
	// Helpers returns the signatures of what EnvCall knows of a side beside its
	// tools, by ascending name.
	Helpers(side string) []Signature
}

// Random is implemented by states of domains whose reference draws keys of
// records at random.
type Random interface {
	// Drawn returns the keys of one side's database that are other ones in
	// the reference.
	Drawn(side string) []string
}

// Native builds states of one domain.
type Native interface {
	// Load validates the initial databases (nil where a side has none) and
	// returns the state they describe. An error may join several; what is
	// wrong with the user's database is a *UserDataError.
	Load(agent, user any) (State, error)
	// Tools returns the signatures of a side's tools by ascending name, none
	// for a side without tools.
	Tools(side string) []Signature
	// Functions returns the names, ascending, of what EnvCall knows beside
	// the tools.
	Functions(side string) []string
	// References says which fields of the databases hold keys of records.
	References() []Reference
}

// UserDataError is an error of the user's database, where others are of the
// agent's.
type UserDataError struct{ Err error }

func (e *UserDataError) Error() string { return e.Err.Error() }

func (e *UserDataError) Unwrap() error { return e.Err }

// Registry maps a domain to its implementation, by Key.
type Registry map[string]Native

// Key is a registry's key: the domain's name alone for τ² semantics, with
// "/" and the semantics behind it for others.
func Key(domain, semantics string) string {
	if semantics == "tau2" {
		return domain
	}
	return domain + "/" + semantics
}

// Sides of an environment.
var sides = [2]string{chat.Assistant, chat.User}
