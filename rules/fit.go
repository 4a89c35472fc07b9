package rules

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"taste/chat"
	"taste/contract"
	"taste/env"
	"taste/phrase"
)

// Fit says all at once where a domain, its contract and its phrase book do not
// belong together: tables, fields, tools, functions and parameters that the domain
// lacks, acts and slots that the book lacks. Work with such a set would fail later,
// or make less than it could without a word. Fields that expressions select are
// [Spelt]'s.
func Fit(d *env.Domain, c *contract.Contract, b *phrase.Book) error {
	f := &fitCheck{env: d.Environment(), domain: d, c: c, book: b}
	f.records()
	f.calls()
	f.identity()
	for _, w := range c.Wishes {
		f.wish(w)
	}
	f.troubles()
	f.functions()
	f.tickets()
	f.twists()
	f.lookAlikes()
	f.protocol()
	return errors.Join(f.errs...)
}

type fitCheck struct {
	domain *env.Domain
	env    *env.Environment
	c      *contract.Contract
	book   *phrase.Book
	errs   []error
}

func (f *fitCheck) fault(format string, args ...any) {
	f.errs = append(f.errs, fmt.Errorf(format, args...))
}

// records looks for tables and for the fields that tie records to customers.
func (f *fitCheck) records() {
	me := f.first("contract: customer", f.c.Customer.Table)
	for _, kind := range slices.Sorted(maps.Keys(f.c.Records)) {
		r, where := f.c.Records[kind], "contract: record "+kind
		f.first(where, r.Table)
		if r.Owner != "" {
			f.field(where+": owner", r.Table, r.Owner)
		}
		f.field(where+": key", r.Table, r.Key)
		if _, ok := me[r.Listed].([]any); me != nil && !ok {
			f.fault("%s: listed: records of table %s have no list %q", where, f.c.Customer.Table, r.Listed)
		}
	}
}

// first returns the first record of a table, and says where there is none.
func (f *fitCheck) first(where, table string) map[string]any {
	rec := f.peek(table)
	if rec == nil {
		f.fault("%s: the database has no table %q with a record in it", where, table)
	}
	return rec
}

// peek returns the first record of a table, nil where there is none.
func (f *fitCheck) peek(table string) map[string]any {
	if !slices.Contains(f.env.Tables(), table) || len(f.env.Keys(table)) == 0 {
		return nil
	}
	return f.env.Record(table, f.env.Keys(table)[0])
}

