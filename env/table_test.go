package env

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"taste/pyjson"
)

type item struct{ n int64 }

var itemType = RecordType[item]{
	Clone: func(i *item) *item { c := *i; return &c },
	Equal: func(a, b *item) bool { return a.n == b.n },
	JSON:  func(i *item) *pyjson.Object { return pyjson.NewObject("n", i.n) },
}

// model is a table without any sharing.
type model struct {
	keys []string
	vals map[string]int64
}

func (m *model) fork() *model {
	c := &model{keys: slices.Clone(m.keys), vals: map[string]int64{}}
	for k, v := range m.vals {
		c.vals[k] = v
	}
	return c
}

func (m *model) set(k string, n int64) {
	if _, ok := m.vals[k]; !ok {
		m.keys = append(m.keys, k)
	}
	m.vals[k] = n
}

func (m *model) json() *pyjson.Object {
	o := pyjson.NewObject()
	for _, k := range m.keys {
		o.Set(k, pyjson.NewObject("n", m.vals[k]))
	}
	return o
}

type twin struct {
	table Table[item]
	model *model
}

// TestTableAgainstCopies forks, changes and adds at random and compares every
// fork with a plain copy after each step.
func TestTableAgainstCopies(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 15 {
		m := &model{vals: map[string]int64{}}
		recs := map[string]*item{}
		for i := range 6 {
			k := fmt.Sprint("k", (i*5)%7)
			m.set(k, int64(i))
			recs[k] = &item{int64(i)}
		}
		forks := []*twin{{NewTable(&itemType, slices.Clone(m.keys), recs), m}}
		for range 60 {
			w := forks[r.IntN(len(forks))]
			k := fmt.Sprint("k", r.IntN(10))
			switch r.IntN(3) {
			case 0:
				forks = append(forks, &twin{w.table.Fork(), w.model.fork()})
			case 1:
				w.table.Set(k, &item{r.Int64N(3)})
				w.model.set(k, w.table.Get(k).n)
			default:
				if rec := w.table.Mut(k); rec != nil {
					rec.n = r.Int64N(3)
					w.model.vals[k] = rec.n
				} else if _, ok := w.model.vals[k]; ok {
					t.Fatalf("Mut(%s) finds nothing", k)
				}
			}
			checkForks(t, forks)
		}
	}
}

func checkForks(t *testing.T, forks []*twin) {
	t.Helper()
	first := forks[0]
	for _, w := range forks {
		var got bytes.Buffer
		w.table.WriteHashForm(&got)
		if want := pyjson.Append(nil, w.model.json(), pyjson.Hash); got.String() != string(want) {
			t.Fatalf("hash form %s, want %s", got.String(), want)
		}
		if !slices.Equal(w.table.Keys(), w.model.keys) || w.table.Len() != len(w.model.keys) {
			t.Fatalf("keys %v, want %v", w.table.Keys(), w.model.keys)
		}
		equal := pyjson.Same(w.model.json(), first.model.json())
		if w.table.Equal(&first.table) != equal || first.table.Equal(&w.table) != equal {
			t.Fatalf("Equal is not %v for %v and %v", equal, w.model, first.model)
		}
		for _, k := range w.model.keys {
			if a, b := w.model.vals[k], first.model.vals[k]; a != b && !slices.Contains(w.table.Touched(&first.table), k) {
				t.Fatalf("%s differs but is not touched", k)
			}
			if w.table.Plain(k)["n"] != w.model.vals[k] {
				t.Fatalf("record %s is %v", k, w.table.Plain(k))
			}
		}
	}
}

func TestEmptyTable(t *testing.T) {
	table := NewTable(&itemType, nil, nil)
	var out bytes.Buffer
	table.WriteHashForm(&out)
	if out.String() != "{}" || table.Get("x") != nil || table.Plain("x") != nil || table.Record("x") != nil {
		t.Errorf("empty table: %s", out.String())
	}
}
