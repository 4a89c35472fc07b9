package synth

import (
	"context"
	"errors"
	"strings"

	"taste/toolseq"
)

// ErrNonePlausible says that there is nothing to choose from.
var ErrNonePlausible = errors.New("no sequence of the pool is plausible")

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

// Round tells what one pool brought.
type Round struct {
	Pool      int   `json:"pool"`
	Plausible int   `json:"plausible,omitempty"` // where the whole pool is judged
	Grafts    int   `json:"grafts,omitempty"`    // plausible sequences made for tools that the pool lacked
	Loss      int64 `json:"loss,omitempty"`      // summed distance to the medoids, in hundredths
	Passes    int   `json:"passes,omitempty"`
	Medoids   int   `json:"medoids,omitempty"`  // medoids that the judge accepted
	Replaced  int   `json:"replaced,omitempty"` // clusters for which the nearest plausible member stands
	Unusable  int   `json:"unusable,omitempty"` // clusters without a plausible member
}

// Selection is what the second stage chose.
type Selection struct {
	Method     Method           `json:"method"`
	Choices    []Choice         `json:"choices"`
	Dropped    []int            `json:"dropped"`    // clusters given up for want of a plausible member
	Shortfalls []string         `json:"shortfalls"` // what the choices lack of what was aimed at
	Rounds     []Round          `json:"rounds"`
	Coverage   toolseq.Coverage `json:"coverage"`
	Pool       []Member         `json:"-"`
}

// SelectInput is what the second stage works on.
type SelectInput struct {
	Model    *toolseq.Model
	Judge    Judge
	Seed     uint64
	Method   Method
	Tasks    int
	HandOff  string // the tool that hands over to a human, which few tasks need
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
	if in.Method == Best {
		return newBroadest(in, made), nil
	}
	return newClusters(in, made), nil
}

// nameKey makes a sequence of names a map key.
func nameKey(sequence []string) string { return strings.Join(sequence, " ") }

// drawPool draws the pool of a round, without the sequences of taken.
func drawPool(in SelectInput, round int, taken map[string]bool) ([][]int, error) {
	pool, err := toolseq.Pool(in.Sample.freeze(in.Model), in.Settings.Pool,
		derive(in.Seed, "pool", round), func(seq []int) bool { return taken[key(seq)] })
	var short *toolseq.ShortPoolError
	if errors.As(err, &short) {
		return pool, nil // a smaller pool is a pool; its size is recorded
	}
	return pool, err
}