// calls holds reads and writes to the tools' parameters.
func (f *fitCheck) calls() {
	for _, name := range slices.Sorted(maps.Keys(f.c.Tools)) {
		if f.domain.Tool(name) == nil {
			f.fault("contract: tool %s is none of the domain's", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(f.c.Reads)) {
		r := f.c.Reads[name]
		f.call("contract: read "+name, r.Tool, r.Args)
		for _, table := range r.Over {
			f.hasTable("contract: read "+name+": over", table)
		}
	}
	for _, w := range f.c.Wishes {
		if w.Does != "" {
			f.call("contract: wish "+w.Name, w.Does, slices.Sorted(maps.Keys(w.Args)))
		}
	}
}

func (f *fitCheck) call(where, tool string, args []string) {
	spec := f.domain.Tool(tool)
	if spec == nil {
		return
	}
	params, err := spec.Parameters()
	if err != nil {
		f.fault("%s: %w", where, err)
		return
	}
	f.arguments(where, "tool "+tool, params, args)
}

// arguments wants all of them to be parameters, and all parameters given that need
// to be.
func (f *fitCheck) arguments(where, callee string, params []chat.Parameter, args []string) {
	for _, a := range args {
		if !slices.ContainsFunc(params, func(p chat.Parameter) bool { return p.Name == a }) {
			f.fault("%s: %s has no parameter %q", where, callee, a)
		}
	}
	for _, p := range params {
		if p.Required && !slices.Contains(args, p.Name) {
			f.fault("%s: %s needs %q, which is not given", where, callee, p.Name)
		}
	}
}

// identity looks for the words by which customers say who they are and agents
// ask for it.
func (f *fitCheck) identity() {
	for _, w := range f.c.Customer.Identify {
		for _, fact := range w.Facts {
			f.act("contract: way "+w.Name, fact.Act, phrase.Fact, slices.Sorted(maps.Keys(fact.Slots)))
			for _, slot := range slices.Sorted(maps.Keys(fact.Slots)) {
				if f.book.Spec(askPrefix+slot) == nil {
					f.says("contract: way "+w.Name, phrase.New("ask_slot", "slot", slot))
				}
			}
		}
	}
}

// wish looks for the words of a wish, its details, its restatement and its
// answer.
func (f *fitCheck) wish(w *contract.Wish) {
	where, role := "contract: wish "+w.Name, phrase.Wish
	if w.Does == "" {
		role = phrase.Ask
	}
	f.said(where, role, w)
	f.restated(where, w.Restate)
	if w.Does == "" {
		f.answer(where, w.Name)
		return
	}
	f.says(where, phrase.New("done", "wish", w.Name))
}

// said looks for the words by which a wish is brought up.
func (f *fitCheck) said(where, role string, w *contract.Wish) {
	detailed := map[string]bool{}
	for _, d := range w.Details {
		f.detail(where, d)
		detailed[d.Each] = true
		for _, slot := range d.Set {
			detailed[slot] = true
		}
	}
	var said []string
	for _, s := range w.Slots {
		if !detailed[s.Name] {
			said = append(said, s.Name)
		}
	}
	f.act(where, w.Name, role, said)
}

func (f *fitCheck) restated(where string, list []contract.Restate) {
	for _, r := range list {
		f.act(where+": restate", r.Act, phrase.ByHelp, slices.Sorted(maps.Keys(r.Slots)))
	}
}

func (f *fitCheck) answer(where, question string) {
	about, ok := strings.CutPrefix(question, askPrefix)
	if !ok {
		f.fault("%s: it is a question, so its name should begin with %s", where, askPrefix)
		return
	}
	f.spec(where+": tells", tellPrefix+about, phrase.ByHelp)
}

func (f *fitCheck) detail(where string, d contract.Detail) {
	if d.Each != "" {
		f.spec(where+": detail", d.Act, phrase.Detail)
		return
	}
	f.act(where+": detail", d.Act, phrase.Detail, slices.Sorted(maps.Keys(d.Set)))
}

// spec finds an act of a role.
func (f *fitCheck) spec(where, name, role string) *phrase.Spec {
	s := f.book.Spec(name)
	switch {
	case s == nil:
		f.fault("%s: the phrase book has no act %s (role %s)", where, name, role)
		return nil
	case s.Role != role:
		f.fault("%s: act %s of the phrase book has role %s, want %s", where, name, s.Role, role)
		return nil
	}
	return s
}

// act wants an act of a role with just these slots.
func (f *fitCheck) act(where, name, role string, slots []string) {
	s := f.spec(where, name, role)
	if s == nil {
		return
	}
	slices.Sort(slots)
	if has := slices.Sorted(maps.Keys(s.Slots)); !slices.Equal(has, slots) {
		f.fault("%s: act %s of the phrase book has the slots %q, want %q", where, name, has, slots)
	}
}

// says wants the agent to have words for an act.
func (f *fitCheck) says(where string, a phrase.Act) {
	if _, err := f.book.Render(a, phrase.Agent, rand.New(rand.NewPCG(0, 0))); err != nil {
		f.fault("%s: %w", where, err)
	}
}

// twists looks for the words of what makes tasks harder.
func (f *fitCheck) twists() {
	e := &f.c.Evolution
	for _, claim := range e.Claims {
		f.act("contract: claim", claim.Act, phrase.Twist, slices.Sorted(maps.Keys(claim.Slots)))
		if claim.Fault == "" {
			f.field("contract: claim "+claim.Act, f.table(claim.Read), claim.Field)
		}
	}
	for _, slip := range e.Slips {
		f.act("contract: slip", slip.Act, phrase.Twist, []string{slip.Slot})
	}
	for _, name := range e.Withheld {
		f.says("contract: withheld "+name, phrase.New("ask_slot", "slot", name))
	}
	for i := range e.Twins {
		f.mixup(e.Twins[i].Record)
	}
}

// table names the table whose records a read reveals, "" if it reveals others.
func (f *fitCheck) table(read string) string {
	if read == f.c.Customer.Read {
		return f.c.Customer.Table
	}
	for _, kind := range sortedKeys(f.c.Records) {
		if r := f.c.Records[kind]; r.Read == read {
			return r.Table
		}
	}
	return ""
}

// field wants some record of a table to have a field, where there are records.
func (f *fitCheck) field(where, table, name string) {
	if f.peek(table) == nil {
		return
	}
	for _, rec := range f.env.Records(table) {
		if _, ok := rec[name]; ok {
			return
		}
	}
	f.fault("%s: records of table %s have no field %q", where, table, name)
}

// mixup looks for the words by which a customer names the look-alike of a kind
// of record, in a slot of the same name as some wish has.
func (f *fitCheck) mixup(kind string) {
	where := "contract: twins of " + kind
	s := f.spec(where, twistMixup, phrase.Twist)
	named := func(slot contract.Slot) bool { return slot.Kind == kind && s.Slots[slot.Name] != "" }
	if s != nil && !slices.ContainsFunc(f.c.Wishes, func(w *contract.Wish) bool { return slices.ContainsFunc(w.Slots, named) }) {
		f.fault("%s: act %s of the phrase book has no slot by which a wish names one", where, twistMixup)
	}
}

// protocol wants a hand-off whose notice customers understand.
func (f *fitCheck) protocol() {
	if f.c.Protocol.Handoff == "" {
		f.fault("contract: protocol.handoff names no tool")
	}
	if notice := f.c.Protocol.Notice; !listen(f.book, notice, phrase.Agent).has("handoff") {
		f.fault("contract: protocol.notice %q is no hand-off by the phrase book (macros handed_over and please_wait)", notice)
	}
}
