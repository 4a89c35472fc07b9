package library_test

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"taste/contract"
	"taste/env"
	"taste/gates"
	"taste/internal/library"
	"taste/phrase"
	"taste/role"
	"taste/rules"
	"taste/run"
	"taste/synth"
	"taste/tau"
	"taste/toolseq"
)

// trade is the library with all that the roles work from.
type trade struct {
	domain   *env.Domain
	contract *contract.Contract
	book     *phrase.Book
	seeds    []tau.Task
}

func open(t *testing.T, worldSeed uint64) *trade {
	t.Helper()
	d, err := library.Builtin(worldSeed)
	if err != nil {
		t.Fatal(err)
	}
	c, err := contract.Load(library.Contract())
	if err != nil {
		t.Fatal(err)
	}
	b, err := phrase.Load(append([][]byte{phrase.Common}, library.Phrases()...)...)
	if err != nil {
		t.Fatal(err)
	}
	seeds, err := library.Seeds()
	if err != nil {
		t.Fatal(err)
	}
	return &trade{d, c, b, seeds}
}

// Judge makes the contract the judge of sequences.
func (l *trade) Judge(_ context.Context, sequence []string) (role.Verdict, error) {
	v := l.contract.Judge(sequence)
	return role.Verdict{Plausible: v.Plausible, Bad: v.Bad(), Why: v.Why()}, nil
}

func (l *trade) makers() run.Makers {
	d, c, b := l.domain, l.contract, l.book
	return run.Makers{
		Author: rules.NewAuthor(d, c, b), Reviewer: rules.NewReviewer(d, c, b), Gate: gates.New(d, c, b),
		Verifier: rules.NewVerifier(d, c, b), Evolver: rules.NewEvolver(d, c, b),
	}
}

// silent is told how far stages are.
type silent struct{}

func (silent) Begin(string, int) {}
func (silent) Advance(int)       {}
func (silent) End(string)        {}

// generate does the four stages and returns the finished run.
func (l *trade) generate(t *testing.T, tasks int) *run.Stages {
	t.Helper()
	worldSeed := uint64(1)
	m := &run.Manifest{
		Format: run.Format, Program: "test", Domain: run.Domain{Name: l.domain.Name, WorldSeed: &worldSeed},
		Settings: run.Settings{
			Tasks: tasks, Seed: 1, Method: synth.Best, Sample: synth.DefaultSampleSettings(), Select: synth.DefaultSelectSettings(),
			Instantiate: synth.DefaultInstantiateSettings(), Evolve: synth.DefaultEvolveSettings(),
		},
	}
	m.Settings.Sample.Params, m.Settings.Sample.Attempts, m.Settings.Select.Pool = toolseq.BestParams(), 600, 200
	if err := m.SetCanary(); err != nil {
		t.Fatal(err)
	}
	dir, err := run.Create(filepath.Join(t.TempDir(), "run"), m)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := dir.Close(); err != nil {
			t.Error(err)
		}
	})
	vocab, err := synth.Vocabulary(l.domain.Tools)
	if err != nil {
		t.Fatal(err)
	}
	s := &run.Stages{
		Dir: dir, Manifest: m, Vocab: vocab, SeedTasks: l.seeds, Judge: l,
		HandOff: l.contract.Protocol.Handoff, Workers: 2, Observer: silent{},
	}
	if _, err := s.Sample(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Select(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Instantiate(t.Context(), l.makers()); err != nil {
		t.Fatal(err)
	}
	made, err := s.Evolve(t.Context(), l.makers())
	if err != nil {
		t.Fatal(err)
	}
	if made != tasks {
		t.Fatalf("%d of %d tasks", made, tasks)
	}
	return s
}

func metas(t *testing.T, s *run.Stages, file string) map[string]run.Meta {
	t.Helper()
	var out map[string]run.Meta
	if err := s.Dir.ReadJSON(file, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestGenerate makes a benchmark of a third trade by the code that makes those
// of the others: sampled, selected, instantiated, evolved.
func TestGenerate(t *testing.T) {
	l := open(t, 1)
	s := l.generate(t, 6)
	base, err := s.Dir.BaseTasks()
	if err != nil {
		t.Fatal(err)
	}
	evolved, err := s.Dir.Tasks()
	if err != nil {
		t.Fatal(err)
	}
	l.hold(t, base, metas(t, s, run.BaseMetaFile))
	l.hold(t, evolved, metas(t, s, run.MetaFile))
	techniques := map[string]bool{}
	for _, m := range metas(t, s, run.MetaFile) {
		for _, k := range m.Techniques {
			techniques[k.Technique] = true
		}
	}
	if len(techniques) < 4 {
		t.Errorf("evolution found only %v", techniques)
	}
}

// hold plays tasks: who keeps the rules earns the reward, who does nothing does
// not; and the gates have nothing against them.
func (l *trade) hold(t *testing.T, tasks []tau.Task, metas map[string]run.Meta) {
	t.Helper()
	player := &rules.Player{Domain: l.domain, Contract: l.contract, Book: l.book}
	gate := gates.New(l.domain, l.contract, l.book)
	for i := range tasks {
		task := &tasks[i]
		for agent, want := range map[string]float64{"careful": 1, "oracle": 1, "noop": 0} {
			got, err := player.Play(t.Context(), agent, task, 7)
			if err != nil {
				t.Fatal(err)
			}
			if got.Reward != want {
				t.Errorf("%s earns %v with %s (%s)", agent, got.Reward, task.ID, got.Why)
			}
		}
		r, err := gate.Check(task, &gates.Claims{Adds: metas[task.ID].Adds})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range slices.Concat(r.Failures, r.Unchecked) {
			t.Errorf("%s: %+v", task.ID, f)
		}
	}
}
