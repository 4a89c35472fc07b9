package llm

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestDefaultPrices(t *testing.T) {
	p := DefaultPrices()
	for name, price := range p.Models {
		provider, model, ok := strings.Cut(name, "/")
		if !ok || provider == "" || model == "" || price.Input <= 0 || price.Output < price.Input {
			t.Errorf("%s costs %+v", name, price)
		}
		if price.Cached != nil && *price.Cached >= price.Input {
			t.Errorf("%s: what is cached is no cheaper", name)
		}
		if price.Written != nil && *price.Written < price.Input {
			t.Errorf("%s: it is cheaper to write to the cache than not to", name)
		}
		if l := price.Long; l != nil && (l.Input <= price.Input || l.Output <= price.Output || (l.Cached == nil) != (price.Cached == nil)) {
			t.Errorf("%s: long calls cost %+v, short ones %+v", name, *l, price.Rates)
		}
	}
}

const some = `
as_of: 2026-02-03
models:
  openai/a: {input: 2, cached: 0.5, written: 3, output: 8}
  openai/b: {input: 1, output: 4, long: {over: 1000, input: 2, output: 6}}
  "http://localhost:8000/v1#c": {input: 0, output: 0}
`

func read(t *testing.T, text string, base *Prices) *Prices {
	t.Helper()
	p, err := ReadPrices([]byte(text), base)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestPriceOf(t *testing.T) {
	p := read(t, some, nil)
	for name, input := range map[string]float64{
		"openai/a": 2, "openai-responses/a": 2, "openai/a-2026-01-31": 2, "openai/a-20260131": 2, "openai/a-latest": 2,
		"http://localhost:8000/v1#c": 0,
		"openai/a-mini":              -1, "openai/x": -1, "azure/a": -1, "": -1,
	} {
		price, ok := p.Of(name)
		if ok != (input >= 0) || ok && price.Input != input {
			t.Errorf("%q: %+v, %v", name, price, ok)
		}
	}
}

func TestCost(t *testing.T) {
	p := read(t, some, nil)
	for _, c := range []struct {
		name string
		u    Usage
		want Money // in millionths of a dollar
	}{
		{"openai/a", Usage{Input: 100, Output: 10}, 280},
		{"openai/a", Usage{Input: 100, Cached: 60, Output: 10, Reasoning: 9}, 190},
		{"openai/a", Usage{Input: 100, Cached: 60, Written: 30, Output: 10}, 20 + 30 + 30*3 + 80},
		{"openai/b", Usage{Input: 1000, Written: 500}, 1000},
		{"openai/b", Usage{Input: 1000, Cached: 500, Output: 10}, 1040},
		{"openai/b", Usage{Input: 1001, Output: 10}, 2062},
	} {
		price, _ := p.Of(c.name)
		if got := price.Cost(c.u); got != c.want*1e6 {
			t.Errorf("%s %+v costs %v, want %v millionths", c.name, c.u, got, c.want)
		}
	}
}

func TestReadPricesOverrides(t *testing.T) {
	base := read(t, some, nil)
	p := read(t, "as_of: 2026-05-06\nmodels:\n  openai/a: {input: 3, output: 9}\n  x/y: {input: 1, output: 1}\n", base)
	if p.AsOf != "2026-05-06" || len(p.Models) != 4 || p.Models["openai/a"].Cached != nil || p.Models["openai/a"].Input != 3 {
		t.Errorf("%+v", p)
	}
	if len(base.Models) != 3 || base.Models["openai/a"].Input != 2 {
		t.Errorf("base was changed: %+v", base)
	}
}

func TestReadPricesRefuses(t *testing.T) {
	for text, words := range map[string]string{
		"models: {}":              "as_of",
		"as_of: soon\nmodels: {}": "soon",
		"as_of: 2026-01-01\nmodels: {x/y: {input: -1, output: 1}}":                                   "x/y: a price is below 0",
		"as_of: 2026-01-01\nmodels: {x/y: {input: 1, output: 1, cached: -1}}":                        "x/y: a price is below 0",
		"as_of: 2026-01-01\nmodels: {x/y: {input: 1, output: 1, long: {input: 1, output: 1}}}":       "x/y: long.over",
		"as_of: 2026-01-01\nmodels: {x/y: {input: 1, answer: 1}}":                                    "answer",
		"as_of: 2026-01-01\nmodels: {x/y: {input: 1, output: 1, long: {over: 5, input: 1, out: 1}}}": "out",
	} {
		if _, err := ReadPrices([]byte(text), nil); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%q: got %v, want %q", text, err, words)
		}
	}
}

