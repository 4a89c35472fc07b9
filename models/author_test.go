package models_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"taste/domain/telecom"
	"taste/llm"
	"taste/models"
	"taste/role"
)

// The case of these tests: a new member with a new loan, which is renewed.
const (
	renewal = `{"purpose": "A renewal.", "theme": "a long book", "wishes": ["renew a loan"],
		"reason_for_call": "You want three more weeks for the loan L-100200.",
		"known_info": "You are Ina Berg, and your card is M10020030.", "unknown_info": " ", "task_instructions": "You agree to the new date.",
		"actions": [{"name": "get_loan", "arguments": {"loan_id": "L-100200"}},
			{"name": "renew_loan", "arguments": {"loan_id": "L-100200", "due": "2031-04-17"}}], "communicate_info": []}`
	member = `{"table": "members", "key": "M10020030", "record": {"member_id": "M10020030", "name": "Ina Berg", "email": "ina@example.com",
		"category": "student", "cards": ["1234"], "loans": []}}`
	loan = `{"table": "loans", "key": "L-100200", "record": {"loan_id": "L-100200", "member_id": "M10020030", "title": "Rope", "shelfmark": "DA 1.1",
		"kind": "book", "due": "2031-03-27", "renewals": 0, "waiting": 0, "paid": 0.0, "paid_by": ""}}`
)

var renewing = []string{"get_loan", "renew_loan"}

func database(records ...string) string {
	return `{"reasoning": "", "records": [` + strings.Join(records, ", ") + `]}`
}

func authorOf(t *testing.T, m llm.Model) role.Repairer {
	t.Helper()
	a, err := models.NewAuthor(base(m, libraryDomain(t)))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestAuthor(t *testing.T) {
	m := says(text(renewal), text(database(member, loan)))
	a := authorOf(t, m)
	d, err := a.Draft(t.Context(), "library-001", renewing, 5)
	if err != nil {
		t.Fatal(err)
	}
	task, err := a.Tell(t.Context(), d, 6)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"loans/L-100200", "members/M10020030"}; !slices.Equal(d.Meta.Adds, want) || d.Meta.Theme != "a long book" || *task.Description.Purpose != "A renewal." {
		t.Errorf("meta %+v", d.Meta)
	}
	i := task.UserScenario.Instructions.Structured
	if i.Domain != "library" || i.UnknownInfo != nil || !strings.Contains(*i.KnownInfo, "Ina Berg") {
		t.Errorf("scenario %+v", i)
	}
	e := libraryDomain(t).Environment()
	if err := e.SetState(task.InitialState); err != nil {
		t.Fatal(err)
	}
	if got := e.Record("members", "M10020030")["loans"].([]any); len(got) != 1 || got[0] != "L-100200" {
		t.Errorf("the loan is not entered in its member's list: %v", got)
	}
	for k := range task.EvaluationCriteria.Actions {
		if r := e.Apply(&task.EvaluationCriteria.Actions[k]); r.Error {
			t.Errorf("gold: %s", r.Content)
		}
	}
	// Its questions: two, of one trial, with the calls of the sequence and the tables
	// of the domain in their schemas, and with what fails so far.
	if len(m.calls) != 2 || m.calls[0].Trial == 0 || m.calls[0].Trial != m.calls[1].Trial || m.calls[0].Label.Role != "author" {
		t.Fatalf("asked %d times: %+v", len(m.calls), m.calls)
	}
	for n, want := range []string{`"enum":["renew_loan"]`, `"enum":["loans"]`} {
		if !strings.Contains(string(m.calls[n].Schema.JSON), want) {
			t.Errorf("schema %d lacks %s: %s", n, want, m.calls[n].Schema.JSON)
		}
	}
	if shown := m.calls[1].Messages[0].Text; !strings.Contains(shown, "actions[1] (renew_loan): Error") {
		t.Errorf("what fails is not shown: %s", shown)
	}
}

// Another seed is another trial, and so another call.
func TestAuthorTrials(t *testing.T) {
	m := says(text(renewal), text(database(member, loan)), text(renewal), text(database(member, loan)))
	a := authorOf(t, m)
	for seed := range uint64(2) {
		if _, err := a.Draft(t.Context(), "library-001", renewing, seed+1); err != nil {
			t.Fatal(err)
		}
	}
	if m.calls[0].Trial == m.calls[2].Trial {
		t.Error("two seeds ask in one trial")
	}
}

