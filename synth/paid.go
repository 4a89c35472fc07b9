package synth

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// Memory remembers what work cost, so that a run that was interrupted pays once
// for it. Its methods are called by many goroutines.
type Memory interface {
	// Recall returns what was kept under a key, as JSON.
	Recall(key string) (value json.RawMessage, ok bool)
	// Keep remembers a value. It is called as soon as its work is done, so in any
	// order.
	Keep(key string, value json.RawMessage) error
}

// Ledger is the memory of drafts and checks, and beside it the log of attempts.
type Ledger interface {
	Memory
	// Record logs the outcome of an attempt, once, in an order that depends on
	// the outcomes alone.
	Record(Outcome) error
}

// paid returns what the ledger holds under a key, or does the work and keeps
// what it returns. An error of the work is kept nowhere.
func paid[T any](l Memory, key string, work func() (T, error)) (T, error) {
	var out T
	if value, ok := l.Recall(key); ok {
		return out, decode(value, &out)
	}
	out, err := work()
	if err != nil {
		return out, err
	}
	value, err := json.Marshal(out)
	if err != nil {
		return out, fmt.Errorf("keep %s: %w", key, err)
	}
	return out, l.Keep(key, value)
}

// decode reads JSON; numbers keep their text.
func decode(data json.RawMessage, v any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	return d.Decode(v)
}

// keyOf names work on an item for people, and by a hash everything that its
// result depends on: the canary stands for all settings.
func (in *InstantiateInput) keyOf(what string, w *item, seed uint64, content string) string {
	return workKey(fmt.Sprintf("%s %s/%d/%d", what, w.id, w.candidate, w.attempt), in.Canary, seed, w.choice.Sequence, content)
}

// workKey is a name with a hash of what the work depends on.
func workKey(name, canary string, seed uint64, sequence []string, content string) string {
	h := sha256.New()
	fmt.Fprintf(h, "%q %d %q %q", canary, seed, sequence, content)
	return name + " " + hex.EncodeToString(h.Sum(nil)[:8])
}
