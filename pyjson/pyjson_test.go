package pyjson

import (
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestRepr(t *testing.T) {
	huge, _ := new(big.Int).SetString("123456789012345678901234567890", 10)
	for _, c := range []struct {
		v    any
		want string
	}{
		{nil, "None"},
		{true, "True"},
		{int64(-7), "-7"},
		{huge, "123456789012345678901234567890"},
		{1.0, "1.0"},
		{0.30000000000000004, "0.30000000000000004"},
		{1e16, "1e+16"},
		{9999999999999998.0, "9999999999999998.0"},
		{1e-4, "0.0001"},
		{1e-5, "1e-05"},
		{math.Copysign(0, -1), "-0.0"},
		{math.NaN(), "nan"},
		{math.Inf(-1), "-inf"},
		{1e22, "1e+22"},
		{5e-324, "5e-324"},
		{"it's", `"it's"`},
		{`it's "x"`, `'it\'s "x"'`},
		{"\n\t\x07\x7f", `'\n\t\x07\x7f'`},
		{"é\u0080\u2028\U0001F600\ufeff", `'é\x80\u2028😀\ufeff'`},
		{[]any{int64(1), "a", []any{}}, "[1, 'a', []]"},
		{NewObject("b", int64(1), "a", nil), "{'b': 1, 'a': None}"},
	} {
		if got := Repr(c.v); got != c.want {
			t.Errorf("Repr(%#v) = %s, want %s", c.v, got, c.want)
		}
	}
	if got := Str("it's"); got != "it's" {
		t.Errorf("Str = %s", got)
	}
}

func TestDumps(t *testing.T) {
	v, err := Decode([]byte(`{"b": [1, 1.0, 1e2, -0, true, null, NaN, -Infinity], "a": "ü😀\ud800\u0007\u007f\"\\/"}`))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"b": [1, 1.0, 100.0, 0, true, null, NaN, -Infinity], "a": "\u00fc\ud83d\ude00\ud800\u0007\u007f\"\\/"}`
	if got := Dumps(v); got != want {
		t.Errorf("Dumps = %s\nwant    %s", got, want)
	}
	sorted := string(Append(nil, v, Hash))
	if !strings.HasPrefix(sorted, `{"a": `) || len(sorted) != len(want) {
		t.Errorf("hash form = %s", sorted)
	}
	if got := string(Append(nil, NewObject("a", []any{}, "b", []any{"é"}), Style{Indent: "  "})); got != "{\n  \"a\": [],\n  \"b\": [\n    \"é\"\n  ]\n}" {
		t.Errorf("indented = %s", got)
	}
}

func TestDecodeErrors(t *testing.T) {
	for text, at := range map[string]int{
		"": 0, "{": 1, "[1,]": 3, `{"a" 1}`: 5, `{"a":1,}`: 7, "01": 1, "1 2": 2, `"a`: 0, "\"\n\"": 1, `"\x"`: 1, `"\u12"`: 1,
		"nul": 0, "-": 0, "[1 2]": 3, strings.Repeat("[", 2000): 990, "'a'": 0, "+1": 0,
	} {
		_, err := Decode([]byte(text))
		var se *SyntaxError
		if !errors.As(err, &se) {
			t.Errorf("Decode(%.20q) = %v, want a SyntaxError", text, err)
		} else if se.Offset != at {
			t.Errorf("Decode(%.20q) fails at %d (%s), want %d", text, se.Offset, se.Msg, at)
		}
	}
	_, err := Decode([]byte("{\n \"a\": ?}"))
	if err == nil || !strings.HasPrefix(err.Error(), "line 2 column 7") {
		t.Errorf("position: %v", err)
	}
}

// TestDecodeFile: files are UTF-8, with a byte order mark or without; texts in
// memory may hold what an escape for half a surrogate pair stands for.
func TestDecodeFile(t *testing.T) {
	if v, err := DecodeFile([]byte("\xef\xbb\xbf[\"\u00fc\", \"\\ud800\"]")); err != nil || Dumps(v) != `["\u00fc", "\ud800"]` {
		t.Errorf("got %s, %v", Dumps(v), err)
	}
	for _, text := range []string{"[\n \"a\xff\"]", "[\n \"\u00fc\xc3\"]"} {
		if _, err := DecodeFile([]byte(text)); err == nil || !strings.HasPrefix(err.Error(), "line 2 column") || !strings.HasSuffix(err.Error(), "byte that is no UTF-8") {
			t.Errorf("%q: %v", text, err)
		}
	}
	if v, err := Decode([]byte("\"\xed\xa0\x80\"")); err != nil || Dumps(v) != `"\ud800"` {
		t.Errorf("half a pair: %v, %v", v, err)
	}
}

func TestDuplicateKeys(t *testing.T) {
	v, err := Decode([]byte(`{"a":1,"b":2,"a":3}`))
	if err != nil || Dumps(v) != `{"a": 3, "b": 2}` {
		t.Errorf("got %s, %v", Dumps(v), err)
	}
}

