package contract_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"cel.dev/cel-go/common/types/ref"

	"taste/contract"
)

// library is a contract small enough to check by hand.
const library = `
format: 1
domain: library
now: "2024-01-10T09:00:00"
reads:
  member: {tool: get_member, args: [card]}
  loan: {tool: get_loan, args: [loan_id]}
customer: {table: members, read: member, identify: [{way: card, facts: [{act: card, slots: {card: me.card}}], finds: said.card}]}
records: {loan: {table: loans, key: loan_id, read: loan, owner: card, listed: loans, mint: L99}}
tables: {fee: {book: 2, film: 5}}
functions:
  - {def: "fee(l)", is: "tables.fee[l.kind] * l.days"}
tools:
  get_member: {type: READ}
  get_loan: {type: READ}
  renew: {type: WRITE}
  give_back: {type: WRITE}
sequence:
  - {id: known, rule: known, why: no such tool}
  - {id: opens, rule: opens, tools: [get_loan], why: opens}
  - {id: renew_once, rule: record, most: 1, tools: [renew], why: nothing to renew}
  - {id: back, rule: record, most: 1, tools: [give_back], why: nothing to give back}
  - {id: ends, rule: ends, tools: [give_back], why: it is back}
policy:
  - {id: not_late, tools: [renew], require: "loan(args.loan_id).days <= 14 || member(customer).vip", why: it is overdue}
wishes:
  - name: renew
    does: renew
    slots: [{name: loan, kind: loan}, {name: until, optional: true}]
    let: [{name: l, is: loan(ask.loan)}, {name: owed, is: fee(l)}]
    args: {loan_id: ask.loan, pay: owed, until: ask.until}
`

func loadLibrary(t *testing.T) *contract.Contract {
	t.Helper()
	c, err := contract.Load([]byte(library))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// shelf is a Reader of what has been read so far.
type shelf map[string]any

func (s shelf) Read(tool string, args map[string]any) (ref.Val, error) {
	for _, v := range args {
		if rec, ok := s[tool+" "+fmt.Sprint(v)]; ok {
			return contract.ToVal(rec), nil
		}
	}
	return nil, &contract.MissingRead{Tool: tool, Args: args}
}

func TestScopeAsksForWhatItLacks(t *testing.T) {
	c := loadLibrary(t)
	w := c.Wish("renew")
	s := &contract.Scope{Contract: c, Reader: shelf{}, Wish: w, Ask: map[string]any{}}
	var slot *contract.MissingSlot
	if _, err := s.Eval(w.Args["loan_id"]); !errors.As(err, &slot) || slot.Slot != "loan" {
		t.Fatalf("no slot said: %v", err)
	}
	s.Ask["loan"] = "L1"
	var read *contract.MissingRead
	if _, err := s.Eval(w.Args["pay"]); !errors.As(err, &read) || read.Tool != "get_loan" || read.Args["loan_id"] != "L1" {
		t.Fatalf("nothing read: %v", err)
	}
	s.Reader = shelf{"get_loan L1": map[string]any{"kind": "film", "days": 3.0}}
	if v, err := s.Eval(w.Args["pay"]); err != nil || v != int64(15) {
		t.Fatalf("3 days of a film: %v, %v, want 15", v, err)
	}
	if v, err := s.Eval(w.Args["until"]); err != nil || v != nil {
		t.Fatalf("an optional slot that is not said: %v, %v, want nil", v, err)
	}
	s.Undecided = true
	if _, err := s.Eval(w.Args["until"]); !errors.As(err, &slot) {
		t.Fatalf("an optional slot that is still to be decided: %v", err)
	}
}

// TestPolicyReadsOnlyWhatDecides: a condition that is true already needs no
// further read, one that is not asks for the next.
func TestPolicyReadsOnlyWhatDecides(t *testing.T) {
	c := loadLibrary(t)
	rule := c.Policy[0].Require
	s := &contract.Scope{
		Contract: c, Args: map[string]any{"loan_id": "L1"}, Customer: "C1",
		Reader: shelf{"get_loan L1": map[string]any{"days": 14}},
	}
	if ok, err := s.Holds(rule); err != nil || !ok {
		t.Fatalf("14 days: %v, %v", ok, err)
	}
	s.Reader = shelf{"get_loan L1": map[string]any{"days": 15}}
	var read *contract.MissingRead
	if _, err := s.Holds(rule); !errors.As(err, &read) || read.Tool != "get_member" {
		t.Fatalf("15 days: %v, want a read of the member", err)
	}
	s.Reader = shelf{"get_loan L1": map[string]any{"days": 15}, "get_member C1": map[string]any{"vip": false}}
	if ok, err := s.Holds(rule); err != nil || ok {
		t.Fatalf("15 days, no vip: %v, %v", ok, err)
	}
}

func TestJudgeNamesTheCall(t *testing.T) {
	c := loadLibrary(t)
	for _, x := range []struct {
		seq string
		bad []int
	}{
		{"get_loan renew", nil},
		{"renew get_loan", []int{0}},
		{"get_loan renew renew", []int{2}},
		{"get_loan get_loan renew renew", nil},
		{"get_loan give_back renew", []int{2}},
		{"get_loan get_loan give_back renew", nil},
		// The first loan must be the one given back, or the last call has none.
		{"get_loan give_back get_loan renew give_back", nil},
		{"shelve", []int{0}},
	} {
		v := c.Judge(strings.Fields(x.seq))
		if got := v.Bad(); len(got)+len(x.bad) > 0 && !reflect.DeepEqual(got, x.bad) {
			t.Errorf("%s: bad %v, want %v (%s)", x.seq, got, x.bad, v.Why())
		}
		if v.Plausible != (len(x.bad) == 0) {
			t.Errorf("%s: plausible %v", x.seq, v.Plausible)
		}
	}
	if v := c.Judge(nil); v.Plausible || len(v.Faults) == 0 {
		t.Error("a sequence without a call is plausible")
	}
}

func TestLoadNamesTheFault(t *testing.T) {
	for _, x := range []struct{ from, to, want string }{
		{"format: 1", "format: 2", "format 2"},
		{"rule: known", "rule: knows", "knows"},
		{"tools: [renew], why: nothing", "tools: [renews], why: nothing", "renews"},
		{"id: back", "id: opens", "twice"},
		{"fee(l)}", "feee(l)}", "renew"},
		{`is: "tables.fee[l.kind] * l.days"}`, `is: "fee(l)"}`, "function fee calls itself"},
		{`is: "tables.fee[l.kind] * l.days"}`, `is: "by_day(l)"}` + "\n  - {def: by_day(l), is: '[l].map(x, fee(x))'}", "calls itself"},
		{"domain: library", "domain: library\nextra: 1", "extra"},
	} {
		_, err := contract.Load([]byte(strings.Replace(library, x.from, x.to, 1)))
		if err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: %v, want %q in the error", x.to, err, x.want)
		}
	}
}

// TestConditionLeftOut: what a contract does not ask for, every record has.
func TestConditionLeftOut(t *testing.T) {
	c, err := contract.Load([]byte(library))
	if err != nil {
		t.Fatal(err)
	}
	s := &contract.Scope{Contract: c}
	if ok, err := s.Holds(c.Customer.Where); !ok || err != nil {
		t.Errorf("%v, %v", ok, err)
	}
}
