package lax

import (
	"testing"

	"taste/pyjson"
)

// pet is read as a union: what is asked for hangs on the kind.
func pet(c *Check, v any) {
	o := c.Model(v, "Pet")
	switch c.FieldLiteral(o, "kind", "cat", "dog", "fish") {
	case "dog", "cat":
		c.FieldInt(o, "legs")
	case "fish":
		c.FieldBool(o, "salt")
	}
	c.FieldTexts(o, "names")
	c.Optional(o, "owner", func(v any) {
		if v != nil {
			c.Str(v)
		}
	})
	c.Field(o, "weights", func(v any) {
		for k, e := range c.Dict(v).All() {
			c.In(k, func() {
				c.Literal(k, "now", "then")
				c.Float(e)
			})
		}
	})
	c.Field(o, "notes", func(v any) {
		for k, e := range c.Dict(v).All() {
			c.In(k, func() { c.Date(e) })
		}
	})
}

func shapeOf(t *testing.T, valid func(*Check, any), values ...string) string {
	t.Helper()
	s := &Shape{}
	for _, text := range values {
		v, err := pyjson.Decode([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		c := Trace("T", s)
		valid(c, v)
		if err := c.Err(); err != nil {
			t.Fatal(err)
		}
	}
	return string(pyjson.Append(nil, s.Schema(), pyjson.Style{Tight: true}))
}

func TestShapeOfUnion(t *testing.T) {
	rest := `"names":{"type":"array","items":{"type":"string"}},"owner":{"anyOf":[{"type":"string"},{"type":"null"}]},` +
		`"weights":{"type":"object","properties":{"now":{"type":"number"},"then":{"type":"number"}},"additionalProperties":false},` +
		`"notes":{"type":"object","additionalProperties":{"type":"string"}}}`
	want := `{"anyOf":[` +
		`{"title":"Pet","type":"object","properties":{"kind":{"type":"string","enum":["cat","dog"]},"legs":{"type":"integer"},` + rest +
		`,"required":["kind","legs","names","weights","notes"],"additionalProperties":false},` +
		`{"title":"Pet","type":"object","properties":{"kind":{"type":"string","enum":["fish"]},` + rest[:len(rest)-1] + `,"salt":{"type":"boolean"}}` +
		`,"required":["kind","salt","names","weights","notes"],"additionalProperties":false}]}`
	got := shapeOf(t, pet,
		`{"kind": "cat", "legs": 4, "names": ["a"], "owner": "x", "weights": {"now": 1.5}, "notes": {"first": "2024-05-01"}}`,
		`{"kind": "fish", "salt": true, "names": [], "owner": null, "weights": {}, "notes": {}}`,
		`{"kind": "dog", "legs": 3, "names": [], "weights": {}, "notes": {}}`,
	)
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Forms that no literal tells apart are one; what all ask for is required.
func TestShapeMerged(t *testing.T) {
	valid := func(c *Check, v any) {
		o := c.Model(v, "Thing")
		if c.FieldInt(o, "n").Value() == int64(1) {
			c.FieldStr(o, "one")
		}
	}
	want := `{"title":"Thing","type":"object","properties":{"n":{"type":"integer"},"one":{"type":"string"}},"required":["n"],"additionalProperties":false}`
	if got := shapeOf(t, valid, `{"n": 2}`, `{"n": 1, "one": "x"}`); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// What is not traced costs nothing and says nothing.
func TestNoShape(t *testing.T) {
	if got := string(pyjson.Append(nil, (&Shape{}).Schema(), pyjson.Style{Tight: true})); got != "{}" {
		t.Errorf("got %s", got)
	}
}
