package run

import (
	"context"
	"strings"
	"sync"

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
	Certain   bool     `json:"certain,omitempty"` // the judge did not have to be asked, see role.CertainJudge

	Votes []role.Vote `json:"votes,omitempty"` // as in role.Verdict
	Raw   []string    `json:"raw,omitempty"`
}

func (l *Judgement) verdict() role.Verdict {
	return role.Verdict{Plausible: l.Plausible, Bad: l.Bad, Why: l.Why, Votes: l.Votes, Raw: l.Raw}
}

// Judgements is a judge that remembers: what stands in the run's journal is not
// asked again. The journal has each sequence once, in the order in which stages
// made use of the verdicts.
type Judgements struct {
	judge   role.Judge
	journal *Journal[Judgement]

	mu       sync.Mutex
	known    map[string]role.Verdict
	recorded map[string]bool
}

// Judgements opens the journal of verdicts in front of a judge. The judge must
// be the one that the journal was begun with. Close it after use.
func (d *Dir) Judgements(judge role.Judge) (*Judgements, error) {
	journal, lines, err := OpenJournal[Judgement](d, JudgementsFile)
	if err != nil {
		return nil, err
	}
	j := &Judgements{judge: judge, journal: journal, known: make(map[string]role.Verdict, len(lines)), recorded: make(map[string]bool, len(lines))}
	for _, l := range lines {
		key := sequenceKey(l.Sequence)
		j.known[key], j.recorded[key] = l.verdict(), true
	}
	return j, nil
}

func sequenceKey(sequence []string) string { return strings.Join(sequence, " ") }

// Ask asks the judge, unless the answer is known or certain. It is not in the
// journal before it is recorded.
func (j *Judgements) Ask(ctx context.Context, sequence []string) (role.Verdict, error) {
	if v, ok := j.Certain(sequence); ok {
		return v, nil
	}
	key := sequenceKey(sequence)
	j.mu.Lock()
	v, ok := j.known[key]
	j.mu.Unlock()
	if ok {
		return v, nil
	}
	v, err := j.judge.Judge(ctx, sequence)
	if err != nil {
		return v, err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.known[key] = v
	return v, nil
}

// Certain answers where the judge does not have to be asked.
func (j *Judgements) Certain(sequence []string) (role.Verdict, bool) {
	if c, ok := j.judge.(role.CertainJudge); ok {
		return c.Certain(sequence)
	}
	return role.Verdict{}, false
}

// Record adds the answer for a sequence that was asked about, or is certain, to
// the journal, if it is not there.
func (j *Judgements) Record(from synth.Origin, sequence []string) error {
	key := sequenceKey(sequence)
	if j.recorded[key] {
		return nil
	}
	j.recorded[key] = true
	v, certain := j.Certain(sequence)
	if !certain {
		j.mu.Lock()
		v = j.known[key]
		j.mu.Unlock()
	}
	line := Judgement{Origin: from, Sequence: sequence, Plausible: v.Plausible, Bad: v.Bad, Why: v.Why, Certain: certain, Votes: v.Votes, Raw: v.Raw}
	if line.Bad == nil {
		line.Bad = []int{}
	}
	if line.Sequence == nil {
		line.Sequence = []string{}
	}
	return j.journal.Append(line)
}

// Close closes the journal.
func (j *Judgements) Close() error { return j.journal.Close() }
