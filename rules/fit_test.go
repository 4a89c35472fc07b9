package rules_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"taste/contract"
	"taste/domain/airline"
	"taste/domain/retail"
	"taste/domain/telecom"
	"taste/env"
	"taste/internal/library"
	"taste/phrase"
	"taste/rules"
)

// folder is what a domain's folder gives to the roles.
type folder struct {
	domain   func(worldSeed uint64) (*env.Domain, error)
	contract []byte
	phrases  [][]byte
}

func (f folder) fit(t *testing.T) error {
	t.Helper()
	d, err := f.domain(1)
	if err != nil {
		t.Fatal(err)
	}
	c, err := contract.Load(f.contract)
	if err != nil {
		return err
	}
	b, err := phrase.Load(append([][]byte{phrase.Common}, f.phrases...)...)
	if err != nil {
		return err
	}
	return rules.Fit(d, c, b)
}

func TestDomainsFit(t *testing.T) {
	for name, f := range map[string]folder{
		"airline": {airline.Builtin, airline.Contract(), airline.Phrases()},
		"retail":  {retail.Builtin, retail.Contract(), retail.Phrases()},
		"library": {library.Builtin, library.Contract(), library.Phrases()},
		"telecom": {telecom.Builtin, telecom.Contract(), telecom.Phrases()},
	} {
		if err := f.fit(t); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestMisfitsAreNamed makes the slips of a pen in the library's contract and
// phrase book, each of which is to be named before any work.
func TestMisfitsAreNamed(t *testing.T) {
	for _, x := range []struct{ from, to, want string }{
		{"- act: renew\n", "- act: renewal\n", `wish renew: the phrase book has no act renew (role wish)`},
		{"- act: weeks\n", "- act: week\n", `wish renew: detail: the phrase book has no act weeks`},
		{"- act: tell_shelf\n", "- act: tells_shelf\n", `wish ask_shelf: tells: the phrase book has no act tell_shelf`},
		{"- act: card_number\n", "- act: number\n", `way card_number: the phrase book has no act card_number`},
		{"- act: new_due\n", "- act: newer_due\n", `wish renew: restate: the phrase book has no act new_due`},
		{"- act: slip_weeks\n", "- act: slip_week\n", `slip: the phrase book has no act slip_weeks`},
		{"- act: claim_due\n", "- act: claims_due\n", `claim: the phrase book has no act claim_due`},
		{"- act: mixup\n", "- act: mixups\n", `twins of loan: the phrase book has no act mixup`},
		{"value: member_id, what", "value: member, what", `way card_number: act cannot be worded`},
		{"value: weeks, what", "value: week, what", `withheld weeks: act cannot be worded`},
		{"value: renew, name", "value: renewal, name", `wish renew: act cannot be worded`},
		{"please_wait: ", "wait: ", ``},
		{"handed_over: ", "handed: ", `protocol.notice "A LIBRARIAN`},
		{"slots: {due: to}}", "slots: {day: to}}", `wish renew: restate: act new_due of the phrase book has the slots ["due"], want ["day"]`},
		{"set: {weeks: weeks}}", "set: {weeks: week}}", `wish renew: a detail says "week", which is no slot`},
		{"does: renew_loan", "does: renew", `wish renew: does: unknown tool "renew"`},
		{"uses: [get_loan]", "uses: [read_loan]", `wish renew: uses: unknown tool "read_loan"`},
		{"args: {loan_id: ask.loan, due: to}", "args: {loan: ask.loan, due: to}", `wish renew: argument loan is none that tool renew_loan declares`},
		{"args: {loan_id: ask.loan, due: to}", "args: {loan_id: ask.loan}", `wish renew: tool renew_loan needs "due", which is not given`},
		{"source: computed", "source: calculated", `tool renew_loan: source of due: "calculated"`},
		{"      due: {source", "      date: {source", `wish renew: argument due is none that tool renew_loan declares`},
		{"name: loan, kind: loan", "name: loan, kind: lone", `wish renew: slot loan: no kind of record is called "lone"`},
		{"listed: loans", "listed: lones", `record loan: listed: records of table members have no list "lones"`},
		{"owner: member_id", "owner: member", `record loan: owner: records of table loans have no field "member"`},
		{"field: due,", "field: date,", `claim claim_due: records of table loans have no field "date"`},
		{"table: members", "table: member", `customer: the database has no table "member"`},
		{"table: loans", "table: loan", `record loan: the database has no table "loan"`},
		{"tool: get_loan", "tool: read_loan", `read loan: unknown tool "read_loan"`},
		{"args: [loan_id], over", "args: [loan], over", `read loan: tool get_loan has no parameter "loan"`},
		{"over: [loans]", "over: [loan]", `read loan: over: the database has no table "loan"`},
		{"id: not_late, tools: [renew_loan]", "id: not_late, tools: [renew]", `policy rule not_late: unknown tool "renew"`},
		{"id: not_late,", "id: not_late, otherwise: hand_off,", `policy rule not_late: otherwise: "hand_off"`},
		{"handoff: hand_over", "handoff: transfer", `protocol: handoff: unknown tool "transfer"`},
		{"  handoff: hand_over\n", "", `protocol.handoff names no tool`},
	} {
		err := misspelt(t, x.from, x.to).fit(t)
		switch {
		case x.want == "" && err != nil, x.want != "" && (err == nil || !strings.Contains(err.Error(), x.want)):
			t.Errorf("%q → %q: %v\nwant %q", x.from, x.to, err, x.want)
		}
	}
}

// TestTicketsLackNoWords: a domain with troubles needs words for what tickets say.
func TestTicketsLackNoWords(t *testing.T) {
	f := folder{telecom.Builtin, telecom.Contract(), telecom.Phrases()}
	last := &f.phrases[len(f.phrases)-1]
	for _, act := range []string{"my_number", "slow_data", "refuel", "abroad", "will_make_payment"} {
		whole := *last
		*last = regexp.MustCompile(`(?m)^  - act: `+act+`\n    say: \|\n(      .*\n)+`).ReplaceAll(whole, nil)
		if err, want := f.fit(t), "tickets: no words for "+act; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("without words for %s: %v", act, err)
		}
		*last = whole
	}
}

// misspelt is the library with a text of its contract or phrase book replaced,
// where it stands first.
func misspelt(t *testing.T, from, to string) folder {
	t.Helper()
	f := folder{library.Builtin, library.Contract(), library.Phrases()}
	for _, text := range append([]*[]byte{&f.contract}, &f.phrases[0], &f.phrases[1]) {
		if bytes.Contains(*text, []byte(from)) {
			*text = bytes.Replace(*text, []byte(from), []byte(to), 1)
			return f
		}
	}
	t.Fatalf("no %q in the library", from)
	return f
}
