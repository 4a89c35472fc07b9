package rules_test

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"taste/chat"
	"taste/contract"
	"taste/domain/airline"
	"taste/env"
	"taste/phrase"
	"taste/pyjson"
	"taste/role"
	"taste/rules"
	"taste/tau"
)

// panel reviews tasks of the small airline that the contract's tests use.
type panel struct {
	domain   *env.Domain
	contract *contract.Contract
	book     *phrase.Book
}

func newPanel(t *testing.T) panel {
	t.Helper()
	p, err := openPanel()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

var openPanel = sync.OnceValues(func() (p panel, err error) {
	data, err := os.ReadFile("../contract/testdata/deletion/airline/db.json")
	if err != nil {
		return p, err
	}
	db, err := pyjson.Decode(data)
	if err != nil {
		return p, err
	}
	state, err := airline.Native.Load(db, nil)
	if err != nil {
		return p, err
	}
	builtin, err := airline.Builtin(1)
	if err != nil {
		return p, err
	}
	if p.domain, err = env.NewDomain(env.Domain{Name: "airline", Tools: builtin.Tools}, state); err != nil {
		return p, err
	}
	if p.contract, err = contract.Load(airline.Contract()); err != nil {
		return p, err
	}
	p.book, err = phrase.Load(append([][]byte{phrase.Common}, airline.Phrases()...)...)
	return p, err
})

// review gives "severity rule" for each finding on gold under a scenario.
func (p panel) review(t *testing.T, scenario string, gold ...tau.Action) []string {
	t.Helper()
	task := &tau.Task{
		UserScenario:       tau.UserScenario{Instructions: tau.Instructions{Plain: scenario}},
		EvaluationCriteria: &tau.EvaluationCriteria{Actions: gold},
	}
	found, err := rules.NewReviewer(p.domain, p.contract, p.book).Review(context.Background(), task)
	if err != nil {
		t.Fatal(err)
	}
	out := []string{}
	for _, f := range found {
		out = append(out, string(f.Severity)+" "+f.Rule+": "+f.Evidence)
	}
	return out
}

func act(name string, pairs ...any) tau.Action {
	args := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		args[pairs[i].(string)] = pairs[i+1]
	}
	return tau.Action{Requestor: chat.Assistant, Name: name, Arguments: args}
}

