package synth

import (
	"fmt"

	"taste/toolseq"
)

// Method says which of two ways of sampling and selecting a run takes.
type Method string

const (
	// Paper is the published method to the letter.
	Paper Method = "paper"
	// Best is this program's own, for broader sets of sequences.
	Best Method = "best"
)

// Validate refuses anything but the two methods.
func (m Method) Validate() error {
	if m != Paper && m != Best {
		return fmt.Errorf("unknown method %q: want %s or %s", string(m), Paper, Best)
	}
	return nil
}

// Sampler says what sequences are drawn from.
type Sampler string

const (
	// Trained is the model after the attempts of training.
	Trained Sampler = "trained"
	// Seeds is the model of the seed sequences alone, taken as plausible
	// without a judge.
	Seeds Sampler = "seeds"
	// Uniform draws every tool alike.
	Uniform Sampler = "uniform"
)

// SampleSettings are the settings of the first stage.
type SampleSettings struct {
	Sampler     Sampler `json:"sampler"`
	Attempts    int     `json:"attempts"`    // generation attempts of training
	Temperature float64 `json:"temperature"` // of the pool and the probe; 0: the one that training ended with
	Probe       int     `json:"probe"`       // first-seen sequences judged to estimate acceptance
	// StopAt ends training before its last attempt: once of the last 200 sequences so
	// many were accepted that the interval of the share lies above it. 0: never.
	StopAt float64 `json:"stop_at,omitempty"`
	// InFlight is how many sequences the judge is asked about side by side; 0 is 1.
	// Training is another for each number, see toolseq.Teacher.
	InFlight int            `json:"in_flight,omitempty"`
	Params   toolseq.Params `json:"params"`
}

// DefaultSampleSettings are those of the method.
func DefaultSampleSettings() SampleSettings {
	return SampleSettings{Sampler: Trained, Attempts: 3000, Temperature: 1.5, Probe: 300, Params: toolseq.PaperParams()}
}

// Validate names the first setting that is out of range.
func (s SampleSettings) Validate() error {
	switch {
	case s.Sampler != Trained && s.Sampler != Seeds && s.Sampler != Uniform:
		return fmt.Errorf("unknown sampler %q: want %s, %s or %s", string(s.Sampler), Trained, Seeds, Uniform)
	case s.Attempts < 0 || s.Attempts > 1_000_000:
		return fmt.Errorf("%d attempts: want 0 to 1,000,000", s.Attempts)
	case !(s.Temperature >= 0 && s.Temperature <= 100):
		return fmt.Errorf("temperature %v: want 0 to 100", s.Temperature)
	case s.Probe < 0 || s.Probe > 100_000:
		return fmt.Errorf("a probe of %d: want 0 to 100,000", s.Probe)
	case !(s.StopAt >= 0 && s.StopAt < 1):
		return fmt.Errorf("stop at an acceptance of %v: want 0 (never) to less than 1", s.StopAt)
	case s.InFlight < 0 || s.InFlight > 1024:
		return fmt.Errorf("%d verdicts in flight: want 1 to 1,024", s.InFlight)
	}
	return s.Params.Validate()
}

// freeze makes the sampler of pool and probe.
func (s SampleSettings) freeze(m *toolseq.Model) *toolseq.Frozen {
	if s.Temperature == 0 {
		return m.Freeze(m.Temperature())
	}
	return m.Freeze(s.Temperature)
}

// SelectSettings are the settings of the second stage.
type SelectSettings struct {
	// Lazy asks the judge about the sequences that method best chooses, and those that
	// take the place of what it rejects, not about the whole pool.
	Lazy   bool `json:"lazy,omitempty"`
	Pool   int  `json:"pool"`   // sequences drawn to choose from
	Rounds int  `json:"rounds"` // further clusterings for clusters without a plausible member
}

// DefaultSelectSettings are those of the method.
func DefaultSelectSettings() SelectSettings { return SelectSettings{Pool: 2000, Rounds: 3} }

// Most is how many tasks can be selected from a pool: half of it, so that every
// choice is one.
func (s SelectSettings) Most() int { return s.Pool / 2 }

// Validate names the first setting that is out of range.
func (s SelectSettings) Validate() error {
	switch {
	case s.Pool < 2 || s.Pool > 20_000:
		return fmt.Errorf("a pool of %d: want 2 to 20,000", s.Pool)
	case s.Rounds < 0 || s.Rounds > 100:
		return fmt.Errorf("%d rounds: want 0 to 100", s.Rounds)
	}
	return nil
}

// InstantiateSettings are the settings of the third stage.
type InstantiateSettings struct {
	Tries      int `json:"tries"`      // tasks tried for a sequence
	Repairs    int `json:"repairs"`    // repairs of each
	Candidates int `json:"candidates"` // sequences tried for a task
}

// DefaultInstantiateSettings are those of the method, and twelve sequences.
func DefaultInstantiateSettings() InstantiateSettings {
	return InstantiateSettings{Tries: 3, Repairs: 3, Candidates: 12}
}

// attempts is how many tasks are made of one sequence at most. An author
// without a memory makes a repair as it makes a new task.
func (s InstantiateSettings) attempts() int { return s.Tries * (1 + s.Repairs) }

// repairs tells whether an attempt is a repair of the one before.
func (s InstantiateSettings) repairs(attempt int) bool { return attempt%(1+s.Repairs) != 0 }

// fresh is the first attempt after this one that is no repair.
func (s InstantiateSettings) fresh(attempt int) int {
	return (attempt/(1+s.Repairs) + 1) * (1 + s.Repairs)
}

// Validate names the first setting that is out of range.
func (s InstantiateSettings) Validate() error {
	switch {
	case s.Tries < 1 || s.Tries > 100:
		return fmt.Errorf("%d tries of a sequence: want 1 to 100", s.Tries)
	case s.Repairs < 0 || s.Repairs > 100:
		return fmt.Errorf("%d repairs: want 0 to 100", s.Repairs)
	case s.Candidates < 1 || s.Candidates > 1000:
		return fmt.Errorf("%d sequences a task: want 1 to 1,000", s.Candidates)
	}
	return nil
}
