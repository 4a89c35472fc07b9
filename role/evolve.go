package role

import (
	"context"
	"encoding/json"

	"taste/tau"
)

// Level says how far a task was evolved.
type Level string

// The levels.
const (
	Full Level = "full" // with traps, each of them proven
	Lite Level = "lite" // worded anew, with mild adversity and no trap
	Base Level = "base" // unchanged
)

// Levels lists the levels, hardest first.
func Levels() []Level { return []Level{Full, Lite, Base} }

// Technique is one trap of an evolved task: what carries it and what it is
// aimed at.
type Technique struct {
	Technique string   `json:"technique"`
	Item      int      `json:"item"`      // number of the wish that it is about, from 0, in the order of the scenario
	Sentences []string `json:"sentences"` // of the scenario, word for word; all of them away, the trap is away
	Decoys    []string `json:"decoys"`    // look-alike records beside the originals, table/key
	Adds      []string `json:"adds"`      // other records that only this trap speaks of, table/key
	Differs   []string `json:"differs"`   // of each decoy, the one field that makes it wrong
	Aim       string   `json:"aim"`       // what an agent does that falls for it
	// Plants are calls before the task starts that bring a record into the state that
	// makes it a decoy.
	Plants []tau.EnvCall `json:"plants,omitempty"`
}

// Design is what an evolver found for a task. It is kept as JSON, so that a
// search that was paid for outlives a crash.
type Design struct {
	Traps json.RawMessage `json:"traps"`         // in the evolver's own form
	Why   string          `json:"why"`           // why there are none, where there are none
	Raw   []string        `json:"raw,omitempty"` // what a model answered where none of it could be used
}

// Evolved is a task made harder. Its gold is that of the task before.
type Evolved struct {
	Task       tau.Task
	Level      Level
	Techniques []Technique
	Adds       []string // records that the evolution adds or changes, table/key
	Traps      []int    // of each technique, the number of its trap in the design
}

// Flop is a trap that does not do what it says, or what else a check found.
type Flop struct {
	Trap      int    `json:"trap"`      // its number in the design; -1: no trap in particular is to blame
	Technique string `json:"technique"` // what it was meant for
	Why       string `json:"why"`
}

// Tame is the error for a task that cannot be made harder as asked. It is an
// answer, not a fault.
type Tame struct{ Why string }

func (e *Tame) Error() string { return "not made harder: " + e.Why }

// Evolver makes a task harder and leaves its gold alone, in three steps: Devise
// looks for traps, Word chooses among them and words the task, Prove plays it.
// Devise and Prove work on several tasks side by side; Word is called in task
// order by one goroutine, so that it may spread techniques and words over the
// benchmark.
type Evolver interface {
	Devise(ctx context.Context, t *tau.Task, seed uint64) (*Design, error)
	// Word returns a *Tame (wrapped) where the design gives no task of that level. flops are those of earlier rounds with this
	// task: what they blame is not used again.
	Word(ctx context.Context, t *tau.Task, d *Design, level Level, flops []Flop, seed uint64) (Evolved, error)
	// Prove returns the traps of a task that do not do what they say: an agent
	// with the skill that a trap tests earns the reward, one that lacks just this
	// skill does not, and without the trap it does.
	Prove(ctx context.Context, e *Evolved, seed uint64) ([]Flop, error)
}

// Writer is an Evolver that words each task by itself, whatever it did to
// others: several may be worded side by side. Write stands for Word.
type Writer interface {
	Evolver
	Write(ctx context.Context, t *tau.Task, d *Design, level Level, flops []Flop, seed uint64) (Evolved, error)
}