// What is wrong with an answer is told in words, once; then the answers are kept
// and the draft is given up.
func TestAuthorAnswers(t *testing.T) {
	const first, second = `{"name": "get_loan", "arguments": {"loan_id": "L-100200"}}`, `{"name": "renew_loan", "arguments": {"loan_id": "L-100200", "due": "2031-04-17"}}`
	swapped := strings.NewReplacer(first, second, second, first).Replace(renewal)
	for name, c := range map[string]struct{ scenario, database, says string }{
		"other order":     {swapped, "", "actions[0] calls renew_loan"},
		"too few":         {strings.Replace(renewal, `"actions": [{"name": "get_loan", "arguments": {"loan_id": "L-100200"}},`, `"actions": [`, 1), "", "the sequence has 2"},
		"wrong type":      {strings.Replace(renewal, `"due": "2031-04-17"`, `"due": 7`, 1), "", "due"},
		"silent customer": {strings.Replace(renewal, "You are Ina Berg, and your card is M10020030.", " ", 1), "", "known_info"},
		"no such table":   {renewal, strings.Replace(database(member, loan), `"table": "loans"`, `"table": "books"`, 1), "records/1"},
		"half a record":   {renewal, strings.Replace(database(member, loan), `"kind": "book",`, "", 1), "kind"},
		"names nobody":    {renewal, database(loan), "members"},
		"own key":         {renewal, strings.Replace(database(member, loan), `"key": "L-100200"`, `"key": "L-100201"`, 1), "L-100201"},
	} {
		t.Run(name, func(t *testing.T) {
			m := &fake{answer: func(r *llm.Request, _ int) (*llm.Response, error) {
				if strings.Contains(r.System, "author-database") {
					return text(c.database), nil
				}
				return text(c.scenario), nil
			}}
			_, err := authorOf(t, m).Draft(t.Context(), "library-001", renewing, 1)
			u, ok := errors.AsType[*llm.Unusable](err)
			if !ok || len(u.Answers) != 2 || !strings.Contains(u.Why.Error(), c.says) {
				t.Fatalf("got %v, want %q", err, c.says)
			}
			last := m.calls[len(m.calls)-1].Messages
			if told := last[len(last)-1].Text; !strings.Contains(told, c.says) {
				t.Errorf("told %q", told)
			}
		})
	}
}

// A record that is there is given more; what would change it otherwise stays in
// the task, for the gates to refuse.
func TestAuthorAddsToRecords(t *testing.T) {
	d := libraryDomain(t)
	e := d.Environment()
	key := e.Keys("members")[0]
	rec := e.RecordJSON("members", key).Shallow()
	rec.Set("loans", []any{})
	old, err := json.Marshal(map[string]any{"table": "members", "key": key, "record": rec})
	if err != nil {
		t.Fatal(err)
	}
	own := strings.ReplaceAll(loan, "M10020030", key)
	draft, err := authorOf(t, says(text(renewal), text(database(string(old), own)))).Draft(t.Context(), "library-001", renewing, 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.SetState(draft.Task.InitialState); err != nil {
		t.Fatal(err)
	}
	before, _ := d.Environment().Record("members", key)["loans"].([]any)
	if now := e.Record("members", key)["loans"].([]any); len(now) != len(before)+1 || !slices.Equal(now[:len(before)], before) {
		t.Errorf("loans %v became %v", before, now)
	}
}

func TestAuthorRepairs(t *testing.T) {
	m := says(text(renewal), text(database(member, loan)), text(`{"cause": "too late a date", "records": [`+member+`, `+loan+`], `+
		strings.Replace(renewal, "three more weeks", "two more weeks", 1)[1:]))
	a := authorOf(t, m)
	d, err := a.Draft(t.Context(), "library-001", renewing, 1)
	if err != nil {
		t.Fatal(err)
	}
	// Drafts are kept as JSON between the steps.
	kept, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	d = &role.Draft{}
	if err := json.Unmarshal(kept, d); err != nil {
		t.Fatal(err)
	}
	better, err := a.Repair(t.Context(), d, "gates: gold_runs: the date is too late", 2)
	if err != nil {
		t.Fatal(err)
	}
	task, err := a.Tell(t.Context(), better, 3)
	if err != nil || !strings.Contains(task.UserScenario.Instructions.Structured.ReasonForCall, "two more weeks") {
		t.Errorf("got %+v, %v", task.UserScenario, err)
	}
	asked := m.calls[2].Messages[0].Text
	for _, want := range []string{"gates: gold_runs: the date is too late", "three more weeks", `"L-100200"`} {
		if !strings.Contains(asked, want) {
			t.Errorf("the question lacks %q:\n%s", want, asked)
		}
	}
	if better.Meta.Seed != 2 || !slices.Equal(better.Meta.Sequence, renewing) {
		t.Errorf("meta %+v", better.Meta)
	}
}

// A fault of the provider's is no answer: it is returned as it is.
func TestAuthorOutOfReach(t *testing.T) {
	_, err := authorOf(t, fails(&llm.Error{Class: llm.Auth, Model: "fake/model"})).Draft(t.Context(), "x", renewing, 1)
	if _, unusable := errors.AsType[*llm.Unusable](err); unusable || llm.ClassOf(err) != llm.Auth || errors.Is(err, role.ErrUnbuildable) {
		t.Errorf("got %v", err)
	}
}

func TestUnknownTool(t *testing.T) {
	if _, err := authorOf(t, says(text(""))).Draft(t.Context(), "x", []string{"fly"}, 1); !errors.Is(err, role.ErrUnbuildable) {
		t.Errorf("got %v", err)
	}
}

// Where the user has tools a contract says what can be asserted: without one the
// domain is refused before anything is asked.
func TestTwoSidedDomains(t *testing.T) {
	d, err := telecom.Builtin(1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := models.NewAuthor(base(says(text("")), d)); err == nil || !strings.Contains(err.Error(), "contract") {
		t.Errorf("got %v", err)
	}
}
