package run

import (
	"taste/synth"
)

// Outcomes is the ledger of the third stage, kept in a journal.
type Outcomes struct {
	journal *Journal[synth.Outcome]
	known   map[synth.AttemptKey]synth.Outcome // what stood there at the start; never written to
}

// Outcomes opens the journal of attempts at tasks. Close it after use.
func (d *Dir) Outcomes() (*Outcomes, error) {
	journal, lines, err := OpenJournal[synth.Outcome](d, DraftsFile)
	if err != nil {
		return nil, err
	}
	o := &Outcomes{journal: journal, known: make(map[synth.AttemptKey]synth.Outcome, len(lines))}
	for _, l := range lines {
		o.known[l.Key()] = l
	}
	return o, nil
}

// Known returns what stood in the journal of an attempt when it was opened.
func (o *Outcomes) Known(k synth.AttemptKey) (synth.Outcome, bool) {
	out, ok := o.known[k]
	return out, ok
}

// Record adds an outcome to the journal, unless it stands there.
func (o *Outcomes) Record(out synth.Outcome) error {
	if _, ok := o.known[out.Key()]; ok {
		return nil
	}
	return o.journal.Append(out)
}

// Close closes the journal.
func (o *Outcomes) Close() error { return o.journal.Close() }
