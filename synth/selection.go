package synth

import (
	"context"
	"strings"

	"taste/toolseq"
)

// Choice is a sequence that a task is to be made of.
type Choice struct {
	Sequence []string `json:"sequence"`
	Cluster  int      `json:"cluster"`  // the group of the pool that it stands for
	Round    int      `json:"round"`    // the pool that it comes from
	Distance int      `json:"distance"` // WED to the medoid of its cluster, in hundredths
}

// Member is a sequence of a pool.
type Member struct {
	Sequence []string `json:"sequence"`
	Cluster  int      `json:"cluster"`
	Round    int      `json:"round"`
	Distance int      `json:"distance"` // as in Choice
}

// Round tells what one clustering brought.
type Round struct {
	Pool     int   `json:"pool"`
	Loss     int64 `json:"loss"` // summed distance to the medoids, in hundredths
	Passes   int   `json:"passes"`
	Medoids  int   `json:"medoids"`  // medoids that the judge accepted
	Replaced int   `json:"replaced"` // clusters for which the nearest plausible member stands
	Unusable int   `json:"unusable"` // clusters without a plausible member
}

// Selection is what the second stage chose.
type Selection struct {
	Method   Method           `json:"method"`
	Choices  []Choice         `json:"choices"`
	Dropped  []int            `json:"dropped"` // clusters given up for want of a plausible member
	Rounds   []Round          `json:"rounds"`
	Coverage toolseq.Coverage `json:"coverage"`
	Pool     []Member         `json:"-"`
}

// SelectInput is what the second stage works on.
type SelectInput struct {
	Model    *toolseq.Model
	Judge    Judge
	Seed     uint64
	Method   Method
	Tasks    int
	Sample   SampleSettings
	Settings SelectSettings
	Workers  int
	Observer Observer
}

// Selector chooses sequences, and finds others for those of which no task could
// be made. One goroutine uses it.
type Selector interface {
	// Select draws a pool and chooses sequences from it.
	Select(ctx context.Context) (*Selection, error)
	// Next returns a sequence in the place of a choice that failed, never one
	// that was chosen before, or false if there is none left. Equal calls in
	// equal order give equal answers.
	Next(ctx context.Context, failed Choice) (Choice, bool, error)
}

// NewSelector begins a selection by the input's method, or takes up one that
// was made.
func NewSelector(in SelectInput, made *Selection) (Selector, error) {
	if err := in.Method.Validate(); err != nil {
		return nil, err
	}
	return newClusters(in, made), nil
}

// nameKey makes a sequence of names a map key.
func nameKey(sequence []string) string { return strings.Join(sequence, " ") }
