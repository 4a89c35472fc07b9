package lax

import (
	"math"
	"strings"
	"testing"

	"taste/pyjson"
)

// The tables below were taken from pydantic 2.14 itself; "" is a failure.

func TestIntFromText(t *testing.T) {
	for in, want := range map[string]string{
		" 3 ": "3", "+3": "3", "-3": "-3", "3.0": "3", "3.": "", "3.00": "3", "1_000": "1000", "_1": "", "1_": "",
		"1__0": "", "0x10": "", "１": "", "": "", "-0": "0", "- 3": "", "+-3": "", "1e3": "", ".0": "", "0003": "3",
		"3\u00a0": "3", "\n3": "3", "3.0_0": "", "1_0.0": "10", "3.10": "", "-0.0": "0", "+_3": "", "0_0": "0",
		"00_1": "1", "3\x00": "", " 1_2 ": "12", "3\x1c": "", "3\x0b": "3", "3\x85": "", "3\u0085": "3", "3\u200b": "",
		"-00012": "-12", "-": "", "0.000": "0", "1.0.0": "", "1_.0": "", "9223372036854775808.0": "9223372036854775808",
		strings.Repeat("9", 4300): strings.Repeat("9", 4300), strings.Repeat("9", 4301): "",
	} {
		c := New("M")
		i := c.Int(in)
		got := ""
		if c.OK() {
			got = pyjson.Repr(i.Value())
		}
		if got != want {
			t.Errorf("Int(%.20q) = %.20s, want %.20s", in, got, want)
		}
	}
}

func TestFloatFromText(t *testing.T) {
	for in, want := range map[string]string{
		"3.": "3.0", ".5": "0.5", "5": "5.0", "+_3": "3.0", "1._0": "1.0", "1_.0": "1.0", " 1_2 ": "", "_1.5": "",
		"1.5_": "", "1__0": "", "inf": "inf", "+inf": "inf", "-Infinity": "-inf", "nan": "nan", "-nan": "nan", "iNf": "inf",
		"1e400": "inf", "1E5": "100000.0", "1e1_0": "10000000000.0", "1e": "", "e5": "", "0x1p3": "", ".": "", "-.": "",
		"1,5": "", "  2.5\t": "2.5", "2.5\u3000": "2.5", "2.5\x1c": "", "-0": "-0.0", "1e-400": "0.0", "٣": "", "+-1": "", "--1": "", "1d": "",
	} {
		c := New("M")
		f := c.Float(in)
		got := ""
		if c.OK() {
			got = pyjson.Repr(f)
		}
		if got != want {
			t.Errorf("Float(%q) = %s, want %s", in, got, want)
		}
	}
}

func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		v       any
		integer string
		float   string
	}{
		{true, "1", "1.0"},
		{1.0, "1", "1.0"},
		{1.5, "int_from_float", "1.5"},
		{1e20, "int_parsing_size", "1e+20"},
		{9.2e18, "9200000000000000000", "9.2e+18"},
		{math.Inf(1), "finite_number", "inf"},
		{math.NaN(), "finite_number", "nan"},
		{pyjson.ParseInt("1" + strings.Repeat("0", 30)), "1" + strings.Repeat("0", 30), "1e+30"},
		{pyjson.ParseInt("1" + strings.Repeat("0", 400)), "1" + strings.Repeat("0", 400), "float_type"},
		{nil, "int_type", "float_type"},
		{[]any{}, "int_type", "float_type"},
		{"x\xed\xa0\xbd", "string_unicode", "string_unicode"},
	} {
		ci, cf := New("M"), New("M")
		i, f := ci.Int(c.v), cf.Float(c.v)
		if got := outcome(ci, i.Value()); got != c.integer {
			t.Errorf("Int(%.20s) = %.20s, want %.20s", pyjson.Repr(c.v), got, c.integer)
		}
		if got := outcome(cf, f); got != c.float {
			t.Errorf("Float(%.20s) = %s, want %s", pyjson.Repr(c.v), got, c.float)
		}
	}
}

func outcome(c *Check, v any) string {
	if !c.OK() {
		return c.issues[0].Type
	}
	return pyjson.Repr(v)
}

// TestErrorText's text is pydantic 2.14's own.
func TestErrorText(t *testing.T) {
	c := New("Thing")
	o := pyjson.NewObject("kind", "ROUND_TRIP", "items", []any{pyjson.NewObject("n", "a text that is too long to be shown whole, by far")})
	c.FieldLiteral(o, "kind", "one", "two", "three")
	c.FieldStr(o, "name")
	c.Field(o, "items", func(v any) {
		c.List(v, func(e any) { c.FieldInt(c.Model(e, "Item"), "n") })
	})
	want := `3 validation errors for Thing
kind
  Input should be 'one', 'two' or 'three' [type=literal_error, input_value='ROUND_TRIP', input_type=str]
    For further information visit https://errors.pydantic.dev/2.14/v/literal_error
name
  Field required [type=missing, input_value={'kind': 'ROUND_TRIP', 'i... shown whole, by far'}]}, input_type=dict]
    For further information visit https://errors.pydantic.dev/2.14/v/missing
items.0.n
  Input should be a valid integer, unable to parse string as an integer [type=int_parsing, input_value='a text that is too long ... be shown whole, by far', input_type=str]
    For further information visit https://errors.pydantic.dev/2.14/v/int_parsing`
	if got := c.Err().Error(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
