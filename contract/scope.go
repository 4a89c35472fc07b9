package contract

import (
	"errors"
	"fmt"
	"maps"
	"reflect"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/interpreter"
)

// MissingRead is the error of an expression that needs a record nobody has
// read yet. Making the call and evaluating again is how an agent finds out
// which reads a wish needs.
type MissingRead struct {
	Tool string
	Args map[string]any
}

func (e *MissingRead) Error() string { return fmt.Sprintf("%s(%v) has not been read", e.Tool, e.Args) }

// MissingSlot is the error of an expression that needs something only the
// customer can say.
type MissingSlot struct{ Slot string }

func (e *MissingSlot) Error() string { return fmt.Sprintf("the customer has not said %s", e.Slot) }

// Reader answers reads. Read returns the value that the tool reveals, as CEL
// value, *MissingRead if it is not known, or another error if the tool fails.
// ToVal turns decoded JSON into such a value. Implementations may be used by
// one goroutine at a time.
type Reader interface {
	Read(tool string, args map[string]any) (ref.Val, error)
}

// Call is an earlier write of the conversation, for rules such as "only after
// the booking was changed".
type Call struct {
	Name   string
	Args   map[string]any
	Before any // the record that the call is about as it was read before; nil: unknown
	// Ask is what the customer said of the wish behind the call; nil: unknown.
	Ask map[string]any
}

// Scope is what an expression is evaluated in. Fields that are nil make the
// names they stand for missing: Ask gives MissingSlot, the rest plain errors.
// A Scope is used by one goroutine at a time.
type Scope struct {
	Contract *Contract
	Reader   Reader
	Wish     *Wish          // whose Let names are visible
	Ask      map[string]any // slots as the customer said them
	Args     map[string]any // arguments of the call under judgement
	Said     map[string]any // what the customer said of herself, by slot
	Customer string         // the customer's key; "": as Identify finds it
	Device   string         // the key of her device's record; "": as the contract finds it
	Calls    []Call         // earlier writes
	Mine     []string       // keys of the customer's records that the task speaks of
	Extra    map[string]any // further names: old, me, item, learnt, served, later
	// Undecided says that optional slots are still to be decided: an absent one
	// is missing, not null.
	Undecided bool
	Table     func(name string) (ref.Val, error) // rows of a database table, or a sample of them
	Overlook  map[string]*Expr                   // what functions of the contract are to somebody careless, by name

	// Steady says that Customer, Device, Calls, Mine and the answers of Reader stay what
	// they are until Forget: functions of nothing else are worked out once.
	Steady bool

	params []binding // parameters of the functions being called, innermost last
	lets   map[string]ref.Val
	steady map[*body]ref.Val // values of steady functions
	calls  ref.Val           // Calls as a value, if Steady
}

type binding struct {
	names []string
	vals  []ref.Val
}

// Forget drops what was computed from slots or reads, after either changed.
func (s *Scope) Forget() { s.lets, s.steady, s.calls = nil, nil, nil }

// Known returns what was computed so far. It stays valid while slots are only
// added, for nothing is computed from a slot that is missing.
func (s *Scope) Known() map[string]ref.Val { return maps.Clone(s.lets) }

// Return goes back to what Known returned, after slots were taken back.
func (s *Scope) Return(known map[string]ref.Val) { s.lets = maps.Clone(known) }

// Eval evaluates e to plain Go values: string, int64, float64, bool, nil,
// []any, map[string]any.
func (s *Scope) Eval(e *Expr) (any, error) {
	v, err := s.eval(e)
	if err != nil {
		return nil, err
	}
	return native(v)
}

// Holds evaluates a condition. One that the contract leaves out holds.
func (s *Scope) Holds(e *Expr) (bool, error) {
	if e == nil {
		return true, nil
	}
	v, err := s.eval(e)
	if err != nil {
		return false, err
	}
	b, ok := v.(types.Bool)
	if !ok {
		return false, fmt.Errorf("evaluate %q: want true or false, got %v", e.Text, v.Type())
	}
	return bool(b), nil
}

func (s *Scope) eval(e *Expr) (ref.Val, error) {
	v, _, err := e.prog.Eval(s)
	if err != nil {
		return nil, cause(err)
	}
	return v, nil
}

// cause digs our own errors out of CEL's.
func cause(err error) error {
	var mr *MissingRead
	var ms *MissingSlot
	if errors.As(err, &mr) {
		return mr
	}
	if errors.As(err, &ms) {
		return ms
	}
	return err
}

// Parent makes a Scope an interpreter.Activation.
func (s *Scope) Parent() interpreter.Activation { return nil }

// ResolveName finds the value of a name of the language.
func (s *Scope) ResolveName(name string) (any, bool) {
	if name == scopeName {
		return s, true
	}
	if len(s.params) > 0 {
		p := s.params[len(s.params)-1]
		for i, n := range p.names {
			if n == name {
				return p.vals[i], true
			}
		}
	}
	if v, ok := s.Extra[name]; ok {
		return toVal(v), true
	}
	return s.resolveOuter(name)
}

