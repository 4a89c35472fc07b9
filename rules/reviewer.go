package rules

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"taste/chat"
	"taste/contract"
	"taste/env"
	"taste/phrase"
	"taste/role"
	"taste/tau"
)

// Rules of the reviewer beside the contract's own.
const (
	InitialState = "initial_state" // the initial state cannot be set up
	GoldRuns     = "gold_runs"     // a gold action fails
	GoldCustomer = "customer"      // nobody can tell whose task it is
	ScenarioRead = "scenario"      // the scenario does not fit the gold actions
	TroubleShows = "trouble"       // a trouble does not show at the start, or is not over in the end
	TroubleMend  = "repair"        // a trouble is not repaired as the customer wants it
	ExtraWish    = "extra_wish"    // the policy does not refuse a wish that gold does not fulfil
)

// Reviewer replays the gold actions of a task and holds every call to the
// policy rules of the contract, in the state before it. What the customer says
// is read from the scenario; of prose that it cannot read it asks what a
// customer could say, and reports the rules that hang on it as unchecked. It
// implements role.Reviewer and is safe for concurrent use.
type Reviewer struct {
	domain   *env.Domain
	contract *contract.Contract
	book     *phrase.Book
}

// NewReviewer makes a reviewer; without a book every scenario is unreadable.
func NewReviewer(d *env.Domain, c *contract.Contract, b *phrase.Book) *Reviewer {
	return &Reviewer{domain: d, contract: c, book: b}
}

// Review implements role.Reviewer.
func (r *Reviewer) Review(_ context.Context, t *tau.Task) ([]role.Finding, error) {
	v := &review{c: r.contract}
	e := r.domain.Environment()
	if err := e.SetState(t.InitialState); err != nil {
		v.find(role.Critical, InitialState, err.Error())
		return v.found, nil
	}
	if t.EvaluationCriteria == nil {
		return nil, nil
	}
	v.actions = t.EvaluationCriteria.Actions
	story, err := ReadStory(r.contract, r.book, t.UserScenario)
	if err != nil {
		return nil, fmt.Errorf("review task %s: %w", t.ID, err)
	}
	if v.device, v.customer = DeviceOf(r.contract, r.domain.Environment(), t); v.customer == "" {
		v.customer = CustomerOf(r.contract, e, t, story.Facts)
	}
	if v.customer == "" && len(v.actions) > 0 {
		v.find(role.Unchecked, GoldCustomer, "neither scenario nor gold names exactly one customer")
	}
	v.live = liveGold(t)
	v.read(story, e)
	v.replay(e)
	v.afterwards(e)
	return v.found, nil
}

// review is the review of one task.
type review struct {
	c        *contract.Contract
	actions  []tau.Action
	customer string
	device   string
	live     bool // gold is made with the two sides coupled
	wishes   []Wanted
	behind   []int // per action: its wish, −1 if unknown
	vain     []vain
	calls    []contract.Call
	found    []role.Finding
}

func (v *review) find(s role.Severity, rule, evidence string) {
	v.found = append(v.found, role.Finding{Severity: s, Rule: rule, Evidence: evidence})
}

// read finds the wish behind each action. A readable scenario that does not
// fit the gold is a fault: nobody would make these calls.
func (v *review) read(s Story, e *env.Environment) {
	v.behind = make([]int, len(v.actions))
	for i := range v.behind {
		v.behind[i] = -1
	}
	if len(s.Unread) > 0 {
		return
	}
	behind, err := s.Behind(v.c, v.actions, leading(s.Wishes, v.actions, e, v.live, v.scope))
	if err != nil {
		v.find(role.Critical, ScenarioRead, err.Error())
		return
	}
	v.wishes, v.behind, v.vain = s.Wishes, behind, s.vain(behind)
	v.troubled(e)
}

func (v *review) replay(e *env.Environment) {
	reader := Reader(e)
	for i := range v.actions {
		a := &v.actions[i]
		v.refuses(i, e, reader)
		before := len(v.found)
		v.judge(i, a, e, reader)
		call := CallAt(v.c, e, a.Name, a.Arguments)
		if w := v.behind[i]; w >= 0 {
			call.Ask = v.wishes[w].Slots
		}
		res := act(e, a, v.live)
		if res.Error {
			// Rules that could not be evaluated lacked what the call lacks.
			v.found = append(v.found[:before], slices.DeleteFunc(v.found[before:], unchecked)...)
			v.find(role.Critical, GoldRuns, fmt.Sprintf("action %d: %s: %s", i, Spell(a.Name, a.Arguments), res.Content))
		}
		if spec := e.Domain().Tool(a.Name); spec != nil && spec.MutatesState {
			reader = Reader(e)
		}
		if acts(v.c, a.Name) {
			v.calls = append(v.calls, call)
		}
	}
	v.refuses(len(v.actions), e, reader)
}

