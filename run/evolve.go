package run

import (
	"context"
	"errors"
	"fmt"

	"taste/gates"
	"taste/internal/hint"
	"taste/role"
	"taste/synth"
	"taste/tau"
)

// Evolve does the fourth stage and returns how many tasks there are: each task
// of the third stage, made harder as far as that can be proven.
func (s *Stages) Evolve(ctx context.Context, m Makers) (int, error) {
	if s.Dir.done(stageEvolve) {
		tasks, err := s.Dir.Tasks()
		return len(tasks), errors.Join(err, s.Dir.Remove(WorkFile))
	}
	if !s.Dir.done(stageInstantiate) {
		return 0, hint.Add(fmt.Errorf("evolve in %s: %w: no %s", s.Dir.Path(), ErrMissing, BaseTasksFile), "`taste instantiate` makes it")
	}
	sound, metas, err := s.sound()
	if err != nil {
		return 0, err
	}
	ledger, err := s.Dir.Evolution()
	if err != nil {
		return 0, err
	}
	set := &s.Manifest.Settings
	out, err := synth.Evolve(ctx, synth.EvolveInput{
		Canary: s.Manifest.Canary, Tasks: sound, Evolver: m.Evolver, Reviewer: m.Reviewer, Gate: m.Gate, Verifier: m.Verifier,
		Ledger: ledger, Seed: set.Seed, Settings: set.Evolve, Workers: s.Workers, Observer: s.Observer,
	})
	if err = errors.Join(err, ledger.Close()); err != nil {
		return 0, err
	}
	return len(out), s.publish(out, metas)
}

// sound reads what the third stage left.
func (s *Stages) sound() ([]synth.Sound, map[string]Meta, error) {
	tasks, err := s.Dir.BaseTasks()
	if err != nil {
		return nil, nil, err
	}
	metas := map[string]Meta{}
	if err := s.Dir.ReadJSON(BaseMetaFile, &metas); err != nil {
		return nil, nil, err
	}
	var out []synth.Sound
	for i := range tasks {
		out = append(out, synth.Sound{Task: tasks[i], Adds: metas[tasks[i].ID].Adds})
	}
	return out, metas, nil
}

// publish writes the files of the benchmark, tasks.json last. Then what was paid
// for stands in them.
func (s *Stages) publish(made []synth.Hardened, metas map[string]Meta) error {
	var tasks []tau.Task
	var mutants []gates.Mutant
	var verdicts []Verdict
	var ids []string
	for i := range made {
		h := &made[i]
		tasks, ids = append(tasks, h.Task), append(ids, h.Task.ID)
		mutants = append(mutants, h.Mutants...)
		verdicts = append(verdicts, Verdict{
			Task: h.Task.ID, Hash: h.Outcome.Hash, Review: h.Outcome.Review,
			Mutants: len(h.Mutants), Verifier: h.Outcome.Verifier,
		})
		metas[h.Task.ID] = metas[h.Task.ID].Harder(h)
	}
	return inTurn(
		func() error { return WriteLines(s.Dir, MutantsFile, mutants) },
		func() error { return WriteLines(s.Dir, VerdictsFile, verdicts) },
		func() error { return s.Dir.WriteJSON(MetaFile, metas) },
		func() error { return s.Dir.WriteJSON(SplitsFile, map[string][]string{"base": ids}) },
		func() error { return s.Dir.Write(TasksFile, tau.AppendTasks(nil, tasks)) },
		func() error {
			return s.Dir.finish(stageEvolve, EvolutionFile, MutantsFile, VerdictsFile, MetaFile, SplitsFile, TasksFile)
		},
		func() error { return s.Dir.Remove(WorkFile) },
	)
}

// Harder is what is said of a task after it was made harder.
func (m Meta) Harder(h *synth.Hardened) Meta {
	m.BaseHash, m.Hash = m.Hash, h.Outcome.Hash
	m.Level, m.Why, m.Adds = h.Level, h.Why, list(h.Adds)
	m.Techniques = append([]role.Technique{}, h.Techniques...)
	return m
}
