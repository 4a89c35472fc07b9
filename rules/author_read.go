package rules

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"

	"cel.dev/cel-go/common/types/ref"

	"taste/contract"
	"taste/env"
)

// read is one read call with its arguments.
type read struct {
	tool string
	args map[string]any
}

// key identifies a call by tool and arguments.
func (r read) key() string {
	names := make([]string, 0, 4)
	for n := range r.args {
		names = append(names, n)
	}
	slices.Sort(names)
	b := append(make([]byte, 0, 64), r.tool...)
	for _, n := range names {
		b = append(b, 0)
		if v, ok := r.args[n].(string); ok {
			b = append(b, v...)
		} else {
			b = fmt.Append(b, r.args[n])
		}
	}
	return string(b)
}

// envReader answers reads from an environment and remembers which were made.
type envReader struct {
	env   *env.Environment
	cache map[string]ref.Val
	trace []read
	// base holds answers of the domain's initial state, shared between readers;
	// it is asked for the tools of stable alone.
	base   *sync.Map
	stable map[string]bool
}

func newEnvReader(e *env.Environment) *envReader {
	return &envReader{env: e, cache: map[string]ref.Val{}}
}

// reader makes a reader of an environment. Reads over tables that are as in the
// initial state share their answers with all other readers.
func (a *Author) reader(e *env.Environment) *envReader {
	r := newEnvReader(e)
	r.base, r.stable = &a.base, map[string]bool{}
	for _, rd := range a.contract.Reads {
		r.stable[rd.Tool] = !a.contract.OfUser(rd.Tool)
	}
	for _, rd := range a.contract.Reads {
		if slices.ContainsFunc(rd.Over, func(t string) bool { return !e.Untouched(t) }) {
			r.stable[rd.Tool] = false
		}
	}
	return r
}

// Read implements contract.Reader.
func (r *envReader) Read(tool string, args map[string]any) (ref.Val, error) {
	call := read{tool, args}
	key := call.key()
	v, ok := r.known(tool, key)
	if !ok {
		plain, err := r.env.Read(tool, args)
		if err != nil {
			return nil, err
		}
		v = contract.ToVal(plain)
		r.cache[key] = v
		if r.stable[tool] {
			r.base.Store(key, v)
		}
	}
	r.trace = append(r.trace, call)
	return v, nil
}

func (r *envReader) known(tool, key string) (ref.Val, bool) {
	if v, ok := r.cache[key]; ok {
		return v, true
	}
	if r.stable[tool] {
		if v, ok := r.base.Load(key); ok {
			return v.(ref.Val), true
		}
	}
	return nil, false
}

// traced runs f and returns the distinct reads that it made, in order.
func (r *envReader) traced(f func() error) ([]read, error) {
	r.trace = r.trace[:0]
	err := f()
	seen := map[string]bool{}
	var out []read
	for _, c := range r.trace {
		if k := c.key(); !seen[k] {
			seen[k] = true
			out = append(out, c)
		}
	}
	return out, err
}

// sampleRows is how many rows of a table a task's author sees at a time.
const sampleRows = 12

// sampler offers database tables to contract expressions: of each a few rows,
// drawn once, so that expressions over them stay cheap.
type sampler struct {
	env  *env.Environment
	draw *rand.Rand
	rows map[string]ref.Val
}

func (t *sampler) table(name string) (ref.Val, error) {
	if v, ok := t.rows[name]; ok {
		return v, nil
	}
	keys := t.env.Keys(name)
	if len(keys) == 0 {
		return nil, fmt.Errorf("read table %s: the database has no such table", name)
	}
	var rows []any
	for range sampleRows {
		rows = append(rows, t.env.Record(name, keys[t.draw.IntN(len(keys))]))
	}
	if t.rows == nil {
		t.rows = map[string]ref.Val{}
	}
	t.rows[name] = contract.ToVal(rows)
	return t.rows[name], nil
}
