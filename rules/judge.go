package rules

import (
	"context"
	"hash/fnv"
	"math/rand/v2"

	"taste/contract"
	"taste/role"
	"taste/toolseq"
)

// Judge is the contract as a judge.
type Judge struct{ contract *contract.Contract }

// NewJudge makes the judge of a contract.
func NewJudge(c *contract.Contract) *Judge { return &Judge{c} }

// Judge is as contract.Judge has it.
func (j *Judge) Judge(_ context.Context, sequence []string) (role.Verdict, error) {
	return answer(j.contract.Judge(sequence)), nil
}

func answer(v contract.Verdict) role.Verdict {
	return role.Verdict{Plausible: v.Plausible, Bad: v.Bad(), Why: v.Why()}
}

// Screen spares another judge the sequences that the contract is certain of, but
// for a share by which it can be told how often the other one disagrees.
type Screen struct {
	judge    role.Judge
	contract *contract.Contract
	audit    float64
}

// NewScreen puts a contract in front of a judge. About a share of what is
// certain, 0 to 1, the judge is asked all the same, and has the last word.
func NewScreen(c *contract.Contract, judge role.Judge, audit float64) *Screen {
	return &Screen{judge: judge, contract: c, audit: audit}
}

// Judge asks the other judge.
func (s *Screen) Judge(ctx context.Context, sequence []string) (role.Verdict, error) {
	return s.judge.Judge(ctx, sequence)
}

// Certain implements role.CertainJudge.
func (s *Screen) Certain(sequence []string) (role.Verdict, bool) {
	v := s.contract.Judge(sequence)
	if !s.contract.Certain(v) || s.audited(sequence) {
		return role.Verdict{}, false
	}
	return answer(v), true
}

// audited picks a share of the sequences by their names alone, so that the choice
// is the same in every run.
func (s *Screen) audited(sequence []string) bool {
	h := fnv.New64a()
	for _, tool := range sequence {
		h.Write([]byte(tool))
		h.Write([]byte{0})
	}
	return rand.New(toolseq.Stream(h.Sum64(), "audit", 0)).Float64() < s.audit
}
