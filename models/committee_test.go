package models_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"taste/models"
	"taste/role"
	"taste/tau"
)

// fixed gives one verdict, or fails.
type fixed struct {
	v   role.Verdict
	err error
}

func (f fixed) Judge(context.Context, []string) (role.Verdict, error) { return f.v, f.err }

func accepts() role.Verdict { return role.Verdict{Plausible: true, Bad: []int{}, Why: "fine"} }

func rejects(bad ...int) role.Verdict { return role.Verdict{Bad: bad, Why: "no"} }

var unusable = role.Verdict{Bad: []int{}, Raw: []string{"?"}}

func TestCommittee(t *testing.T) {
	for name, c := range map[string]struct {
		votes     []role.Verdict
		plausible bool
		bad       []int
		raw       bool
	}{
		"all for":             {[]role.Verdict{accepts(), accepts(), accepts()}, true, []int{}, false},
		"one against":         {[]role.Verdict{accepts(), rejects(1), accepts()}, true, []int{}, false},
		"two against":         {[]role.Verdict{rejects(1, 3), rejects(3), accepts()}, false, []int{1, 3}, false},
		"three against":       {[]role.Verdict{rejects(1, 3), rejects(3), rejects(5)}, false, []int{3}, false},
		"no common position":  {[]role.Verdict{rejects(1), rejects(2), rejects(3)}, false, []int{}, false},
		"a tie leans to yes":  {[]role.Verdict{accepts(), rejects(0)}, true, []int{}, false},
		"unusable, no vote":   {[]role.Verdict{unusable, rejects(2), unusable}, false, []int{2}, false},
		"nothing to go by":    {[]role.Verdict{unusable, unusable}, false, []int{}, true},
		"unusable makes ties": {[]role.Verdict{accepts(), rejects(0), unusable}, true, []int{}, false},
	} {
		var committee models.Committee
		for i, v := range c.votes {
			committee = append(committee, models.Member{Name: string(rune('A' + i)), Judge: fixed{v: v}})
		}
		v, err := committee.Judge(context.Background(), three)
		if err != nil {
			t.Fatal(err)
		}
		if v.Plausible != c.plausible || !slices.Equal(v.Bad, c.bad) || v.Bad == nil || (v.Raw != nil) != c.raw || v.Why == "" {
			t.Errorf("%s: got %+v", name, v)
		}
		for i, vote := range v.Votes {
			if want := c.votes[i]; vote.Judge != string(rune('A'+i)) || vote.Plausible != want.Plausible || !slices.Equal(vote.Bad, want.Bad) {
				t.Errorf("%s: vote %d is kept as %+v", name, i, vote)
			}
		}
	}
	fault := errors.New("no connection")
	committee := models.Committee{{Name: "A", Judge: fixed{v: accepts()}}, {Name: "B", Judge: fixed{err: fault}}}
	if _, err := committee.Judge(context.Background(), three); !errors.Is(err, fault) || !strings.Contains(err.Error(), "judge B") {
		t.Errorf("got %v", err)
	}
}

type reviewer []role.Finding

func (r reviewer) Review(context.Context, *tau.Task) ([]role.Finding, error) { return r, nil }

func TestPanel(t *testing.T) {
	bad := reviewer{{Severity: role.Critical, Rule: "r", Evidence: "e"}, {Severity: role.Minor, Rule: "s", Evidence: "f"}}
	for name, c := range map[string]struct {
		reviewers []reviewer
		want      []string
	}{
		"minority": {[]reviewer{bad, {}, {}}, []string{"A outvoted r", "A minor s"}},
		"tie":      {[]reviewer{bad, {}}, []string{"A outvoted r", "A minor s"}},
		"majority": {[]reviewer{bad, {}, bad[:1]}, []string{"A critical r", "A minor s", "C critical r"}},
	} {
		var panel models.Panel
		for i, r := range c.reviewers {
			panel = append(panel, models.PanelMember{Name: string(rune('A' + i)), Reviewer: r})
		}
		found, err := panel.Review(context.Background(), &tau.Task{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range found {
			got = append(got, f.By+" "+string(f.Severity)+" "+f.Rule)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}
