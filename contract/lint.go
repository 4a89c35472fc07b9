package contract

import (
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Lint is what validation of tasks of others knows of a domain's prose: by what
// words it speaks of tools, arguments and records, and which gaps a policy
// leaves that a customer has to close. Everything in it is optional; what is
// missing is not looked for.
type Lint struct {
	People People `yaml:"people"`
	// Facts by which customers are known. Of those that a scenario states, one has
	// to be the customer's.
	Facts []LintFact `yaml:"facts"`
	Pays  Pays       `yaml:"pays"`
	// Names is what else prose calls a value of the records.
	Names     map[string]Pattern   `yaml:"names"`
	Tools     map[string]*LintTool `yaml:"tools"` // writes and the hand-off
	Goods     *Goods               `yaml:"goods"`
	Demands   []Demand             `yaml:"demands"`
	Unclear   []Unclear            `yaml:"unclear"`
	Loopholes []Loophole           `yaml:"loopholes"`
}

// People names the fields by which records and arguments speak of a person.
type People struct {
	First string `yaml:"first"`
	Last  string `yaml:"last"`
	Born  string `yaml:"born"`
}

// LintFact is a field of the customer's record, "address.zip" say, and the form
// that its values have in prose.
type LintFact struct {
	Field string  `yaml:"field"`
	Like  Pattern `yaml:"like"`
}

// Pays says what is paid with.
type Pays struct {
	Args  []string           `yaml:"args"`  // paths of the arguments that name a payment method
	Field string             `yaml:"field"` // of the customer's record: methods by id
	Kind  string             `yaml:"kind"`  // field of a method
	Says  Pattern            `yaml:"says"`  // somebody speaks of paying at all
	Kinds map[string]Pattern `yaml:"kinds"` // words for each kind
	First Pattern            `yaml:"first"` // words that mean what paid for the record
	Other Pattern            `yaml:"other"` // words that mean another method than that
	Paid  *Expr              `yaml:"paid"`  // the methods that paid for the record of args
}

// LintTool is what prose has to do with a tool.
type LintTool struct {
	Asks Pattern             `yaml:"asks"` // words that ask for it, however loosely
	Args map[string]*LintArg `yaml:"args"` // by path
	// Whole says that the call is about all goods of a record at once.
	Whole bool  `yaml:"whole"`
	Cost  *Expr `yaml:"cost"` // what the customer pays by the call; less than 0: gets back
}

// LintArg is what prose has to do with an argument that the customer decides.
type LintArg struct {
	Given *Expr   `yaml:"given"` // where true, nobody has to say it
	Words Pattern `yaml:"words"` // leave no doubt about the value, even if they do not spell it
}

// Goods describes a catalogue: a table of goods, each with variants by id that
// differ in options.
type Goods struct {
	Table     string   `yaml:"table"`
	Name      string   `yaml:"name"`
	Variants  string   `yaml:"variants"`
	Options   string   `yaml:"options"`
	Available string   `yaml:"available"`
	Price     string   `yaml:"price"`
	Items     string   `yaml:"items"` // field of a customer's record: its list of goods
	Item      string   `yaml:"item"`  // field of an element: the variant's id
	Old       string   `yaml:"old"`   // argument: ids of what is given up
	New       string   `yaml:"new"`   // argument: ids of what is got for it, in the same order
	Loose     []string `yaml:"loose"` // words of names that say nothing by themselves
}

// Demand is a condition that prose can put on a call.
type Demand struct {
	ID     string   `yaml:"id"`
	Tools  []string `yaml:"tools"`
	Says   Pattern  `yaml:"says"`   // its first group, if any, is `item` in Holds
	Unless Pattern  `yaml:"unless"` // words in the same sentence that take it back
	Holds  *Expr    `yaml:"holds"`
	Why    string   `yaml:"why"`
}

// Unclear is a way of speaking that means one thing to some and another to others.
type Unclear struct {
	Says   Pattern `yaml:"says"`
	Unless Pattern `yaml:"unless"` // words anywhere that make it clear
	Why    string  `yaml:"why"`
}

// Loophole is a way round a refusal that the policy leaves open: a customer who
// would take it ends in another state than gold.
type Loophole struct {
	ID     string  `yaml:"id"`
	Asks   string  `yaml:"asks"`   // the tool that is asked for and that gold does not call
	Says   Pattern `yaml:"says"`   // words of the sentence that asks; none: any
	Where  *Expr   `yaml:"where"`  // over item, a record of the customer that the task speaks of
	Closed Pattern `yaml:"closed"` // words that say the customer would not
	Why    string  `yaml:"why"`
}

func (l *Lint) compile(lang *language) error {
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(l.Tools)) {
		t := l.Tools[name]
		errs = append(errs, lang.compile("lint tool "+name, t.Cost))
		for _, path := range slices.Sorted(maps.Keys(t.Args)) {
			errs = append(errs, lang.compile("lint argument "+name+"."+path, t.Args[path].Given))
		}
	}
	for _, d := range l.Demands {
		errs = append(errs, lang.compile("lint demand "+d.ID, d.Holds))
	}
	for _, h := range l.Loopholes {
		errs = append(errs, lang.compile("lint loophole "+h.ID, h.Where))
	}
	return errors.Join(append(errs, lang.compile("lint pays", l.Pays.Paid))...)
}

func (c *Contract) checkLint() error {
	var errs []error
	tool := func(place, name string) {
		if c.Tools[name] == nil {
			errs = append(errs, fmt.Errorf("lint %s: unknown tool %q", place, name))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Lint.Tools)) {
		tool("tools", name)
	}
	for _, d := range c.Lint.Demands {
		for _, name := range d.Tools {
			tool("demand "+d.ID, name)
		}
	}
	for _, h := range c.Lint.Loopholes {
		tool("loophole "+h.ID, h.Asks)
	}
	return errors.Join(errs...)
}
