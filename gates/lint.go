package gates

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"taste/contract"
	"taste/rules"
	"taste/tau"
)

// changes checks that every gold write that succeeds changes something.
func (w *walk) changes() {
	for k, s := range w.goldWrites() {
		if !w.failed(w.writes[k]) && w.moments[k].env.Equal(w.moments[k+1].env) {
			w.fail(NoChange, "%s leaves the database as it was", rules.Spell(s.Name, s.Arguments))
		}
	}
}

// failed tells whether a gold action fails.
func (w *walk) failed(i int) bool {
	for _, e := range w.errors {
		if e.Index == i {
			return true
		}
	}
	return false
}

var named = regexp.MustCompile(`(?i:\byou are|\byour name is) ([A-Z][a-z'-]+) ([A-Z][a-z'-]+)`)

// identity checks that the scenario says who calls, and that a name which it
// gives is the one in the database.
func (w *walk) identity() {
	if w.customer == "" {
		return
	}
	text := Text(w.task.UserScenario)
	if w.g.contract.Protocol.Identify && !w.introduced(text) {
		w.fail(Identify, "the scenario gives no %s; the records are those of %s", w.ways(), w.customer)
	}
	mine := w.reach()
	for _, m := range named.FindAllStringSubmatch(text, -1) {
		// Neither word fits: no name at all, as in "You are Very Sure".
		if mine[m[1]] != mine[m[2]] {
			w.fail(Name, "%q is not the name in the record of %s", m[0], w.customer)
		}
	}
}

// introduced tells whether the scenario gives the customer's key, or all that
// one of the ways to identify a customer asks for.
func (w *walk) introduced(text string) bool {
	if strings.Contains(text, w.customer) {
		return true
	}
	s := w.scope(w.moments[0], nil, nil, nil)
	rules.Acquaint(s, w.start(), w.customer, w.device)
	return slices.ContainsFunc(w.g.contract.Customer.Identify, func(way *contract.Way) bool {
		facts, err := s.Facts(way)
		if err != nil {
			return false
		}
		return !slices.ContainsFunc(facts, func(f contract.Said) bool {
			return slices.ContainsFunc(leaves(f.Slots, nil), func(v string) bool { return !strings.Contains(text, v) })
		})
	})
}

// ways names what identifies a customer: "email; or name, zip".
func (w *walk) ways() string {
	var out []string
	for _, way := range w.g.contract.Customer.Identify {
		out = append(out, strings.Join(way.Slots(), ", "))
	}
	return strings.Join(out, "; or ")
}

// lint looks for what public corrections of task files were about. Prose is not
// understood: what it says is looked up by the words that the contract has for
// it, so that a finding is a reason to read the task, and not more.
func (w *walk) lint() {
	if w.g.contract == nil || w.behind != nil {
		return
	}
	w.prose = readProse(w.task.UserScenario)
	w.lintOwners()
	if w.customer == "" {
		return
	}
	w.slips()
	for _, look := range []func(){
		w.lintReads, w.lintPeople, w.lintSame, w.lintPay, w.lintGoods, w.lintArgs, w.lintRecords, w.lintVague, w.lintUnclear,
		w.lintRefused, w.lintPermissive, w.lintHidden, w.lintLimits, w.lintBudget, w.lintDemands, w.lintDenied, w.lintBanned, w.lintDays,
	} {
		look()
	}
}

// lintBasis reports components that the reward is said to rest on and that ask
// for nothing, beside others that do: each agent meets them. The tasks made here
// name the default basis whatever they ask for.
func (w *walk) lintBasis() {
	if w.behind != nil || !w.crit.StatesBasis() || !slices.ContainsFunc(w.crit.RewardBasis, w.depends) {
		return
	}
	for _, b := range w.crit.RewardBasis {
		if !w.depends(b) {
			at := &sentence{path: "evaluation_criteria.reward_basis", text: fmt.Sprint(w.crit.RewardBasis)}
			w.found("", Warning, EmptyPart, at, "the reward rests on %s, which asks for nothing: leave it out, or say what it is to check", b)
		}
	}
}

