package models_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"taste/llm"
	"taste/models"
	"taste/prompts"
	"taste/role"
)

func newJudge(t *testing.T, m llm.Model) *models.Judge {
	t.Helper()
	j, err := models.NewJudge(base(m, libraryDomain(t)))
	if err != nil {
		t.Fatal(err)
	}
	return j
}

const (
	yes      = `{"structure": "ok", "flow": "ok", "viability": "a member borrows", "plausible": true, "bad": [], "why": "Usual."}`
	no       = `{"structure": "ok", "flow": "2 and 0 fail", "viability": "", "plausible": false, "bad": [2, 0, 2], "why": "Not read."}`
	noPlace  = `{"structure": "", "flow": "", "viability": "none", "plausible": false, "bad": [], "why": "Odd."}`
	outside  = `{"structure": "", "flow": "", "viability": "", "plausible": false, "bad": [3], "why": "Odd."}`
	contrary = `{"structure": "", "flow": "", "viability": "", "plausible": true, "bad": [1], "why": "Odd."}`
)

var three = []string{"get_member", "get_loan", "renew_loan"}

func TestJudge(t *testing.T) {
	for name, c := range map[string]struct {
		answers []string
		want    role.Verdict
	}{
		"plausible":                  {[]string{yes}, role.Verdict{Plausible: true, Bad: []int{}, Why: "Usual."}},
		"positions in order":         {[]string{no}, role.Verdict{Bad: []int{0, 2}, Why: "Not read."}},
		"fenced":                     {[]string{"Here:\n```json\n" + no + "\n```"}, role.Verdict{Bad: []int{0, 2}, Why: "Not read."}},
		"repaired after prose":       {[]string{"It is plausible.", yes}, role.Verdict{Plausible: true, Bad: []int{}, Why: "Usual."}},
		"repaired contradiction":     {[]string{contrary, yes}, role.Verdict{Plausible: true, Bad: []int{}, Why: "Usual."}},
		"positions on second asking": {[]string{noPlace, no}, role.Verdict{Bad: []int{0, 2}, Why: "Not read."}},
		"no positions after all":     {[]string{noPlace, noPlace}, role.Verdict{Bad: []int{}, Why: "Odd."}},
	} {
		var answers []*llm.Response
		for _, a := range c.answers {
			answers = append(answers, text(a))
		}
		m := says(answers...)
		v, err := newJudge(t, m).Judge(context.Background(), three)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if v.Plausible != c.want.Plausible || !slices.Equal(v.Bad, c.want.Bad) || v.Bad == nil || v.Why != c.want.Why || v.Raw != nil {
			t.Errorf("%s: got %+v, want %+v", name, v, c.want)
		}
		if len(m.calls) != len(c.answers) {
			t.Errorf("%s: asked %d times, want %d", name, len(m.calls), len(c.answers))
		}
	}
}

// The judge is asked about a sequence in one message, and told what was wrong.
func TestJudgesQuestion(t *testing.T) {
	m := says(text(outside), text(no))
	if _, err := newJudge(t, m).Judge(context.Background(), three); err != nil {
		t.Fatal(err)
	}
	first := m.calls[0]
	if role, _ := prompts.RoleOf(first.System); role != "judge" || first.Schema == nil || first.Schema.Name != "judge" {
		t.Errorf("asked as %q with schema %v", role, first.Schema)
	}
	var in models.JudgeInput
	if err := prompts.Input(first.Messages[0].Text, &in); err != nil || !slices.Equal(in.Sequence, three) {
		t.Errorf("asked about %q, %v", in.Sequence, err)
	}
	if first.Label != (llm.Label{Role: "judge", Item: "get_member get_loan renew_loan"}) || first.Trial != 0 {
		t.Errorf("asked with %+v, trial %d", first.Label, first.Trial)
	}
	repair := m.calls[1].Messages
	if len(repair) != 3 || repair[1].Text != outside || !strings.Contains(repair[2].Text, "outside 0 to 2") {
		t.Errorf("asked again by %+v", repair)
	}
}

// What no answer of can be used teaches nothing, and its answers are kept; a model
// that never gives one is given up.
func TestUnusableVerdicts(t *testing.T) {
	j := newJudge(t, says(text("no JSON"), text(contrary), text(yes), text("no JSON")))
	v, err := j.Judge(context.Background(), three)
	if err != nil || v.Plausible || len(v.Bad) != 0 || !slices.Equal(v.Raw, []string{"no JSON", contrary}) {
		t.Fatalf("got %+v, %v", v, err)
	}
	if v, err = j.Judge(context.Background(), three); err != nil || !v.Plausible {
		t.Fatalf("got %+v, %v", v, err)
	}
	n := 0
	for ; err == nil; n++ {
		_, err = j.Judge(context.Background(), three)
	}
	if !errors.Is(err, llm.ErrUseless) || n != 20 {
		t.Errorf("given up after %d: %v", n, err)
	}
}

func TestJudgesFaults(t *testing.T) {
	fault := &llm.Error{Class: llm.Auth, Model: "fake/model", Status: 401}
	_, err := newJudge(t, fails(fault)).Judge(context.Background(), three)
	if llm.ClassOf(err) != llm.Auth {
		t.Errorf("got %v", err)
	}
}
