package models_test

import (
	"math"
	"slices"
	"testing"

	"taste/models"
	"taste/role"
)

func TestCommitteeOpinions(t *testing.T) {
	v := func(plausible bool, votes ...role.Verdict) role.Verdict {
		out := role.Verdict{Plausible: plausible}
		for i, x := range votes {
			out.Votes = append(out.Votes, role.Vote{Judge: string(rune('A' + i)), Plausible: x.Plausible, Raw: x.Raw})
		}
		return out
	}
	o := models.CommitteeOpinions([]string{"A", "B", "C"}, []role.Verdict{
		v(true, accepts(), accepts(), rejects(0)), v(false, rejects(0), rejects(1), rejects(2)),
		v(true, accepts(), unusable, accepts()),
		{Plausible: true},
	}, 1)
	want := []models.Opinion{
		{Name: "A", For: 2, Against: 1, With: 3}, {Name: "B", For: 1, Against: 1, Unusable: 1, With: 2}, {Name: "C", For: 1, Against: 2, With: 2},
	}
	if !slices.Equal(o.Members, want) {
		t.Errorf("members %+v, want %+v", o.Members, want)
	}
	if a := o.Agreement; a.Items != 3 || a.Kappa != nil || math.Abs(*a.Observed-7./9) > 1e-12 {
		t.Errorf("agreement %+v", a)
	}
}

func TestPanelOpinions(t *testing.T) {
	f := func(by string, s role.Severity, raw ...string) role.Finding {
		return role.Finding{By: by, Severity: s, Raw: raw}
	}
	o := models.PanelOpinions([]string{"A", "B", "C"}, [][]role.Finding{
		{},
		{f("A", role.Outvoted), f("B", role.Minor)},
		{f("A", role.Critical), f("B", role.Critical), f("C", role.Critical, "?")},
	}, 1)
	want := []models.Opinion{
		{Name: "A", For: 1, Against: 2, With: 2}, {Name: "B", For: 2, Against: 1, With: 3}, {Name: "C", For: 2, Unusable: 1, With: 2},
	}
	if !slices.Equal(o.Members, want) || o.Agreement.Items != 3 {
		t.Errorf("got %+v, want %+v", o, want)
	}
}
