package run

import (
	"context"
	"errors"
	"fmt"

	"taste/internal/hint"
	"taste/role"
	"taste/synth"
	"taste/tau"
)

// Meta is what tasks_meta.json says of a task, and tasks_base_meta.json of the
// one that it was made from.
type Meta struct {
	Hash       string           `json:"hash"`                 // synth.ContentHash
	BaseHash   string           `json:"base_hash,omitempty"`  // of the task that it was made from
	Level      role.Level       `json:"level,omitempty"`      // how far it was made harder
	Why        string           `json:"why,omitempty"`        // why it is not full
	Techniques []role.Technique `json:"techniques,omitempty"` // what makes it hard
	Sequence   []string         `json:"sequence"`
	Cluster    int              `json:"cluster"`           // group of the pool that the sequence stands for
	Round      int              `json:"round"`             // pool that the sequence comes from
	Wishes     []string         `json:"wishes"`            // what the customer brings up, in order
	Rules      []string         `json:"rules"`             // contract rules that the gold exercises
	Faults     []string         `json:"faults,omitempty"`  // planted behind what the customer complains of
	Adds       []string         `json:"adds"`              // records added to or changed in the database, table/key
	Theme      string           `json:"theme,omitempty"`   // story of the scenario, where the author names one
	Seed       uint64           `json:"seed"`              // of the run
	DraftSeed  uint64           `json:"draft_seed,string"` // uses all 64 bits, which numbers of JSON do not hold everywhere
	Candidate  int              `json:"candidate"`         // sequences tried before this one
	Attempt    int              `json:"attempt"`           // tasks tried of it before this one
	Program    string           `json:"program"`
	Canary     string           `json:"canary"`
}

// Verdict is a line of verdicts.jsonl: what was found out about a task that
// passed.
type Verdict struct {
	Task     string         `json:"task"`
	Hash     string         `json:"hash"`
	Review   []role.Finding `json:"review"`
	Mutants  int            `json:"mutants"` // all of which earn 0
	Verifier []role.Attempt `json:"verifier"`
}

// Makers are the roles of the third and fourth stage.
type Makers struct {
	Author   role.Author
	Reviewer role.Reviewer
	Gate     synth.Gate
	Verifier role.Verifier
	Evolver  role.Evolver
}

// ErrTooFew says that fewer tasks were made than asked for.
var ErrTooFew = errors.New("fewer tasks than asked for")

// Enough returns an error that wraps ErrTooFew if a run has fewer tasks than
// its settings ask for.
func (m *Manifest) Enough(tasks int) error {
	if asked := m.Settings.Tasks; tasks < asked {
		return hint.Add(fmt.Errorf("%w: %d of %d", ErrTooFew, tasks, asked),
			"%s and %s say why; a larger --pool, more --tries or another --seed may give more", ReportTextFile, DraftsFile)
	}
	return nil
}

// Instantiate does the third stage and returns how many tasks were made, which
// may be fewer than asked for.
func (s *Stages) Instantiate(ctx context.Context, m Makers) (int, error) {
	if s.Dir.done(stageInstantiate) {
		tasks, err := s.Dir.BaseTasks()
		return len(tasks), err
	}
	if !s.Dir.done(stageSelect) {
		return 0, hint.Add(fmt.Errorf("instantiate in %s: %w: no %s", s.Dir.Path(), ErrMissing, SelectionFile), "`taste select` makes it")
	}
	var made []synth.Made
	err := s.judging(func(judge synth.Judge) error {
		var err error
		made, err = s.instantiate(ctx, judge, m)
		return err
	})
	if err != nil {
		return 0, err
	}
	if len(made) == 0 {
		return 0, hint.Add(fmt.Errorf("instantiate in %s: %w: no task passed", s.Dir.Path(), ErrTooFew), "%s says why, attempt by attempt", DraftsFile)
	}
	return len(made), s.publishBase(made)
}

func (s *Stages) instantiate(ctx context.Context, judge synth.Judge, m Makers) ([]synth.Made, error) {
	in, err := s.selectInput()
	if err != nil {
		return nil, err
	}
	in.Judge, in.Observer = judge, quiet{}
	selection, err := s.selected()
	if err != nil {
		return nil, err
	}
	selector, err := synth.NewSelector(in, selection)
	if err != nil {
		return nil, err
	}
	ledger, err := s.Dir.Outcomes()
	if err != nil {
		return nil, err
	}
	set := &s.Manifest.Settings
	made, err := synth.Instantiate(ctx, synth.InstantiateInput{
		Prefix: s.Manifest.Domain.Name, Canary: s.Manifest.Canary,
		Choices: selection.Choices, Selector: selector, Author: m.Author, Reviewer: m.Reviewer, Gate: m.Gate, Verifier: m.Verifier,
		Ledger: ledger, Seed: set.Seed, Settings: set.Instantiate, Workers: s.Workers, Observer: s.Observer,
	})
	return made, errors.Join(err, ledger.Close())
}

// quiet keeps a selection that goes on during the third stage from being shown
// as a stage of its own.
type quiet struct{}

func (quiet) Begin(string, int) {}
func (quiet) Advance(int)       {}
func (quiet) End(string)        {}

// publishBase writes the tasks, with what is known of them, tasks_base.json last.
// Then what was paid for stands in them.
func (s *Stages) publishBase(made []synth.Made) error {
	var tasks []tau.Task
	metas := map[string]Meta{}
	for i := range made {
		tasks = append(tasks, made[i].Task)
		metas[made[i].Task.ID] = s.meta(&made[i])
	}
	return inTurn(
		func() error { return s.Dir.Write(LicenseFile, s.license()) },
		func() error { return s.Dir.WriteJSON(BaseMetaFile, metas) },
		func() error { return s.Dir.Write(BaseTasksFile, tau.AppendTasks(nil, tasks)) },
		func() error {
			return s.Dir.finish(stageInstantiate, DraftsFile, LicenseFile, BaseMetaFile, BaseTasksFile)
		},
		func() error { return s.Dir.Remove(WorkFile) },
	)
}

// inTurn does steps until one fails.
func inTurn(steps ...func() error) error {
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

func (s *Stages) meta(m *synth.Made) Meta {
	return Meta{
		Hash: m.Outcome.Hash, Sequence: m.Choice.Sequence, Cluster: m.Choice.Cluster, Round: m.Choice.Round,
		Wishes: list(m.Meta.Wishes), Rules: list(m.Meta.Rules), Faults: m.Meta.Faults, Adds: list(m.Meta.Adds), Theme: m.Meta.Theme,
		Seed: s.Manifest.Settings.Seed, DraftSeed: m.Outcome.Seed, Candidate: m.Outcome.Candidate, Attempt: m.Outcome.Attempt,
		Program: s.Manifest.Program, Canary: s.Manifest.Canary,
	}
}

// list spells no items as an empty list.
func list(items []string) []string { return append([]string{}, items...) }

// license is the licence of the data that the tasks stand on, and so of them.
func (s *Stages) license() []byte { return dataLicense(&s.Manifest.Domain, s.License) }

// dataLicense names a domain's data and its licence, with the licence's text
// where there is one.
func dataLicense(d *Domain, license string) []byte {
	text := fmt.Sprintf("The tasks of this folder, and the records in them, stand on the data of\n\n    pack     %s\n    source   %s\n    licence  %s\n", d.Pack, d.Source, d.License)
	if license != "" {
		text += "\nIts text:\n\n" + license
	}
	return []byte(text)
}
