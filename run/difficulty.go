package run

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"taste/internal/hint"
	"taste/role"
	"taste/synth"
	"taste/tau"
	"taste/toolseq"
)

// Players are the roles that measure difficulty.
type Players struct {
	synth.Player
	Agents []string                      // played over base and evolved tasks
	Flawed func(technique string) string // the agent that lacks a technique's skill
	// Strip takes a technique out of an evolved task: its sentences and records.
	Strip func(t *tau.Task, all []role.Technique, technique string) (*tau.Task, error)
}

// Difficulty plays the reference agents over the tasks of a run and writes what
// came of it. A table of as many trials that is there already is returned.
func (s *Stages) Difficulty(ctx context.Context, p Players, trials int) (*synth.Difficulty, error) {
	if s.Dir.Has(DifficultyFile) {
		out := &synth.Difficulty{}
		if err := s.Dir.ReadJSON(DifficultyFile, out); err != nil {
			return nil, err
		}
		if out.Trials == trials && slices.Equal(out.Played(), p.Agents) {
			return out, s.Dir.Remove(WorkFile)
		}
	}
	cases, err := s.cases(p)
	if err != nil {
		return nil, err
	}
	out, err := s.measure(ctx, cases, p, trials)
	if err != nil {
		return nil, err
	}
	return out, errors.Join(s.Dir.WriteJSON(DifficultyFile, out), s.Dir.Remove(WorkFile))
}

func (s *Stages) measure(ctx context.Context, cases []synth.Case, p Players, trials int) (out *synth.Difficulty, err error) {
	work, err := s.Dir.Work()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, work.Close()) }()
	return synth.Measure(ctx, synth.DifficultyInput{
		Cases: cases, Agents: p.Agents, Flawed: p.Flawed, Player: p.Player, Memory: work,
		Trials: trials, Seed: s.Manifest.Settings.Seed, Workers: s.Workers, Observer: s.Observer,
	})
}

// cases reads the tasks of a run in their forms.
func (s *Stages) cases(p Players) ([]synth.Case, error) {
	if !s.Dir.done(stageEvolve) {
		return nil, hint.Add(fmt.Errorf("measure difficulty of %s: %w: no %s", s.Dir.Path(), ErrMissing, TasksFile), "`taste evolve` makes it")
	}
	base, err := s.Dir.BaseTasks()
	if err != nil {
		return nil, err
	}
	evolved, err := s.Dir.Tasks()
	if err != nil {
		return nil, err
	}
	var metas map[string]Meta
	if err := s.Dir.ReadJSON(MetaFile, &metas); err != nil {
		return nil, err
	}
	out := make([]synth.Case, len(evolved))
	for i := range evolved {
		t := &evolved[i]
		j := slices.IndexFunc(base, func(b tau.Task) bool { return b.ID == t.ID })
		if j < 0 {
			return nil, fmt.Errorf("measure difficulty: task %s of %s stands not in %s", t.ID, TasksFile, BaseTasksFile)
		}
		m := metas[t.ID]
		if out[i], err = newCase(&base[j], t, &m, s.Vocab, p); err != nil {
			return nil, fmt.Errorf("measure difficulty of task %s: %w", t.ID, err)
		}
	}
	return out, nil
}

// newCase reads one task in its forms.
func newCase(base, evolved *tau.Task, m *Meta, v toolseq.Vocab, p Players) (synth.Case, error) {
	c := synth.Case{Base: base, Evolved: evolved, Level: m.Level}
	gold := GoldSequence(evolved)
	writes := 0
	for _, name := range gold {
		if i, ok := v.Index(name); ok && v.Types[i] == toolseq.Write {
			writes++
		}
	}
	if c.Length = len(gold); c.Length > 0 {
		c.WriteShare = float64(writes) / float64(c.Length)
	}
	for i, k := range m.Techniques {
		if slices.ContainsFunc(m.Techniques[:i], func(o role.Technique) bool { return o.Technique == k.Technique }) {
			continue
		}
		t, err := p.Strip(evolved, m.Techniques, k.Technique)
		if err != nil {
			return c, err
		}
		c.Traps = append(c.Traps, synth.Trap{Technique: k.Technique, Without: t})
	}
	return c, nil
}