// randomValue builds a value of any shape.
func randomValue(r *rand.Rand, depth int) any {
	switch k := r.IntN(9); {
	case k == 0:
		return nil
	case k == 1:
		return r.IntN(2) == 0
	case k == 2:
		return r.Int64() - 1<<62
	case k == 3:
		return new(big.Int).Lsh(big.NewInt(r.Int64N(1<<60)+8), 61)
	case k == 4:
		return math.Float64frombits(r.Uint64())
	case k <= 6 || depth == 0:
		return strings.Repeat("aé\"\\\u2028😀\x00\xed\xa0\x80", r.IntN(3))
	case k == 7:
		out := []any{}
		for range r.IntN(4) {
			out = append(out, randomValue(r, depth-1))
		}
		return out
	}
	o := &Object{}
	for range r.IntN(20) {
		o.Set(string(rune('a'+r.IntN(26)))+"é", randomValue(r, depth-1))
	}
	return o
}

func TestRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		v := randomValue(r, 4)
		for _, style := range []Style{Python, Hash, UTF8, {Indent: " "}, {Tight: true}} {
			text := Append(nil, v, style)
			w, err := Decode(text)
			if err != nil {
				t.Fatalf("decode %s: %v", text, err)
			}
			if !Same(v, w) {
				t.Fatalf("%s came back as %s", text, Dumps(w))
			}
		}
		if o, ok := v.(*Object); ok && Ordered(o, PlainMap(o)) != o {
			t.Fatalf("Ordered does not recognise the map of %s", Dumps(v))
		}
	}
}

func TestEqual(t *testing.T) {
	for _, c := range []struct {
		a, b        string
		equal, same bool
	}{
		{"1", "1.0", true, false},
		{"true", "1", true, false},
		{"0.0", "-0.0", true, false},
		{"1", `"1"`, false, false},
		{"NaN", "NaN", false, true},
		{`{"a":1,"b":2}`, `{"b":2,"a":1}`, true, true},
		{"[1]", "[1,2]", false, false},
		{"9007199254740993", "9007199254740992.0", false, false},
		{"100000000000000000000", "1e20", true, false},
		{"null", "false", false, false},
		{"{}", "[]", false, false},
		{`{"a":null}`, `{"b":null}`, false, false},
	} {
		a, _ := Decode([]byte(c.a))
		b, _ := Decode([]byte(c.b))
		if Equal(a, b) != c.equal || Same(a, b) != c.same {
			t.Errorf("%s, %s: Equal %v, Same %v", c.a, c.b, Equal(a, b), Same(a, b))
		}
	}
}

func TestArithmetic(t *testing.T) {
	huge := ParseInt("9223372036854775808")
	if v, _ := Add(int64(math.MaxInt64), true); Repr(v) != "9223372036854775808" {
		t.Errorf("sum = %s", Repr(v))
	}
	if v, _ := Sub(huge, int64(1)); v != int64(math.MaxInt64) {
		t.Errorf("difference = %#v", v)
	}
	if v, _ := Mul(int64(50), 2.5); v != 125.0 {
		t.Errorf("product = %#v", v)
	}
	if _, err := Sub(1.0, ParseInt("1"+strings.Repeat("0", 400))); !errors.Is(err, ErrOverflow) {
		t.Errorf("overflow: %v", err)
	}
	if _, err := Add("1", int64(1)); !errors.Is(err, ErrOperand) {
		t.Errorf("operand: %v", err)
	}
}

func TestLower(t *testing.T) {
	for in, want := range map[string]string{"ÀB": "àb", "İ": "i̇", "ΟΔΟΣ": "οδος", "ΟΔΟΣ.": "οδος.", "ΣΑ": "σα", "Σ": "σ", "ΑΣ'Α": "ασ'α"} {
		if got := Lower(in); got != want {
			t.Errorf("Lower(%s) = %s, want %s", in, got, want)
		}
	}
}

func TestFromGo(t *testing.T) {
	v, err := FromGo(map[string]any{"n": json.Number("1.50"), "i": 3, "s": []string{"a"}, "m": map[string]int{"z": 1, "a": 2}, "u": uint64(math.MaxUint64), "nil": nil})
	if err != nil || Dumps(v) != `{"i": 3, "m": {"a": 2, "z": 1}, "n": 1.5, "nil": null, "s": ["a"], "u": 18446744073709551615}` {
		t.Errorf("got %s, %v", Dumps(v), err)
	}
	if _, err := FromGo(struct{ A int }{1}); err == nil {
		t.Error("a struct has no JSON form")
	}
}

func TestObject(t *testing.T) {
	o := &Object{}
	for i := range 40 {
		o.Set(string(rune('a'+i%26))+string(rune('0'+i/26)), i)
	}
	o.Delete("c0")
	o.Set("a0", "new")
	if v, _ := o.Get("a0"); v != "new" || o.Len() != 39 || o.Has("c0") || o.Keys()[2] != "d0" {
		t.Errorf("object after changes: %s", Dumps(o))
	}
	if v, ok := o.Get("n1"); !ok || v != 39 {
		t.Errorf("n1 = %v", v)
	}
}

func TestLen(t *testing.T) {
	if n := Len("aé😀\xed\xa0\xbd"); n != 4 {
		t.Errorf("Len = %d", n)
	}
}
