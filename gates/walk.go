package gates

import (
	"fmt"
	"slices"
	"strings"

	"taste/chat"
	"taste/contract"
	"taste/env"
	"taste/eval"
	"taste/internal/hint"
	"taste/pyjson"
	"taste/rules"
	"taste/tau"
)

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
	errors   []eval.GoldError // gold actions that fail
	writes   []int            // positions of the gold actions that may change the state
	moments  []*moment        // before each write, and at the end
	customer string
	device   string   // the customer's, where the contract knows of devices
	mine     []string // the customer's records that gold speaks of
	story    rules.Story
	behind   []int              // per gold action, the wish behind it; nil if the scenario cannot be read
	asserts  []tau.EnvAssertion // all that the contract lets be asserted where gold ends; see seen
	out      Result
	prose    prose   // of a scenario that is not the phrase book's
	lints    []Fault // see found
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
		w.fail(SetUp, "%s", advised(err))
		return w, nil
	}
	w.target, w.started = target, true
	if t.EvaluationCriteria != nil {
		w.crit = *t.EvaluationCriteria
	}
	w.userTools()
	w.replay()
	for _, e := range w.errors {
		a := &w.crit.Actions[e.Index]
		rule := GoldRuns
		if !g.mutates(a.Name) {
			rule = ReadRuns
		}
		w.fail(rule, "action %d: %s: %s", e.Index, rules.Spell(a.Name, a.Arguments), e.Message)
	}
	if g.contract == nil {
		w.skip(Readable, "the domain has no contract")
		return w, nil
	}
	return w, w.identify()
}

// userTools holds a task's restriction of the user's tools to what there is and
// to what gold needs.
func (w *walk) userTools() {
	has, err := w.g.domain.UserTools(w.task.UserTools)
	if err != nil {
		w.fail(UserTools, "%v", err)
		return
	}
	for i := range w.crit.Actions {
		a := &w.crit.Actions[i]
		if a.Owner() == chat.User && !slices.ContainsFunc(has, func(t chat.ToolSpec) bool { return t.Name == a.Name }) {
			w.fail(UserTools, "action %d: the user is to call %s and has no such tool here", i, a.Name)
		}
	}
}

// advised is the text of an error with its advice.
func advised(err error) string {
	if advice := hint.Of(err); advice != "" {
		return err.Error() + "; " + advice
	}
	return err.Error()
}

// replay makes gold as a conversation does, with the two sides coupled, and
// keeps the states that it passes through. Where the database is compared, the
// actions have to succeed as scoring replays them, else as they are made.
func (w *walk) replay() {
	e := w.target.Start()
	var calls []contract.Call
	c := w.g.contract
	if c == nil {
		c = &contract.Contract{}
	}
	for i := range w.crit.Actions {
		a := &w.crit.Actions[i]
		if w.g.mutates(a.Name) {
			w.writes = append(w.writes, i)
			w.moments = append(w.moments, newMoment(e, calls))
			calls = append(slices.Clip(calls), rules.CallAt(c, e, a.Name, a.Arguments))
			e = e.Clone()
		} else if w.databaseCounts() {
			continue
		}
		if r := e.Act(a); r.Error {
			w.errors = append(w.errors, eval.GoldError{Index: i, Message: strings.TrimPrefix(r.Content, "Error: "), Exception: r.Exception, Inexact: r.Inexact})
		}
	}
	w.moments = append(w.moments, newMoment(e, calls))
	if w.databaseCounts() {
		w.errors = w.target.Errors
	}
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
	var err error
	if w.story, err = rules.ReadStory(c, w.g.book, w.task.UserScenario); err != nil {
		return err
	}
	w.device, w.customer = rules.DeviceOf(c, w.g.domain.Environment(), w.task)
	if w.customer == "" {
		w.customer = rules.CustomerOf(c, start, w.task, w.story.Facts)
	}
	if w.customer == "" {
		w.skip(Customer, "neither scenario nor gold names exactly one customer")
	}
	w.mine = w.spokenOf()
	if len(w.story.Unread) > 0 {
		w.skip(Readable, "wishes, their order and ties, and what is to be told: not in the phrase book: %q", w.story.Unread[0])
		return nil
	}
	if w.behind, err = w.story.Behind(c, w.crit.Actions, w.leads); err != nil {
		w.fail(Derived, "%v", err)
	}
	return nil
}

// leads tells whether a wish leads to just that action.
func (w *walk) leads(wish, action int) bool {
	want := w.story.Wishes[wish]
	args, err := rules.Arguments(w.scope(w.moments[w.momentOf(action)], want.Wish, want.Slots, nil))
	return err == nil && same(args, w.crit.Actions[action].Arguments)
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
		Contract: w.g.contract, Reader: m.reader, Wish: wish, Ask: ask, Args: args, Customer: w.customer, Device: w.device,
		Calls: m.calls, Mine: w.mine, Extra: map[string]any{"learnt": []any{}, "served": []any{}}, Table: w.g.table, Steady: true,
	}
}

// reward scores a conversation that made steps, ended in final, and said text.
// Assertions in words count as met: they are not the gates' to judge, and what
// is earned only so is reported by won.
func (w *walk) reward(steps []Step, final *env.Environment, text string) (float64, error) {
	return w.rewardBy(w.target, steps, final, text)
}

// rewardBy is reward under the semantics of a target.
func (w *walk) rewardBy(t *eval.Target, steps []Step, final *env.Environment, text string) (float64, error) {
	var messages []chat.Message
	for _, s := range steps {
		messages = append(messages, chat.Calls(chat.Assistant, chat.ToolCall{Name: s.Name, Arguments: s.Arguments, Requestor: s.Requestor}))
	}
	if text != "" {
		messages = append(messages, chat.Text(chat.Assistant, text))
	}
	met := make([]eval.Verdict, len(w.crit.NLAssertions))
	for i := range met {
		met[i].Met = true
	}
	info, err := t.Score(final, messages, met)
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
