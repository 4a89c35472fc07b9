package contract

import (
	"bytes"
	"errors"
	"fmt"

	"cel.dev/cel-go/common/types/ref"
	"github.com/goccy/go-yaml"
)

// Contract is a domain's contract as loaded. It is immutable after Load and
// safe for concurrent use.
type Contract struct {
	Format     int                 `yaml:"format"`
	Domain     string              `yaml:"domain"`
	Now        string              `yaml:"now"` // the domain's fixed clock, ISO 8601; "": it has none
	Reads      map[string]Read     `yaml:"reads"`
	Customer   CustomerRecord      `yaml:"customer"`
	Records    map[string]*Record  `yaml:"records"`
	Tables     map[string]any      `yaml:"tables"`
	Functions  []Function          `yaml:"functions"`
	Tools      map[string]*Tool    `yaml:"tools"`
	Sequence   []SeqRule           `yaml:"sequence"`
	Policy     []PolicyRule        `yaml:"policy"`
	Protocol   Protocol            `yaml:"protocol"`
	Wishes     []*Wish             `yaml:"wishes"`
	Gold       Gold                `yaml:"gold"`
	Device     Device              `yaml:"device"`
	Troubles   []*Trouble          `yaml:"troubles"`
	Faults     []*Defect           `yaml:"faults"`
	Assertions []*Assertion        `yaml:"assertions"`
	Evolution  Evolution           `yaml:"evolution"`
	Lint       Lint                `yaml:"lint"`
	Unchecked  []Unchecked         `yaml:"unchecked"`
	Citations  map[string][]string `yaml:"citations"`

	seqRules map[string][]*SeqRule
	wishes   map[string]*Wish
	lang     *language
	tables   ref.Val // Tables as a value of the language
}

// Read names a read tool as a function of the expression language.
type Read struct {
	Tool string   `yaml:"tool"`
	Args []string `yaml:"args"` // argument names in the order of the function's parameters
	Over []string `yaml:"over"` // the tables that the answer depends on; empty: none
}

// CustomerRecord says which record describes the customer.
type CustomerRecord struct {
	Table    string `yaml:"table"`    // the database table of customers
	Read     string `yaml:"read"`     // the read that reveals the record
	Where    *Expr  `yaml:"where"`    // condition over me (the record): who may become the customer of a task
	Identify []*Way `yaml:"identify"` // ways to establish who it is, in the order in which an agent asks for them
}

// Record is a kind of record that belongs to a customer.
type Record struct {
	Table     string           `yaml:"table"`
	Key       string           `yaml:"key"`
	Read      string           `yaml:"read"`
	Owner     string           `yaml:"owner"`     // field that holds the customer's key; "": no field does
	Listed    string           `yaml:"listed"`    // field of the customer's record that lists the keys
	Mint      string           `yaml:"mint"`      // shape of a new key: 9 a digit, A a capital letter, X either, all else itself
	Adopt     map[string]*Expr `yaml:"adopt"`     // how another customer's record becomes this one's
	Adoptable *Expr            `yaml:"adoptable"` // condition over old (record) and me (profile)
}

// Function is a named expression with parameters, e.g. "fare(option, cabin)".
type Function struct {
	Def string `yaml:"def"`
	Is  string `yaml:"is"`
}

// Tool is the contract of one tool.
type Tool struct {
	Type string `yaml:"type"` // READ, WRITE, GENERIC
	Side string `yaml:"side"` // user: a tool of the customer's; else the agent's
	// Moves names the reads whose answers may be other ones after a write; absent: all.
	Moves  []string        `yaml:"moves"`
	Unseen bool            `yaml:"unseen"` // no assertion sees what it does: see Gold
	Args   map[string]*Arg `yaml:"args"`
}

// Arg is the contract of one argument.
type Arg struct {
	Source string `yaml:"source"` // customer, read, choice, computed or free
	Others *Expr  `yaml:"others"` // other values of its kind within the customer's reach
	Idle   *Expr  `yaml:"idle"`   // where true, the value has no effect
}

// PolicyRule is a condition that must hold before a call of Tools.
type PolicyRule struct {
	ID        string   `yaml:"id"`
	Tools     []string `yaml:"tools"`
	Require   *Expr    `yaml:"require"`
	Otherwise string   `yaml:"otherwise"` // refuse (default) or handoff
	Why       string   `yaml:"why"`
	Cites     []string `yaml:"cites"`
}

// Protocol holds the rules of conduct that agents keep whatever the wish.
type Protocol struct {
	Identify    bool             `yaml:"identify"`     // nothing is done before it is known who the customer is
	Confirm     bool             `yaml:"confirm"`      // a write needs the customer's explicit yes
	Handoff     string           `yaml:"handoff"`      // the hand-off tool
	HandoffArgs map[string]*Expr `yaml:"handoff_args"` // its arguments when the policy hands a wish off
	Notice      string           `yaml:"notice"`       // what is said after a hand-off
	Cites       []string         `yaml:"cites"`
}

// Unchecked lists policy sentences that no rule checks, and why.
type Unchecked struct {
	Cites []string `yaml:"cites"`
	Why   string   `yaml:"why"`
}

