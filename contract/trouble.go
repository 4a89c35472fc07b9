package contract

import (
	"errors"
	"slices"
)

// Where the customer has tools of her own, what she brings up is a wish or a
// trouble: a complaint, behind which stand faults that were planted. Faults are
// found by reads of either side and repaired by writes of either side.

// Gold says which calls of a sequence become a task's gold.
type Gold struct {
	Keep []string `yaml:"keep"` // types of tools, and the hand-off; empty: every call
}

// InGold tells whether calls of the tool are kept in a task's gold.
func (c *Contract) InGold(tool string) bool {
	if len(c.Gold.Keep) == 0 {
		return true
	}
	t := c.Tools[tool]
	return tool == c.Protocol.Handoff || t != nil && !t.Unseen && slices.Contains(c.Gold.Keep, t.Type)
}

// Device is what the customer has in hand: what her tools work on. It belongs to
// one of her records, whose key expressions know as device.
type Device struct {
	Record string     `yaml:"record"` // kind of the record
	Where  *Expr      `yaml:"where"`  // over own (the record) and me: which may be that of a task
	Facts  []Identity `yaml:"facts"`  // what the customer says of it, over own and me
	Finds  *Expr      `yaml:"finds"`  // the record's key, over said.SLOT and customer
	Setup  []EnvCall  `yaml:"setup"`  // over own, me, device, customer: how it gets into her hands
}

// EnvCall is a call of a function of the environment, a tool or not.
type EnvCall struct {
	Side string           `yaml:"side"` // assistant or user
	Func string           `yaml:"func"`
	When *Expr            `yaml:"when"` // over the same as Args: whether it is needed; nil: it is
	Args map[string]*Expr `yaml:"args"`
}

// Trouble is a complaint. It is said like a wish: the act of its name, slots, and
// details, over which repairs are worked out. Where says how the trouble shows
// before anything is repaired; it does nothing and tells nothing by itself.
type Trouble struct {
	Wish   `yaml:",inline"`
	Solved *Test `yaml:"solved"` // nil: the customer takes the agent's word
}

// Test is what the customer goes by: a call of a tool of hers without arguments,
// whose answer holds a text once there is no trouble any more.
type Test struct {
	Tool  string `yaml:"tool"`
	Shows string `yaml:"shows"`
}

// Defect is a fault of the catalogue: something that can be wrong. Faults stand in the order in which an
// agent looks for them: what hides another one comes before it.
type Defect struct {
	Name     string    `yaml:"name"`
	Troubles []string  `yaml:"troubles"` // behind which it can stand
	Where    *Expr     `yaml:"where"`    // over own, me, device, customer, before anything is planted
	Slots    []Slot    `yaml:"slots"`    // what the plant draws, as ask.NAME; those that the trouble has, too, are said with it
	Plant    []EnvCall `yaml:"plant"`
	Shows    *Expr     `yaml:"shows"` // over reads of either side
	Repairs  []Repair  `yaml:"repairs"`
	Excludes []string  `yaml:"excludes"` // faults and wishes that it never goes with
	Share    float64   `yaml:"share"`    // relative weight where several fit
	Cites    []string  `yaml:"cites"`
}

// Repair is a write towards the end of a fault. Args are over reads and the
// slots of the trouble.
type Repair struct {
	Tool    string           `yaml:"tool"`
	Args    map[string]*Expr `yaml:"args"`
	Restate []Restate        `yaml:"restate"` // spelt out before the customer agrees to it; none: it is just made
	// Shared repairs serve several faults: in gold one call stands for all of
	// them, if it comes last.
	Shared bool `yaml:"shared"`
	// Or names tools of which a later call in gold does as well, so that it may
	// stand in the place of this one. Agents make it all the same.
	Or []string `yaml:"or"`
}

// Assertion is a function of the environment that the reward may rest on. What it
// returns in the state that gold reaches is what a task asserts.
type Assertion struct {
	Side string           `yaml:"side"`
	Func string           `yaml:"func"`
	Each *Expr            `yaml:"each"` // a list: one assertion for each item; nil: one
	When *Expr            `yaml:"when"` // over item and calls (the writes of gold); nil: always
	Args map[string]*Expr `yaml:"args"` // over item; reads are those of the end
}

// Trouble returns the trouble of that name, or nil.
func (c *Contract) Trouble(name string) *Trouble {
	i := slices.IndexFunc(c.Troubles, func(t *Trouble) bool { return t.Name == name })
	if i < 0 {
		return nil
	}
	return c.Troubles[i]
}

