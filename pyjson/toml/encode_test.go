package toml

import (
	"testing"

	"pgregory.net/rapid"

	"taste/pyjson"
)

func TestAppend(t *testing.T) {
	o := pyjson.NewObject(
		"plans", []any{
			pyjson.NewObject("id", "P1", "gb", 5.0, "tags", []any{"a", "b"}, "none", nil, "by", pyjson.NewObject("name", "x")),
			pyjson.NewObject("id", "P2"),
		},
		"device", pyjson.NewObject("on", true, "level", int64(80), "empty", pyjson.NewObject()),
		"two words", "a \"quote\"\nand\ta \\",
		"list", []any{},
	)
	want := `"two words" = "a \"quote\"\u000Aand\u0009a \\"
list = []

[device]
on = true
level = 80

[device.empty]

[[plans]]
id = "P1"
gb = 5.0
tags = ["a", "b"]

[plans.by]
name = "x"

[[plans]]
id = "P2"
`
	got, err := Append(nil, o)
	if err != nil || string(got) != want {
		t.Errorf("got %v\n%s", err, got)
	}
	if _, err := Append(nil, pyjson.NewObject("a", []any{nil})); err == nil {
		t.Error("a list with nothing in it is written")
	}
}

// What is written reads back, but for the order in a table.
func TestAppendedReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := drawTable(t, 3)
		data, err := Append(nil, o)
		if err != nil {
			t.Fatal(err)
		}
		back, err := Decode(data)
		if err != nil {
			t.Fatalf("%v:\n%s", err, data)
		}
		if !pyjson.Equal(o, back) {
			t.Fatalf("%s\nreads back as\n%s", pyjson.Dumps(o), pyjson.Dumps(back))
		}
	})
}

func drawTable(t *rapid.T, depth int) *pyjson.Object {
	o := pyjson.NewObject()
	for _, k := range rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z_. ]{1,4}`), 0, 4, rapid.ID).Draw(t, "keys") {
		o.Set(k, drawValue(t, depth))
	}
	return o
}

func drawValue(t *rapid.T, depth int) any {
	kind := rapid.IntRange(0, 5).Draw(t, "kind")
	if depth == 0 {
		kind %= 4
	}
	switch kind {
	case 0:
		return rapid.String().Draw(t, "text")
	case 1:
		return rapid.Int64().Draw(t, "whole")
	case 2:
		return rapid.Float64Range(-1e9, 1e20).Draw(t, "float")
	case 3:
		return rapid.Bool().Draw(t, "bool")
	case 4:
		return drawTable(t, depth-1)
	}
	list := []any{}
	for range rapid.IntRange(0, 3).Draw(t, "length") {
		list = append(list, drawValue(t, depth-1))
	}
	return list
}
