package run

import (
	"context"
	"strings"

	"taste/role"
	"taste/synth"
)

// Judgement is a line of judgements.jsonl. Bad positions are ascending, never
// null.
type Judgement struct {
	synth.Origin
	Sequence  []string `json:"sequence"`
	Plausible bool     `json:"plausible"`
	Bad       []int    `json:"bad"`
	Why       string   `json:"why"`
}

// Judgements is a judge that remembers: what stands in the run's journal is not
// asked again.
type Judgements struct {
	judge   role.Judge
	journal *Journal[Judgement]
	known   map[string]role.Verdict
}

// Judgements opens the journal of verdicts in front of a judge. The judge must
// be the one that the journal was begun with. Close it after use.
func (d *Dir) Judgements(judge role.Judge) (*Judgements, error) {
	journal, lines, err := OpenJournal[Judgement](d, JudgementsFile)
	if err != nil {
		return nil, err
	}
	j := &Judgements{judge: judge, journal: journal, known: make(map[string]role.Verdict, len(lines))}
	for _, l := range lines {
		j.known[strings.Join(l.Sequence, " ")] = role.Verdict{Plausible: l.Plausible, Bad: l.Bad, Why: l.Why}
	}
	return j, nil
}

// Ask is a synth.Judge.
func (j *Judgements) Ask(ctx context.Context, from synth.Origin, sequence []string) (role.Verdict, error) {
	key := strings.Join(sequence, " ")
	if v, ok := j.known[key]; ok {
		return v, nil
	}
	v, err := j.judge.Judge(ctx, sequence)
	if err != nil {
		return v, err
	}
	line := Judgement{Origin: from, Sequence: sequence, Plausible: v.Plausible, Bad: v.Bad, Why: v.Why}
	if line.Bad == nil {
		line.Bad = []int{}
	}
	if line.Sequence == nil {
		line.Sequence = []string{}
	}
	if err := j.journal.Append(line); err != nil {
		return v, err
	}
	j.known[key] = v
	return v, nil
}

// Close closes the journal.
func (j *Judgements) Close() error { return j.journal.Close() }