// lintReads reports reads of gold that fail and are not made again with other
// arguments: customers who correct themselves are no fault.
func (w *walk) lintReads() {
	for _, e := range w.errors {
		a := &w.crit.Actions[e.Index]
		again := slices.ContainsFunc(w.crit.Actions[e.Index+1:], func(b tau.Action) bool {
			return w.g.domain.Tool(b.Name) != nil && !w.g.mutates(b.Name) && (b.Name == a.Name || w.finds(a.Name) && w.finds(b.Name)) && !same(a.Arguments, b.Arguments)
		})
		if !w.g.mutates(a.Name) && !again {
			w.found("", Warning, ReadRuns, nil, "action %d: %s: %s", e.Index, rules.Spell(a.Name, a.Arguments), e.Message)
		}
	}
}

// lintOwners reports that gold changes records of several customers.
func (w *walk) lintOwners() {
	var owners []string
	for _, s := range w.goldWrites() {
		for _, kind := range w.kinds() {
			key, _ := s.Arguments[kind.Key].(string)
			r := w.start().Record(kind.Table, key)
			if r == nil {
				continue
			}
			if owner := rules.OwnerOf(w.g.contract, w.start(), kind, key); !slices.Contains(owners, owner) {
				owners = append(owners, owner)
			}
		}
	}
	if len(owners) > 1 {
		w.found(PolicyBreach, Wording, Owners, nil, "gold changes records of %s", strings.Join(owners, " and "))
	}
}

// finds tells whether a tool is one by which the customer is found.
func (w *walk) finds(tool string) bool {
	return slices.ContainsFunc(w.g.contract.Customer.Identify, func(way *contract.Way) bool {
		return slices.Contains(way.Tools(), tool)
	})
}

// Rules of the lints.
const (
	Fact          = "customer_fact"      // what the customer says of herself is not in her record
	SameValue     = "same_value"         // gold puts something in its own place
	StrangePay    = "strange_payment"    // a payment method that the customer does not have
	Unsaid        = "unsaid_value"       // a choice of gold's that the scenario does not lead to
	WhichRecord   = "which_record"       // the scenario fits several of the customer's records
	Vague         = "vague_words"        // words that leave open what is meant
	Permissive    = "permissive"         // another outcome pleases as well
	Secret        = "secret_id"          // an id that is not to be said, or not known
	Limit         = "money_limit"        // gold breaks a limit
	Refused       = "refused_wish"       // gold does not do what is asked for, and no fallback is stated
	Unasked       = "unasked_call"       // gold does what nobody asks for
	LeftOut       = "left_out"           // gold leaves out something that is spoken of
	OtherOption   = "other_option"       // the scenario asks for another value than gold takes
	StrangeOption = "strange_option"     // a value that nothing of the kind has
	Denied        = "denied_call"        // the scenario rules out what gold does
	StrangeDay    = "strange_day"        // a day that neither gold nor records are about
	NoElse        = "limit_without_else" // a limit, and nothing about what lies beyond
	PaidOtherwise = "paid_otherwise"     // gold pays with another kind of method than is spoken of
	Partly        = "done_in_part"       // gold does for some records what is asked for all
	ByReference   = "known_by_reference" // the customer knows what it wants only as what another record has
	Comparative   = "comparative"        // a comparison that several values meet
	NotExtreme    = "not_the_extreme"    // gold's is not the cheapest or dearest that is asked for
	Owners        = "several_customers"  // gold changes records of more than one customer
	Rival         = "rival_variant"      // another variant fits as well
	EmptyPart     = "empty_part"         // a component of the reward asks for nothing
)

// found notes a finding of a lint, once a class, rule and evidence.
func (w *walk) found(c Class, k Kind, rule string, at *sentence, format string, args ...any) {
	f := Fault{Task: w.task.ID, Kind: k, Class: c, Rule: rule, Evidence: fmt.Sprintf(format, args...), Advice: advice[c]}
	if at != nil {
		f.Path, f.Text = at.path, strings.Join(strings.Fields(at.text), " ")
	}
	if !slices.Contains(w.lints, f) {
		w.lints = append(w.lints, f)
	}
}

