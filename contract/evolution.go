package contract

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Evolution says how a domain's tasks can be made harder without touching their
// gold: what may stand in a scenario besides, and which records may be added.
type Evolution struct {
	Forbidden []Forbidden `yaml:"forbidden"`
	Claims    []Claim     `yaml:"claims"`
	Slips     []Slip      `yaml:"slips"`
	Withheld  []string    `yaml:"withheld"` // particulars that may be held back until asked for, as in ask_slot
	Twins     []Twin      `yaml:"twins"`    // to be preferred in their order
	Rivals    []Rival     `yaml:"rivals"`
	// Inferred says, by wish and slot, what the customer may have said where only
	// the call is known: candidate lists over args.
	Inferred map[string]map[string]*Expr `yaml:"inferred"`
	Prose    Prose                       `yaml:"prose"`
}

// Forbidden is an extra wish that the policy refuses. Slots and Where stand in
// place of the wish's own candidates and conditions.
type Forbidden struct {
	Wish  string           `yaml:"wish"`
	Slots map[string]*Expr `yaml:"slots"` // candidate lists
	Where []*Expr          `yaml:"where"`
	Facts []string         `yaml:"facts"` // slots that say what a record shows, so that another one that shows it could be meant
}

// Claim is a false statement of fact about a field of what a read reveals.
type Claim struct {
	Act    string           `yaml:"act"`
	Wishes []string         `yaml:"wishes"` // it may be said with one of these
	Slots  map[string]*Expr `yaml:"slots"`  // candidate lists of the act's slots
	Read   string           `yaml:"read"`
	Args   []*Expr          `yaml:"args"` // of the read, over the wish
	Field  string           `yaml:"field"`
	Is     *Expr            `yaml:"is"` // what the field is said to hold, over the wish and the act's slots
	// Fault names a fault that the customer says is not there; then nothing is said
	// of a field.
	Fault string `yaml:"fault"`
}

// Slip is a particular that the customer first says wrongly. With Detail, Slot
// is one of that act's, else of the wish itself.
type Slip struct {
	Act    string `yaml:"act"`
	Detail string `yaml:"detail"`
	Slot   string `yaml:"slot"`
	Says   string `yaml:"says"` // words that a policy must hold for the slip to be made under it: those that ask for the particular to be confirmed
}

// Of names the slot of a wish that the slip says wrongly, "" if there is none.
func (s Slip) Of(w *Wish) string {
	if s.Detail != "" {
		if d := w.detail(s.Detail); d != nil {
			return d.Set[s.Slot]
		}
		return ""
	}
	if w.slot(s.Slot) == nil || slices.Contains(w.detailed(), s.Slot) {
		return ""
	}
	return s.Slot
}

// Twin is a look-alike of a record that a wish is about: a copy with the one
// field of Set changed, so that Rule refuses the wish there.
type Twin struct {
	Record string           `yaml:"record"` // kind
	Set    map[string]*Expr `yaml:"set"`    // over old (the record) and me (the customer's)
	Wishes []string         `yaml:"wishes"` // empty: all that the rule covers
	Rule   string           `yaml:"rule"`
	Says   string           `yaml:"says"` // words that a policy must hold for the twin to be used with it
}

// Field is the one field in which the twin differs.
func (t *Twin) Field() string {
	for f := range t.Set {
		return f
	}
	return ""
}

// Rival is a look-alike of what the customer chooses by description: it would
// be chosen but for the one field Differs. Who overlooks that field takes the
// functions of Overlook (by their definition, "name(a, b)") to be those
// expressions. It is a record beside the one chosen, or, with Of, a part that
// is added to a record, or, with Plant, a record that is there already and is
// brought into a state that resembles the one chosen.
type Rival struct {
	Name     string           `yaml:"name"`
	Wishes   []string         `yaml:"wishes"`
	Table    string           `yaml:"table"`
	Of       *Expr            `yaml:"of"`     // key of the record that gets another part; nil: the rival is a record of its own
	Key      *Expr            `yaml:"key"`    // of the record or part: one or a list to choose from, over the wish and old (the record chosen, or Of)
	Record   *Expr            `yaml:"record"` // the new record, or what is laid over that of Of; item is the new key
	Plant    []EnvCall        `yaml:"plant"`  // in the place of Record: what is done to the record item
	Differs  string           `yaml:"differs"`
	Overlook map[string]*Expr `yaml:"overlook"`
}

