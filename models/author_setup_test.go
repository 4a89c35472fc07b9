package models_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"taste/llm"
	"taste/models"
	"taste/role"
	"taste/tau"
)

// setupAuthor is telecom's, asked by a model.
func setupAuthor(t *testing.T, m llm.Model) role.Repairer {
	t.Helper()
	k := telecomKit(t)
	a, err := models.NewAuthor(models.Base{Model: m, Domain: k.Domain, Contract: k.Contract})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// The case of these tests is about the first customer of the world and its first
// line, whose phone is in airplane mode.
func airplane(t *testing.T) (scenario, setup string) {
	t.Helper()
	e := telecomKit(t).Domain.Environment()
	c := e.Record("customers", e.Keys("customers")[0])
	line := e.Record("lines", c["line_ids"].([]any)[0].(string))
	scenario = spellJSON(map[string]any{
		"purpose": "A phone without service.", "theme": "a flight", "wishes": []string{"no service"}, "unknown_info": "",
		"reason_for_call": "Your phone has no service.", "known_info": "You are " + c["full_name"].(string) + ", and your number is " + line["phone_number"].(string) + ".",
		"task_instructions": "Do what the agent asks for.", "communicate_info": []string{},
		"actions": []any{map[string]any{"name": "toggle_airplane_mode", "arguments": map[string]any{}}},
	})
	setup = spellJSON(map[string]any{"reasoning": "", "setup": []any{
		map[string]any{"function": "set_user_info", "arguments": map[string]any{"name": c["full_name"], "phone_number": line["phone_number"]}},
		map[string]any{"function": "set_user_location", "arguments": map[string]any{"abroad": false}},
		map[string]any{"function": "turn_airplane_mode_on", "arguments": map[string]any{}},
	}})
	return scenario, setup
}

var oneSwitch = []string{"toggle_airplane_mode"}

// What a task asserts follows from what gold does, not from what the model says.
func TestSetupAuthor(t *testing.T) {
	scenario, setup := airplane(t)
	m := says(text(scenario), text(setup))
	a := setupAuthor(t, m)
	d, err := a.Draft(t.Context(), "telecom-001", oneSwitch, 1)
	if err != nil {
		t.Fatal(err)
	}
	task, err := a.Tell(t.Context(), d, 1)
	if err != nil {
		t.Fatal(err)
	}
	crit := task.EvaluationCriteria
	if !slices.Equal(crit.RewardBasis, []tau.RewardType{tau.EnvAssertionReward}) || len(crit.EnvAssertions) == 0 || crit.Actions[0].Requestor != "user" {
		t.Errorf("criteria %+v", crit)
	}
	e := telecomKit(t).Domain.Environment()
	if err := e.SetState(task.InitialState); err != nil {
		t.Fatal(err)
	}
	before := 0
	for i := range crit.EnvAssertions {
		if ok, err := e.Clone().Assert(&crit.EnvAssertions[i]); err == nil && ok {
			before++
		}
	}
	if before == len(crit.EnvAssertions) {
		t.Error("all that is asserted holds before anything is done")
	}
	if shown := m.calls[1].System; !strings.Contains(shown, "`turn_airplane_mode_on` (customer's side)") || strings.Contains(shown, "`assert_") {
		t.Errorf("functions are shown as %s", shown)
	}
}

func TestSetupAuthorAnswers(t *testing.T) {
	scenario, setup := airplane(t)
	wifi := strings.Replace(scenario, "toggle_airplane_mode", "toggle_wifi", 1)
	for name, c := range map[string]struct{ scenario, setup, says string }{
		"something to say": {strings.Replace(scenario, `"communicate_info":[]`, `"communicate_info":["42"]`, 1), setup, "communicate_info"},
		"nothing to see":   {wifi, setup, "gold changes nothing that can be asserted"},
		"no such function": {scenario, strings.Replace(setup, "turn_airplane_mode_on", "drop_phone", 1), "/setup/2"},
		"wrong argument":   {scenario, strings.Replace(setup, `"abroad":false`, `"abroad":[]`, 1), "abroad"},
		"nobody's phone":   {scenario, `{"reasoning": "", "setup": []}`, "exactly one customer"},
	} {
		t.Run(name, func(t *testing.T) {
			m := &fake{answer: func(r *llm.Request, _ int) (*llm.Response, error) {
				if strings.Contains(r.System, "author-setup") {
					return text(c.setup), nil
				}
				return text(c.scenario), nil
			}}
			sequence := oneSwitch
			if c.scenario == wifi {
				sequence = []string{"toggle_wifi"}
			}
			_, err := setupAuthor(t, m).Draft(t.Context(), "telecom-001", sequence, 1)
			u, ok := errors.AsType[*llm.Unusable](err)
			if !ok || !strings.Contains(u.Why.Error(), c.says) {
				t.Fatalf("got %v, want %q", err, c.says)
			}
		})
	}
}

func TestSetupAuthorMends(t *testing.T) {
	scenario, setup := airplane(t)
	_, calls, _ := strings.Cut(setup, `"setup":`)
	m := says(text(scenario), text(setup), text(`{"cause": "too short", "setup": `+calls[:len(calls)-1]+`, `+strings.Replace(scenario, "no service.", "no service at all.", 1)[1:]))
	a := setupAuthor(t, m)
	d, err := a.Draft(t.Context(), "telecom-001", oneSwitch, 1)
	if err != nil {
		t.Fatal(err)
	}
	better, err := a.Repair(t.Context(), d, "verifier: the customer says too little", 2)
	if err != nil {
		t.Fatal(err)
	}
	task, err := a.Tell(t.Context(), better, 3)
	if err != nil || !strings.Contains(*task.Description.Purpose+task.UserScenario.Instructions.Structured.ReasonForCall, "no service at all") {
		t.Errorf("got %+v, %v", task.UserScenario, err)
	}
	if asked := m.calls[2].Messages[0].Text; !strings.Contains(asked, "the customer says too little") || !strings.Contains(asked, "turn_airplane_mode_on") {
		t.Errorf("asked %s", asked)
	}
}
