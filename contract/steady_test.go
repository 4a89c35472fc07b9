package contract_test

import (
	"strings"
	"testing"

	"cel.dev/cel-go/common/types/ref"

	"taste/contract"
)

// counter counts the reads that reach a shelf.
type counter struct {
	shelf
	n int
}

func (c *counter) Read(tool string, args map[string]any) (ref.Val, error) {
	c.n++
	return c.shelf.Read(tool, args)
}

// rule loads the library with two more functions and a rule, whose condition it
// returns: dues() hangs on the customer, wanted() on what was said.
func rule(t *testing.T, require string) (*contract.Contract, *contract.Expr) {
	t.Helper()
	text := strings.Replace(library, "functions:", `functions:
  - {def: "dues()", is: "member(customer).dues"}
  - {def: "twice()", is: "dues() + dues()"}
  - {def: "wanted()", is: "loan(ask.loan).kind"}`, 1)
	text = strings.Replace(text, "loan(args.loan_id).days <= 14 || member(customer).vip", require, 1)
	c, err := contract.Load([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return c, c.Policy[0].Require
}

func TestSteadyScopesWorkFunctionsOutOnce(t *testing.T) {
	c, e := rule(t, "twice() == 6 && twice() + dues() == 9")
	for _, steady := range []bool{false, true} {
		r := &counter{shelf: shelf{"get_member m1": map[string]any{"dues": 3}}}
		s := &contract.Scope{Contract: c, Reader: r, Customer: "m1", Steady: steady}
		for range 3 {
			if ok, err := s.Holds(e); err != nil || !ok {
				t.Fatalf("steady %v: %v, %v", steady, ok, err)
			}
		}
		want := 15
		if steady {
			want = 1
		}
		if r.n != want {
			t.Errorf("steady %v: %d reads, want %d", steady, r.n, want)
		}
		r.shelf["get_member m1"] = map[string]any{"dues": 4}
		s.Forget()
		if ok, err := s.Holds(e); err != nil || ok {
			t.Errorf("steady %v, after Forget: %v, %v", steady, ok, err)
		}
	}
}

func TestSteadyScopesHearWhatIsSaid(t *testing.T) {
	c, e := rule(t, "wanted() == 'film'")
	books := shelf{"get_loan 1": map[string]any{"kind": "book"}, "get_loan 2": map[string]any{"kind": "film"}}
	s := &contract.Scope{Contract: c, Reader: books, Customer: "m1", Ask: map[string]any{"loan": "1"}, Steady: true}
	if ok, err := s.Holds(e); err != nil || ok {
		t.Errorf("of a book: %v, %v", ok, err)
	}
	s.Ask["loan"] = "2"
	if ok, err := s.Holds(e); err != nil || !ok {
		t.Errorf("of a film: %v, %v", ok, err)
	}
}
