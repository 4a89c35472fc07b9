// Package gates decides whether a task may go into a benchmark. It runs the
// task's gold actions and many wrong variants of them: gold has to earn the
// reward, everything else has to fail. Where the scenario is written in the
// words of a phrase book it is read, and what it says is held to gold,
// database and contract.
package gates

import (
	"fmt"
	"slices"

	"taste/chat"
	"taste/contract"
	"taste/env"
	"taste/eval"
	"taste/phrase"
	"taste/pyjson"
	"taste/rules"
	"taste/tau"
)

// Gates of a task. Failures of mutants have "mutant." before the mutant's kind.
const (
	GoldRuns    = "gold_runs"    // every gold action succeeds from the initial state
	GoldEarns   = "gold_earns"   // gold earns 1, literals said
	NothingLost = "do_nothing"   // doing and saying nothing earns 0
	SilentLost  = "silent_agent" // gold without a word earns 0 if there is something to say
	NotEmpty    = "empty_gate"   // some part of the reward depends on the agent
	Told        = "told"         // what the customer asks for is what has to be said
	Literal     = "literal"      // what has to be said can be recognised, and only in an answer
	Distinct    = "distinct"     // no literal is said along with another one
	FreeOrder   = "free_order"   // orders that are left free end in one state
	Sole        = "tie"          // no choice of the customer has a tie
	Sensible    = "where"        // the contract's conditions of each wish hold
	Derived     = "gold_derived" // the wishes lead to the gold actions
	Needed      = "needed_read"  // gold makes the reads that a wish cannot do without
	Known       = "known_value"  // names, dates and ids agree with the database
	Additive    = "additions"    // only declared records are added or changed
	Readable    = "readable"     // the scenario could be read
	Customer    = "customer"     // it is known whose task it is
	NoChange    = "no_change"    // every gold write changes something
	Identify    = "identify"     // the scenario says who calls
	Name        = "own_name"     // the scenario's customer has the name that the database says
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
	Kind    string `json:"kind"`   // drop, replace, add_before or add_after
	Detail  string `json:"detail"` // what is wrong, in words
	Actions []Step `json:"actions"`
}

// Step is one call of a mutant.
type Step struct {
	Name      string         `json:"name"`
	Arguments map[string]any `json:"arguments"`
	requestor string
}

// Result is what the gates have to say of a task.
type Result struct {
	Failures  []Finding // in the order of the gates
	Unchecked []Finding // never to be read as passed
	Mutants   []Mutant  // all that were tried
}

// Gate checks tasks of one domain. It is safe for concurrent use.
type Gate struct {
	domain   *env.Domain
	contract *contract.Contract
	book     *phrase.Book
	lengths  map[int]bool // of the database's keys, see idLike
}

// New makes the gates of a domain. Without a contract there are no replaced
// arguments and no added writes, without a book no scenario can be read; what
// that leaves out is reported as unchecked.
func New(d *env.Domain, c *contract.Contract, b *phrase.Book) *Gate {
	return &Gate{domain: d, contract: c, book: b, lengths: keyLengths(d)}
}

// Claims is what the author of a task says of it beside the task itself.
type Claims struct {
	Adds []string // records added to or changed in the database, table/key
}

// Check runs a task through all gates. The error is for faults of the gates
// themselves; a task that cannot even be set up fails GoldRuns.
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
	if len(w.target.Errors) == 0 { // else no reward means anything
		w.rewards()
		w.mutants()
		w.orders()
	}
	w.changes()
	w.wishes()
	w.told()
	w.values()
	w.additions(claims)
	return w, nil
}

// moment is a state between two writes of gold.
type moment struct {
	env    *env.Environment // never written to
	reader contract.Reader
	calls  []contract.Call // writes made so far
}

// walk is the check of one task.
type walk struct {
	g        *Gate
	task     *tau.Task
	crit     tau.EvaluationCriteria
	target   *eval.Target
	started  bool
	writes   []int     // positions of the gold actions that may change the state
	moments  []*moment // before each write, and at the end
	customer string
	mine     []string // the customer's records that gold speaks of
	story    rules.Story
	behind   []int // per gold action, the wish behind it; nil if the scenario cannot be read
	out      Result
}

func (w *walk) fail(rule, format string, args ...any) {
	w.out.Failures = append(w.out.Failures, Finding{rule, fmt.Sprintf(format, args...)})
}

func (w *walk) skip(rule, format string, args ...any) {
	w.out.Unchecked = append(w.out.Unchecked, Finding{rule, fmt.Sprintf(format, args...)})
}