// Wish is something that a customer may bring up: a speech act with slots that
// leads to one write (Does) or to one answer (Tells).
type Wish struct {
	Name    string           `yaml:"name"`
	Does    string           `yaml:"does"`
	Slots   []Slot           `yaml:"slots"`
	Let     []Let            `yaml:"let"`
	Args    map[string]*Expr `yaml:"args"`
	Tells   *Expr            `yaml:"tells"`
	Uses    []string         `yaml:"uses"`    // read tools that a gold sequence may make for this wish
	Needs   []string         `yaml:"needs"`   // read tools of which a gold sequence must make one for this wish
	Details []Detail         `yaml:"details"` // acts that add particulars, in the order they are said
	Restate []Restate        `yaml:"restate"` // what an agent spells out before it asks for a yes
	Where   []*Expr          `yaml:"where"`   // what makes the wish sensible; the author keeps to it
	Sole    *Expr            `yaml:"sole"`    // true if the choice has no tie
	Plant   []EnvCall        `yaml:"plant"`   // what has to be so for the wish to change something, over device and customer
	Share   float64          `yaml:"share"`   // relative weight when several wishes fit
	// Apart is a thing that no slot names and that nothing else in a task is about, see
	// Slot.Apart: what a description comes to.
	Apart    *Expr    `yaml:"apart"`
	Excludes []string `yaml:"excludes"` // wishes that it never goes with, where troubles are planned

	let map[string]*Expr
}

// Slot is one particular of a wish.
type Slot struct {
	Name     string `yaml:"name"`
	Kind     string `yaml:"kind"`     // a record kind, or empty
	From     *Expr  `yaml:"from"`     // candidate values for the author, over the slots before it
	Prefer   *Expr  `yaml:"prefer"`   // candidates to try before those of From
	Optional bool   `yaml:"optional"` // absent is null
	// Apart slots name a thing that nothing else in a task is about.
	Apart bool `yaml:"apart"`
}

// Let names an expression of a wish; it is evaluated when first needed.
type Let struct {
	Name string `yaml:"name"`
	Is   *Expr  `yaml:"is"`
}

// Load reads and checks a contract; every expression is compiled.
func Load(data []byte) (*Contract, error) {
	c := &Contract{}
	if err := yaml.NewDecoder(bytes.NewReader(data), yaml.Strict()).Decode(c); err != nil {
		return nil, fmt.Errorf("read contract: %w", err)
	}
	if c.Format != 1 {
		return nil, fmt.Errorf("read contract: format %d is not supported, want 1", c.Format)
	}
	if err := errors.Join(c.index(), c.checkCustomer(), c.checkSequence(), c.checkNames(), c.checkTroubles(), c.checkEvolution(), c.checkLint()); err != nil {
		return nil, fmt.Errorf("check contract %s: %w", c.Domain, err)
	}
	c.tables = toVal(c.Tables)
	if err := c.compile(); err != nil {
		return nil, fmt.Errorf("compile contract %s: %w", c.Domain, err)
	}
	return c, nil
}

// Wish returns the wish of that name, or nil.
func (c *Contract) Wish(name string) *Wish { return c.wishes[name] }

// RecordRead returns the kind of record that a read tool reveals, the first by
// name where it reveals several, or "".
func (c *Contract) RecordRead(tool string) string {
	first := ""
	for kind, r := range c.Records {
		if c.Reads[r.Read].Tool == tool && (first == "" || kind < first) {
			first = kind
		}
	}
	return first
}

func (c *Contract) index() error {
	c.seqRules = map[string][]*SeqRule{}
	c.wishes = map[string]*Wish{}
	ids := map[string]bool{}
	var errs []error
	once := func(id string) {
		if id == "" || ids[id] {
			errs = append(errs, fmt.Errorf("rule id %q is empty or used twice", id))
		}
		ids[id] = true
	}
	for i := range c.Sequence {
		r := &c.Sequence[i]
		once(r.ID)
		c.seqRules[r.Rule] = append(c.seqRules[r.Rule], r)
	}
	for _, p := range c.Policy {
		once(p.ID)
	}
	for _, w := range c.Wishes {
		once("wish." + w.Name)
		c.wishes[w.Name] = w
	}
	c.indexTroubles(once)
	return errors.Join(errs...)
}

var seqKinds = map[string]bool{
	"known": true, "run": true, "last": true, "first": true, "times": true, "opens": true,
	"record": true, "ends": true, "spares": true, "after": true, "serves": true, "gain": true, "loose": true,
	"next": true, "closes": true, "apart": true, "some": true,
}

func (c *Contract) checkSequence() error {
	var errs []error
	for _, r := range c.Sequence {
		if !seqKinds[r.Rule] {
			errs = append(errs, fmt.Errorf("sequence rule %s: unknown kind %q", r.ID, r.Rule))
		}
		for _, list := range [][]string{r.Tools, r.Any, r.For, r.Again} {
			for _, t := range list {
				if c.Tools[t] == nil {
					errs = append(errs, fmt.Errorf("sequence rule %s: unknown tool %q", r.ID, t))
				}
			}
		}
	}
	if n := len(c.seqRules["record"]); n > len(recordState{}.uses) {
		errs = append(errs, fmt.Errorf("%d record rules, at most %d are supported", n, len(recordState{}.uses)))
	}
	return errors.Join(errs...)
}
