package chat

import (
	"taste/pyjson"
)

// Requestors of a tool call: who owns the tool and makes the call.
const (
	Assistant = "assistant"
	User      = "user"
)

// ToolCall is one call of a tool. Arguments hold the value kinds of package
// pyjson with objects as map[string]any; numbers keep their kind: int64 (or
// *big.Int) for 100, float64 for 100.0. Go's own int, []string and the like
// are fine in calls made by a program.
type ToolCall struct {
	ID        string
	Name      string
	Arguments map[string]any
	Requestor string // Assistant or User; "" counts as Assistant

	args *pyjson.Object // as read, for the order of the keys
	raw  *pyjson.Object
}

// Args returns the arguments as an ordered object: in the order they were read
// in if they are unchanged, else sorted by name.
func (c *ToolCall) Args() *pyjson.Object { return pyjson.Ordered(c.args, c.Arguments) }

// Owner returns the requestor with the default filled in.
func (c *ToolCall) Owner() string {
	if c.Requestor == "" {
		return Assistant
	}
	return c.Requestor
}

// ReadToolCall reads a call from its JSON value standing at path.
func ReadToolCall(v any, path string) (ToolCall, error) {
	r := NewReader(v, path)
	c := ToolCall{raw: r.Obj}
	c.ID = r.StringOr("id", "")
	c.Name = r.String("name")
	c.args = r.NeedObject("arguments")
	c.Requestor = readRequestor(r, "requestor")
	c.Arguments = pyjson.PlainMap(c.args)
	return c, r.Err()
}

func readRequestor(r *Reader, key string) string {
	s := r.StringOr(key, Assistant)
	if s != Assistant && s != User {
		r.Fail(key, "want assistant or user, got "+pyjson.Repr(s))
	}
	return s
}

// JSON returns the call's JSON object.
func (c *ToolCall) JSON() *pyjson.Object {
	w := NewWriter(c.raw)
	w.PutUnless(c.ID == "", true, "id", c.ID)
	w.Put("name", c.Name)
	w.Put("arguments", c.Args())
	w.PutUnless(c.Owner() == Assistant, true, "requestor", c.Owner())
	return w.Object()
}

// MarshalJSON writes the wire form.
func (c ToolCall) MarshalJSON() ([]byte, error) { return c.JSON().MarshalJSON() }

// UnmarshalJSON reads the wire form.
func (c *ToolCall) UnmarshalJSON(data []byte) error {
	return unmarshal(data, c, ReadToolCall)
}

func unmarshal[T any](data []byte, into *T, read func(v any, path string) (T, error)) error {
	v, err := pyjson.Decode(data)
	if err != nil {
		return err
	}
	t, err := read(v, "")
	if err != nil {
		return err
	}
	*into = t
	return nil
}