func (s *Scope) resolveOuter(name string) (any, bool) {
	switch name {
	case "now":
		return s.Contract.Now, true
	case "tables":
		return s.Contract.tables, true
	case "customer":
		return s.who(), true
	case "device":
		return s.which(), true
	case "args":
		return toVal(s.Args), s.Args != nil
	case "calls":
		return s.callList(), true
	case "mine":
		return toVal(s.Mine), true
	case "later":
		return toVal([]any{}), true // unless Extra has it
	}
	if len(name) > 4 && name[:4] == "ask." {
		return s.slot(name[4:]), true
	}
	if len(name) > 5 && name[:5] == "said." {
		return s.fact(name[5:]), true
	}
	if len(name) > 5 && name[:5] == "args." {
		v, ok := s.Args[name[5:]]
		return toVal(v), ok
	}
	return s.let(name)
}

func (s *Scope) slot(name string) any {
	if v, ok := s.Ask[name]; ok {
		return toVal(v)
	}
	if s.Wish != nil {
		for _, sl := range s.Wish.Slots {
			if sl.Name == name && sl.Optional && !s.Undecided {
				return types.NullValue
			}
		}
	}
	return types.WrapErr(&MissingSlot{Slot: name})
}

// fact is what the customer said of herself.
func (s *Scope) fact(slot string) any {
	if v, ok := s.Said[slot]; ok {
		return toVal(v)
	}
	return types.WrapErr(&MissingSlot{Slot: slot})
}

// who is the customer's key, else why it is not known.
func (s *Scope) who() any {
	if s.Customer != "" {
		return s.Customer
	}
	params := s.params
	s.params = nil
	key, err := s.Identify()
	s.params = params
	if err != nil {
		return types.WrapErr(err)
	}
	return key
}

// FindDevice works out the key of the record of the customer's device from what
// was said. The error may be a MissingSlot or a MissingRead.
func (s *Scope) FindDevice() (string, error) {
	v := s.which()
	if err, ok := v.(*types.Err); ok {
		return "", cause(err)
	}
	key, err := native(toVal(v))
	if err != nil {
		return "", cause(err)
	}
	text, ok := key.(string)
	if !ok || text == "" {
		return "", fmt.Errorf("no device is found but %v", key)
	}
	return text, nil
}

// which is the key of the device's record, else why it is not known.
func (s *Scope) which() any {
	if s.Device != "" {
		return s.Device
	}
	if s.Contract.Device.Finds == nil {
		return types.NewErr("the contract knows no device")
	}
	params := s.params
	s.params = nil
	v, err := s.eval(s.Contract.Device.Finds)
	s.params = params
	if err != nil {
		return types.WrapErr(err)
	}
	return v
}

// let evaluates a named expression of the wish once and keeps its value.
func (s *Scope) let(name string) (any, bool) {
	if v, ok := s.lets[name]; ok {
		return v, true
	}
	if s.Wish == nil || s.Wish.let[name] == nil {
		return nil, false
	}
	params := s.params
	s.params = nil
	v, err := s.eval(s.Wish.let[name])
	s.params = params
	if err != nil {
		return types.WrapErr(err), true
	}
	if s.lets == nil {
		s.lets = map[string]ref.Val{}
	}
	s.lets[name] = v
	return v, true
}

func (s *Scope) callList() ref.Val {
	if s.calls != nil {
		return s.calls
	}
	list := make([]any, len(s.Calls))
	for i, c := range s.Calls {
		entry := map[string]any{"name": c.Name, "args": c.Args}
		if c.Before != nil {
			entry["before"] = c.Before
		}
		if c.Ask != nil {
			entry["ask"] = c.Ask
		}
		list[i] = entry
	}
	v := toVal(list)
	if s.Steady {
		s.calls = v
	}
	return v
}

// read makes the read of a contract function call.
func (s *Scope) read(r Read, vals []ref.Val) ref.Val {
	if s.Reader == nil {
		return types.NewErr("%s: nothing can be read here", r.Tool)
	}
	args := make(map[string]any, len(vals))
	for i, v := range vals {
		n, err := native(v)
		if err != nil {
			return types.WrapErr(err)
		}
		args[r.Args[i]] = n
	}
	v, err := s.Reader.Read(r.Tool, args)
	if err != nil {
		return types.WrapErr(err)
	}
	return v
}

// call evaluates a contract function on its arguments.
func (s *Scope) call(b *body, vals []ref.Val) ref.Val {
	once := s.Steady && b.steady && s.Overlook == nil
	if v, ok := s.steady[b]; ok && once {
		return v
	}
	s.params = append(s.params, binding{names: b.params, vals: vals})
	is := &b.expr
	if e := s.Overlook[b.name]; e != nil {
		is = e
	}
	v, err := s.eval(is)
	s.params = s.params[:len(s.params)-1]
	if err != nil {
		return types.WrapErr(err)
	}
	if once {
		if s.steady == nil {
			s.steady = map[*body]ref.Val{}
		}
		s.steady[b] = v
	}
	return v
}

// A Scope passes through CEL as the hidden first argument of functions.

// ConvertToNative implements ref.Val.
func (s *Scope) ConvertToNative(reflect.Type) (any, error) { return s, nil }

// ConvertToType implements ref.Val.
func (s *Scope) ConvertToType(ref.Type) ref.Val { return types.NewErr("a scope has no conversion") }

// Equal implements ref.Val.
func (s *Scope) Equal(o ref.Val) ref.Val { return types.Bool(o == ref.Val(s)) }

// Type implements ref.Val.
func (s *Scope) Type() ref.Type { return cel.ObjectType("taste.Scope") }

// Value implements ref.Val.
func (s *Scope) Value() any { return s }
