package rules

import (
	"fmt"
	"slices"

	"taste/contract"
	"taste/env"
)

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
	c := contract.Call{Name: tool, Args: f.args, Ask: f.ask}
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
// arguments need one of those that the wish cannot do without, such a read made
// only to check the policy explains nothing.
func (f *filled) explaining() []read {
	needed := func(r read) bool { return slices.Contains(f.wish.Needs, r.tool) }
	if !slices.ContainsFunc(f.named, needed) {
		return f.reads
	}
	return slices.DeleteFunc(slices.Clone(f.reads), func(r read) bool {
		return needed(r) && !slices.ContainsFunc(f.named, func(n read) bool { return n.key() == r.key() })
	})
}

func (d *drafting) settleServed(it *item, f *filled) {
	taken := map[string]bool{}
	for _, i := range it.serves {
		r, _ := d.servedBy(i, f, taken)
		taken[r.key()] = true
		d.settle(i, r)
	}
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
