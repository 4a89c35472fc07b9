package rules

import (
	"encoding/json"
	"fmt"
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
	b, err := json.Marshal(r.args) // keys are sorted
	if err != nil {
		return r.tool + fmt.Sprint(r.args)
	}
	return r.tool + string(b)
}

// envReader answers reads from an environment and remembers which were made.
// Answers are kept until Changed is called.
type envReader struct {
	env   *env.Environment
	cache map[string]ref.Val
	trace []read
}

func newEnvReader(e *env.Environment) *envReader {
	return &envReader{env: e, cache: map[string]ref.Val{}}
}

// Read implements contract.Reader.
func (r *envReader) Read(tool string, args map[string]any) (ref.Val, error) {
	call := read{tool, args}
	key := call.key()
	v, ok := r.cache[key]
	if !ok {
		plain, err := r.env.Read(tool, args)
		if err != nil {
			return nil, err
		}
		v = contract.ToVal(plain)
		r.cache[key] = v
	}
	r.trace = append(r.trace, call)
	return v, nil
}

// changed forgets all answers after a write.
func (r *envReader) changed() { clear(r.cache) }

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

// tables offers whole database tables to contract expressions; rows are in key
// order, converted once and shared.
type tables struct {
	env  *env.Environment
	mu   sync.Mutex
	rows map[string]ref.Val
}

func (t *tables) table(name string) (ref.Val, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if v, ok := t.rows[name]; ok {
		return v, nil
	}
	var rows []any
	for _, r := range t.env.Records(name) {
		rows = append(rows, r)
	}
	if rows == nil {
		return nil, fmt.Errorf("read table %s: the database has no such table", name)
	}
	if t.rows == nil {
		t.rows = map[string]ref.Val{}
	}
	t.rows[name] = contract.ToVal(rows)
	return t.rows[name], nil
}