// walk sets a task up and replays its gold actions.
func (g *Gate) walk(t *tau.Task) (*walk, error) {
	w := &walk{g: g, task: t}
	target, err := eval.NewTarget(g.domain, t)
	if err != nil {
		w.fail(GoldRuns, "%v", err)
		return w, nil
	}
	w.target, w.started = target, true
	if t.EvaluationCriteria != nil {
		w.crit = *t.EvaluationCriteria
	}
	for _, e := range target.Errors {
		a := &w.crit.Actions[e.Index]
		w.fail(GoldRuns, "action %d: %s: %s", e.Index, rules.Spell(a.Name, a.Arguments), e.Message)
	}
	w.replay()
	if g.contract == nil {
		w.skip(Readable, "the domain has no contract")
		return w, nil
	}
	return w, w.identify()
}

// replay keeps the states that gold passes through.
func (w *walk) replay() {
	e := w.target.Start()
	var calls []contract.Call
	c := w.g.contract
	if c == nil {
		c = &contract.Contract{}
	}
	for i := range w.crit.Actions {
		a := &w.crit.Actions[i]
		if !w.g.mutates(a.Name) {
			continue
		}
		w.writes = append(w.writes, i)
		w.moments = append(w.moments, newMoment(e, calls))
		calls = append(slices.Clip(calls), rules.CallAt(c, e, a.Name, a.Arguments))
		e = e.Clone()
		e.Apply(a)
	}
	w.moments = append(w.moments, newMoment(e, calls))
}

func newMoment(e *env.Environment, calls []contract.Call) *moment {
	return &moment{env: e, reader: rules.Reader(e), calls: calls}
}

func (g *Gate) mutates(tool string) bool {
	spec := g.domain.Tool(tool)
	return spec == nil || spec.MutatesState
}

// identify finds the customer, reads the scenario and assigns its wishes.
func (w *walk) identify() error {
	c, start := w.g.contract, w.moments[0].env
	w.customer = rules.CustomerOf(c, start, w.task)
	if w.customer == "" {
		w.skip(Customer, "neither scenario nor gold names exactly one customer")
	}
	w.mine = w.spokenOf()
	var err error
	if w.story, err = rules.ReadStory(c, w.g.book, w.task.UserScenario); err != nil {
		return err
	}
	if len(w.story.Unread) > 0 {
		w.skip(Readable, "wishes, their order and ties, and what is to be told: not in the phrase book: %q", w.story.Unread[0])
		return nil
	}
	if w.behind, err = w.story.Behind(c, w.crit.Actions); err != nil {
		w.fail(Derived, "%v", err)
	}
	return nil
}

// spokenOf lists the customer's records that gold names, in order; all of the
// customer's if it names none.
func (w *walk) spokenOf() []string {
	var out, all []string
	for _, kind := range w.kinds() {
		for _, k := range rules.OwnKeys(w.g.contract, w.moments[0].env, kind, w.customer) {
			all = append(all, fmt.Sprint(k))
		}
	}
	for i := range w.crit.Actions {
		for _, s := range leaves(w.crit.Actions[i].Arguments, nil) {
			if slices.Contains(all, s) && !slices.Contains(out, s) {
				out = append(out, s)
			}
		}
	}
	if len(out) == 0 {
		return all
	}
	return out
}

// leaves appends the strings within a value, map entries in key order.
func leaves(v any, out []string) []string {
	switch x := v.(type) {
	case string:
		return append(out, x)
	case []any:
		for _, e := range x {
			out = leaves(e, out)
		}
	case map[string]any:
		for _, k := range sortedKeys(x) {
			out = leaves(x[k], out)
		}
	}
	return out
}

// scope makes the scope of an expression at a moment.
func (w *walk) scope(m *moment, wish *contract.Wish, ask, args map[string]any) *contract.Scope {
	return &contract.Scope{
		Contract: w.g.contract, Reader: m.reader, Wish: wish, Ask: ask, Args: args, Customer: w.customer,
		Calls: m.calls, Mine: w.mine, Extra: map[string]any{"learnt": []any{}, "served": []any{}}, Table: w.g.table,
	}
}

// reward scores a conversation that made steps, ended in final, and said text.
// Assertions in words count as met: they are not the gates' to judge.
func (w *walk) reward(steps []Step, final *env.Environment, text string) (float64, error) {
	var messages []chat.Message
	for _, s := range steps {
		messages = append(messages, chat.Calls(chat.Assistant, chat.ToolCall{Name: s.Name, Arguments: s.Arguments, Requestor: s.requestor}))
	}
	if text != "" {
		messages = append(messages, chat.Text(chat.Assistant, text))
	}
	met := make([]bool, len(w.crit.NLAssertions))
	for i := range met {
		met[i] = true
	}
	info, err := w.target.Score(final, messages, met)
	if err != nil {
		return 0, err
	}
	return info.Reward, nil
}

// earned tells whether a reward counts as success.
func earned(reward float64) bool { return reward > 1-1e-6 }

// same compares two argument values as scoring compares arguments.
func same(a, b any) bool {
	x, err1 := pyjson.FromGo(a)
	y, err2 := pyjson.FromGo(b)
	return err1 == nil && err2 == nil && pyjson.Equal(x, y)
}
