package rules

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"taste/contract"
	"taste/domain/airline"
	"taste/role"
)

// lenient is a judge to whom everything is plausible.
type lenient struct{}

func (lenient) Judge(context.Context, []string) (role.Verdict, error) {
	return role.Verdict{Plausible: true}, nil
}

// The screen settles what the contract is certain of, but for a share that is the
// same in every run; the other judge has the last word on all else.
func TestScreen(t *testing.T) {
	c, err := contract.Load(airline.Contract())
	if err != nil {
		t.Fatal(err)
	}
	var tools []string
	for name := range c.Tools {
		tools = append(tools, name)
	}
	slices.Sort(tools)
	r := rand.New(rand.NewPCG(1, 0))
	all, some, none := NewScreen(c, lenient{}, 0), NewScreen(c, lenient{}, .25), NewScreen(c, lenient{}, 1)
	certain, audited := 0, 0
	for range 1000 {
		var sequence []string
		for range 1 + r.IntN(8) {
			sequence = append(sequence, tools[r.IntN(len(tools))])
		}
		v, ok := all.Certain(sequence)
		if want := c.Judge(sequence); ok != c.Certain(want) || ok && (v.Plausible || !slices.Equal(v.Bad, want.Bad()) || v.Why != want.Why()) {
			t.Fatalf("%v: %+v, %v, want %+v", sequence, v, ok, want)
		}
		if _, ok := none.Certain(sequence); ok {
			t.Fatalf("%v is settled, and all are to be audited", sequence)
		}
		if !ok {
			continue
		}
		certain++
		_, first := some.Certain(sequence)
		if _, again := some.Certain(sequence); first != again {
			t.Fatalf("%v is audited now and then", sequence)
		}
		if !first {
			audited++
		}
		if v, err := some.Judge(t.Context(), sequence); err != nil || !v.Plausible {
			t.Fatalf("%v: the other judge says %+v, %v", sequence, v, err)
		}
	}
	if certain < 500 || 5*audited < certain || 3*audited > certain {
		t.Errorf("%d of %d certain cases are audited, want a quarter", audited, certain)
	}
}
