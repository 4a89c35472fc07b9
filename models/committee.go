package models

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"taste/role"
	"taste/tau"
)

// Member is a judge of a committee.
type Member struct {
	Name  string
	Judge role.Judge
}

// Committee asks several judges and follows the majority. It implements
// role.Judge; every vote stands in the verdict.
type Committee []Member

// Judge implements role.Judge. The members are asked side by side. In doubt, where
// as many are for as against, a sequence is plausible. Positions count that at
// least half of those who reject a sequence name.
func (c Committee) Judge(ctx context.Context, sequence []string) (role.Verdict, error) {
	votes := make([]role.Vote, len(c))
	g, ctx := errgroup.WithContext(ctx)
	for i, m := range c {
		g.Go(func() error {
			v, err := m.Judge.Judge(ctx, sequence)
			if err != nil {
				return fmt.Errorf("judge %s: %w", m.Name, err)
			}
			votes[i] = vote(m.Name, v)
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return role.Verdict{}, err
	}
	v := majority(votes)
	v.Votes = votes
	return v, nil
}

func vote(name string, v role.Verdict) role.Vote {
	return role.Vote{Judge: name, Plausible: v.Plausible, Bad: v.Bad, Why: v.Why, Raw: v.Raw}
}

// majority counts the votes; what is no vote does not count.
func majority(votes []role.Vote) role.Verdict {
	var accept, reject []role.Vote
	for _, v := range votes {
		switch {
		case len(v.Raw) > 0:
		case v.Plausible:
			accept = append(accept, v)
		default:
			reject = append(reject, v)
		}
	}
	out := role.Verdict{Plausible: len(accept) >= len(reject), Bad: []int{}}
	if len(accept)+len(reject) == 0 {
		for _, v := range votes {
			out.Raw = append(out.Raw, v.Raw...)
		}
		out.Plausible, out.Why = false, "no member gave a usable answer"
		return out
	}
	deciding := reject
	if out.Plausible {
		deciding = accept
	} else {
		out.Bad = shared(reject)
	}
	out.Why = fmt.Sprintf("%d of %d for, %d against; %s: %s", len(accept), len(votes), len(reject), deciding[0].Judge, deciding[0].Why)
	return out
}

// shared lists the positions that at least half of the votes name, ascending.
func shared(votes []role.Vote) []int {
	named := map[int]int{}
	for _, v := range votes {
		for _, at := range v.Bad {
			named[at]++
		}
	}
	out := []int{}
	for at, n := range named {
		if 2*n >= len(votes) {
			out = append(out, at)
		}
	}
	slices.Sort(out)
	return out
}

// PanelMember is a reviewer of a panel.
type PanelMember struct {
	Name     string
	Reviewer role.Reviewer
}

// Panel asks several reviewers and follows the majority: a critical finding stays
// one where more than half of them have one, else it is outvoted. All findings are
// kept, with who made them. It implements role.Reviewer.
type Panel []PanelMember

// Review implements role.Reviewer. The members are asked side by side.
func (p Panel) Review(ctx context.Context, t *tau.Task) ([]role.Finding, error) {
	found := make([][]role.Finding, len(p))
	g, ctx := errgroup.WithContext(ctx)
	for i, m := range p {
		g.Go(func() error {
			f, err := m.Reviewer.Review(ctx, t)
			if err != nil {
				return fmt.Errorf("reviewer %s: %w", m.Name, err)
			}
			found[i] = f
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	critical := 0
	for _, f := range found {
		if slices.ContainsFunc(f, isCritical) {
			critical++
		}
	}
	out := []role.Finding{}
	for i, findings := range found {
		for _, f := range findings {
			f.By = cmp.Or(f.By, p[i].Name)
			if isCritical(f) && 2*critical <= len(p) {
				f.Severity = role.Outvoted
			}
			out = append(out, f)
		}
	}
	return out, nil
}

func isCritical(f role.Finding) bool { return f.Severity == role.Critical }
