package synth

import (
	"context"
	"errors"
	"maps"
	"math"
	"strings"

	"taste/toolseq"
)

// ErrNonePlausible says that there is nothing to choose from.
var ErrNonePlausible = errors.New("no sequence of the pool is plausible")

// Choice is a sequence that a task is to be made of.
type Choice struct {
	Sequence []string `json:"sequence"`          // what stands in the task's gold
	Sampled  []string `json:"sampled,omitempty"` // as it was drawn and judged, where gold keeps not all of it
	Cluster  int      `json:"cluster"`           // the group of the pool that it stands for
	Round    int      `json:"round"`             // the pool that it comes from
	Distance int      `json:"distance"`          // WED to the medoid of its cluster, in hundredths
}

// Member is a sequence of a pool.
type Member struct {
	Sequence []string `json:"sequence"`
	Sampled  []string `json:"sampled,omitempty"` // as in Choice
	Cluster  int      `json:"cluster"`
	Round    int      `json:"round"`
	Distance int      `json:"distance"` // as in Choice
}

// judged is what the judge is asked about.
func (m *Member) judged() []string {
	if m.Sampled != nil {
		return m.Sampled
	}
	return m.Sequence
}

// Round tells what one pool brought.
type Round struct {
	Pool      int   `json:"pool"`
	Plausible int   `json:"plausible,omitempty"` // where the whole pool is judged; else of what was chosen
	Rejected  int   `json:"rejected,omitempty"`  // choices that the judge turned down, where it was not asked about the whole pool
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
	Model   *toolseq.Model
	Judge   Judge
	Seed    uint64
	Method  Method
	Tasks   int
	HandOff string // the tool that hands over to a human, which few tasks need
	// Gold tells what of a sequence stands in a task's gold; nil: all. Sequences
	// are sampled and judged whole. What is told apart, measured and chosen is
	// their gold.
	Gold func(tool string) bool
	// Causes are what tasks may be about; each is to be possible in some of them.
	Causes   []Cause
	Sample   SampleSettings
	Settings SelectSettings
	Workers  int
	Observer Observer
}

// Cause is something that calls put right.
type Cause struct {
	Name    string
	Repairs []string                 // the calls that do so, in order
	Behind  func(gold []string) bool // whether it can be what calls of that gold are for
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

// drawn is a sequence as it was drawn, and what of it stands in gold.
type drawn struct{ whole, gold []int }

// golds are the gold parts of sequences.
func golds(of []drawn) [][]int {
	out := make([][]int, len(of))
	for i := range of {
		out[i] = of[i].gold
	}
	return out
}

// member describes a sequence of a pool.
func (in *SelectInput) member(d drawn) Member {
	v := in.Model.Vocab()
	m := Member{Sequence: Names(v, d.gold)}
	if len(d.gold) < len(d.whole) {
		m.Sampled = Names(v, d.whole)
	}
	return m
}

// strip leaves what stands in gold.
func (in *SelectInput) strip(whole []int) []int {
	if in.Gold == nil {
		return whole
	}
	names, out := in.Model.Vocab().Names, []int{}
	for _, tool := range whole {
		if in.Gold(names[tool]) {
			out = append(out, tool)
		}
	}
	return out
}

// evenly is the largest share of a pool that has gold of one length. Without reads
// most of it is short, and a broad set wants long ones, too.
const evenly = 1. / 8

// drawPool draws the pool of a round: sequences with different gold, without the
// gold of taken. One that leaves nothing for gold is no task. For the broadest
// set the lengths of gold are evened out where it is not all of a sequence.
func drawPool(in SelectInput, round int, taken map[string]bool) ([]drawn, error) {
	seen := map[string]bool{}
	maps.Copy(seen, taken)
	most, lengths := in.Settings.Pool, map[int]int{}
	if in.Gold != nil && in.Method == Best {
		most = int(math.Ceil(evenly * float64(most)))
	}
	skip := func(whole []int) bool {
		gold := in.strip(whole)
		k := key(gold)
		if in.Gold != nil && len(gold) == 0 || seen[k] || lengths[len(gold)] == most {
			return true
		}
		seen[k] = true
		lengths[len(gold)]++
		return false
	}
	pool, err := toolseq.Pool(in.Sample.freeze(in.Model), in.Settings.Pool, derive(in.Seed, "pool", round), skip)
	var short *toolseq.ShortPoolError
	if err != nil && !errors.As(err, &short) { // a smaller pool is a pool; its size is recorded
		return nil, err
	}
	out := make([]drawn, len(pool))
	for i, whole := range pool {
		out[i] = drawn{whole, in.strip(whole)}
	}
	return out, nil
}
