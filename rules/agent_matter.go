package rules

import (
	"errors"
	"maps"
	"slices"

	"taste/contract"
	"taste/phrase"
)

// matter is one wish that an agent has heard, and how far it has got with it.
type matter struct {
	wish    *contract.Wish
	said    phrase.Act
	details []phrase.Act
	claims  []phrase.Act    // what the customer says the records hold
	asked   map[string]bool // slots that were asked for
	agreed  bool            // the customer said yes to the proposal
	rider   bool            // brought up beside the yes to another matter
	pressed bool            // insisted on after a refusal
	closed  bool
	mending // of a trouble

	// What was worked out so far; a write or a new particular voids it.
	scope  *contract.Scope
	args   map[string]any
	passed int // policy rules that hold, of those of the wish's tool
}

// void drops what was worked out, after facts or particulars changed.
func (m *matter) void() { m.scope, m.args, m.passed = nil, nil, 0 }

// join lists the slots as the customer said them.
func (m *matter) join() map[string]any {
	var details []contract.Said
	for _, d := range m.details {
		details = append(details, contract.Said{Act: d.Name, Slots: d.Slots})
	}
	ask, err := m.wish.Join(contract.Said{Act: m.said.Name, Slots: m.said.Slots}, details)
	if err != nil {
		return maps.Clone(m.said.Slots) // add keeps out what the wish does not know
	}
	return ask
}

// add attaches a particular; it returns false for one that the wish does not
// know. One of a kind replaces what was said before, others add up.
func (m *matter) add(a phrase.Act) bool {
	i := slices.IndexFunc(m.wish.Details, func(d contract.Detail) bool { return d.Act == a.Name })
	if i < 0 {
		return false
	}
	if among(m.details, a) {
		return true
	}
	if m.wish.Details[i].Each == "" {
		m.details = slices.DeleteFunc(m.details, func(d phrase.Act) bool { return d.Name == a.Name })
	}
	m.details, m.agreed = append(m.details, a), false
	m.void()
	return true
}

// speech names the particular that a slot of the wish is said with: the slot
// itself and the act of the detail that sets it.
func (m *matter) speech(slot string) []string {
	out := []string{slot}
	for _, d := range m.wish.Details {
		if d.Each == slot {
			out = append(out, d.Act)
		}
		for _, to := range d.Set {
			if to == slot {
				out = append(out, d.Act)
			}
		}
	}
	return out
}

// weighing is what an agent makes of a matter: the first of these that is set,
// else the call may be made with Args.
type weighing struct {
	read    *contract.MissingRead // a call has to be made first
	slot    string                // the customer has to say something first
	tells   string                // the answer to a question
	why     string                // the wish is refused
	handoff bool                  // a human has to take over
	args    map[string]any
}

// impossible is the reason for a refusal that no policy rule gives.
const impossible = "nothing in the records fits it"

// obstacle turns an evaluation's error into what has to happen first.
func obstacle(err error) weighing {
	var r *contract.MissingRead
	var s *contract.MissingSlot
	switch {
	case errors.As(err, &r):
		return weighing{read: r}
	case errors.As(err, &s):
		return weighing{slot: s.Slot}
	}
	return weighing{why: impossible}
}

// argument works out one argument of the wish's call, once.
func (m *matter) argument(name string) error {
	if _, ok := m.args[name]; ok {
		return nil
	}
	v, err := m.scope.Eval(m.wish.Args[name])
	if err != nil {
		return err
	}
	if m.args == nil {
		m.args = map[string]any{}
	}
	m.args[name] = v
	return nil
}

// arguments works out all of them in the order of their names.
func (m *matter) arguments() error {
	for _, name := range slices.Sorted(maps.Keys(m.wish.Args)) {
		if err := m.argument(name); err != nil {
			return err
		}
	}
	return nil
}
