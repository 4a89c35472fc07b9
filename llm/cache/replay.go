package cache

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"taste/internal/hint"
	"taste/llm"
)

// Replay is a model that answers from the store alone. A call that is not kept
// is a Miss: the error says for what it was, and where it differs from the kept
// call that is nearest to it, if any has the same role.
func (s *Store) Replay(name string) llm.Model { return &replay{name, s} }

type replay struct {
	name  string
	store *Store
}

func (m *replay) Name() string { return m.name }

func (m *replay) Call(ctx context.Context, r *llm.Request) (*llm.Response, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	e, err := newEntry(m.name, r)
	if err != nil {
		return nil, err
	}
	m.store.mu.Lock()
	p, ok := m.store.places[e.key]
	m.store.mu.Unlock()
	if ok {
		return m.store.kept(p)
	}
	near, err := m.store.nearest(m.name, r.Label, e)
	if err != nil {
		return nil, err
	}
	return nil, hint.Add(&llm.Error{Class: llm.Miss, Model: m.name, Message: fmt.Sprintf("%s: no such call is kept in %s%s%s", about(r.Label), m.store.journal.path, near, m.store.gone())},
		"replay needs the settings, files and program that the calls were made with; without --replay the call is made")
}

func about(l llm.Label) string { return cmp.Or(l.String(), "a call without a label") }

// gone says which calls of the file are not kept, as what they rest on is gone; "" for none.
func (s *Store) gone() string {
	n := len(s.orphans.at)
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("; lines that others rest on are gone from the file, so that calls do not count that stand in it: %d, the first of %s", n, about(s.orphans.first))
}

// nearest says of the kept call of the same role that differs least in what it
// differs first; "" if there is none of this role.
func (s *Store) nearest(name string, label llm.Label, e *entry) (string, error) {
	asked, err := whole(e.common, e.rest, e.turns)
	if err != nil {
		return "", err
	}
	best, words := math.MaxInt, ""
	_, err = eachLine(io.NewSectionReader(s.journal.file, 0, math.MaxInt64), func(text []byte, at int64) error {
		var l line
		if err := read(text, &l); err != nil || l.Label == nil || l.Label.Role != label.Role || s.orphans.at[at] {
			return err
		}
		found, err := s.differences(&l, name, asked)
		if err != nil {
			return err
		}
		n := 2 * len(found)
		if *l.Label != label {
			n++
		}
		if n < best && len(found) > 0 {
			best, words = n, fmt.Sprintf("; the nearest, of %s, differs in %s", about(*l.Label), found[0])
		}
		return nil
	})
	if err != nil {
		return "", fmt.Errorf("read kept calls %s: %w", s.journal.path, err)
	}
	return words, nil
}

// whole puts the parts of a request together. Where turns is nil they stand in the
// rest.
func whole(common, rest json.RawMessage, turns []json.RawMessage) (map[string]any, error) {
	out := map[string]any{}
	for _, part := range []json.RawMessage{common, rest} {
		if err := unmarshal(part, &out); err != nil {
			return nil, err
		}
	}
	if turns == nil {
		return out, nil
	}
	messages := make([]any, len(turns))
	for i, turn := range turns {
		var err error
		if messages[i], err = decode(turn); err != nil {
			return nil, err
		}
	}
	out["messages"] = messages
	return out, nil
}

// differences lists in what a kept call differs from one that is asked for.
func (s *Store) differences(l *line, name string, asked map[string]any) ([]difference, error) {
	shared, err := readKey(l.Shared)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	p := s.shared[shared]
	s.mu.Unlock()
	common, err := s.line(p)
	if err != nil {
		return nil, err
	}
	turns, err := s.turns(l)
	if err != nil {
		return nil, err
	}
	kept, err := whole(common.Request, l.Request, turns)
	if err != nil {
		return nil, err
	}
	found := differences("", kept, asked, nil)
	if l.Model != name {
		found = slices.Insert(found, 0, difference{"the model", l.Model, name})
	}
	return found, nil
}

// difference is a field in which a kept call and one asked for are not alike.
type difference struct {
	path        string
	kept, asked any // nil: absent
}

func (d difference) String() string {
	a, aText := d.kept.(string)
	b, bText := d.asked.(string)
	if aText && bText {
		from := alike(a, b)
		a, b = strconv.Quote(excerpt(a, from)), strconv.Quote(excerpt(b, from))
	} else {
		a, b = spell(d.kept), spell(d.asked)
	}
	return fmt.Sprintf("%s: kept %s, asked %s", d.path, a, b)
}

// differences lists the fields that differ, in order.
func differences(path string, kept, asked any, found []difference) []difference {
	switch k := kept.(type) {
	case map[string]any:
		if a, ok := asked.(map[string]any); ok {
			return objects(path, k, a, found)
		}
	case []any:
		if a, ok := asked.([]any); ok {
			for i := range max(len(k), len(a)) {
				found = differences(path+"["+strconv.Itoa(i)+"]", at(k, i), at(a, i), found)
			}
			return found
		}
	default:
		if kept == asked {
			return found
		}
	}
	return append(found, difference{path, kept, asked})
}

func objects(path string, kept, asked map[string]any, found []difference) []difference {
	var names []string
	for _, m := range []map[string]any{kept, asked} {
		for name := range m {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		inner := strings.TrimPrefix(path+"."+name, ".")
		found = differences(inner, kept[name], asked[name], found)
	}
	return found
}

func at(list []any, i int) any {
	if i < len(list) {
		return list[i]
	}
	return nil
}

// alike is how many bytes two texts have in common at their start.
func alike(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// excerpt is what stands about a place of a text.
func excerpt(s string, at int) string {
	const before, after = 20, 40
	from, to := max(at-before, 0), min(at+after, len(s))
	text := strings.ToValidUTF8(s[from:to], "")
	if from > 0 {
		text = "…" + text
	}
	if to < len(s) {
		text += "…"
	}
	return text
}

func spell(v any) string {
	if v == nil {
		return "nothing"
	}
	text, err := compact(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return excerpt(string(text), 0)
}