// ids describes the ids that stand as keys within records, by id: of whose
// record they are, or what they are called. It is worked out once.
func (g *Gate) ids() map[string]string {
	g.idsOnce.Do(func() {
		g.nested = map[string]string{}
		e := g.domain.Environment()
		for _, table := range e.Tables() {
			for key, r := range e.Records(table) {
				g.nestedIDs(r, table+"/"+key)
			}
		}
	})
	return g.nested
}

func (g *Gate) nestedIDs(r map[string]any, of string) {
	for _, field := range sortedKeys(r) {
		m, ok := r[field].(map[string]any)
		if !ok {
			continue
		}
		for _, id := range sortedKeys(m) {
			if _, ok := m[id].(map[string]any); ok && len(id) > 4 && digit.MatchString(id) && !isoDate.MatchString(id) {
				g.nested[id] = of
			}
		}
	}
}

// called describes an id in words, "" if there is nothing to say.
func (w *walk) called(id string) string {
	if cat := w.g.catalogue(); cat != nil && cat.byID[id] != nil {
		return ", " + cat.byID[id].spell()
	}
	return ""
}

// slips compares the objects that gold spells out with those of the
// customer's records: one that differs from a record in a single value which
// the scenario does not mention is a slip of the pen.
func (w *walk) slips() {
	var records []map[string]any
	objects(w.start().Record(w.g.contract.Customer.Table, w.customer), &records)
	for _, kind := range w.kinds() {
		for _, key := range w.mine {
			objects(w.start().Record(kind.Table, key), &records)
		}
	}
	text := Text(w.task.UserScenario)
	for _, s := range w.goldWrites() {
		var spelt []map[string]any
		for _, name := range sortedKeys(s.Arguments) {
			objects(s.Arguments[name], &spelt)
		}
		for _, o := range spelt {
			if field, have := slip(o, records); field != "" && !mentions(text, fmt.Sprint(o[field])) {
				w.fail(Mismatch, "gold has %s = %v where a record has %v, and the scenario does not say so", field, o[field], have)
			}
		}
	}
}

// objects collects the objects of nothing but strings, at least three of them.
func objects(v any, out *[]map[string]any) {
	switch x := v.(type) {
	case []any:
		for _, e := range x {
			objects(e, out)
		}
	case map[string]any:
		plain := len(x) >= 3
		for _, k := range sortedKeys(x) {
			if _, ok := x[k].(string); !ok {
				plain = false
				objects(x[k], out)
			}
		}
		if plain {
			*out = append(*out, x)
		}
	}
}

// slip finds the one field in which an object differs from its nearest record;
// "" if a record equals it or none comes so close.
func slip(o map[string]any, records []map[string]any) (field string, have any) {
	for _, r := range records {
		if len(r) != len(o) {
			continue
		}
		var differ []string
		for _, k := range sortedKeys(o) {
			if r[k] != o[k] {
				differ = append(differ, k)
			}
		}
		if len(differ) == 0 {
			return "", nil
		}
		if len(differ) == 1 && field == "" {
			field, have = differ[0], r[differ[0]]
		}
	}
	return field, have
}

// mentions tells whether a text has a value; of a date, whether it has month,
// day and year in any form.
func mentions(text, value string) bool {
	day, err := time.Parse(time.DateOnly, value)
	if err != nil || strings.Contains(text, value) {
		return strings.Contains(text, value)
	}
	for _, part := range []string{"Jan", "2", "2006"} {
		if !strings.Contains(text, day.Format(part)) {
			return false
		}
	}
	return true
}

// options lists the values that one place of an argument could have and the
// call still run, gold's first.
func (w *walk) options(k int, args map[string]any, path string, arg *contract.Arg, at place) []string {
	out := []string{fmt.Sprint(at.value)}
	for _, r := range w.replaced(k, args, path, arg) {
		e := w.moments[k].env.Clone()
		s := w.g.step(w.goldWrites()[k].Name, r.args)
		if r.place == at.place && !slices.Contains(out, fmt.Sprint(r.value)) && !e.Act(s.action()).Error {
			out = append(out, fmt.Sprint(r.value))
		}
	}
	return out
}
