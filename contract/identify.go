package contract

import (
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Way is one way to establish who the customer is.
type Way struct {
	Name  string     `yaml:"way"`
	Facts []Identity `yaml:"facts"` // what the customer says of herself for it
	Finds *Expr      `yaml:"finds"` // the customer's key, over said.SLOT; a text

	tools []string
}

// Identity is a fact by which customers are known: the act that says it, and
// its slots over me, the customer's record.
type Identity struct {
	Act   string           `yaml:"act"`
	Slots map[string]*Expr `yaml:"slots"`
}

// Tools lists the read tools that Finds may call, in order of their names.
func (w *Way) Tools() []string { return w.tools }

// Slots lists the slots that the way's facts fill, in the order of the facts.
func (w *Way) Slots() []string {
	var out []string
	for _, f := range w.Facts {
		out = append(out, slices.Sorted(maps.Keys(f.Slots))...)
	}
	return out
}

// Identifies tells whether the act says a fact by which customers or their
// devices are known.
func (c *Contract) Identifies(act string) bool {
	return slices.ContainsFunc(c.identities(), func(f Identity) bool { return f.Act == act })
}

// Knows tells whether a slot is one by which customers or their devices are known.
func (c *Contract) Knows(slot string) bool { return slices.Contains(c.factSlots(), slot) }

// identities lists the facts of all ways to identify a customer, and those of
// her device.
func (c *Contract) identities() []Identity {
	var out []Identity
	for _, w := range c.Customer.Identify {
		out = append(out, w.Facts...)
	}
	return append(out, c.Device.Facts...)
}

// factSlots lists the slots of these facts.
func (c *Contract) factSlots() []string {
	var out []string
	for _, f := range c.identities() {
		out = append(out, slices.Sorted(maps.Keys(f.Slots))...)
	}
	return out
}

// Facts says a way's facts of the customer whose record is the scope's me.
func (s *Scope) Facts(w *Way) ([]Said, error) { return s.says(w.Facts) }

// DeviceFacts says the facts of the device whose record is the scope's own.
func (s *Scope) DeviceFacts() ([]Said, error) { return s.says(s.Contract.Device.Facts) }

func (s *Scope) says(facts []Identity) ([]Said, error) {
	var out []Said
	for _, f := range facts {
		said := Said{Act: f.Act, Slots: map[string]any{}}
		for _, slot := range slices.Sorted(maps.Keys(f.Slots)) {
			v, err := s.Eval(f.Slots[slot])
			if err != nil {
				return nil, fmt.Errorf("fact %s: %w", f.Act, err)
			}
			said.Slots[slot] = v
		}
		out = append(out, said)
	}
	return out, nil
}

// Find works out the customer's key in one way from what was said. The error
// may be a MissingSlot or a MissingRead.
func (s *Scope) Find(w *Way) (string, error) {
	v, err := s.Eval(w.Finds)
	if err != nil {
		return "", err
	}
	key, ok := v.(string)
	if !ok || key == "" {
		return "", fmt.Errorf("way %s finds no customer but %v", w.Name, v)
	}
	return key, nil
}

// Identify works out the customer's key in the first way for which everything
// was said and that finds somebody. The error is a MissingRead of such a way,
// else what the first way lacks.
func (s *Scope) Identify() (string, error) {
	var first error
	for _, w := range s.Contract.Customer.Identify {
		key, err := s.Find(w)
		var read *MissingRead
		switch {
		case err == nil:
			return key, nil
		case errors.As(err, &read):
			return "", err
		case first == nil:
			first = err
		}
	}
	if first == nil {
		first = errors.New("the contract knows no way to identify a customer")
	}
	return "", first
}

// checkCustomer checks the ways to identify customers and how they come by
// records.
func (c *Contract) checkCustomer() error {
	var errs []error
	if _, ok := c.Reads[c.Customer.Read]; !ok && c.Customer.Read != "" {
		errs = append(errs, fmt.Errorf("customer: no read is called %q", c.Customer.Read))
	}
	if c.Protocol.Identify && len(c.Customer.Identify) == 0 {
		errs = append(errs, errors.New("protocol: customers are to be identified, but customer.identify has no way"))
	}
	seen := map[string]bool{}
	for _, w := range c.Customer.Identify {
		if w.Name == "" || seen[w.Name] || len(w.Facts) == 0 || w.Finds == nil {
			errs = append(errs, fmt.Errorf("customer: way %q: want a name of its own, facts and finds", w.Name))
		}
		seen[w.Name] = true
	}
	for _, kind := range slices.Sorted(maps.Keys(c.Records)) {
		if r := c.Records[kind]; r.Mint == "" && len(r.Adopt) > 0 {
			errs = append(errs, fmt.Errorf("record %s: adopted records need new keys, and mint does not say their shape", kind))
		}
	}
	return errors.Join(errs...)
}
