package eval

import (
	"testing"

	"taste/pyjson"
)

func TestAlike(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{`25`, `25.0`, true},
		{`0.0`, `-0.0`, true},
		{`0`, `-0.0`, true},
		{`0.6`, `0.6000000000000001`, true},
		{`1234567.91`, `1234567.9100000001`, true},
		{`0.1`, `0.10000001`, false},
		{`0.0`, `5.551115123125783e-17`, true},
		{`0`, `1e-6`, false},
		{`9007199254740993`, `9007199254740992`, false},
		{`100000000000000000000`, `100000000000000000001`, false},
		{`100000000000000000000`, `1e20`, true},
		{`1`, `true`, false},
		{`0`, `false`, false},
		{`true`, `true`, true},
		{`true`, `false`, false},
		{`NaN`, `NaN`, true},
		{`Infinity`, `Infinity`, true},
		{`Infinity`, `-Infinity`, false},
		{`1`, `"1"`, false},
		{`null`, `0`, false},
		{`"a"`, `"a"`, true},
		{`[1, {"x": 2, "y": 3.0}]`, `[1.0, {"y": 3, "x": 2}]`, true},
		{`[1, 2]`, `[2, 1]`, false},
		{`[1]`, `[1, 1]`, false},
		{`{"a": 1}`, `{"b": 1}`, false},
		{`{"a": 1}`, `[1]`, false},
		{`[]`, `{}`, false},
	} {
		a, err1 := pyjson.Decode([]byte(c.a))
		b, err2 := pyjson.Decode([]byte(c.b))
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		if alike(a, b) != c.want || alike(b, a) != c.want {
			t.Errorf("%s and %s: %v, %v, want %v", c.a, c.b, alike(a, b), alike(b, a), c.want)
		}
	}
}
