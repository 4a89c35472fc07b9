package models

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strings"

	"taste/role"
)

// ByRules and the like say in verdicts of a mixed judge who decided.
const (
	ByRules = "rules"
	ByModel = "model"
)

// Mixed has rules settle the sequences that they are certain about, and asks a
// model about the rest. It implements role.Judge. Of the settled ones a sample is
// put to the model as well, to see how often the two disagree; the rules' word counts.
type Mixed struct {
	// Rules give their verdict on any sequence and say whether it is certain.
	Rules func(sequence []string) (v role.Verdict, certain bool)
	Model role.Judge
	// Audit has one of so many settled sequences audited, by a draw that depends on
	// the sequence alone; 0: none is.
	Audit int
}

// Judge implements role.Judge. Both opinions stand in the votes where the model was asked.
func (m *Mixed) Judge(ctx context.Context, sequence []string) (role.Verdict, error) {
	v, certain := m.Rules(sequence)
	if v.Bad == nil {
		v.Bad = []int{}
	}
	if certain && !m.audited(sequence) {
		v.By = ByRules
		return v, nil
	}
	asked, err := m.Model.Judge(ctx, sequence)
	if err != nil {
		return role.Verdict{}, err
	}
	votes := append([]role.Vote{vote(ByRules, v), vote(ByModel, asked)}, asked.Votes...)
	out := asked
	out.By = ByModel
	if certain {
		out = v
		out.By = ByRules
	}
	out.Votes = votes
	return out, nil
}

func (m *Mixed) audited(sequence []string) bool {
	if m.Audit == 0 {
		return false
	}
	sum := sha256.Sum256([]byte(strings.Join(sequence, "\n")))
	return binary.BigEndian.Uint64(sum[:])%uint64(m.Audit) == 0
}

// Settled says what a mixed judge saved, and how often rules and model disagree.
type Settled struct {
	Sequences int `json:"sequences"`
	Rules     int `json:"settled_by_rules"`
	Asked     int `json:"calls_of_the_model"` // audits included
	Saved     int `json:"calls_saved"`

	Audited           int `json:"audited"`            // settled by rules and put to the model as well
	AuditDisagreement int `json:"audit_disagreement"` // of those, where the model says otherwise
	Open              int `json:"open"`               // left to the model
	OpenDisagreement  int `json:"open_disagreement"`  // of those, where the rules would have said otherwise
	Unusable          int `json:"unusable"`           // answers of the model that were none
}

// Settle counts verdicts of a mixed judge.
func Settle(verdicts []role.Verdict) Settled {
	var s Settled
	for _, v := range verdicts {
		s.Sequences++
		if v.By == ByRules {
			s.Rules++
		}
		model, asked := voteOf(v, ByModel)
		rules, compared := voteOf(v, ByRules)
		if !asked {
			s.Saved++
			continue
		}
		s.Asked++
		if compared {
			s.opinions(v.By, model, rules)
		}
	}
	return s
}

func voteOf(v role.Verdict, judge string) (role.Vote, bool) {
	i := slices.IndexFunc(v.Votes, func(x role.Vote) bool { return x.Judge == judge })
	if i < 0 {
		return role.Vote{}, false
	}
	return v.Votes[i], true
}

// opinions counts one sequence about which both were asked.
func (s *Settled) opinions(by string, model, rules role.Vote) {
	all, otherwise := &s.Open, &s.OpenDisagreement
	if by == ByRules {
		all, otherwise = &s.Audited, &s.AuditDisagreement
	}
	*all++
	switch {
	case len(model.Raw) > 0:
		s.Unusable++
	case model.Plausible != rules.Plausible:
		*otherwise++
	}
}
