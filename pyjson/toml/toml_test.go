package toml

import (
	"strings"
	"testing"

	"taste/pyjson"
)

func TestDecode(t *testing.T) {
	const text = `
title = "a \"b\""
n = 1_000
hex = 0x1F
x = 5.0
big = -1e3
yes = true
day = 2025-01-02
time = 2025-01-02T03:04:05
list = [1, 2.0, ["a"], {k = 1, b.c = 2}]
z.y.x = 1
z.y.a = 2

[[people]]
name = "Ann"
age = 5

[people.home]
town = "A"

[[people.pets]]
kind = "cat"

[[people.pets]]
kind = "dog"

[[people]]
age = 6
name = "Bob"

[a.b]
c = 1

[a]
d = 2
`
	const want = `{"title": "a \"b\"", "n": 1000, "hex": 31, "x": 5.0, "big": -1000.0, "yes": true, "day": "2025-01-02", "time": "2025-01-02T03:04:05", ` +
		`"list": [1, 2.0, ["a"], {"k": 1, "b": {"c": 2}}], "z": {"y": {"x": 1, "a": 2}}, ` +
		`"people": [{"name": "Ann", "age": 5, "home": {"town": "A"}, "pets": [{"kind": "cat"}, {"kind": "dog"}]}, {"age": 6, "name": "Bob"}], ` +
		`"a": {"b": {"c": 1}, "d": 2}}`
	v, err := Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if got := pyjson.Dumps(v); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		"a = 1\nb = ":              "line 2 column",
		"a = 1\na = 2":             "line 2 column",
		"[t]\n[t]":                 "line 2 column",
		"a = [1, 2":                "line 1 column",
		"a = 1\n[[a]]\nb = 1":      "line 2 column",
		"a = 99999999999999999999": "line 1 column",
	} {
		if _, err := Decode([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
