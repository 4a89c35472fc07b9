package rules

import (
	"fmt"
	"math"
	"slices"

	"taste/contract"
	"taste/env"
)

// A customer brings up one thing after the other, and an agent sees to all of it
// before the next. That is another order than gold's, where repairs stand between
// each other, and has to lead to the same end.

// mention is something that the customer brings up: a wish or a complaint.
type mention struct {
	wish      *item
	complaint *complaint
}

// arrangements is how many orders are rehearsed before a task is given up.
const arrangements = 30

// arrange finds an order in which the customer may bring things up: that in which
// gold first sees to them, else one at random. Complaints keep their order, and so
// do wishes.
func (b *breaking) arrange() error {
	natural := b.natural()
	for try := range arrangements {
		b.order = natural
		if try > 0 {
			b.order = b.interleaved()
		}
		if b.rehearse() {
			return nil
		}
	}
	return fmt.Errorf("order what is brought up: %w", errNoFit)
}

// natural is the order in which gold first sees to things; what is handed off
// comes last.
func (b *breaking) natural() []mention {
	at := map[mention]int{}
	var out []mention
	for _, it := range b.plan.items {
		m := mention{wish: it}
		out, at[m] = append(out, m), it.call
	}
	last := 0
	for _, c := range b.book.complaints {
		m := mention{complaint: c}
		last = max(last, c.first(b.a.contract))
		out, at[m] = append(out, m), last
	}
	slices.SortStableFunc(out, func(x, y mention) int { return at[x] - at[y] })
	return out
}

// first is the first call of gold for a complaint, beyond all where only people
// end it.
func (c *complaint) first(of *contract.Contract) int {
	at := math.MaxInt
	for _, p := range c.patches {
		if p.defect.HandsOff(of) {
			return math.MaxInt
		}
		for _, i := range p.calls {
			if i >= 0 {
				at = min(at, i)
			}
		}
	}
	return at
}

// interleaved puts wishes and complaints into one order at random; a hand-off stays
// at the end.
func (b *breaking) interleaved() []mention {
	wishes, troubles := b.plan.items, b.book.complaints
	var out []mention
	for len(wishes)+len(troubles) > 0 {
		last := len(troubles) == 1 && troubles[0].first(b.a.contract) == math.MaxInt
		if len(troubles) == 0 || len(wishes) > 0 && (last || b.draw.IntN(len(wishes)+len(troubles)) < len(wishes)) {
			out, wishes = append(out, mention{wish: wishes[0]}), wishes[1:]
		} else {
			out, troubles = append(out, mention{complaint: troubles[0]}), troubles[1:]
		}
	}
	return out
}

// rehearsal is a conversation without words.
type rehearsal struct {
	*breaking
	env   *env.Environment
	calls []contract.Call
}

// rehearse sees to all that is brought up, in order, as a careful agent would, and
// tells whether the task ends well.
func (b *breaking) rehearse() bool {
	r := &rehearsal{breaking: b, env: b.start.Clone()}
	for _, m := range b.order {
		var ok bool
		if m.wish != nil {
			ok = r.grants(m.wish)
		} else {
			ok = r.mends(m.complaint)
		}
		if !ok {
			return false
		}
	}
	return b.holds(r.env)
}

// in is the scope of what is said in the present state.
func (r *rehearsal) in(w *contract.Wish, ask map[string]any) *contract.Scope {
	s := r.at(r.env, w, ask)
	s.Calls = r.calls
	return s
}

// grants makes the call that a wish leads to.
func (r *rehearsal) grants(it *item) bool {
	f := r.done[it]
	s := r.in(f.wish, f.ask)
	args, err := Arguments(s)
	return err == nil && sensible(s) && r.call(s, f.wish.Does, args)
}

// call makes a call that the policy allows; a hand-off is left out.
func (r *rehearsal) call(s *contract.Scope, tool string, args map[string]any) bool {
	if tool == r.a.contract.Protocol.Handoff {
		return true
	}
	s.Args = args
	for _, rule := range rulesOf(r.a.contract, tool) {
		if ok, err := s.Holds(rule.Require); err != nil || !ok {
			return false
		}
	}
	r.calls = append(r.calls, contract.Call{Name: tool, Args: args, Ask: s.Ask})
	return !r.env.Call(r.side(tool), tool, args).Error
}

// mends repairs what shows of the faults behind a complaint, in the order of the
// catalogue, until the customer sees that all is well.
func (r *rehearsal) mends(c *complaint) bool {
	off := false
	for _, f := range r.a.contract.Behind(c.trouble.Name) {
		shows, err := r.in(&c.trouble.Wish, r.said[c]).Holds(f.Shows)
		if err != nil {
			return false
		}
		if !shows {
			continue
		}
		off = off || f.HandsOff(r.a.contract)
		for i := range f.Repairs {
			s := r.in(&c.trouble.Wish, r.said[c])
			args, err := evaluated(s, f.Repairs[i].Args)
			if err != nil || !r.call(s, f.Repairs[i].Tool, args) {
				return false
			}
		}
	}
	return off || c.trouble.Solved == nil || shown(r.env, c.trouble.Solved)
}
