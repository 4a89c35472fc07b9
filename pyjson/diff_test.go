package pyjson

import (
	"slices"
	"testing"
)

func TestDiff(t *testing.T) {
	value := func(text string) any {
		v, err := Decode([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	a := value(`{"n": 1, "l": [1, {"x": "a"}, 3], "o": {"gone": null}, "same": [true]}`)
	b := value(`{"l": [1, {"x": "b"}], "n": 1.0, "o": {"new": "é"}, "same": [true]}`)
	want := []string{"n: 1 → 1.0", "l[1].x: 'a' → 'b'", "l[2]: 3 → absent", "o.gone: None → absent", "o.new: absent → 'é'"}
	if got := Diff("", a, b, Same); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if got := Diff("at", a, b, Equal); len(got) != 4 || got[0] != "at.l[1].x: 'a' → 'b'" {
		t.Errorf("with numbers by value: %q", got)
	}
	if got := Diff("r", a, Absent{}, Same); len(got) != 1 || got[0] != "r: "+Repr(a)+" → absent" {
		t.Errorf("one side: %q", got)
	}
	if got := Diff("r", Absent{}, Absent{}, Same); len(got) != 0 {
		t.Errorf("neither side: %q", got)
	}
}
