package llm

import (
	"strings"
	"testing"
	"testing/synctest"

	"taste/internal/hint"
)

// priced makes a table in which a token of test/m costs a dollar.
func priced() *Prices {
	return &Prices{AsOf: "2026-01-01", Models: map[string]Price{"test/m": {Rates: Rates{Input: 1e6, Output: 1e6}}}}
}

func capped(t *testing.T, c Caps, m Model) (*Budget, Model) {
	t.Helper()
	b := NewBudget(c, priced())
	m, err := b.Cap(m)
	if err != nil {
		t.Fatal(err)
	}
	return b, m
}

// A call is guessed at 12 tokens and takes 12; what could be too much is not sent.
func TestBudgetStopsBeforeTheCall(t *testing.T) {
	for caps, words := range map[Caps]string{
		{Dollars: 30 * dollar}: "of 30.00 dollars 24.00 are spent, and it may take 12.00",
		{Tokens: 30}:           "of 30 tokens 24 are spent, and it may take 12",
		{Calls: 2}:             "all of 2 calls are spent",
	} {
		s := &script{answers: []any{says("a"), says("b"), says("c")}}
		_, m := capped(t, caps, s)
		for range 2 {
			if _, err := m.Call(t.Context(), hello()); err != nil {
				t.Fatal(err)
			}
		}
		r := hello()
		r.Label = Label{Role: "judge"}
		_, err := m.Call(t.Context(), r)
		if ClassOf(err) != OverBudget || len(s.asked) != 2 || !strings.Contains(err.Error(), words) || !strings.Contains(err.Error(), "(judge)") {
			t.Errorf("%+v: %d calls sent, then %v", caps, len(s.asked), err)
		}
		if hint.Of(err) == "" {
			t.Errorf("%+v: no hint", caps)
		}
	}
}

// 5 calls of 12 tokens fit into 60 dollars, however many want to: those in flight hold
// the others up, and these are not refused before it is known what is left.
func TestBudgetReservesForFlight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(second, fine)
		_, m := capped(t, Caps{Dollars: 60 * dollar}, f)
		refused := 0
		for _, err := range together(m, 20) {
			if ClassOf(err) == OverBudget {
				refused++
			}
		}
		if len(f.starts) != 5 || refused != 15 {
			t.Errorf("%d calls sent, %d refused", len(f.starts), refused)
		}
	})
}

// What calls in flight do not use is there for those that wait.
func TestBudgetWaitsForWhatIsLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(second, func(int) (*Response, error) { return &Response{Usage: Usage{Input: 1, Calls: 1}}, nil })
		b, m := capped(t, Caps{Dollars: 24 * dollar}, f)
		for i, err := range together(m, 10) {
			if err != nil {
				t.Errorf("call %d: %v", i, err)
			}
		}
		if f.most != 2 || b.spent.dollars != 10*dollar || b.open != (cost{}) {
			t.Errorf("%d in flight, spent %+v, open %+v", f.most, b.spent, b.open)
		}
	})
}

func TestBudgetCountsNoFailures(t *testing.T) {
	s := &script{answers: []any{fails(Overloaded, 0), says("a")}}
	b, m := capped(t, Caps{Calls: 1}, s)
	_, _ = m.Call(t.Context(), hello())
	if _, err := m.Call(t.Context(), hello()); err != nil || b.spent.calls != 1 {
		t.Errorf("%+v spent, %v", b.spent, err)
	}
}

func TestBudgetGoesOn(t *testing.T) {
	b, m := capped(t, Caps{Dollars: 15 * dollar}, &script{})
	b.Charge("test/m", Usage{Input: 3, Output: 1, Calls: 1})
	if _, err := m.Call(t.Context(), hello()); ClassOf(err) != OverBudget || !strings.Contains(err.Error(), "4.00 are spent") {
		t.Error(err)
	}
}

// A cap in dollars cannot be kept without a price: nothing is sent.
func TestBudgetRefusesUnpricedModels(t *testing.T) {
	b := NewBudget(Caps{Dollars: 1}, &Prices{})
	if _, err := b.Cap(&script{}); err == nil || !strings.Contains(err.Error(), "test/m") || hint.Of(err) == "" {
		t.Error(err)
	}
	if _, err := NewBudget(Caps{Tokens: 1}, &Prices{}).Cap(&script{}); err != nil {
		t.Error(err)
	}
}
