package contract

import "slices"

// Rules of these kinds are the method's own: what breaks one is implausible
// whatever anybody thinks of its customer.
var structural = []string{"known", "run", "last"}

// contested are kinds of rules about what a look-up is good for, on which readers
// differ.
var contested = []string{"gain", "loose"}

// Certain tells whether Judge's verdict can be relied on without a second
// opinion. It never can where the sequence is plausible: another reader may find a
// fault that no rule looks for. A rejection is certain where a rule about the
// bare structure is broken, or two rules about the flow: readers of the policy
// were found to disagree with single rules now and then, never with two.
func (c *Contract) Certain(v Verdict) bool {
	var broken []string
	for _, f := range v.Faults {
		switch kind := c.kindOf(f.Rule); {
		case kind == "" || slices.Contains(structural, kind): // too long, or no call at all
			return true
		case !slices.Contains(contested, kind) && !slices.Contains(broken, f.Rule):
			broken = append(broken, f.Rule)
		}
	}
	return len(broken) > 1
}

// kindOf is the kind of a sequence rule, "" where the judge has it beside the
// contract.
func (c *Contract) kindOf(id string) string {
	i := slices.IndexFunc(c.Sequence, func(r SeqRule) bool { return r.ID == id })
	if i < 0 {
		return ""
	}
	return c.Sequence[i].Rule
}