// Claim finds the claim that an act makes, nil if none.
func (e *Evolution) Claim(act string) *Claim {
	i := slices.IndexFunc(e.Claims, func(c Claim) bool { return c.Act == act })
	if i < 0 {
		return nil
	}
	return &e.Claims[i]
}

// Slip finds the slip that an act makes, nil if none.
func (e *Evolution) Slip(act string) *Slip {
	i := slices.IndexFunc(e.Slips, func(s Slip) bool { return s.Act == act })
	if i < 0 {
		return nil
	}
	return &e.Slips[i]
}

// Overlooked lists, by name, what the functions are to somebody who sees no
// difference between rivals for a wish: for Scope.Overlook.
func (e *Evolution) Overlooked(wish string) map[string]*Expr {
	out := map[string]*Expr{}
	for _, r := range e.Rivals {
		if !slices.Contains(r.Wishes, wish) {
			continue
		}
		for def, is := range r.Overlook {
			name, _, _ := strings.Cut(def, "(")
			out[name] = is
		}
	}
	return out
}

// slots lists the slots of claims, which are names in their expressions.
func (e *Evolution) slots() []string {
	var out []string
	for _, c := range e.Claims {
		out = append(out, slices.Sorted(maps.Keys(c.Slots))...)
	}
	return out
}

func (e *Evolution) compile(lang *language) error {
	var errs []error
	at := func(kind, name string, exprs ...*Expr) {
		errs = append(errs, lang.compile("evolution "+kind+" "+name, exprs...))
	}
	for _, f := range e.Forbidden {
		at("forbidden", f.Wish, append(values(f.Slots), f.Where...)...)
	}
	for _, c := range e.Claims {
		at("claim", c.Act, append(append(values(c.Slots), c.Args...), c.Is)...)
	}
	for _, t := range e.Twins {
		at("twin", t.Record, values(t.Set)...)
	}
	for _, w := range slices.Sorted(maps.Keys(e.Inferred)) {
		at("inferred", w, values(e.Inferred[w])...)
	}
	for _, r := range e.Rivals {
		at("rival", r.Name, append(values(r.Overlook), r.Of, r.Key, r.Record)...)
		for _, p := range r.Plant {
			at("rival", r.Name, append(values(p.Args), p.When)...)
		}
	}
	return errors.Join(errs...)
}

// values lists the expressions of a map in the order of their names.
func values(m map[string]*Expr) []*Expr {
	var out []*Expr
	for _, k := range slices.Sorted(maps.Keys(m)) {
		out = append(out, m[k])
	}
	return out
}

// slot finds a slot of the wish, nil if it has none of that name.
func (w *Wish) slot(name string) *Slot {
	i := slices.IndexFunc(w.Slots, func(s Slot) bool { return s.Name == name })
	if i < 0 {
		return nil
	}
	return &w.Slots[i]
}

// detailed lists the slots that details set.
func (w *Wish) detailed() []string {
	var out []string
	for _, d := range w.Details {
		if d.Each != "" {
			out = append(out, d.Each)
		}
		out = append(out, slices.Sorted(maps.Values(d.Set))...)
	}
	return out
}

func (c *Contract) checkEvolution() error {
	k := &evolutionCheck{c: c}
	e := &c.Evolution
	for _, f := range e.Forbidden {
		k.forbidden(f)
	}
	for _, cl := range e.Claims {
		k.claim(cl)
	}
	for _, s := range e.Slips {
		if !slices.ContainsFunc(c.Wishes, func(w *Wish) bool { return s.Of(w) != "" }) {
			k.fault("slip %s: no wish says %q%s", s.Act, s.Slot, behind(s.Detail))
		}
	}
	for _, name := range e.Withheld {
		if !slices.ContainsFunc(c.spoken(), func(w *Wish) bool { return w.detail(name) != nil || slices.Contains(w.detailed(), name) }) {
			k.fault("withheld %s: no wish has a detail that says it", name)
		}
	}
	for i := range e.Twins {
		k.twin(&e.Twins[i])
	}
	for _, r := range e.Rivals {
		k.rival(r)
	}
	for _, w := range slices.Sorted(maps.Keys(e.Inferred)) {
		k.inferred(w, e.Inferred[w])
	}
	k.prose(&e.Prose)
	return errors.Join(k.errs...)
}

