package rules

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"taste/chat"
	"taste/contract"
	"taste/env"
	"taste/phrase"
	"taste/role"
	"taste/tau"
)

// draftTries is how many customers and groundings an author tries before it
// gives a sequence up.
const draftTries = 25

// Author makes tasks by search: it reads a sequence as a customer's wishes,
// looks for a customer and records in the database that fit them (adopting
// other customers' records where the customer's own do not), and fills every
// slot so that the policy allows each write and every question has an answer.
// It implements role.Author and is safe for concurrent use but for Tell.
type Author struct {
	domain   *env.Domain
	contract *contract.Contract
	book     *phrase.Book
	told     phrase.Variety // wordings used so far, by Tell
	base     sync.Map       // answers to reads in the initial state, by call
}

// NewAuthor makes an author for a domain.
func NewAuthor(d *env.Domain, c *contract.Contract, b *phrase.Book) *Author {
	return &Author{domain: d, contract: c, book: b}
}

// Draft implements role.Author. Reasons of the last failed try are wrapped.
func (a *Author) Draft(ctx context.Context, id string, seq []string, seed uint64) (*role.Draft, error) {
	draw := rand.New(rand.NewPCG(seed, 1))
	var last error
	for try := range draftTries {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("draft %s: %w", id, err)
		}
		p, err := newPlan(a.contract, seq, draw)
		if err != nil {
			return nil, err
		}
		e := a.domain.Environment()
		d := &drafting{a: a, plan: p, draw: draw, adds: &additions{}, env: e, sample: &sampler{env: e, draw: draw}}
		if last = d.try(); last != nil {
			continue
		}
		out, err := d.draft(id)
		if err != nil {
			last = err
			continue
		}
		out.Meta.Seed, out.Meta.Tries = seed, try
		return out, nil
	}
	return nil, fmt.Errorf("draft %s: %w: after %d tries: %w", id, role.ErrUnbuildable, draftTries, last)
}