// Defect returns the fault of that name, or nil.
func (c *Contract) Defect(name string) *Defect {
	i := slices.IndexFunc(c.Faults, func(f *Defect) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	return c.Faults[i]
}

// Trouble tells whether it is a trouble, which neither does nor tells anything.
func (w *Wish) Trouble() bool { return w.Does == "" && w.Tells == nil }

// Has tells whether a wish or trouble has a slot of that name.
func (w *Wish) Has(slot string) bool { return w.slot(slot) != nil }

// Behind lists the faults that can stand behind a trouble, in the order in which
// an agent looks for them.
func (c *Contract) Behind(trouble string) []*Defect {
	var out []*Defect
	for _, f := range c.Faults {
		if slices.Contains(f.Troubles, trouble) {
			out = append(out, f)
		}
	}
	return out
}

// spoken lists what customers bring up: wishes, then troubles.
func (c *Contract) spoken() []*Wish {
	out := slices.Clone(c.Wishes)
	for _, t := range c.Troubles {
		out = append(out, &t.Wish)
	}
	return out
}

// MovedBy tells whether a read tool may answer otherwise after a write.
func (c *Contract) MovedBy(write, read string) bool {
	t := c.Tools[write]
	return t == nil || t.Moves == nil || slices.ContainsFunc(t.Moves, func(name string) bool { return c.Reads[name].Tool == read })
}

// OfUser tells whether a tool is the customer's.
func (c *Contract) OfUser(tool string) bool {
	t := c.Tools[tool]
	return t != nil && t.Side == userSide
}

// Sides of an environment.
const (
	agentSide = "assistant"
	userSide  = "user"
)

// indexTroubles finds troubles as wishes, too, and names given twice.
func (c *Contract) indexTroubles(once func(id string)) {
	for _, t := range c.Troubles {
		once("wish." + t.Name)
		c.wishes[t.Name] = &t.Wish
	}
	for _, f := range c.Faults {
		once("fault." + f.Name)
	}
}

// checkTroubles finds names that stand for nothing.
func (c *Contract) checkTroubles() error {
	k := &nameCheck{c: c}
	for _, t := range c.Troubles {
		where := "trouble " + t.Name
		k.said(where, &t.Wish)
		if t.Solved != nil {
			k.tools(where+": solved", t.Solved.Tool)
		}
		if t.Does != "" || t.Tells != nil {
			k.fault("%s: what it does is left to its faults: want neither does nor tells", where)
		}
	}
	for _, f := range c.Faults {
		k.broken(f)
	}
	for _, a := range c.Assertions {
		k.word("assertion "+a.Func+": side", a.Side, agentSide, userSide)
	}
	for _, w := range c.Wishes {
		k.plants("wish "+w.Name, w.Plant)
	}
	if c.Device.Record != "" && c.Records[c.Device.Record] == nil {
		k.fault("device: no kind of record is called %q", c.Device.Record)
	}
	k.plants("device", c.Device.Setup)
	return errors.Join(k.errs...)
}

func (k *nameCheck) broken(f *Defect) {
	where := "fault " + f.Name
	for _, t := range f.Troubles {
		if k.c.Trouble(t) == nil {
			k.fault("%s: no trouble is called %q", where, t)
		}
	}
	for _, name := range f.Excludes {
		if k.c.Defect(name) == nil && k.c.wishes[name] == nil {
			k.fault("%s: excludes: no fault and no wish is called %q", where, name)
		}
	}
	if f.Shows == nil || len(f.Repairs) == 0 {
		k.fault("%s: want shows and repairs", where)
	}
	for _, r := range f.Repairs {
		k.tools(where+": repairs", append([]string{r.Tool}, r.Or...)...)
	}
	k.plants(where, f.Plant)
}

func (k *nameCheck) plants(where string, list []EnvCall) {
	for _, p := range list {
		if p.Func == "" || p.Side != agentSide && p.Side != userSide {
			k.fault("%s: a plant wants a function and its side, %s or %s", where, agentSide, userSide)
		}
	}
}

func (c *Contract) compileTroubles(lang *language) error {
	var errs []error
	at := func(place string, exprs ...*Expr) { errs = append(errs, lang.compile(place, exprs...)) }
	plants := func(place string, list []EnvCall) {
		for _, p := range list {
			at(place, append(values(p.Args), p.When)...)
		}
	}
	at("device", c.Device.Where, c.Device.Finds)
	for _, f := range c.Device.Facts {
		at("device", values(f.Slots)...)
	}
	plants("device", c.Device.Setup)
	for _, f := range c.Faults {
		place := "fault " + f.Name
		at(place, f.Where, f.Shows)
		for _, s := range f.Slots {
			at(place, s.From, s.Prefer)
		}
		plants(place, f.Plant)
		for i := range f.Repairs {
			at(place, values(f.Repairs[i].Args)...)
			for j := range f.Repairs[i].Restate {
				at(place, f.Repairs[i].Restate[j].exprs()...)
			}
		}
	}
	for _, a := range c.Assertions {
		at("assertion "+a.Func, append(values(a.Args), a.Each, a.When)...)
	}
	for _, w := range c.Wishes {
		plants("wish "+w.Name, w.Plant)
	}
	for _, t := range c.Troubles {
		errs = append(errs, t.compile("trouble", lang))
	}
	return errors.Join(errs...)
}

// HandsOff tells whether only people can repair the fault.
func (f *Defect) HandsOff(c *Contract) bool {
	return slices.ContainsFunc(f.Repairs, func(r Repair) bool { return r.Tool == c.Protocol.Handoff })
}
