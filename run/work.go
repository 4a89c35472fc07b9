package run

import (
	"encoding/json"
	"errors"
	"sync"

	"taste/synth"
)

// Work is a journal of what was paid for, by key, in the order in which it was
// done. It is for the time of a stage and removed after it, for that order
// depends on the workers. It is safe for concurrent use.
type Work struct {
	mu      sync.Mutex
	journal *Journal[paid]
	known   map[string]json.RawMessage // what stood there at the start; never written to
}

// paid is a line of the journal.
type paid struct {
	Key   string          `json:"key"`
	Value json.RawMessage `json:"value"`
}

// Work opens the journal of what was paid for. Close it after use.
func (d *Dir) Work() (*Work, error) {
	journal, lines, err := OpenJournal[paid](d, WorkFile)
	if err != nil {
		return nil, err
	}
	w := &Work{journal: journal, known: make(map[string]json.RawMessage, len(lines))}
	for _, l := range lines {
		w.known[l.Key] = l.Value
	}
	return w, nil
}

// Recall returns what stood under a key when the journal was opened.
func (w *Work) Recall(key string) (json.RawMessage, bool) {
	v, ok := w.known[key]
	return v, ok
}

// Keep adds a value.
func (w *Work) Keep(key string, value json.RawMessage) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.journal.Append(paid{key, value})
}

// Close closes the journal.
func (w *Work) Close() error { return w.journal.Close() }

// Outcomes is the ledger of the third stage: what was paid for, and beside it
// the log of attempts.
type Outcomes struct {
	*Work
	log *Journal[synth.Outcome]
}

// Outcomes opens the journals of the third stage. The log of attempts begins
// anew: a run that is taken up again comes by all outcomes once more, in the
// same order. Close them after use.
func (d *Dir) Outcomes() (*Outcomes, error) {
	work, log, err := journals[synth.Outcome](d, DraftsFile)
	return &Outcomes{Work: work, log: log}, err
}

// Evolution is the ledger of the fourth stage.
type Evolution struct {
	*Work
	log *Journal[synth.EvolveAttempt]
}

// Evolution opens the journals of the fourth stage, as Outcomes does those of
// the third. Close them after use.
func (d *Dir) Evolution() (*Evolution, error) {
	work, log, err := journals[synth.EvolveAttempt](d, EvolutionFile)
	return &Evolution{work, log}, err
}

// Log logs an attempt.
func (e *Evolution) Log(a synth.EvolveAttempt) error { return e.log.Append(a) }

// Close closes both journals.
func (e *Evolution) Close() error { return errors.Join(e.Work.Close(), e.log.Close()) }

// journals opens the journal of what was paid for and a log that begins anew.
func journals[T any](d *Dir, file string) (*Work, *Journal[T], error) {
	work, err := d.Work()
	if err != nil {
		return nil, nil, err
	}
	if err := d.Remove(file); err != nil {
		return nil, nil, errors.Join(err, work.Close())
	}
	log, _, err := OpenJournal[T](d, file)
	if err != nil {
		return nil, nil, errors.Join(err, work.Close())
	}
	return work, log, nil
}

// Record logs an outcome.
func (o *Outcomes) Record(out synth.Outcome) error { return o.log.Append(out) }

// Close closes both journals.
func (o *Outcomes) Close() error { return errors.Join(o.Work.Close(), o.log.Close()) }
