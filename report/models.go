package report

import (
	"sort"

	"taste/contract"
	"taste/models"
	"taste/role"
	"taste/run"
	"taste/stats"
)

// Models says who played the roles of a run, and what that came to. It is there for
// runs in which a language model took part.
type Models struct {
	*run.Cast
	Judge *JudgeCalls      `json:"judge_calls,omitempty"` // of a judge that is a model
	Panel *models.Opinions `json:"panel,omitempty"`       // of several reviewers, on the tasks that were made
}

// JudgeCalls says what was asked of a judge that is a model, and how its verdicts
// compare with the contract's.
type JudgeCalls struct {
	Asked    int             `json:"asked"`    // sequences
	Certain  int             `json:"certain"`  // sequences that the rules settled alone: calls that were saved
	Unusable int             `json:"unusable"` // answers that were no verdict: such a sequence counts as implausible
	Audited  stats.Share     `json:"audited"`  // of sequences that the rules are certain to reject and the judge was asked about: those that it accepts
	Rules    stats.Agreement `json:"rules"`    // agreement of rules and judge on what was asked
}

// modelsOf reads the part of models out of a run; nil where rules played all.
func modelsOf(in Input, verdicts []run.Verdict) (*Models, error) {
	cast := in.Manifest.Cast
	if cast == nil {
		return nil, nil
	}
	out := &Models{Cast: cast}
	if cast.Player("judge") != run.Rules {
		lines, err := run.ReadLines[run.Judgement](in.Dir, run.JudgementsFile)
		if err != nil {
			return nil, err
		}
		out.Judge = judgeCalls(in.Contract, lines, in.Manifest.Settings.Seed)
	}
	if len(cast.Judges) > 0 {
		var found [][]role.Finding
		for i := range verdicts {
			found = append(found, verdicts[i].Review)
		}
		o := models.PanelOpinions(cast.Judges, found, in.Manifest.Settings.Seed)
		out.Panel = &o
	}
	return out, nil
}

func judgeCalls(c *contract.Contract, lines []run.Judgement, seed uint64) *JudgeCalls {
	out := &JudgeCalls{}
	audited, accepted := 0, 0
	var ratings [][]int
	for i := range lines {
		l := &lines[i]
		rules := c.Judge(l.Sequence)
		switch {
		case l.Certain:
			out.Certain++
			continue
		case len(l.Raw) > 0:
			out.Asked++
			out.Unusable++
			continue
		}
		out.Asked++
		ratings = append(ratings, []int{number(rules.Plausible), number(l.Plausible)})
		if c.Certain(rules) {
			audited++
			accepted += number(l.Plausible)
		}
	}
	out.Audited, out.Rules = stats.NewShare(audited, accepted), stats.NewAgreement(ratings, seed)
	return out
}

func number(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// Player is who played a role.
type Player struct{ Role, Spec string }

// Players lists who played the roles, by role.
func (m *Models) Players() []Player {
	var out []Player
	for role, spec := range m.Roles {
		out = append(out, Player{role, spec})
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Role < out[j].Role })
	return out
}

// ByModel tells whether a model played a role, in a run of which the report is.
func (r *Report) ByModel(name string) bool {
	return r.Models != nil && r.Models.Player(name) != run.Rules
}
