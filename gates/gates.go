// Package gates decides whether a task may go into a benchmark. It runs the
// task's gold actions and many wrong variants of them: gold has to earn the
// reward, everything else has to fail. Where the scenario is written in the
// words of a phrase book it is read, and what it says is held to gold,
// database and contract.
package gates

import (
	"fmt"
	"sync"

	"taste/contract"
	"taste/env"
	"taste/phrase"
	"taste/tau"
)

// Gates of a task. Failures of mutants have "mutant." before the mutant's kind.
const (
	SetUp       = "initial_state"  // the initial state can be set up
	UserTools   = "user_tools"     // the user has the tools that the task names, and those that gold wants the user to use
	GoldRuns    = "gold_runs"      // every gold action that may change something succeeds from the initial state
	ReadRuns    = "gold_reads"     // so does every other gold action
	GoldEarns   = "gold_earns"     // gold earns 1, literals said
	NothingLost = "do_nothing"     // doing and saying nothing earns 0
	SilentLost  = "silent_agent"   // gold without a word earns 0 if there is something to say
	NotEmpty    = "empty_gate"     // some part of the reward depends on the agent
	Told        = "told"           // what the customer asks for is what has to be said
	Literal     = "literal"        // what has to be said can be recognised, and only in an answer
	Chance      = "said_by_chance" // no literal is said by an agent that does not know it
	Distinct    = "distinct"       // no literal is said along with another one
	FreeOrder   = "free_order"     // orders that are left free end in one state
	Sole        = "tie"            // no choice of the customer has a tie
	Sensible    = "where"          // the contract's conditions of each wish hold
	Derived     = "gold_derived"   // the wishes lead to the gold actions
	Needed      = "needed_read"    // gold makes the reads that a wish cannot do without
	Known       = "known_value"    // names, dates and ids agree with the database
	Additive    = "additions"      // only declared records are added or changed
	Readable    = "readable"       // the scenario could be read
	Customer    = "customer"       // it is known whose task it is
	NoChange    = "no_change"      // every gold write changes something
	Identify    = "identify"       // the scenario says who calls
	Semantics   = "semantics"      // gold ends in one state under compat and strict semantics
	Name        = "own_name"       // the scenario's customer has the name that the database says
)

// Finding is a gate that a task does not pass, or one that could not be tried.
type Finding struct {
	Rule     string `json:"rule"`
	Evidence string `json:"evidence"`
}

// Mutant is a wrong variant of a task's gold actions: the calls that change
// something, in order. Whoever makes them and says all literals must earn 0.
type Mutant struct {
	Task    string `json:"task"`
	Kind    string `json:"kind"`   // drop, replace, add_before, add_after or grant
	Detail  string `json:"detail"` // what is wrong, in words
	Actions []Step `json:"actions"`
}

// Step is one call of a mutant.
type Step struct {
	Name      string         `json:"name"`
	Arguments map[string]any `json:"arguments"`
	Requestor string         `json:"requestor,omitempty"` // "user" where the call is the user's
}

// Result is what the gates have to say of a task.
type Result struct {
	Failures  []Finding // in the order of the gates
	Unchecked []Finding // never to be read as passed
	Mutants   []Mutant  // all that were tried

	// Of tasks in words of others: see [Foreign].
	Warnings []Finding // reasons to read the task, no faults
	Left     []Finding // what only a conversation can show; to be read as passed after one alone
}

// Gate checks tasks of one domain. It is safe for concurrent use.
type Gate struct {
	domain   *env.Domain
	strict   *env.Domain // the domain itself where the two semantics are one
	contract *contract.Contract
	book     *phrase.Book
	lengths  map[int]bool // of the database's keys, see idLike
	words    []string     // see commonWords

	peopleOnce, goodsOnce, idsOnce sync.Once
	people                         *people
	goods                          *catalogue
	nested                         map[string]string // see ids
}

// New makes the gates of a domain. Without a contract there are no replaced
// arguments and no added writes, without a book no scenario can be read; what
// that leaves out is reported as unchecked.
func New(d *env.Domain, c *contract.Contract, b *phrase.Book) *Gate {
	return &Gate{domain: d, strict: d.Strict(), contract: c, book: b, lengths: keyLengths(d), words: commonWords(d)}
}

// Claims is what the author of a task says of it beside the task itself.
type Claims struct {
	Adds   []string // records added to or changed in the database, table/key
	Untrue bool     // the customer may say what is not so: that is no fault of the scenario
}

// Check runs a task through all gates. The error is for faults of the gates
// themselves; a task that cannot even be set up fails SetUp.
func (g *Gate) Check(t *tau.Task, claims *Claims) (*Result, error) {
	w, err := g.run(t, claims)
	if err != nil {
		return nil, fmt.Errorf("check task %s: %w", t.ID, err)
	}
	return &w.out, nil
}

// run runs all gates; without claims nothing is held to them.
func (g *Gate) run(t *tau.Task, claims *Claims) (*walk, error) {
	w, err := g.walk(t)
	if err != nil || !w.started {
		return w, err
	}
	if !w.emptyGate() && len(w.errors) == 0 { // else no reward means anything
		w.rewards()
		w.mutants()
		w.orders()
		w.semantics()
	}
	w.changes()
	w.wishes()
	w.told()
	w.values()
	w.additions(claims)
	return w, nil
}
