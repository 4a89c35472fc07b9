// Package role declares the roles that turn tool sequences into verified
// tasks. Package rules plays all of them by rules, deterministic and offline;
// language models fit behind the same interfaces. Implementations are safe for
// concurrent use unless they say otherwise, and rules are deterministic in
// their arguments.
package role

import (
	"context"
	"encoding/json"
	"errors"

	"taste/tau"
)

// Verdict is a judge's answer to one tool sequence.
type Verdict struct {
	Plausible bool   `json:"plausible"`
	Bad       []int  `json:"bad"` // problematic 0-based positions, ascending
	Why       string `json:"why"` // the reasons in words

	Votes []Vote   `json:"votes,omitempty"` // where several judges were asked, the answer of each
	Raw   []string `json:"raw,omitempty"`   // a model's answers none of which could be used: then the sequence counts as implausible, without positions
}

// Vote is the answer of one judge among several.
type Vote struct {
	Judge     string   `json:"judge"`
	Plausible bool     `json:"plausible"`
	Bad       []int    `json:"bad"`
	Why       string   `json:"why"`
	Raw       []string `json:"raw,omitempty"` // as in Verdict; then it is no vote
}

// Judge decides whether a sequence of tool names is plausible.
type Judge interface {
	Judge(ctx context.Context, sequence []string) (Verdict, error)
}

// CertainJudge is a judge that does not have to be asked about some sequences:
// their verdicts are at hand and cost nothing.
type CertainJudge interface {
	Judge
	// Certain answers for such a sequence, and always the same. It is false for all
	// others.
	Certain(sequence []string) (Verdict, bool)
}

// ErrUnbuildable marks a sequence for which an author found no task within its
// budget. It is an answer, not a fault: the next candidate takes its place.
var ErrUnbuildable = errors.New("no task found for this sequence")

// Draft is a task before its scenario is put into words. It is kept as JSON, so
// that a draft that was paid for outlives a crash.
type Draft struct {
	Task  tau.Task        `json:"task"`  // complete but for user_scenario
	Brief json.RawMessage `json:"brief"` // what the scenario has to say, in the author's own form
	Meta  Meta            `json:"meta"`
}

// Meta is what the benchmark records of a task beside the task itself.
type Meta struct {
	Sequence []string `json:"sequence"`
	Wishes   []string `json:"wishes"`           // what the customer brings up, in order
	Faults   []string `json:"faults,omitempty"` // planted faults behind its troubles, by name
	Rules    []string `json:"rules"`            // contract rules that the gold exercises
	Adds     []string `json:"adds"`             // records added to or changed in the database, table/key
	Theme    string   `json:"theme"`            // story of the scenario
	Seed     uint64   `json:"seed"`             // seed of the draft
	Tries    int      `json:"tries"`            // drafts tried before this one
}

// Author makes a task from a tool sequence in two steps: Draft finds scenario
// facts, database and gold actions; Tell puts the scenario into words. Drafts
// of different sequences are made side by side, Tell is called in task order by
// one goroutine, so that it may vary its words across the benchmark.
type Author interface {
	// Draft returns ErrUnbuildable (wrapped, with the reason) if it finds none.
	Draft(ctx context.Context, id string, sequence []string, seed uint64) (*Draft, error)
	// Tell returns ErrUnbuildable (wrapped) for a draft that cannot be worded.
	Tell(ctx context.Context, d *Draft, seed uint64) (tau.Task, error)
}

// Repairer is an Author that mends a draft of its own. Authors without a memory
// make another draft instead.
type Repairer interface {
	Author
	// Repair makes a draft for the sequence of d without the problem that a check
	// found, in the check's own words. Errors are those of Draft.
	Repair(ctx context.Context, d *Draft, problem string, seed uint64) (*Draft, error)
}

// Severity grades a reviewer's finding.
type Severity string

// Critical means that no competent agent could earn the reward; Outvoted that
// a minority of several reviewers says so; Unchecked that the reviewer could not tell.
const (
	Critical  Severity = "critical"
	Outvoted  Severity = "outvoted"
	Minor     Severity = "minor"
	Unchecked Severity = "unchecked"
)

// Finding is one thing that a reviewer has to say of a task.
type Finding struct {
	Severity Severity `json:"severity"`
	Rule     string   `json:"rule"`
	Evidence string   `json:"evidence"`
	By       string   `json:"by,omitempty"`  // which of several reviewers says so
	Raw      []string `json:"raw,omitempty"` // answers of a model none of which could be used, which is the finding
}

// Reviewer checks a task against the policy.
type Reviewer interface {
	Review(ctx context.Context, t *tau.Task) ([]Finding, error)
}

// Attempt is one try of the verifier.
type Attempt struct {
	Reward float64 `json:"reward"`
	Why    string  `json:"why"` // why it failed; empty after success
	Turns  int     `json:"turns"`

	// Broken says that agent or user gave up, as models do that say nothing of use.
	Broken bool `json:"broken,omitempty"`
}

// Verifier plays a task with shuffled, incomplete hints and a simulated user.
// It makes at most two attempts; one success suffices, all are returned.
type Verifier interface {
	Verify(ctx context.Context, t *tau.Task, seed uint64) ([]Attempt, error)
}
