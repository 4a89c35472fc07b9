package models

import (
	"slices"

	"taste/role"
	"taste/stats"
)

// Opinions says how the members of a committee or panel judged, and how far they agree
// beyond chance.
type Opinions struct {
	Members   []Opinion       `json:"members"`
	Agreement stats.Agreement `json:"agreement"`
}

// Opinion is how one member judged.
type Opinion struct {
	Name     string `json:"name"`
	For      int    `json:"for"`
	Against  int    `json:"against"`
	Unusable int    `json:"unusable"`      // answers that were none
	With     int    `json:"with_majority"` // votes that the majority shares
}

// Ratings of a member.
const (
	against = iota
	favour
)

// CommitteeOpinions counts the votes behind verdicts of a committee of the named
// judges; verdicts without votes do not count. seed is for the interval.
func CommitteeOpinions(judges []string, verdicts []role.Verdict, seed uint64) Opinions {
	o := newOpinions(judges)
	var ratings [][]int
	for _, v := range verdicts {
		if len(v.Votes) == 0 {
			continue
		}
		row := make([]int, len(judges))
		for i, name := range judges {
			row[i] = stats.NoRating
			if x, ok := voteOf(v, name); ok && len(x.Raw) == 0 {
				row[i] = rating(x.Plausible)
			}
		}
		ratings = append(ratings, row)
		o.count(row, rating(v.Plausible))
	}
	o.Agreement = stats.NewAgreement(ratings, seed)
	return o
}

// PanelOpinions counts what the named reviewers of a panel said of tasks, each with
// all findings about it: against are those with a critical finding, outvoted or not.
func PanelOpinions(reviewers []string, findings [][]role.Finding, seed uint64) Opinions {
	o := newOpinions(reviewers)
	var ratings [][]int
	for _, found := range findings {
		row := make([]int, len(reviewers))
		for i, name := range reviewers {
			row[i] = reviewRating(found, name)
		}
		ratings = append(ratings, row)
		o.count(row, rating(!slices.ContainsFunc(found, isCritical)))
	}
	o.Agreement = stats.NewAgreement(ratings, seed)
	return o
}

func newOpinions(names []string) Opinions {
	o := Opinions{Members: make([]Opinion, len(names))}
	for i, n := range names {
		o.Members[i].Name = n
	}
	return o
}

func rating(yes bool) int {
	if yes {
		return favour
	}
	return against
}

// reviewRating is what a reviewer's findings come to.
func reviewRating(found []role.Finding, name string) int {
	r := favour
	for _, f := range found {
		switch {
		case f.By != name:
		case len(f.Raw) > 0:
			return stats.NoRating
		case f.Severity == role.Critical || f.Severity == role.Outvoted:
			r = against
		}
	}
	return r
}

// count adds the ratings of one item.
func (o *Opinions) count(row []int, majority int) {
	for i, r := range row {
		m := &o.Members[i]
		switch r {
		case favour:
			m.For++
		case against:
			m.Against++
		default:
			m.Unusable++
		}
		if r == majority {
			m.With++
		}
	}
}

func voteOf(v role.Verdict, judge string) (role.Vote, bool) {
	i := slices.IndexFunc(v.Votes, func(x role.Vote) bool { return x.Judge == judge })
	if i < 0 {
		return role.Vote{}, false
	}
	return v.Votes[i], true
}
