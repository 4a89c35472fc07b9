package env

import (
	"io"
	"maps"
	"slices"

	"taste/pyjson"
)

// WriteHashForm writes the table as JSON with sorted keys, as the hash takes
// it. The base is spelt once. Errors of w are ignored: it is a hash.
func (t *Table[T]) WriteHashForm(w io.Writer) {
	b := t.base
	b.hashOnce.Do(func() { b.spell(t.kind) })
	out := memberWriter{w: w, sep: "{"}
	next := 0
	for _, k := range slices.Sorted(maps.Keys(t.over)) {
		at, found := slices.BinarySearch(b.sorted, k)
		out.write(b.members(next, at))
		out.write(appendMember(nil, k, t.kind.JSON(t.over[k].rec)))
		if next = at; found {
			next++
		}
	}
	out.write(b.members(next, len(b.sorted)))
	out.end()
}

// memberWriter writes members of a JSON object with what goes between them.
type memberWriter struct {
	w   io.Writer
	sep string
}

func (m *memberWriter) write(member []byte) {
	if len(member) == 0 {
		return
	}
	io.WriteString(m.w, m.sep)
	m.w.Write(member)
	m.sep = ", "
}

func (m *memberWriter) end() {
	if m.sep == "{" {
		io.WriteString(m.w, "{")
	}
	io.WriteString(m.w, "}")
}

func (b *base[T]) spell(kind *RecordType[T]) {
	b.sorted = slices.Sorted(slices.Values(b.keys))
	for _, k := range b.sorted {
		b.starts = append(b.starts, len(b.text))
		b.text = append(appendMember(b.text, k, kind.JSON(b.recs[k])), ", "...)
	}
	b.starts = append(b.starts, len(b.text))
	b.text = slices.Clip(b.text)
}

// members returns members i to j (exclusive) with ", " between them.
func (b *base[T]) members(i, j int) []byte {
	if i >= j {
		return nil
	}
	return b.text[b.starts[i] : b.starts[j]-len(", ")]
}

func appendMember(dst []byte, key string, o *pyjson.Object) []byte {
	dst = append(pyjson.AppendString(dst, key, true), ": "...)
	return pyjson.Append(dst, o, pyjson.Hash)
}
