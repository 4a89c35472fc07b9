package rules

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"

	"taste/contract"
	"taste/env"
	"taste/phrase"
	"taste/role"
	"taste/tau"
)

// Evolver makes tasks harder by the evolution section of the contract: it adds
// wishes that the policy refuses, slips of the tongue, false claims, things that
// are said only when asked for, calls for a supervisor, and look-alike records.
// It reads a task's scenario with the phrase book. It implements role.Evolver
// and is safe for concurrent use but for Word.
type Evolver struct {
	author *Author
	told   phrase.Variety // wordings used so far, by Word
	worn   map[string]int // tasks that carry a technique so far, by Word
	last   map[string]carried
}

// carried is what Word counted for a task, to be taken back when the task is
// worded anew.
type carried []string

// NewEvolver makes an evolver for a domain.
func NewEvolver(d *env.Domain, c *contract.Contract, b *phrase.Book) *Evolver {
	return &Evolver{author: NewAuthor(d, c, b), worn: map[string]int{}, last: map[string]carried{}}
}

// snare is a trap: one way to make a task harder. Its item is one of the task's own,
// which gets a twist, or a new one that the policy refuses.
type snare struct {
	Technique string
	At        int          // the item; a new one goes before it
	New       *phrase.Item `json:",omitempty"`
	Twist     *phrase.Act  `json:",omitempty"`
	Records   []addition   `json:",omitempty"`
	Planted   *planted     `json:",omitempty"`
	Decoy     string       `json:",omitempty"` // the field in which the record differs that is a decoy
	Record    string       `json:",omitempty"` // of the customer's, that a new item is about
	Global    bool         // it is about how the customer behaves, whatever the wish
	Branches  int          // conditions on what the agent does
	Aim       string
}

// addition is a record that is added to a task's database.
type addition struct {
	Table, Key string
	Fields     map[string]any
}

func (a addition) name() string { return a.Table + "/" + a.Key }

// planted is what is done, before a task starts, to a record that is a decoy.
type planted struct {
	Record  string // table/key
	Calls   []tau.EnvCall
	Changes []string // records that the calls change besides, table/key
}

// perTechnique is how many traps of a technique are looked for, so that there
// is a choice.
const perTechnique = 4

// Devise implements role.Evolver. It makes no conversation: what a trap does is
// worked out from contract and database.
func (e *Evolver) Devise(ctx context.Context, t *tau.Task, seed uint64) (*role.Design, error) {
	p, why, err := e.author.plot(t)
	if err != nil {
		return nil, fmt.Errorf("devise traps for task %s: %w", t.ID, err)
	}
	if why != "" {
		return &role.Design{Traps: json.RawMessage("[]"), Why: why}, nil
	}
	p.draw = rand.New(rand.NewPCG(seed, 4))
	s := &trapper{plot: p}
	for _, look := range s.searches() {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("devise traps for task %s: %w", t.ID, err)
		}
		look()
	}
	traps, err := json.Marshal(s.traps)
	if err != nil {
		return nil, fmt.Errorf("keep traps: %w", err)
	}
	return &role.Design{Traps: traps}, nil
}

// searches lists the searches for traps. Prose of others gets new wishes about
// records that are there, and no record: its words might mean it, too. To a trouble
// that it is about it can be added how the customer goes about it.
func (s *trapper) searches() []func() {
	if !s.foreign {
		return []func(){s.slips, s.claims, s.twins, s.rivals, s.supervisors, s.withholding, s.pressed, s.riders}
	}
	return []func(){s.claims, s.supervisors, s.withholding, s.pressed}
}

// trapper collects the traps of a task.
type trapper struct {
	*plot
	traps []snare
}

// room tells whether more traps of a technique are wanted.
func (s *trapper) room(technique string) bool {
	n := 0
	for i := range s.traps {
		if s.traps[i].Technique == technique {
			n++
		}
	}
	return n < perTechnique
}

func (s *trapper) keep(t snare) {
	if s.room(t.Technique) {
		s.traps = append(s.traps, t)
	}
}
