package phrase

import (
	"fmt"
	"sort"
	"strings"
)

// Act is a speech act: a name that the book declares and its slot values in
// canonical form. Values are strings (dates as 2024-05-22, enumerated values as
// the book names them) or, for numbers, int.
type Act struct {
	Name  string
	Slots map[string]any
}

// New builds an act from alternating slot names and values.
func New(name string, pairs ...any) Act {
	a := Act{Name: name}
	for i := 0; i+1 < len(pairs); i += 2 {
		if a.Slots == nil {
			a.Slots = map[string]any{}
		}
		a.Slots[pairs[i].(string)] = pairs[i+1]
	}
	return a
}

// Str returns a slot as text: "" where the act lacks it.
func (a Act) Str(slot string) string {
	v, ok := a.Slots[slot]
	if !ok {
		return ""
	}
	return fmt.Sprint(v)
}

// String spells the act with its slots in the order of their names; equal acts
// in canonical form have equal strings.
func (a Act) String() string {
	names := make([]string, 0, len(a.Slots))
	for name := range a.Slots {
		names = append(names, name)
	}
	sort.Strings(names)
	var b strings.Builder
	b.WriteString(a.Name + "{")
	for i, name := range names {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s: %v", name, a.Slots[name])
	}
	return b.String() + "}"
}

// Person says whose sentence it is.
type Person int

const (
	// Second is the text of a scenario: the customer is "you".
	Second Person = iota
	// First is the customer speaking: "I".
	First
	// Agent is the agent speaking to the customer, who is "you".
	Agent
	// Ticket is the text of a ticket: the customer is "they".
	Ticket
	persons
)

func (p Person) String() string { return [...]string{"scenario", "customer", "agent", "ticket"}[p] }

// Item is one wish of a scenario with the details that belong to it, what the
// customer does about it beside talking, and the twists that say how it is made
// hard.
type Item struct {
	Wish    Act
	Details []Act
	Conduct []Act `json:",omitempty"`
	Twists  []Act `json:",omitempty"`
}

// Brief is what a scenario says, in order.
type Brief struct {
	// Theme names the story that opens the scenario: the act "story.<Theme>".
	// Compose picks one that suits the wishes where it is empty.
	Theme string
	// Persona is the act that says what kind of person the customer is, "" for none.
	Persona string `json:",omitempty"`
	Facts   []Act
	Items   []Item
	// Terse words the scenario of an evolved task: the reason for the call is a
	// story alone, all wishes stand in the instructions, and what the customer
	// does about refusals, corrections and open points is said. Read leaves it
	// unset.
	Terse bool `json:",omitempty"`
	// Hidden are texts that may stand nowhere in the scenario, such as answers
	// that the customer asks for; compared in lower case and without commas.
	// Read leaves it empty.
	Hidden []string
}

// Scenario holds the texts of a τ²-bench user_scenario that a brief fills.
type Scenario struct {
	Domain, Persona, ReasonForCall, KnownInfo, UnknownInfo, TaskInstructions string
}
