package run

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"taste/internal/hint"
	"taste/role"
	"taste/synth"
	"taste/tau"
	"taste/toolseq"
)

// ErrMissing says that an earlier stage has not been done yet.
var ErrMissing = errors.New("an earlier stage is missing")

// Stages does the stages of one run. A stage that is done is not done again:
// its result is read from the directory.
type Stages struct {
	Dir       *Dir
	Manifest  *Manifest
	Vocab     toolseq.Vocab
	SeedTasks []tau.Task
	Judge     role.Judge
	License   string                 // text of the licence of the data, if there is one
	HandOff   string                 // the tool that hands over to a human
	Gold      func(tool string) bool // what of a sequence stands in gold; nil: all
	Causes    []synth.Cause          // what tasks may be about, see synth.SelectInput
	Workers   int
	Observer  synth.Observer
}

// Sample does the first stage.
func (s *Stages) Sample(ctx context.Context) (*synth.Sampled, error) {
	if s.Dir.done(stageSample) {
		return s.sampled()
	}
	seeds, err := s.seeds()
	if err != nil {
		return nil, err
	}
	var out *synth.Sampled
	err = s.judging(func(judge synth.Judge) error {
		set := &s.Manifest.Settings
		out, err = synth.Sample(ctx, synth.SampleInput{
			Vocab: s.Vocab, Seeds: seeds, Judge: judge,
			Seed: set.Seed, Settings: set.Sample, Observer: s.Observer,
		})
		return err
	})
	if err != nil {
		return nil, err
	}
	if err := s.Dir.WriteJSON(ModelFile, out); err != nil {
		return nil, err
	}
	return out, s.Dir.finish(stageSample, ModelFile)
}

func (s *Stages) sampled() (*synth.Sampled, error) {
	out := &synth.Sampled{Model: &toolseq.Model{}}
	return out, s.Dir.ReadJSON(ModelFile, out)
}

// judging opens the journal of verdicts for the time of one stage.
func (s *Stages) judging(work func(synth.Judge) error) error {
	j, err := s.Dir.Judgements(s.Judge)
	if err != nil {
		return err
	}
	return errors.Join(work(j), j.Close())
}

// seeds are the gold sequences of the domain's own tasks.
func (s *Stages) seeds() ([][]int, error) {
	var out [][]int
	for i := range s.SeedTasks {
		seq, err := synth.Numbers(s.Vocab, GoldSequence(&s.SeedTasks[i]))
		if err != nil {
			return nil, fmt.Errorf("seed task %s: %w", s.SeedTasks[i].ID, err)
		}
		out = append(out, seq)
	}
	return out, nil
}

// GoldSequence names the tools of a task's gold actions.
func GoldSequence(t *tau.Task) []string {
	out := []string{}
	if t.EvaluationCriteria == nil {
		return out
	}
	for i := range t.EvaluationCriteria.Actions {
		out = append(out, t.EvaluationCriteria.Actions[i].Name)
	}
	return out
}

// Select does the second stage.
func (s *Stages) Select(ctx context.Context) (*synth.Selection, error) {
	if s.Dir.done(stageSelect) {
		return s.selected()
	}
	in, err := s.selectInput()
	if err != nil {
		return nil, err
	}
	var out *synth.Selection
	err = s.judging(func(judge synth.Judge) error {
		in.Judge = judge
		sel, err := synth.NewSelector(in, nil)
		if err == nil {
			out, err = sel.Select(ctx)
		}
		return err
	})
	if errors.Is(err, synth.ErrNonePlausible) {
		return nil, hint.Add(fmt.Errorf("%w: %w", ErrTooFew, err), "%s has every verdict; more --attempts or a larger --pool may find some", JudgementsFile)
	}
	if err != nil {
		return nil, err
	}
	if err := WriteLines(s.Dir, PoolFile, out.Pool); err != nil {
		return nil, err
	}
	if err := s.Dir.WriteJSON(SelectionFile, out); err != nil {
		return nil, err
	}
	return out, s.Dir.finish(stageSelect, PoolFile, SelectionFile)
}

func (s *Stages) selectInput() (synth.SelectInput, error) {
	if !s.Dir.done(stageSample) {
		return synth.SelectInput{}, hint.Add(fmt.Errorf("select in %s: %w: no %s", s.Dir.Path(), ErrMissing, ModelFile), "`taste sample` makes it")
	}
	sampled, err := s.sampled()
	if err != nil {
		return synth.SelectInput{}, err
	}
	set := &s.Manifest.Settings
	return synth.SelectInput{
		Model: sampled.Model, Seed: set.Seed, Method: set.Method, Tasks: set.Tasks, HandOff: s.HandOff, Gold: s.Gold, Causes: s.Causes,
		Sample: set.Sample, Settings: set.Select, Workers: s.Workers, Observer: s.Observer,
	}, nil
}

// selected reads a selection and its pool.
func (s *Stages) selected() (*synth.Selection, error) {
	out := &synth.Selection{}
	if err := s.Dir.ReadJSON(SelectionFile, out); err != nil {
		return nil, err
	}
	var err error
	out.Pool, err = ReadLines[synth.Member](s.Dir, PoolFile)
	return out, err
}

// ReadLines reads a file of JSON lines that was written as a whole. Of one that
// does not decode the error wraps ErrEdited.
func ReadLines[T any](d *Dir, name string) ([]T, error) {
	data, err := d.Read(name)
	if err != nil {
		return nil, err
	}
	var out []T
	dec := json.NewDecoder(bytes.NewReader(data))
	for dec.More() {
		var v T
		if err := dec.Decode(&v); err != nil {
			return nil, d.garbled(name, fmt.Errorf("item %d: %w", len(out)+1, err))
		}
		out = append(out, v)
	}
	return out, nil
}
