package gates

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"taste/contract"
	"taste/env"
	"taste/phrase"
	"taste/role"
	"taste/rules"
	"taste/tau"
)

// Kind grades a fault of a task.
type Kind string

// The kinds, worst first. NotChecked is no fault: it says what nobody looked
// at, so that silence about it is not read as approval.
const (
	Unsolvable Kind = "unsolvable" // no agent can earn the reward, or only one that breaks the policy
	Ungated    Kind = "ungated"    // an agent that does not do the task earns the reward
	Wording    Kind = "wording"    // the scenario contradicts the database, or gives answers away
	Warning    Kind = "warning"    // words that public corrections were about: a reason to read the task
	NotChecked Kind = "not checked"
)

// Fault is one thing that validation has to say of a task.
type Fault struct {
	Task     string `json:"task"`
	Kind     Kind   `json:"kind"`
	Class    Class  `json:"class,omitempty"` // the kind of mistake, where it is one of Classes
	Rule     string `json:"rule"`
	Path     string `json:"path,omitempty"` // the field of the task that the evidence is about
	Text     string `json:"text,omitempty"` // the sentence there
	Evidence string `json:"evidence"`
	Advice   string `json:"advice,omitempty"`
	More     int    `json:"more,omitempty"` // further faults of the task under this rule, left out
}

// kept is how many faults of a task under one rule are listed.
const kept = 3

// Rules of validation beside the gates and the contract's policy rules.
const (
	Choice   = "open_choice" // nothing says which of several values the customer wants
	Mismatch = "near_record" // gold spells a record otherwise than the database
	Ticket   = "ticket"      // the ticket alone does not lead to the reward
)

// Validate looks for faults in tasks of any origin. The order is that of the
// tasks, and within a task unsolvable, ungated, wording, warning, not checked. Book and
// contract may be nil, and claims may lack a task by its id: what needs them is
// not checked.
func Validate(ctx context.Context, tasks []tau.Task, d *env.Domain, c *contract.Contract, b *phrase.Book, claims map[string]*Claims) ([]Fault, error) {
	gate := New(d, c, b)
	var reviewer *rules.Reviewer
	var verifier *rules.Verifier
	if c != nil {
		reviewer = rules.NewReviewer(d, c, b)
	}
	if c != nil && b != nil {
		verifier = rules.NewVerifier(d, c, b)
	}
	found := make([][]Fault, len(tasks))
	var work sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i := range tasks {
		slots <- struct{}{}
		work.Go(func() {
			v := &validation{gate: gate, reviewer: reviewer, verifier: verifier, claims: claims, faults: map[Kind][]Fault{}, id: tasks[i].ID}
			found[i] = v.all(ctx, &tasks[i])
			<-slots
		})
	}
	work.Wait()
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("validate tasks: %w", err)
	}
	return slices.Concat(found...), nil
}

// all lists the faults of a task, the worst kind first. One odd task does not
// keep the others from being looked at.
func (v *validation) all(ctx context.Context, t *tau.Task) []Fault {
	if ctx.Err() != nil {
		return nil
	}
	if err := v.task(ctx, t); err != nil {
		v.add(NotChecked, Readable, fmt.Sprintf("what was left of the task: %v", err))
	}
	var out []Fault
	for _, k := range []Kind{Unsolvable, Ungated, Wording, Warning, NotChecked} {
		out = append(out, few(v.faults[k])...)
	}
	return out
}

// few leaves out all but the first faults under each rule, and counts them at
// the last one that is kept.
func few(faults []Fault) []Fault {
	var out []Fault
	last, seen := map[string]int{}, map[string]int{}
	for _, f := range faults {
		if seen[f.Rule]++; seen[f.Rule] > kept {
			out[last[f.Rule]].More++
			continue
		}
		last[f.Rule] = len(out)
		out = append(out, f)
	}
	return out
}

type validation struct {
	gate     *Gate
	reviewer *rules.Reviewer
	verifier *rules.Verifier // nil without contract or book
	claims   map[string]*Claims
	id       string
	faults   map[Kind][]Fault
}

func (v *validation) add(k Kind, rule, evidence string) {
	c := classOf(rule)
	v.faults[k] = append(v.faults[k], Fault{Task: v.id, Kind: k, Class: c, Rule: rule, Evidence: evidence, Advice: advice[c]})
}

func (v *validation) task(ctx context.Context, t *tau.Task) error {
	w, err := v.gate.run(t, v.claims[t.ID])
	if err != nil {
		return err
	}
	if w.started {
		w.lintBasis()
		w.lint()
		v.ticket(ctx, t)
	}
	for _, f := range w.out.Failures {
		if f.Rule == ReadRuns {
			continue // lintReads says which of them matter
		}
		v.add(kindOf(f.Rule), f.Rule, f.Evidence)
	}
	for _, f := range w.lints {
		v.faults[f.Kind] = append(v.faults[f.Kind], f)
	}
	if slices.Contains(w.crit.RewardBasis, tau.NLAssertion) {
		v.add(NotChecked, string(tau.NLAssertion), "the reward rests on assertions in words, which only a judge can score")
	}
	for _, f := range w.out.Unchecked {
		v.add(NotChecked, f.Rule, f.Evidence)
	}
	return v.review(ctx, t)
}

// ticket has an agent without a user work on the task's ticket, if there is one.
func (v *validation) ticket(ctx context.Context, t *tau.Task) {
	if t.Ticket == nil {
		return
	}
	if v.verifier == nil {
		v.add(NotChecked, Ticket, "the domain has no contract or no phrase book")
		return
	}
	switch a, err := v.verifier.Ticket(ctx, t, 1); {
	case err != nil:
		v.add(NotChecked, Ticket, err.Error())
	case a.Reward < 1:
		v.add(Wording, Ticket, "an agent without a user earns nothing: "+a.Why)
	}
}

// kindOf grades a gate.
func kindOf(rule string) Kind {
	switch {
	case rule == SetUp || rule == UserTools || rule == GoldRuns || rule == GoldEarns:
		return Unsolvable
	case rule == NothingLost || rule == SilentLost || rule == NotEmpty || strings.HasPrefix(rule, "mutant."):
		return Ungated
	}
	return Wording
}

// review adds what the policy has against the gold actions. That gold fails the
// gates have said already.
func (v *validation) review(ctx context.Context, t *tau.Task) error {
	if v.reviewer == nil {
		v.add(NotChecked, "policy", "the domain has no contract")
		return nil
	}
	found, err := v.reviewer.Review(ctx, t)
	if err != nil {
		return err
	}
	for _, f := range found {
		switch {
		case f.Rule == rules.GoldRuns || f.Rule == rules.InitialState || f.Rule == rules.GoldCustomer || f.Rule == rules.ScenarioRead:
		case f.Severity == role.Critical:
			breach := Fault{Task: v.id, Kind: Unsolvable, Class: PolicyBreach, Rule: f.Rule, Evidence: f.Evidence, Advice: advice[PolicyBreach]}
			switch f.Rule { // no call of gold's is against the policy
			case rules.TroubleShows:
				breach.Class, breach.Advice = Impossible, troubleAdvice
			case rules.TroubleMend:
				breach.Class, breach.Advice = Impossible, advice[Impossible]
			}
			v.faults[Unsolvable] = append(v.faults[Unsolvable], breach)
		default:
			v.add(NotChecked, f.Rule, f.Evidence)
		}
	}
	return nil
}
