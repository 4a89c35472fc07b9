package models

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"taste/chat"
	"taste/llm"
	"taste/role"
)

// Judge has a model say whether sequences are plausible. It implements role.Judge.
type Judge struct {
	base Base
	data judgeData
	row  llm.Streak // of unusable answers
}

// judgeData is what the judge's prompt is filled with.
type judgeData struct {
	Domain   *View
	Both     bool     // the customer has tools, too
	Free     []string // tools whose calls gold does not keep
	Sequence []string
}

// Question is what the prompt of a judge shows as JSON.
func (d judgeData) Question() any {
	return JudgeInput{Sequence: d.Sequence}
}

// JudgeInput is the question of a judge.
type JudgeInput struct {
	Sequence []string `json:"sequence"`
}

// JudgeAnswer is the answer to it: what the three phases of checks came to, and
// the verdict.
type JudgeAnswer struct {
	Structure string `json:"structure"`
	Flow      string `json:"flow"`
	Viability string `json:"viability"`
	Plausible bool   `json:"plausible"`
	Bad       []int  `json:"bad"`
	Why       string `json:"why"`
}

// NewJudge makes a judge. Which calls gold keeps is for the contract to say; without
// one it keeps all.
func NewJudge(b Base) (*Judge, error) {
	v, err := NewView(b.Domain)
	if err != nil {
		return nil, fmt.Errorf("make judge: %w", err)
	}
	j := &Judge{base: b, data: judgeData{Domain: v}}
	for i := range b.Domain.Tools {
		t := &b.Domain.Tools[i]
		j.data.Both = j.data.Both || t.Requestor == chat.User
		if b.Contract != nil && !b.Contract.InGold(t.Name) {
			j.data.Free = append(j.data.Free, t.Name)
		}
	}
	_, err = b.prompt("judge")
	return j, err
}

// Judge implements role.Judge. A sequence about which the model gives no usable
// answer is implausible without positions, so that nothing is learnt from it; the
// raw answers stand in the verdict. Many in a row are an error that wraps llm.ErrUseless.
func (j *Judge) Judge(ctx context.Context, sequence []string) (role.Verdict, error) {
	data := j.data
	data.Sequence = sequence
	tries := 0
	check := func(a *JudgeAnswer) error {
		tries++
		return a.check(len(sequence), tries > 1)
	}
	a, _, err := ask(ctx, &j.base, "judge", data, about{role: "judge", item: strings.Join(sequence, " ")}, check)
	why, raw, unusable := llm.NoAnswer(err)
	if err != nil && !unusable {
		return role.Verdict{}, err
	}
	if err := j.row.Add(err); err != nil {
		return role.Verdict{}, err
	}
	if unusable {
		return role.Verdict{Bad: []int{}, Why: "the model gave no usable answer: " + why, Raw: raw}, nil
	}
	return role.Verdict{Plausible: a.Plausible, Bad: a.Bad, Why: a.Why}, nil
}

// check holds an answer to what a verdict is, and puts the positions in order. A
// model that was told that positions are missing may leave it at that.
func (a *JudgeAnswer) check(calls int, again bool) error {
	slices.Sort(a.Bad)
	a.Bad = slices.Compact(a.Bad)
	if a.Bad == nil {
		a.Bad = []int{}
	}
	switch n := len(a.Bad); {
	case a.Plausible && n > 0:
		return errors.New("plausible is true, but bad names calls that fail: a sequence is plausible only if no call fails")
	case n > 0 && (a.Bad[0] < 0 || a.Bad[n-1] >= calls):
		return fmt.Errorf("bad names a position outside 0 to %d", calls-1)
	case !a.Plausible && n == 0 && !again:
		return errors.New("plausible is false, but bad is empty: name the positions of the calls that fail")
	}
	return nil
}
