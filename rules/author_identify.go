package rules

import (
	"fmt"
	"slices"

	"taste/contract"
	"taste/env"
	"taste/phrase"
)

// introduction is what a customer says of herself in one way to be identified,
// and the reads that find her by it.
type introduction struct {
	facts []phrase.Act
	reads []read
}

// introduce works out a customer's introduction; it fails where the way does
// not lead to her.
func (a *Author) introduce(w *contract.Way, e *env.Environment, customer, device string) (introduction, error) {
	reader := a.reader(e)
	s := &contract.Scope{Contract: a.contract, Reader: reader, Said: map[string]any{}}
	Acquaint(s, e, customer, device)
	facts, err := s.Facts(w)
	if err != nil {
		return introduction{}, err
	}
	var out introduction
	for _, f := range facts {
		out.facts = append(out.facts, phrase.Act{Name: f.Act, Slots: f.Slots})
		for slot, v := range f.Slots {
			s.Said[slot] = v
		}
	}
	out.reads, err = reader.traced(func() error {
		key, err := s.Find(w)
		if err == nil && key != customer {
			err = fmt.Errorf("identify %s by %s: %w: it finds %s", customer, w.Name, errNoFit, key)
		}
		return err
	})
	return out, err
}

// introduce decides how the customer can be identified: in the ways whose reads
// stand in the sequence, else in any one. It settles these reads.
func (d *drafting) introduce() error {
	d.facts = nil
	for _, w := range d.ways() {
		in, err := d.a.introduce(w, d.env, d.customer, d.device)
		if err != nil {
			return err
		}
		for _, f := range in.facts {
			if !among(d.facts, f) {
				d.facts = append(d.facts, f)
			}
		}
		for _, r := range in.reads {
			if i := d.unsettled(r.tool); i >= 0 {
				d.settle(i, r)
			}
		}
	}
	return nil
}

// ways lists the ways that the sequence speaks of, else one that is drawn.
func (d *drafting) ways() []*contract.Way {
	all := d.a.contract.Customer.Identify
	var out []*contract.Way
	for _, w := range all {
		if slices.ContainsFunc(w.Tools(), func(t string) bool { return slices.Contains(d.plan.seq, t) }) {
			out = append(out, w)
		}
	}
	if len(out) == 0 && len(all) > 1 {
		return all[d.draw.IntN(len(all)):][:1]
	}
	if len(out) == 0 {
		return all
	}
	return out
}

// unsettled finds the first call of a tool that is not settled yet, −1 if none.
func (d *drafting) unsettled(tool string) int {
	for i, t := range d.plan.seq {
		if t == tool && d.gold[i].tool == "" {
			return i
		}
	}
	return -1
}
