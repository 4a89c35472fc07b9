package contract_test

import (
	"strings"
	"testing"

	"taste/contract"
)

// harder is an evolution section of the library.
const harder = library + `
    details: [{act: fine, set: {amount: until}}]
evolution:
  forbidden: [{wish: renew, slots: {loan: "['L1']"}, where: ["l.days > 14"]}]
  claims: [{act: claim_vip, wishes: [renew], slots: {since: "[1, 2]"}, read: member, args: [customer], field: vip, is: "since > 0"}]
  slips: [{act: slip_loan, slot: loan}, {act: slip_fine, detail: fine, slot: amount}]
  withheld: [fine]
  twins: [{record: loan, set: {days: "old.days + 20"}, wishes: [renew], rule: not_late}]
  rivals: [{name: film, wishes: [renew], table: loans, key: "'L9'", record: old, differs: kind, overlook: {"fee(l)": "0"}}]
`

func TestEvolutionOfTheLibrary(t *testing.T) {
	c, err := contract.Load([]byte(harder))
	if err != nil {
		t.Fatal(err)
	}
	e, w := &c.Evolution, c.Wish("renew")
	if a, b := e.Slip("slip_loan").Of(w), e.Slip("slip_fine").Of(w); a != "loan" || b != "until" {
		t.Errorf("slips falsify %q and %q", a, b)
	}
	if e.Slip("slip_pen") != nil || e.Claim("claim_age") != nil || e.Twins[0].Field() != "days" {
		t.Error("a slip or claim that is not declared is found, or the twin's field is not")
	}
	s := &contract.Scope{
		Contract: c, Wish: w, Ask: map[string]any{"loan": "L1"}, Customer: "C1", Extra: map[string]any{"since": int64(2)},
		Reader: shelf{"get_loan L1": map[string]any{"kind": "film", "days": 3}},
	}
	if ok, err := s.Holds(e.Claim("claim_vip").Is); err != nil || !ok {
		t.Errorf("the claim's slot: %v, %v", ok, err)
	}
	for _, x := range []struct {
		overlook map[string]*contract.Expr
		want     any
	}{{nil, int64(15)}, {e.Overlooked("renew"), int64(0)}, {e.Overlooked("read"), int64(15)}} {
		s.Overlook = x.overlook
		s.Forget()
		if v, err := s.Eval(w.Args["pay"]); err != nil || v != x.want {
			t.Errorf("3 days of a film: %v, %v, want %v", v, err, x.want)
		}
	}
}

func TestEvolutionNamesTheFault(t *testing.T) {
	for _, x := range []struct{ from, to, want string }{
		{"{wish: renew, slots", "{wish: give, slots", "give"},
		{"slots: {loan:", "slots: {loam:", "loam"},
		{"wishes: [renew], slots", "wishes: [read], slots", "read"},
		{"read: member, args: [customer]", "read: members, args: [customer]", "members"},
		{"args: [customer]", "args: []", "takes 1 arguments"},
		{"field: vip", "field: ''", "want act, field and is"},
		{"slot: loan}", "slot: until}", "slip_loan"},
		{"slot: amount}", "slot: sum}", "slip_fine"},
		{"withheld: [fine]", "withheld: [loan]", "withheld loan"},
		{"record: loan, set", "record: film, set", "film"},
		{`{days: "old.days + 20"}`, "{days: old.days, kind: old.kind}", "2 fields"},
		{"rule: not_late}", "rule: late}", "late"},
		{"table: loans, key: \"'L9'", "key: \"'L9'", "want table"},
		{`{"fee(l)"`, `{"fee(m)"`, "fee(m)"},
		{"record: old,", "record: olds,", "olds"},
	} {
		text := strings.Replace(harder, x.from, x.to, 1)
		if _, err := contract.Load([]byte(text)); text == harder || err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: %v, want %q in the error", x.to, err, x.want)
		}
	}
}
