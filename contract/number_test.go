package contract_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"taste/contract"
)

// TestNumbers: what Python 3 answers, but that whole results have no ".0".
func TestNumbers(t *testing.T) {
	for _, k := range []struct{ is, want string }{
		{"text(round2(2.675))", "2.67"},
		{"text(round2(0.125))", "0.12"},
		{"text(round2(0.375))", "0.38"},
		{"text(round2(-1.005))", "-1"},
		{"text(round2(7))", "7"},
		{"text(sum([0.1, 0.2, 0.3]))", "0.6000000000000001"},
		{"text(sum([0.3, 0.2, 0.1]))", "0.6"},
		{"text(sum(me.prices))", "358.56"},
		{"text(me.prices[0] - 50)", "296"},
		{"text(50 - me.prices[1])", "37.44"},
		{"text(2 * me.prices[1] + 1)", "26.12"},
		{"text(me.prices[1] / 2)", "6.28"},
		{"text(1e16)", "1e+16"},
		{"text(1234567.5)", "1234567.5"},
		{"text(me.prices.sortBy(p, p)[0])", "12.56"},
		{"text(-me.prices[0])", "-346"},
		{"string(size([1] + me.prices))", "3"},
		{"'a' + 'b'", "ab"},
	} {
		c, err := contract.Load([]byte("format: 1\ndomain: sums\nwishes: [{name: sum, tells: " + fmt.Sprintf("%q", k.is) + "}]"))
		if err != nil {
			t.Fatal(err)
		}
		me := map[string]any{"prices": []any{json.Number("346.0"), json.Number("12.56")}}
		got, err := (&contract.Scope{Contract: c, Extra: map[string]any{"me": me}}).Eval(c.Wishes[0].Tells)
		if err != nil || got != k.want {
			t.Errorf("%s = %v, %v, want %s", k.is, got, err, k.want)
		}
	}
}
