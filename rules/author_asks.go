package rules

import (
	"fmt"
	"slices"
	"strings"

	"taste/contract"
)

// answerAsks fulfils the questions in the order of their calls, each in the
// state that the customer asks it in.
func (d *drafting) answerAsks() error {
	for _, it := range d.plan.items {
		if it.wishes[0].Does != "" {
			continue
		}
		n := d.writesBefore(it.call)
		t := attempt{item: d.freshFirst(it), env: d.state[n], calls: d.calls[:n], fits: d.answers(it), learnt: d.learnt(it.call + 1)}
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

// freshFirst puts the questions that the task has asked already behind others.
func (d *drafting) freshFirst(it *item) *item {
	times := map[*contract.Wish]int{}
	for _, f := range d.done {
		times[f.wish]++
	}
	out := *it
	out.wishes = slices.Clone(it.wishes)
	slices.SortStableFunc(out.wishes, func(a, b *contract.Wish) int { return times[a] - times[b] })
	return &out
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

// answers returns the test that the question is answered by its own call and
// those made for it, which no other call makes, over nothing else but what
// earlier calls revealed.
func (d *drafting) answers(it *item) func(*filled) error {
	return func(f *filled) error {
		own := map[string]bool{}
		for _, i := range append(slices.Clone(it.serves), it.call) {
			r, ok := d.servedBy(i, f, own)
			if !ok {
				return fmt.Errorf("question %s does not need call %d", f.wish.Name, i)
			}
			if err := d.spells(r); err != nil {
				return err
			}
			own[r.key()] = true
		}
		if err := d.distinct(f.tells); err != nil {
			return err
		}
		for _, r := range f.reads {
			if !own[r.key()] && !d.readBefore(r, it.call) {
				return fmt.Errorf("question %s needs %s, which is not read before call %d", f.wish.Name, r.tool, it.call)
			}
		}
		return nil
	}
}

// distinct checks that an answer is said only by whoever answers: it is no part
// of another answer or of what is said about another wish or the customer
// anyway, nor does it hold one, and no call of the gold sequence names it.
func (d *drafting) distinct(answer string) error {
	for _, f := range d.facts {
		if strings.Contains(strings.ToLower(f.String()), strings.ToLower(answer)) {
			return fmt.Errorf("the customer says the answer %q of herself", answer)
		}
	}
	for _, it := range d.plan.items {
		f := d.done[it]
		if f == nil {
			continue
		}
		if f.tells != "" && strings.Contains(answer, f.tells) || strings.Contains(f.spoken(), answer) {
			return fmt.Errorf("the answer %q is said with wish %s too", answer, f.wish.Name)
		}
	}
	return d.unnamed(answer)
}

// spells checks that a call names none of the answers so far.
func (d *drafting) spells(r read) error {
	for _, it := range d.plan.items {
		if f := d.done[it]; f != nil && f.tells != "" && names(r.args, strings.ToLower(f.tells)) {
			return fmt.Errorf("%w: %q, in a call of %s", ErrSpoilt, f.tells, r.tool)
		}
	}
	return nil
}

// unnamed checks that an answer stands in no argument of a settled call.
func (d *drafting) unnamed(answer string) error {
	for _, r := range d.gold {
		if names(r.args, strings.ToLower(answer)) {
			return fmt.Errorf("%w: %q, in a call of %s", ErrSpoilt, answer, r.tool)
		}
	}
	return nil
}

// names tells whether a text in lower case stands in a value or a part of it.
func names(v any, text string) bool {
	switch x := v.(type) {
	case map[string]any:
		for _, e := range x {
			if names(e, text) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(x, func(e any) bool { return names(e, text) })
	default:
		return strings.Contains(strings.ToLower(fmt.Sprint(x)), text)
	}
	return false
}

// spoken is what is said about a wish, as one text.
func (f *filled) spoken() string { return fmt.Sprint(f.ask, f.restated, f.tells) }

func (d *drafting) readBefore(r read, call int) bool {
	return slices.ContainsFunc(d.gold[:call], func(g read) bool { return g.tool == r.tool && g.key() == r.key() })
}

func (d *drafting) settleAnswer(it *item) {
	d.settleServed(it, d.done[it])
	r, _ := d.servedBy(it.call, d.done[it], nil)
	d.settle(it.call, r)
}