func behind(detail string) string {
	if detail == "" {
		return " by itself"
	}
	return " with detail " + detail
}

// evolutionCheck collects what is wrong with the evolution section.
type evolutionCheck struct {
	c    *Contract
	errs []error
}

func (k *evolutionCheck) fault(format string, args ...any) {
	k.errs = append(k.errs, fmt.Errorf("evolution "+format, args...))
}

func (k *evolutionCheck) forbidden(f Forbidden) {
	w := k.c.wishes[f.Wish]
	if w == nil || w.Does == "" {
		k.fault("forbidden %s: no wish of that name does anything", f.Wish)
		return
	}
	for _, s := range slices.Sorted(maps.Keys(f.Slots)) {
		if w.slot(s) == nil {
			k.fault("forbidden %s: the wish has no slot %s", f.Wish, s)
		}
	}
	for _, s := range f.Facts {
		if f.Slots[s] == nil {
			k.fault("forbidden %s: fact %s is none of its slots", f.Wish, s)
		}
	}
}

func (k *evolutionCheck) claim(c Claim) {
	place := "claim " + c.Act
	k.wishes(place, c.Wishes)
	if c.Fault != "" {
		k.denial(place, c)
		return
	}
	r, ok := k.c.Reads[c.Read]
	switch {
	case !ok:
		k.fault("%s: no read is called %s", place, c.Read)
	case len(r.Args) != len(c.Args):
		k.fault("%s: %s takes %d arguments, not %d", place, c.Read, len(r.Args), len(c.Args))
	}
	if c.Act == "" || c.Field == "" || c.Is == nil {
		k.fault("%s: want act, field and is", place)
	}
}

// denial checks a claim that a fault is not there.
func (k *evolutionCheck) denial(place string, c Claim) {
	f := k.c.Defect(c.Fault)
	if f == nil || c.Read != "" || c.Field != "" || c.Is != nil {
		k.fault("%s: want a fault of the catalogue, and nothing about a field", place)
		return
	}
	for _, w := range c.Wishes {
		if !slices.Contains(f.Troubles, w) {
			k.fault("%s: fault %s does not stand behind %s", place, c.Fault, w)
		}
	}
}

func (k *evolutionCheck) twin(t *Twin) {
	place := "twin " + t.Rule
	k.wishes(place, t.Wishes)
	if r := k.c.Records[t.Record]; r == nil || r.Mint == "" {
		k.fault("%s: no kind of record is called %q, or mint does not say the shape of its keys", place, t.Record)
	}
	if len(t.Set) != 1 {
		k.fault("%s: sets %d fields, want exactly one", place, len(t.Set))
	}
	i := slices.IndexFunc(k.c.Policy, func(p PolicyRule) bool { return p.ID == t.Rule })
	if i < 0 {
		k.fault("%s: no policy rule has this id", place)
		return
	}
	for _, name := range t.Wishes {
		if w := k.c.wishes[name]; w != nil && !slices.Contains(k.c.Policy[i].Tools, w.Does) {
			k.fault("%s: the rule does not cover wish %s", place, name)
		}
	}
}

func (k *evolutionCheck) rival(r Rival) {
	place := "rival " + r.Name
	k.wishes(place, r.Wishes)
	if r.Table == "" || r.Key == nil || r.Differs == "" || (r.Record == nil) == (len(r.Plant) == 0) {
		k.fault("%s: want table, key, differs, and one of record and plant", place)
	}
	names := nameCheck{c: k.c}
	names.plants("evolution "+place, r.Plant)
	k.errs = append(k.errs, names.errs...)
	for _, def := range slices.Sorted(maps.Keys(r.Overlook)) {
		if !slices.ContainsFunc(k.c.Functions, func(f Function) bool { return f.Def == def }) {
			k.fault("%s: no function is defined as %q", place, def)
		}
	}
}

func (k *evolutionCheck) inferred(name string, slots map[string]*Expr) {
	k.wishes("inferred", []string{name})
	for _, s := range slices.Sorted(maps.Keys(slots)) {
		if w := k.c.wishes[name]; w != nil && w.slot(s) == nil {
			k.fault("inferred %s: the wish has no slot %s", name, s)
		}
	}
}

func (k *evolutionCheck) wishes(place string, names []string) {
	for _, name := range names {
		if k.c.wishes[name] == nil {
			k.fault("%s: no wish is called %s", place, name)
		}
	}
}
