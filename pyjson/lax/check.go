package lax

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"taste/pyjson"
)

// Issue is one thing that does not fit.
type Issue struct {
	Loc   []string // path inside the model
	Type  string   // pydantic's error type, e.g. int_parsing
	Msg   string
	Input any
}

// Check validates one model.
type Check struct {
	title  string
	loc    []string
	issues []Issue
	at     []*Shape // of the value under validation and those around it; nil: nothing is traced
}

// New starts the validation of a model of the given name.
func New(title string) *Check { return &Check{title: title} }

// OK says whether nothing has failed yet.
func (c *Check) OK() bool { return len(c.issues) == 0 }

// Err returns nil or an *Error with all issues.
func (c *Check) Err() error {
	if c.OK() {
		return nil
	}
	return &Error{Title: c.title, Issues: c.issues}
}

func (c *Check) fail(kind, msg string, input any) {
	loc := append([]string(nil), c.loc...)
	c.issues = append(c.issues, Issue{Loc: loc, Type: kind, Msg: msg, Input: input})
}

// In runs f one level down at key.
func (c *Check) In(key string, f func()) {
	c.loc = append(c.loc, key)
	c.enter(key)
	f()
	c.leave()
	c.loc = c.loc[:len(c.loc)-1]
}

// Error is pydantic's ValidationError.
type Error struct {
	Title  string
	Issues []Issue
}

// docs is where pydantic's own texts point to.
const docs = "https://errors.pydantic.dev/2.14/v/"

func (e *Error) Error() string {
	var b strings.Builder
	plural := "s"
	if len(e.Issues) == 1 {
		plural = ""
	}
	fmt.Fprintf(&b, "%d validation error%s for %s", len(e.Issues), plural, e.Title)
	for _, i := range e.Issues {
		b.WriteString("\n" + strings.Join(i.Loc, "."))
		fmt.Fprintf(&b, "\n  %s [type=%s, input_value=%s, input_type=%s]", i.Msg, i.Type,
			shorten(pyjson.Repr(i.Input)), pyjson.TypeName(i.Input))
		b.WriteString("\n    For further information visit " + docs + i.Type)
	}
	return b.String()
}

// shorten keeps the first 25 and the last 24 bytes of a long text, cut at
// character boundaries.
func shorten(s string) string {
	const limit, half = 50, 25
	if len(s) <= limit {
		return s
	}
	start, end := half, len(s)-(half-1)
	for start > 0 && !utf8.RuneStart(s[start]) {
		start--
	}
	for end < len(s) && !utf8.RuneStart(s[end]) {
		end++
	}
	return s[:start] + "..." + s[end:]
}

// Model returns v as the object of a model called name, or nil.
func (c *Check) Model(v any, name string) *pyjson.Object {
	c.model(name)
	o, ok := v.(*pyjson.Object)
	if !ok {
		c.fail("model_type", "Input should be a valid dictionary or instance of "+name, v)
		return nil
	}
	return o
}

// Dict returns v as an object, or nil.
func (c *Check) Dict(v any) *pyjson.Object {
	c.dict()
	o, ok := v.(*pyjson.Object)
	if !ok {
		c.fail("dict_type", "Input should be a valid dictionary", v)
		return nil
	}
	return o
}

// List runs f for each element of the list v, one level down.
func (c *Check) List(v any, f func(e any)) {
	c.list()
	l, ok := v.([]any)
	if !ok {
		c.fail("list_type", "Input should be a valid list", v)
		return
	}
	for i, e := range l {
		c.In(strconv.Itoa(i), func() { f(e) })
	}
}

// Field runs f on the value of a required key, one level down.
func (c *Check) Field(o *pyjson.Object, key string, f func(v any)) {
	if o == nil {
		return
	}
	c.asks(key, true)
	c.In(key, func() {
		v, ok := o.Get(key)
		if !ok {
			c.fail("missing", "Field required", o)
			return
		}
		c.null(v)
		f(v)
	})
}

// Optional runs f on the value of a key, one level down, where it is there.
func (c *Check) Optional(o *pyjson.Object, key string, f func(v any)) {
	c.asks(key, false)
	if v, ok := o.Get(key); ok {
		c.In(key, func() {
			c.null(v)
			f(v)
		})
	}
}

// NoExtra fails on every key that is none of the known ones.
func (c *Check) NoExtra(o *pyjson.Object, known ...string) {
	for k, v := range o.All() {
		found := false
		for _, n := range known {
			found = found || n == k
		}
		if !found {
			c.In(k, func() { c.fail("extra_forbidden", "Extra inputs are not permitted", v) })
		}
	}
}