// What has no price is counted, and its cost is null, never 0.
func TestBill(t *testing.T) {
	b := NewBill(read(t, some, nil))
	b.Add("user", "openai/a", Usage{Input: 100, Output: 10, Calls: 1})
	b.Add("judge", "openai/b", Usage{Input: 1000, Calls: 1})
	b.Add("judge", "openai/b", Usage{Input: 1001, Calls: 1})
	if *b.Dollars != Dollars(0.003282) {
		t.Errorf("%v dollars", *b.Dollars)
	}
	b.Add("judge", "azure/x", Usage{Input: 5, Cached: 1, Output: 7, Reasoning: 2, Calls: 1})
	b.Add("user", "openai/a", Usage{Input: 100, Output: 10, Calls: 1})
	got, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"rows":[` +
		`{"role":"judge","model":"azure/x","usage":{"input":5,"cached":1,"output":7,"reasoning":2,"calls":1},"dollars":null},` +
		`{"role":"judge","model":"openai/b","usage":{"input":2001,"output":0,"calls":2},"dollars":0.003002},` +
		`{"role":"user","model":"openai/a","usage":{"input":200,"output":20,"calls":2},"dollars":0.00056}],` +
		`"usage":{"input":2206,"cached":1,"output":27,"reasoning":2,"calls":5},"dollars":null,"prices_as_of":"2026-02-03"}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestBillScale(t *testing.T) {
	p := read(t, some, nil)
	part, whole := NewBill(p), NewBill(p)
	part.Add("user", "openai/a", Usage{Input: 100, Output: 10, Calls: 1})
	part.Add("judge", "openai/b", Usage{Input: 1000, Cached: 10, Calls: 4})
	whole.Add("user", "openai/a", Usage{Input: 1, Calls: 1})
	whole.Scale(part, 5, 2)
	if u := whole.Usage; u != (Usage{Input: 250 + 2500 + 1, Cached: 25, Output: 25, Calls: 3 + 10 + 1}) || *whole.Dollars != Dollars((2.5*280+2.5*1000+2)/1e6) {
		t.Errorf("%+v at %v", u, *whole.Dollars)
	}
	if r := whole.Rows[0]; len(whole.Rows) != 2 || r.Role != "judge" || *r.Dollars != Dollars(0.0025) {
		t.Errorf("rows %+v", whole.Rows)
	}
	part.Add("user", "azure/x", Usage{Calls: 1})
	if whole.Scale(part, 1, 1); whole.Dollars != nil || whole.Rows[1].Dollars != nil {
		t.Errorf("rows %+v at %v", whole.Rows, whole.Dollars)
	}
}

func TestGuess(t *testing.T) {
	r := &Request{
		System: "12345678", Messages: []Message{{Text: "1234", Calls: []Call{{ID: "1", Name: "abc", Arguments: json.RawMessage("{}"), Bad: "yz"}}}},
		Tools: []Tool{{Name: "abcd", Description: "efgh", Parameters: json.RawMessage(`{  }`)}}, Schema: verdictSchema,
	}
	size := 8 + 4 + len("1abc{}yz") + 12 + len(verdictSchema.JSON)
	in := int64(size+3) / 4
	want := Usage{Input: in, Written: in, Output: usualAnswer, Calls: 1}
	if got := Guess(r); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	r.MaxTokens, r.Extra = 5, map[string]any{"a": "bcdefg"}
	if got := Guess(r); got.Output != 5 || got.Input != int64(size+len(`{"a":"bcdefg"}`)+3)/4 {
		t.Errorf("got %+v", got)
	}
}

func TestMoney(t *testing.T) {
	for m, text := range map[Money]string{
		0: "0.00", dollar: "1.00", Dollars(12.5): "12.50", Dollars(0.003282): "0.003282", 1: "0.000000000001", -Dollars(0.05): "-0.05",
	} {
		var back Money
		if err := json.Unmarshal([]byte(text), &back); err != nil || back != m || m.String() != text {
			t.Errorf("%d is %s, and %s is %d (%v)", int64(m), m, text, int64(back), err)
		}
	}
	if err := new(Money).UnmarshalJSON([]byte(`"x"`)); err == nil {
		t.Error("x is taken for dollars")
	}
}
