package models_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"taste/chat"
	"taste/eval"
	"taste/llm"
	"taste/models"
	"taste/prompts"
	"taste/role"
	"taste/sim"
)

// verify has a model verify the seed task against a user that says hello and then ends.
func verify(t *testing.T, agent *fake, seed uint64) []role.Attempt {
	t.Helper()
	user := &fake{answer: func(r *llm.Request, _ int) (*llm.Response, error) {
		if len(r.Messages) == 1 {
			return text("Hello."), nil
		}
		return text("Fine. ###STOP###"), nil
	}}
	v, err := models.NewVerifier(base(agent, libraryDomain(t)), models.User(models.Base{Model: user}))
	if err != nil {
		t.Fatal(err)
	}
	attempts, err := v.Verify(context.Background(), seedTask(t), seed)
	if err != nil {
		t.Fatal(err)
	}
	return attempts
}

// gold makes a model that makes the gold calls in each conversation and says what has to be said.
func gold(t *testing.T) *fake {
	all := goldCalls(t, seedTask(t))
	said := strings.Join(seedTask(t).EvaluationCriteria.CommunicateInfo, ", ")
	return &fake{answer: func(r *llm.Request, _ int) (*llm.Response, error) {
		if r.Messages[len(r.Messages)-1].Role == chat.Tool {
			return text("All is done: " + said), nil
		}
		return calls(all...), nil
	}}
}

func TestVerifier(t *testing.T) {
	if got := verify(t, gold(t), 1); len(got) != 1 || got[0].Reward != 1 || got[0].Turns == 0 {
		t.Errorf("a success is followed by further attempts: %+v", got)
	}
	idle := verify(t, says(text("I cannot do that.")), 1)
	if len(idle) != 2 || idle[0].Reward != 0 || idle[0].Why == "" {
		t.Errorf("an idle verifier came to %+v", idle)
	}
	tries := 0
	good := gold(t)
	second := verify(t, &fake{answer: func(r *llm.Request, n int) (*llm.Response, error) {
		if tries++; tries == 1 {
			return text("No."), nil
		}
		return good.answer(r, n)
	}}, 1)
	if len(second) != 2 || second[0].Reward != 0 || second[1].Reward != 1 {
		t.Errorf("a second attempt came to %+v", second)
	}
}

// The hints are the gold calls in another order, each with ⌈0.3·n⌉ of its n arguments gone.
func TestHints(t *testing.T) {
	type shown struct {
		By, Name  string
		Arguments map[string]any
	}
	task := seedTask(t)
	orders := map[string]bool{}
	for seed := range uint64(8) {
		m := says(text("hm"))
		verify(t, m, seed)
		for _, c := range m.calls {
			if name, _ := prompts.RoleOf(c.System); name != "verifier" {
				t.Fatalf("asked as %q", name)
			}
			var hints []shown
			if err := prompts.Input(c.System, &hints); err != nil {
				t.Fatal(err)
			}
			var got, want []string
			args, all := 0, 0
			for _, h := range hints {
				got = append(got, h.Name)
				args += len(h.Arguments)
			}
			for _, a := range task.EvaluationCriteria.Actions {
				want = append(want, a.Name)
				all += len(a.Arguments) - int(math.Ceil(0.3*float64(len(a.Arguments))))
			}
			orders[strings.Join(got, " ")] = true
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) || args != all {
				t.Fatalf("hints of %q with %d arguments, want %q with %d", got, args, want, all)
			}
		}
	}
	if len(orders) < 2 {
		t.Error("the order is always the same")
	}
}

func TestVerifiersFaults(t *testing.T) {
	v, err := models.NewVerifier(base(fails(&llm.Error{Class: llm.Auth}), libraryDomain(t)), models.User(models.Base{Model: says(text("Hi."))}))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := v.Verify(context.Background(), seedTask(t), 1); !errors.Is(err, sim.ErrHopeless) || llm.ClassOf(err) != llm.Auth {
		t.Errorf("got %v", err)
	}
}