func unchecked(f role.Finding) bool { return f.Severity == role.Unchecked }

// judge holds action i to the rules of its tool.
func (v *review) judge(i int, a *tau.Action, e *env.Environment, r contract.Reader) {
	p := &petition{c: v.c, env: e, tool: a.Name, scope: v.scope(r)}
	p.scope.Args = a.Arguments
	at := fmt.Sprintf("action %d: %s", i, Spell(a.Name, a.Arguments))
	if w := v.behind[i]; w >= 0 && v.wishes[w].Trouble() && a.Name != v.c.Protocol.Handoff {
		v.wanted(at, a, v.scope(r))
	}
	if a.Owner() != chat.Assistant || len(p.rules()) == 0 {
		return
	}
	if w := v.behind[i]; w >= 0 && v.wishes[w].Trouble() {
		v.mends(at, a, w, p)
		return
	} else if w >= 0 && v.wishes[w].Wish.Does != a.Name {
		v.handedOff(at, v.wishes[w], p.scope)
		return
	} else if w >= 0 {
		p.scope.Wish, p.scope.Ask = v.wishes[w].Wish, v.wishes[w].Slots
		v.report(at, p.verdicts())
		return
	}
	v.report(at, p.suppose())
}

// scope is what expressions are evaluated in after the calls made so far.
func (v *review) scope(r contract.Reader) contract.Scope {
	return contract.Scope{Contract: v.c, Reader: r, Customer: v.customer, Device: v.device, Calls: v.calls, Extra: authorless()}
}

// authorless gives the names that only an author fills their empty values.
func authorless() map[string]any { return map[string]any{"learnt": []any{}, "served": []any{}} }

// handedOff checks that the policy hands a wish off instead of granting it.
func (v *review) handedOff(at string, w Wanted, s contract.Scope) {
	s.Wish, s.Ask, s.Args = w.Wish, w.Slots, nil
	args, err := Arguments(&s)
	if err != nil {
		v.find(role.Unchecked, v.c.Protocol.Handoff, fmt.Sprintf("%s: %v", at, err))
		return
	}
	s.Args = args
	p := &petition{c: v.c, tool: w.Wish.Does, scope: s}
	for _, o := range p.verdicts() {
		if o.fault != "" && o.rule.Otherwise == "handoff" {
			return
		}
		if o.fault != "" {
			break
		}
	}
	v.find(role.Critical, v.c.Protocol.Handoff, fmt.Sprintf("%s: the policy does not hand the wish %s off", at, w.Wish.Name))
}

func (v *review) report(at string, list []verdict) {
	for _, o := range list {
		switch {
		case o.fault != "":
			v.find(role.Critical, o.rule.ID, at+": "+o.fault)
		case o.open != "":
			v.find(role.Unchecked, o.rule.ID, at+": "+o.open)
		}
	}
}

// petition is a call whose tool has policy rules.
type petition struct {
	c     *contract.Contract
	env   *env.Environment // the state before the call
	tool  string
	scope contract.Scope
}

func (p *petition) rules() []*contract.PolicyRule {
	var out []*contract.PolicyRule
	for i := range p.c.Policy {
		if slices.Contains(p.c.Policy[i].Tools, p.tool) {
			out = append(out, &p.c.Policy[i])
		}
	}
	return out
}

// verdict is what became of one rule: kept if fault and open are empty.
type verdict struct {
	rule  *contract.PolicyRule
	fault string // why it is broken
	open  string // why it cannot be told
	slot  string // what only the customer could say, if that is why
}

// verdicts evaluates every rule with what the customer is known to say.
func (p *petition) verdicts() []verdict {
	var out []verdict
	for _, rule := range p.rules() {
		v := verdict{rule: rule}
		ok, err := p.scope.Holds(rule.Require)
		var missing *contract.MissingSlot
		switch {
		case errors.As(err, &missing):
			v.open, v.slot = fmt.Sprintf("the customer would have to say %s", missing.Slot), missing.Slot
		case err != nil:
			v.open = err.Error()
		case !ok:
			v.fault = rule.Why
		}
		out = append(out, v)
	}
	return out
}
