package models_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"taste/llm"
	"taste/models"
	"taste/role"
	"taste/tau"
)

// base task of these tests: the renewal of author_test.go.
func renewalTask(t *testing.T) *tau.Task {
	t.Helper()
	a := authorOf(t, says(text(renewal), text(database(member, loan))))
	d, err := a.Draft(t.Context(), "library-001", renewing, 1)
	if err != nil {
		t.Fatal(err)
	}
	task, err := a.Tell(t.Context(), d, 1)
	if err != nil {
		t.Fatal(err)
	}
	return &task
}

func evolverOf(t *testing.T, m llm.Model) *models.Evolver {
	t.Helper()
	e, err := models.NewEvolver(base(m, libraryDomain(t)))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func trap(technique string, call int, branches int, records string) models.Trap {
	x := models.Trap{Technique: technique, Call: call, Plan: "p", Branches: []string{}, Records: records, Aim: "a", Resolution: "r", Kind: "refused"}
	for i := range branches {
		x.Branches = append(x.Branches, fmt.Sprint("if ", i))
	}
	return x
}

func strategy(traps ...models.Trap) *llm.Response {
	out, err := json.Marshal(models.StrategyAnswer{Traps: traps})
	if err != nil {
		panic(err)
	}
	return text(string(out))
}

var (
	pressure = trap("eligibility_pressure", -1, 2, "")
	twin     = trap("decoy_entity", 1, 0, "another loan")
)

// A strategy is held to the method: how many traps, about which calls, one of them
// about the whole, with branches.
func TestStrategy(t *testing.T) {
	task := renewalTask(t)
	e := evolverOf(t, says(strategy(pressure, twin)))
	d, err := e.Devise(t.Context(), task, 1)
	if err != nil || d.Why != "" {
		t.Fatalf("got %+v, %v", d, err)
	}
	for name, c := range map[string]struct {
		traps []models.Trap
		says  string
	}{
		"none":          {[]models.Trap{}, "want 1 to 2"},
		"too many":      {[]models.Trap{pressure, twin, twin}, "want 1 to 2"},
		"no such call":  {[]models.Trap{pressure, trap("decoy_entity", 2, 0, "")}, "no such gold call"},
		"a read":        {[]models.Trap{pressure, trap("decoy_entity", 0, 0, "")}, "changes nothing"},
		"none global":   {[]models.Trap{trap("decoy_entity", 1, 2, "")}, "no trap is global"},
		"no branches":   {[]models.Trap{trap("eligibility_pressure", -1, 1, "")}, "1 branches"},
		"no technique":  {[]models.Trap{trap("bribery", -1, 2, "")}, "technique"},
		"no resolution": {[]models.Trap{{Technique: "eligibility_pressure", Call: -1, Plan: "p", Branches: []string{"a", "b"}, Aim: "a", Kind: "refused"}}, "resolution"},
	} {
		_, err := evolverOf(t, says(strategy(c.traps...))).Devise(t.Context(), task, 1)
		if u, ok := errors.AsType[*llm.Unusable](err); !ok || !strings.Contains(u.Why.Error(), c.says) {
			t.Errorf("%s: got %v, want %q", name, err, c.says)
		}
	}
	if d, err := evolverOf(t, says(text(""))).Devise(t.Context(), &tau.Task{ID: "x"}, 1); err != nil || d.Why == "" {
		t.Errorf("without gold: %+v, %v", d, err)
	}
}

const (
	decoy = `{"table": "loans", "key": "L-100201", "record": {"loan_id": "L-100201", "member_id": "M10020030", "title": "Rope", "shelfmark": "DA 1.1",
		"kind": "book", "due": "2031-03-27", "renewals": 3, "waiting": 0, "paid": 0.0, "paid_by": ""}, "trap": 1, "like": "L-100200", "differs": "renewals"}`
	harder = `{"reason_for_call": "You want longer for your book about rope.", "known_info": "You are Ina Berg, and your card is M10020030.", "unknown_info": "",
		"task_instructions": "If the agent asks which loan, it is L-100200. If the agent refuses a fourth week, insist once. Three weeks are fine then.",
		"traps": [{"trap": 0, "sentences": ["If the agent refuses a fourth week, insist once."]}, {"trap": 1, "sentences": []}]}`
)

// scriptOf answers the steps of an evolver.
func scriptOf(perturbation, rewrite string) *fake {
	return &fake{answer: func(r *llm.Request, _ int) (*llm.Response, error) {
		if strings.Contains(r.System, "evolver-perturbation") {
			return text(perturbation), nil
		}
		return text(rewrite), nil
	}}
}

func designOf(t *testing.T, traps ...models.Trap) *role.Design {
	t.Helper()
	text, err := json.Marshal(traps)
	if err != nil {
		t.Fatal(err)
	}
	return &role.Design{Traps: text}
}

func TestFullForm(t *testing.T) {
	task := renewalTask(t)
	m := scriptOf(database(decoy), harder)
	e := evolverOf(t, m)
	x, err := e.Write(t.Context(), task, designOf(t, pressure, twin), role.Full, nil, 3)
	if err != nil {
		t.Fatal(err)
	}
	if !sameGold(&x.Task, task) || x.Level != role.Full || !slices.Equal(x.Traps, []int{0, 1}) || len(m.calls) != 2 {
		t.Errorf("got %+v", x)
	}
	second := x.Techniques[1]
	if second.Technique != "decoy_entity" || second.Item != 0 || !slices.Equal(second.Decoys, []string{"loans/L-100201"}) || !slices.Equal(second.Differs, []string{"renewals"}) {
		t.Errorf("got %+v", second)
	}
	if want := []string{"loans/L-100201", "members/M10020030"}; !slices.Equal(x.Adds, want) {
		t.Errorf("adds %q, want %q", x.Adds, want)
	}
	env := libraryDomain(t).Environment()
	if err := env.SetState(x.Task.InitialState); err != nil {
		t.Fatal(err)
	}
	if env.Record("loans", "L-100200") == nil || len(env.Record("members", "M10020030")["loans"].([]any)) != 2 {
		t.Error("the task's own records are gone")
	}
	flops, err := e.Prove(t.Context(), &x, 1)
	if err != nil || len(flops) > 0 {
		t.Errorf("flops %+v, %v", flops, err)
	}
}

// Only what is asked for is told, and what checks found.
func TestRewriteIsToldProblems(t *testing.T) {
	m := scriptOf("", strings.Replace(harder, `, {"trap": 1, "sentences": []}`, "", 1))
	flops := []role.Flop{{Trap: 0, Technique: "eligibility_pressure", Why: "nobody falls for it"}, {Trap: -1, Why: "verifier: no"}, {Trap: -1, Why: "verifier: no"}}
	other := trap("information_withholding", -1, 1, "")
	x, err := evolverOf(t, m).Write(t.Context(), renewalTask(t), designOf(t, pressure, other), role.Full, flops, 1)
	if err != nil || len(x.Techniques) != 1 || len(m.calls) != 1 || len(x.Adds) != 0 {
		t.Fatalf("got %+v, %v, %d calls", x, err, len(m.calls))
	}
	shown := m.calls[0].Messages[0].Text
	if !strings.Contains(shown, "trap 0 (eligibility_pressure): nobody falls for it") || strings.Count(shown, "verifier: no") != 1 {
		t.Errorf("told %s", shown)
	}
}

// What the steps answer is held to the task.
func TestUselessForms(t *testing.T) {
	task := renewalTask(t)
	for name, c := range map[string]struct{ perturbation, rewrite, says string }{
		"replaces":     {strings.ReplaceAll(database(decoy), "L-100201", "L-100200"), harder, "is there already"},
		"like nothing": {strings.Replace(database(decoy), `"like": "L-100200"`, `"like": "L-1"`, 1), harder, "there is no loans/L-1"},
		"no trap":      {strings.Replace(database(decoy), `"trap": 1`, `"trap": 2`, 1), harder, "no such trap"},
		"no decoy":     {strings.Replace(database(decoy), `"renewals": 3`, `"renewals": 0`, 1), harder, "does not differ"},
		"no likeness": {
			strings.NewReplacer(`"title": "Rope"`, `"title": "x"`, `"shelfmark": "DA 1.1"`, `"shelfmark": "y"`, `"kind": "book"`, `"kind": "film"`,
				`"due": "2031-03-27"`, `"due": "2031-03-28"`, `"waiting": 0`, `"waiting": 2`).Replace(database(decoy)), harder, "does not resemble",
		},
		"nobody's":    {strings.Replace(database(decoy), "M10020030", "M1", 1), harder, "M1"},
		"misquoted":   {database(decoy), strings.Replace(harder, `["If the agent refuses`, `["When the agent refuses`, 1), "word for word"},
		"twice":       {database(decoy), strings.Replace(harder, `"trap": 1, "sentences"`, `"trap": 0, "sentences"`, 1), "twice"},
		"left out":    {database(decoy), strings.Replace(harder, `, {"trap": 1, "sentences": []}`, "", 1), "names 1 of the 2 traps; 2 at least"},
		"not carried": {database(decoy), strings.Replace(harder, `["If the agent refuses a fourth week, insist once."]`, "[]", 1), "no sentence that carries it"},
		"silent":      {database(decoy), strings.Replace(harder, "You want longer for your book about rope.", "", 1), "must not be empty"},
	} {
		_, err := evolverOf(t, scriptOf(c.perturbation, c.rewrite)).Write(t.Context(), task, designOf(t, pressure, twin), role.Full, nil, 1)
		if u, ok := errors.AsType[*llm.Unusable](err); !ok || !strings.Contains(u.Why.Error(), c.says) {
			t.Errorf("%s: got %v, want %q", name, err, c.says)
		}
	}
	_, err := evolverOf(t, says(text(""))).Write(t.Context(), task, &role.Design{Why: "no idea"}, role.Full, nil, 1)
	if tame, ok := errors.AsType[*role.Tame](err); !ok || tame.Why != "no idea" {
		t.Errorf("without traps: %v", err)
	}
}

func TestLiteForm(t *testing.T) {
	task := renewalTask(t)
	words := `{"reason_for_call": "Rope.", "known_info": "You are Ina Berg, card M10020030.", "unknown_info": "", "task_instructions": "Loan L-100200, three weeks."}`
	x, err := evolverOf(t, says(text(words))).Write(t.Context(), task, &role.Design{Why: "none"}, role.Lite, nil, 1)
	if err != nil || x.Level != role.Lite || len(x.Techniques) != 0 || !sameGold(&x.Task, task) || x.Task.UserScenario.Instructions.Structured.ReasonForCall != "Rope." {
		t.Errorf("got %+v, %v", x, err)
	}
	base, err := evolverOf(t, says()).Write(t.Context(), task, nil, role.Base, nil, 1)
	if err != nil || base.Level != role.Base {
		t.Errorf("got %+v, %v", base, err)
	}
}

// What a task says of its traps is held to the task.
func TestProve(t *testing.T) {
	e := evolverOf(t, scriptOf(database(decoy), harder))
	for name, c := range map[string]struct {
		change func(*role.Evolved)
		says   string
	}{
		"gold names it": {func(x *role.Evolved) { x.Techniques[1].Decoys = []string{"loans/L-100200"} }, "names its decoy"},
		"no sentence":   {func(x *role.Evolved) { x.Techniques[1].Sentences = []string{"Be rude."} }, "no sentence"},
		"carries gold":  {func(x *role.Evolved) { x.Techniques[1].Adds = []string{"loans/L-100200"} }, "gold fails without its records"},
	} {
		x, err := e.Write(t.Context(), renewalTask(t), designOf(t, pressure, twin), role.Full, nil, 3)
		if err != nil {
			t.Fatal(err)
		}
		c.change(&x)
		flops, err := e.Prove(t.Context(), &x, 1)
		if err != nil || len(flops) != 1 || flops[0].Trap != 1 || !strings.Contains(flops[0].Why, c.says) {
			t.Errorf("%s: %+v, %v", name, flops, err)
		}
	}
}