// A conversation that the provider does not take is an attempt that failed, whoever's
// request it was, and says why.
func TestVerifiersRefusedRequests(t *testing.T) {
	for _, class := range []llm.Class{llm.BadRequest, llm.Malformed, llm.TooLong, llm.Blocked} {
		odd := fails(&llm.Error{Class: class, Model: "fake/model", Message: "too odd"})
		for name, pair := range map[string][2]llm.Model{"agent": {odd, says(text("Hi."))}, "user": {says(text("Hi.")), odd}} {
			v, err := models.NewVerifier(base(pair[0], libraryDomain(t)), models.User(models.Base{Model: pair[1]}))
			if err != nil {
				t.Fatal(err)
			}
			attempts, err := v.Verify(context.Background(), seedTask(t), 1)
			if err != nil || len(attempts) != 2 || !attempts[0].Broken || !attempts[1].Broken || !strings.Contains(attempts[1].Why, "too odd") || attempts[0].Reward != 0 {
				t.Errorf("%s of the %s: %+v, %v", class, name, attempts, err)
			}
		}
	}
}

func review(t *testing.T, m llm.Model) []role.Finding {
	t.Helper()
	r, err := models.NewReviewer(base(m, libraryDomain(t)))
	if err != nil {
		t.Fatal(err)
	}
	found, err := r.Review(context.Background(), seedTask(t))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestReviewer(t *testing.T) {
	clean := `{"path": "greet, read, act", "findings": []}`
	flawed := `{"path": "none", "findings": [{"severity": "critical", "rule": "One renewal only", "evidence": "renewed twice"}, {"severity": "minor", "rule": "order", "evidence": "could be swapped"}]}`
	vague := `{"path": "", "findings": [{"severity": "minor", "rule": " ", "evidence": "hm"}]}`
	if got := review(t, says(text(clean))); got == nil || len(got) != 0 {
		t.Errorf("of a clean task: %#v", got)
	}
	m := says(text(vague), text(flawed))
	got := review(t, m)
	if len(got) != 2 || got[0].Severity != role.Critical || got[1].Severity != role.Minor || got[0].Rule != "One renewal only" {
		t.Errorf("found %+v", got)
	}
	var doc models.TaskDoc
	if err := prompts.Input(m.calls[0].Messages[0].Text, &doc); err != nil {
		t.Fatal(err)
	}
	if task := seedTask(t); len(doc.Gold) != len(task.EvaluationCriteria.Actions) || doc.Gold[0].Answer == "" || len(doc.Changes) == 0 {
		t.Errorf("shown %+v", doc)
	}
	unusable := review(t, says(text("Looks good to me.")))
	if len(unusable) != 1 || unusable[0].Severity != role.Critical || len(unusable[0].Raw) != 2 {
		t.Errorf("without a usable answer: %+v", unusable)
	}
}

// Row 9: a short reply leaves nothing decided, and the judge alone is asked again;
// JSON in a code fence will do.
func TestNLJudge(t *testing.T) {
	messages := []chat.Message{
		chat.Text(chat.Assistant, "Hi!"), chat.Text(chat.User, "Renew it."),
		chat.Calls(chat.Assistant, chat.ToolCall{ID: "1", Name: "renew_loan", Arguments: map[string]any{"loan_id": "L1"}}),
		{Role: chat.Tool, ID: "1", Content: new("renewed"), Requestor: chat.Assistant},
	}
	two := []string{"The agent renewed the loan.", "The agent was rude."}
	full := "```json\n" + `{"results": [{"statement": "a", "reasoning": "call", "met": true}, {"statement": "b", "reasoning": "polite", "met": false}]}` + "\n```"
	m := says(text(`{"results": []}`), text(full))
	j, err := models.NewNLJudge(models.Base{Model: m})
	if err != nil {
		t.Fatal(err)
	}
	got, err := j.Decide(context.Background(), messages, two)
	want := []eval.Verdict{{Text: two[0], Met: true, Justification: "call"}, {Text: two[1], Met: false, Justification: "polite"}}
	if err != nil || !slices.Equal(got, want) || len(m.calls) != 2 {
		t.Errorf("got %+v, %v after %d calls", got, err, len(m.calls))
	}
	for _, part := range []string{"Renew it.", "renew_loan", "renewed", two[1]} {
		if !strings.Contains(m.calls[0].Messages[0].Text, part) {
			t.Errorf("the question lacks %q", part)
		}
	}
	j, err = models.NewNLJudge(models.Base{Model: says(text(`{"results": []}`))})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := j.Decide(context.Background(), messages, two); err == nil || !strings.Contains(err.Error(), "2 statements") {
		t.Errorf("got %v", err)
	}
}
