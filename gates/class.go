package gates

// Class is what kind of mistake a task's author made.
type Class string

// The classes that public corrections of task files fall into.
const (
	Ambiguous     Class = "ambiguous_wording"     // what the customer wants can be read in several ways, gold takes one
	SameItem      Class = "same_item"             // gold replaces something by itself
	PolicyBreach  Class = "policy_breach"         // gold does what the policy forbids
	NoFallback    Class = "no_fallback"           // nothing says what the customer does when the wish cannot be met
	NoPayment     Class = "payment_missing"       // what is paid with is not said, or not the customer's
	Impossible    Class = "impossible_constraint" // a condition that gold, the database or another condition belies
	OpenLoophole  Class = "loophole"              // another end state is as right as gold's
	WrongIdentity Class = "wrong_identity"        // a name, birth date or other fact about a person that the database belies
	HiddenID      Class = "hidden_id"             // an id that the customer has to confirm, and must not say or cannot know
)

// Classes lists the classes in the order of the documentation.
var Classes = []Class{Ambiguous, SameItem, PolicyBreach, NoFallback, NoPayment, Impossible, OpenLoophole, WrongIdentity, HiddenID}

// advice says by class what to do about a finding.
var advice = map[Class]string{
	Ambiguous:     "say which one, by a value that only one candidate has",
	SameItem:      "let gold take another one, or drop the call",
	PolicyBreach:  "take the call out of gold, or change the task so that the policy allows it",
	NoFallback:    "say what the customer does when the wish is refused or cannot be met",
	NoPayment:     "name one payment method of the customer's profile",
	Impossible:    "drop the condition, or let gold and scenario meet it",
	OpenLoophole:  "say that the customer does not take this way",
	WrongIdentity: "take name, birth date and contact data from the database",
	HiddenID:      "give the customer the id, or a description that fits one record alone",
}

// troubleAdvice says what to do about a trouble that is not there, or not over.
const troubleAdvice = "let the trouble be there at the start and gold repair all that is behind it, or take it out of the scenario"

// classOf is the class of the faults that a rule of the gates or of the
// contract finds, "" where it says nothing about the kind of mistake.
func classOf(rule string) Class {
	switch rule {
	case Choice:
		return NoPayment
	case Mismatch, Name, Identify, Fact:
		return WrongIdentity
	case NoChange, SameValue:
		return SameItem
	case GoldRuns:
		return PolicyBreach
	}
	return ""
}