// TestReviewForeignProse: of prose that the book does not hold, the reviewer
// asks what a customer could say. Only what no customer could say is critical.
func TestReviewForeignProse(t *testing.T) {
	p := newPanel(t)
	for _, c := range []struct {
		name, scenario string
		gold           []tau.Action
		want           []string // in order, each the beginning of a finding
	}{
		{
			"insured: an illness would do", "I am ann_gold_1001.",
			[]tau.Action{act("cancel_reservation", "reservation_id", "AAA333")},
			[]string{"unchecked cancel_ground: action 0: cancel_reservation(reservation_id=\"AAA333\"): holds if the customer says booking = AAA333, reason = illness"},
		},
		{
			"neither insured nor new: nothing would do", "I am ann_gold_1001.",
			[]tau.Action{act("cancel_reservation", "reservation_id", "AAA111")},
			[]string{"critical cancel_ground"},
		},
		{"within a day: whatever is said", "I am ann_gold_1001.", []tau.Action{act("cancel_reservation", "reservation_id", "AAA888")}, nil},
		{
			"certificate that some cancelled flight explains", "I am ann_gold_1001.",
			[]tau.Action{act("send_certificate", "user_id", "ann_gold_1001", "amount", int64(100))},
			[]string{"unchecked compensation_facts", "unchecked compensation_after_change", "unchecked compensation_amount"},
		},
		{
			"certificate that nothing explains", "I am ann_gold_1001.",
			[]tau.Action{act("send_certificate", "user_id", "ann_gold_1001", "amount", int64(75))},
			[]string{"critical compensation_facts", "critical compensation_after_change", "critical compensation_amount"},
		},
		{
			"delay after a cancellation", "I am ann_gold_1001.",
			[]tau.Action{act("cancel_reservation", "reservation_id", "AAA444"), act("send_certificate", "user_id", "ann_gold_1001", "amount", int64(100))},
			[]string{"unchecked compensation_facts", "unchecked compensation_after_change", "unchecked compensation_amount"},
		},
		{
			"somebody else's reservation", "I am ann_gold_1001.",
			[]tau.Action{act("cancel_reservation", "reservation_id", "RRR222")},
			[]string{"critical own_reservation", "critical cancel_ground"},
		},
		{
			"a call that fails", "I am ann_gold_1001.",
			[]tau.Action{act("get_reservation_details", "reservation_id", "ZZZ999")},
			[]string{"critical gold_runs"},
		},
		{"nobody's task", "Good morning.", []tau.Action{act("list_all_airports")}, []string{"unchecked customer"}},
	} {
		got := p.review(t, c.scenario, c.gold...)
		if !slices.EqualFunc(got, c.want, strings.HasPrefix) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestReviewOwnWords: what the customer says is read from the scenario.
func TestReviewOwnWords(t *testing.T) {
	p := newPanel(t)
	cancel := func(reason string) string {
		s, err := p.book.Render(phrase.New("cancel", "booking", "AAA333", "reason", reason), phrase.Second, rand.New(rand.NewPCG(1, 1)))
		if err != nil {
			t.Fatal(err)
		}
		u, err := p.book.Render(phrase.New("user_id", "user_id", "ann_gold_1001"), phrase.Second, rand.New(rand.NewPCG(1, 1)))
		if err != nil {
			t.Fatal(err)
		}
		return s + " " + u
	}
	gold := act("cancel_reservation", "reservation_id", "AAA333")
	if got := p.review(t, cancel("illness"), gold); len(got) != 0 {
		t.Errorf("insured illness: %q", got)
	}
	if got := p.review(t, cancel("plans"), gold); len(got) != 1 || !strings.HasPrefix(got[0], string(role.Critical)+" cancel_ground") {
		t.Errorf("a change of plans: %q", got)
	}
	if got := p.review(t, cancel("illness"), gold, gold); len(got) == 0 || !strings.HasPrefix(got[0], string(role.Critical)+" "+rules.ScenarioRead) {
		t.Errorf("gold does more than is asked for: %q", got)
	}
	// A wish that the policy hands off is fulfilled by the hand-off.
	handed := strings.ReplaceAll(cancel("plans"), "AAA333", "AAA666")
	hand := act("transfer_to_human_agents", "summary", "The customer asks for something that the agent may not do.")
	if got := p.review(t, handed, hand); len(got) != 0 {
		t.Errorf("flown reservation handed off: %q", got)
	}
	if got := p.review(t, cancel("illness"), hand); len(got) != 1 || !strings.HasPrefix(got[0], string(role.Critical)) {
		t.Errorf("hand-off of a wish that is granted: %q", got)
	}
}

// TestReviewExtraWishes: what gold does not fulfil has to be refused, for
// certain and by no colleague; so has a wish for a look-alike.
func TestReviewExtraWishes(t *testing.T) {
	p := newPanel(t)
	said := func(acts ...phrase.Act) string {
		var out []string
		for _, a := range append([]phrase.Act{phrase.New("user_id", "user_id", "ann_gold_1001")}, acts...) {
			s, err := p.book.Render(a, phrase.Second, rand.New(rand.NewPCG(1, 1)))
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, s)
		}
		return strings.Join(out, " ")
	}
	cancel := func(booking, reason string) phrase.Act {
		return phrase.New("cancel", "booking", booking, "reason", reason)
	}
	gold, insist := act("cancel_reservation", "reservation_id", "AAA888"), phrase.New("insist")
	for _, c := range []struct {
		name string
		acts []phrase.Act
		want string // how the only finding begins, if any
	}{
		{"refused", []phrase.Act{cancel("AAA888", "plans"), cancel("AAA111", "plans"), insist}, ""},
		{"refused before", []phrase.Act{cancel("AAA111", "plans"), insist, cancel("AAA888", "plans")}, ""},
		{"granted", []phrase.Act{cancel("AAA888", "plans"), cancel("AAA333", "illness"), insist}, "critical extra_wish"},
		{"handed off", []phrase.Act{cancel("AAA888", "plans"), cancel("AAA666", "plans"), insist}, "critical extra_wish"},
		{"about no record", []phrase.Act{cancel("AAA888", "plans"), cancel("ZZZ999", "plans"), insist}, "unchecked extra_wish"},
		{"nobody insists", []phrase.Act{cancel("AAA888", "plans"), cancel("AAA111", "plans")}, "critical scenario"},
		{"look-alike refused", []phrase.Act{cancel("AAA888", "plans"), phrase.New("mixup", "booking", "AAA111")}, ""},
		{"look-alike granted", []phrase.Act{cancel("AAA888", "illness"), phrase.New("mixup", "booking", "AAA333")}, "critical extra_wish"},
	} {
		got := p.review(t, said(c.acts...), gold)
		if c.want == "" && len(got) > 0 || c.want != "" && (len(got) != 1 || !strings.HasPrefix(got[0], c.want)) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestReviewOfCallsThatFail: what fails for lack of arguments has no further
// findings on rules that would need them.
func TestReviewOfCallsThatFail(t *testing.T) {
	p := newPanel(t)
	for _, f := range p.review(t, "x", act("book_reservation", "user_id", "ann_gold_1001")) {
		if strings.HasPrefix(f, string(role.Unchecked)) && strings.Contains(f, "action 0") {
			t.Error(f)
		}
	}
}

func TestSpell(t *testing.T) {
	args := map[string]any{"a": math.Inf(1), "b": math.Copysign(0, -1), "c": []any{"x", int64(2)}, "d": nil}
	if got, want := rules.Spell("f", args), `f(a=Infinity, b=-0.0, c=["x",2], d=null)`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