// try grounds the plan once.
func (d *drafting) try() error {
	d.done, d.seen = map[*item]*filled{}, map[string]bool{}
	d.gold = make([]read, len(d.plan.seq))
	steps := []func() error{d.chooseCustomer, d.ground, d.openRecords, d.doWrites, d.answerAsks}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// openRecords settles the calls that read the customer and the records.
func (d *drafting) openRecords() error {
	profile := d.a.contract.Reads[d.a.contract.Customer.Read]
	for i, t := range d.plan.seq {
		if t == profile.Tool && d.asking(i) == nil {
			d.settle(i, read{t, map[string]any{profile.Args[0]: d.customer}})
		}
	}
	for r, i := range d.plan.opens {
		kind := d.a.contract.Records[d.a.contract.RecordRead(d.plan.seq[i])]
		d.settle(i, read{d.plan.seq[i], map[string]any{d.a.contract.Reads[kind.Read].Args[0]: d.mine[r]}})
	}
	return nil
}

// asking returns the item that call i fulfils, or nil.
func (d *drafting) asking(i int) *item {
	for _, it := range d.plan.items {
		if it.call == i {
			return it
		}
	}
	return nil
}

func (d *drafting) settle(i int, r read) {
	d.gold[i] = r
	d.seen[r.key()] = true
}

// doWrites fulfils the items that write, in order.
func (d *drafting) doWrites() error {
	d.state = []*env.Environment{d.env}
	for _, it := range d.plan.items {
		if it.wishes[0].Does == "" {
			continue
		}
		t := attempt{item: it, env: d.state[len(d.state)-1], calls: d.calls, fits: d.explains(it), learnt: d.sharedOffers(it)}
		if it.record >= 0 {
			t.record = d.mine[it.record]
		}
		f, err := d.fulfil(t)
		if err != nil {
			return fmt.Errorf("call %d: %w", it.call, err)
		}
		d.done[it] = f
		d.settleServed(it, f)
		tool := f.wish.Does
		if it.denied {
			tool = d.a.contract.Protocol.Handoff
		}
		d.gold[it.call] = read{tool, f.args}
		d.calls = append(d.calls, d.made(tool, f, it, d.state[len(d.state)-1]))
		d.state = append(d.state, f.after)
	}
	return nil
}

// made is the call that fulfilled an item in environment e, with the record
// that it was about as it stood before.
func (d *drafting) made(tool string, f *filled, it *item, e *env.Environment) contract.Call {
	c := contract.Call{Name: tool, Args: f.args}
	if it.record >= 0 {
		kind := d.a.contract.Records[d.a.contract.RecordRead(d.plan.seq[d.plan.opens[it.record]])]
		c.Before = contract.ToVal(e.Record(kind.Table, d.mine[it.record]))
	}
	return c
}

// sharedOffers lists the reads made for the item that are settled already: the
// item shares them with another.
func (d *drafting) sharedOffers(it *item) []any {
	var out []any
	for _, i := range it.serves {
		if d.gold[i].tool != "" {
			out = append(out, map[string]any{"tool": d.gold[i].tool, "args": d.gold[i].args})
		}
	}
	return out
}

// explains returns the test that evaluating the wish makes the reads which the
// sequence makes for it, new ones where the call is not settled yet.
func (d *drafting) explains(it *item) func(*filled) error {
	return func(f *filled) error {
		taken := map[string]bool{}
		for _, i := range it.serves {
			r, ok := d.servedBy(i, f, taken)
			if !ok {
				return fmt.Errorf("wish %s does not explain call %d (%s)", f.wish.Name, i, d.plan.seq[i])
			}
			taken[r.key()] = true
		}
		return nil
	}
}

// servedBy picks the read of f that stands for call i: the last of its tool
// that no other call of the sequence makes.
func (d *drafting) servedBy(i int, f *filled, taken map[string]bool) (read, bool) {
	for _, r := range slices.Backward(f.explaining()) {
		if r.tool != d.plan.seq[i] || taken[r.key()] {
			continue
		}
		if settled := d.gold[i].tool != ""; settled && r.key() == d.gold[i].key() || !settled && !d.seen[r.key()] {
			return r, true
		}
	}
	return read{}, false
}

// explaining lists the reads that a sequence may make for the wish. Where the
// arguments need one of those that the wish cannot do without, a read made only
// to check the policy explains nothing.
func (f *filled) explaining() []read {
	if slices.ContainsFunc(f.named, func(r read) bool { return slices.Contains(f.wish.Needs, r.tool) }) {
		return f.named
	}
	return f.reads
}

func (d *drafting) settleServed(it *item, f *filled) {
	taken := map[string]bool{}
	for _, i := range it.serves {
		r, _ := d.servedBy(i, f, taken)
		taken[r.key()] = true
		d.settle(i, r)
	}
}

// answerAsks fulfils the questions in the order of their calls, each in the
// state that the customer asks it in.
func (d *drafting) answerAsks() error {
	for _, it := range d.plan.items {
		if it.wishes[0].Does != "" {
			continue
		}
		n := d.writesBefore(it.call)
		t := attempt{item: it, env: d.state[n], calls: d.calls[:n], fits: d.answers(it), learnt: d.learnt(it.call)}
		if it.record >= 0 {
			t.record = d.mine[it.record]
		}
		f, err := d.fulfil(t)
		if err != nil {
			return fmt.Errorf("call %d: %w", it.call, err)
		}
		d.done[it] = f
		d.settleAnswer(it)
	}
	return nil
}

func (d *drafting) writesBefore(call int) int {
	n := 0
	for _, it := range d.plan.items {
		if it.call < call && it.wishes[0].Does != "" {
			n++
		}
	}
	return n
}

// learnt lists the calls before position i whose arguments are settled.
func (d *drafting) learnt(i int) []any {
	out := []any{}
	for _, r := range d.gold[:i] {
		if r.tool != "" {
			out = append(out, map[string]any{"tool": r.tool, "args": r.args})
		}
	}
	return out
}

// answers returns the test that the question is answered by its own call, which
// no other call makes, over nothing but what earlier calls revealed.
func (d *drafting) answers(it *item) func(*filled) error {
	return func(f *filled) error {
		own, ok := d.servedBy(it.call, f, nil)
		if !ok {
			return fmt.Errorf("question %s does not need call %d", f.wish.Name, it.call)
		}
		if err := d.distinct(f.tells); err != nil {
			return err
		}
		for _, r := range f.reads {
			if r.key() != own.key() && !d.readBefore(r, it.call) {
				return fmt.Errorf("question %s needs %s, which is not read before call %d", f.wish.Name, r.tool, it.call)
			}
		}
		return nil
	}
}

// distinct checks that an answer is said only by whoever answers: it is no part
// of another answer, nor of what is said about another wish anyway.
func (d *drafting) distinct(answer string) error {
	for _, it := range d.plan.items {
		f := d.done[it]
		if f == nil {
			continue
		}
		if f.tells != "" && strings.Contains(answer, f.tells) || strings.Contains(f.spoken(), answer) {
			return fmt.Errorf("the answer %q is said with wish %s too", answer, f.wish.Name)
		}
	}
	return nil
}

// spoken is what is said about a wish, as one text.
func (f *filled) spoken() string { return fmt.Sprint(f.ask, f.restated, f.tells) }

func (d *drafting) readBefore(r read, call int) bool {
	return slices.ContainsFunc(d.gold[:call], func(g read) bool { return g.tool == r.tool && g.key() == r.key() })
}

func (d *drafting) settleAnswer(it *item) {
	r, _ := d.servedBy(it.call, d.done[it], nil)
	d.settle(it.call, r)
}

// draft makes the task of a grounded plan; the scenario is still to be told.
func (d *drafting) draft(id string) (*role.Draft, error) {
	out := &role.Draft{Meta: role.Meta{Sequence: d.plan.seq, Adds: d.adds.list()}}
	crit := &tau.EvaluationCriteria{CommunicateInfo: []string{}, RewardBasis: tau.DefaultBasis()}
	for i, g := range d.gold {
		if g.tool != d.plan.seq[i] {
			return nil, fmt.Errorf("draft %s: call %d (%s) is not settled", id, i, d.plan.seq[i])
		}
		crit.Actions = append(crit.Actions, tau.Action{
			ActionID: fmt.Sprintf("%s_%d", id, i), Requestor: chat.Assistant, Name: g.tool, Arguments: g.args})
	}
	brief := phrase.Brief{Facts: []phrase.Act{phrase.New(d.a.contract.Customer.Slot, d.a.contract.Customer.Slot, d.customer)}}
	rules := map[string]bool{}
	for _, it := range d.plan.items {
		f := d.done[it]
		brief.Items = append(brief.Items, f.said())
		out.Meta.Wishes = append(out.Meta.Wishes, f.wish.Name)
		if f.tells != "" {
			crit.CommunicateInfo = append(crit.CommunicateInfo, f.tells)
		}
		for _, r := range f.rules {
			rules[r] = true
		}
	}
	brief.Hidden = crit.CommunicateInfo
	out.Meta.Rules = sortedKeys(rules)
	state, err := d.adds.initial()
	if err != nil {
		return nil, err
	}
	out.Task = tau.Task{ID: id, InitialState: state, EvaluationCriteria: crit}
	out.Brief = brief
	return out, d.sayable(out)
}

// said puts a filled wish into speech acts.
func (f *filled) said() phrase.Item {
	main, details := f.wish.Split(f.ask)
	item := phrase.Item{Wish: phrase.Act{Name: main.Act, Slots: main.Slots}}
	for _, s := range details {
		item.Details = append(item.Details, phrase.Act{Name: s.Act, Slots: s.Slots})
	}
	return item
}

// sayable tells the draft once, so that what cannot be worded fails here.
func (d *drafting) sayable(out *role.Draft) error {
	_, _, err := d.a.word(out, rand.New(rand.NewPCG(d.draw.Uint64(), 2)), nil)
	return err
}

// ErrSpoilt says that a scenario gives away what the customer asks.
var ErrSpoilt = errors.New("the scenario contains an answer")

// Tell implements role.Author. Of some wordings it takes the first that gives
// no answer away. It is to be called in task order by one goroutine.
func (a *Author) Tell(_ context.Context, d *role.Draft, seed uint64) (tau.Task, error) {
	draw := rand.New(rand.NewPCG(seed, 3))
	t, s, err := a.word(d, draw, &a.told)
	if err != nil {
		return tau.Task{}, fmt.Errorf("tell %s: %w: %w", d.Task.ID, role.ErrUnbuildable, err)
	}
	a.told.Add(s)
	return t, nil
}

// wordings is how many scenarios are worded before a draft counts as spoilt.
const wordings = 20

func (a *Author) word(d *role.Draft, draw *rand.Rand, used *phrase.Variety) (tau.Task, phrase.Scenario, error) {
	brief, ok := d.Brief.(phrase.Brief)
	if !ok {
		return tau.Task{}, phrase.Scenario{}, fmt.Errorf("brief is a %T", d.Brief)
	}
	var err error
	for range wordings {
		var s phrase.Scenario
		if s, err = phrase.Compose(a.book, brief, draw, used); err != nil {
			return tau.Task{}, s, err
		}
		if err = spoilt(s, d.Task.EvaluationCriteria.CommunicateInfo); err == nil {
			t := d.Task
			t.UserScenario = scenario(a.domain.Name, s)
			t.Description = &tau.Description{Purpose: purpose(d.Meta)}
			return t, s, nil
		}
	}
	return tau.Task{}, phrase.Scenario{}, err
}
