package gates

import (
	"regexp"
	"slices"
	"strings"
	"time"
)

// people is what the whole database knows of persons.
type people struct {
	firsts, lasts map[string]bool
}

// person is a map of an argument or a record that names somebody.
type person struct{ first, last, born string }

func (p person) name() string { return p.first + " " + p.last }

// known collects the names of all persons of the database, once.
func (g *Gate) known() *people {
	g.peopleOnce.Do(func() {
		g.people = &people{map[string]bool{}, map[string]bool{}}
		e := g.domain.Environment()
		for _, table := range e.Tables() {
			for _, r := range e.Records(table) {
				for _, p := range g.persons(r, nil) {
					g.people.firsts[p.first], g.people.lasts[p.last] = true, true
				}
			}
		}
	})
	return g.people
}

// persons finds the persons within a value, in order.
func (g *Gate) persons(v any, out []person) []person {
	f := g.contract.Lint.People
	switch x := v.(type) {
	case []any:
		for _, e := range x {
			out = g.persons(e, out)
		}
	case map[string]any:
		first, ok1 := x[f.First].(string)
		last, ok2 := x[f.Last].(string)
		born, _ := x[f.Born].(string)
		if ok1 && ok2 {
			out = append(out, person{first, last, born})
		}
		for _, k := range sortedKeys(x) {
			out = g.persons(x[k], out)
		}
	}
	return out
}

// company lists the persons that the task may speak of: those of the customer's
// record and of the customer's other records.
func (w *walk) company() []person {
	me := w.start().Record(w.g.contract.Customer.Table, w.customer)
	out := w.g.persons(me, nil)
	if born, ok := me[w.g.contract.Lint.People.Born].(string); ok && len(out) > 0 {
		out[0].born = born
	}
	for _, kind := range w.kinds() {
		for _, key := range w.own(kind) {
			out = w.g.persons(w.start().Record(kind.Table, key), out)
		}
	}
	return out
}

// lintPeople holds names, birth dates and the facts by which a customer is known
// to the database.
func (w *walk) lintPeople() {
	if w.g.contract.Lint.People.First == "" {
		return
	}
	company := w.company()
	if len(company) == 0 {
		return
	}
	var gold []person
	for _, s := range w.goldWrites() {
		gold = w.g.persons(s.Arguments, gold)
	}
	w.namesSaid(company, gold)
	w.firstsSaid(company, gold)
	w.introducedAs(company)
	w.bornSaid(company, gold)
	if !slices.ContainsFunc(w.out.Failures, func(f Finding) bool { return f.Rule == Mismatch }) {
		w.goldPeople(company, gold)
	}
	w.facts()
}

var (
	namePair  = regexp.MustCompile(`\b([A-Z][a-z'-]+) ([A-Z][a-z'-]+)\b`)
	introduce = regexp.MustCompile(`(?:(?i:\b(?:you are|you['’]re|you name is|your name is|your name['’]s|my name is|i am|named|name:|` +
		`called)) +)([A-Z][a-zA-Z'’-]+)(?: ([A-Z][a-zA-Z'’-]+))?`)
)

// namesSaid reports full names that nobody of the task has.
func (w *walk) namesSaid(company, gold []person) {
	all := append(slices.Clone(company), gold...)
	for i := range w.prose {
		s := &w.prose[i]
		for _, m := range namePair.FindAllStringSubmatch(s.text, -1) {
			m[2] = strings.TrimSuffix(m[2], "'s")
			if !w.g.known().firsts[m[1]] || w.g.known().firsts[m[2]] || len(m[2]) < 3 {
				continue
			}
			if !slices.ContainsFunc(all, func(p person) bool { return p.first == m[1] && p.last == m[2] }) {
				w.found(WrongIdentity, Wording, Name, s, "%q is nobody in the records of %s (%s) or in gold", m[0], w.customer, company[0].name())
			}
		}
	}
}

// firstName is a capital word behind a small one, and no capital one behind it.
var firstName = regexp.MustCompile(`\b[a-z]+,? ([A-Z][a-z]+)\b(?:[^A-Za-z ]| [^A-Z]|$)`)

// firstsSaid reports first names that nobody of the task has, where they stand
// as those of companions do.
func (w *walk) firstsSaid(company, gold []person) {
	all := append(slices.Clone(company), gold...)
	for i := range w.prose {
		s := &w.prose[i]
		for _, m := range firstName.FindAllStringSubmatch(s.text, -1) {
			if !w.g.known().firsts[m[1]] || w.g.known().lasts[m[1]] {
				continue
			}
			if !slices.ContainsFunc(all, func(p person) bool { return p.first == m[1] }) {
				w.found(WrongIdentity, Warning, Name, s, "%q is nobody in the records of %s or in gold", m[1], w.customer)
				return
			}
		}
	}
}

// introducedAs reports a customer who says another name than the database has.
func (w *walk) introducedAs(company []person) {
	me := company[0]
	for i := range w.prose {
		s := &w.prose[i]
		for _, m := range introduce.FindAllStringSubmatch(s.text, -1) {
			first, last := m[1], m[2]
			sure := strings.Contains(strings.ToLower(m[0]), "name")
			known := w.g.known()
			switch {
			case first == me.first && (last == me.last || last == "" || !known.lasts[last] && !sure):
			case !sure && !known.firsts[first] && !known.lasts[last] && !(known.lasts[first] && known.firsts[last]): // "You are French"
			case !sure && last == "" && !known.firsts[first]:
			default:
				if s.path != "user_scenario.instructions.known_info" && !sure && !known.firsts[first] && !known.firsts[last] {
					continue
				}
				w.found(WrongIdentity, Wording, Name, s, "%q: the record of %s has %q", strings.TrimSpace(first+" "+last), w.customer, me.name())
			}
		}
	}
}

var (
	months  = `(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?`
	dayForm = regexp.MustCompile(`(?i)\b\d{4}[-/]\d{1,2}[-/]\d{1,2}\b|\b\d{1,2}[-/.]\d{1,2}[-/.]\d{4}\b|\b` + months + ` \d{1,2}(?:st|nd|rd|th)?,? \d{4}\b|\b\d{1,2}(?:st|nd|rd|th)? (?:of )?` + months + `,? \d{4}\b`)
	ordinal = regexp.MustCompile(`(\d)(?:st|nd|rd|th)\b`)
	says    = regexp.MustCompile(`(?i)\b(?:born|birth\w*|dob|bday)\b`)
)

// days are the days that a date may mean, ISO.
func days(text string) []string {
	text = strings.NewReplacer(",", "", ".", "", " of ", " ", "/", "-").Replace(ordinal.ReplaceAllString(text, "$1"))
	var out []string
	for _, form := range []string{"2006-1-2", "1-2-2006", "2-1-2006", "January 2 2006", "Jan 2 2006", "2 January 2006", "2 Jan 2006"} {
		if t, err := time.Parse(form, text); err == nil {
			out = append(out, t.Format(time.DateOnly))
		}
	}
	return out
}

// bornSaid reports birth dates that nobody of the task has.
func (w *walk) bornSaid(company, gold []person) {
	all := append(slices.Clone(company), gold...)
	for i := range w.prose {
		s := &w.prose[i]
		for _, text := range dayForm.FindAllString(s.text, -1) {
			list := days(text)
			if len(list) == 0 || !says.MatchString(s.text) && list[0] >= "2012" {
				continue
			}
			whose := slices.IndexFunc(all, func(p person) bool { return slices.Contains(list, p.born) })
			if whose < 0 {
				w.found(WrongIdentity, Wording, Name, s, "%q is no date of birth in the records of %s or in gold", text, w.customer)
			} else if p := w.namedIn(s, all); p != nil && !slices.ContainsFunc(all, func(q person) bool { return q.name() == p.name() && slices.Contains(list, q.born) }) {
				w.found(WrongIdentity, Wording, Name, s, "%q is not the date of birth of %s", text, p.name())
			}
		}
	}
}

// namedIn is the one person whose full name stands in a sentence.
func (w *walk) namedIn(s *sentence, all []person) *person {
	var out *person
	for i := range all {
		if strings.Contains(s.text, all[i].name()) {
			if out != nil && out.name() != all[i].name() {
				return nil
			}
			out = &all[i]
		}
	}
	return out
}

// goldPeople reports persons of gold who are neither in the records nor in the
// scenario: what the scenario leaves out of one has to be that of one person of
// the records.
func (w *walk) goldPeople(company, gold []person) {
	text := w.prose.text()
	for _, p := range gold {
		var unsaid []string
		for _, part := range p.parts() {
			if !mentions(text, part) {
				unsaid = append(unsaid, part)
			}
		}
		fits := func(q person) bool {
			return !slices.ContainsFunc(unsaid, func(u string) bool { return !slices.Contains(q.parts(), u) })
		}
		if len(unsaid) > 0 && !slices.ContainsFunc(company, fits) {
			w.found(WrongIdentity, Wording, Mismatch, nil, "gold has %s, which is not in the records, and the scenario does not say %s",
				strings.Join(p.parts(), " "), strings.Join(unsaid, ", "))
		}
	}
}

// parts are what is known of a person.
func (p person) parts() []string {
	return slices.DeleteFunc([]string{p.first, p.last, p.born}, func(s string) bool { return s == "" })
}

// facts reports facts by which a customer is known where none that is said is
// the customer's own.
func (w *walk) facts() {
	me := w.start().Record(w.g.contract.Customer.Table, w.customer)
	known := w.elsewhere()
	for _, f := range w.g.contract.Lint.Facts {
		have, _ := field(me, f.Field).(string)
		if have == "" || f.Like.Regexp == nil {
			continue
		}
		var at *sentence
		said := ""
		for i := range w.prose {
			for _, m := range f.Like.FindAllString(w.prose[i].text, -1) {
				m = strings.TrimSpace(m)
				if strings.EqualFold(m, have) {
					at, said = nil, have
				} else if said == "" && !known[m] {
					at, said = &w.prose[i], m
				}
			}
		}
		if at != nil {
			w.found(WrongIdentity, Wording, Fact, at, "%s: the record of %s has %s %s", said, w.customer, f.Field, have)
		}
	}
}

// elsewhere is the set of values of the customer's other records and of gold
// writes: a fact that stands there may be about something else.
func (w *walk) elsewhere() map[string]bool {
	set := map[string]bool{}
	for _, kind := range w.kinds() {
		for _, key := range w.own(kind) {
			collect(w.start().Record(kind.Table, key), set)
		}
	}
	for _, s := range w.goldWrites() {
		collect(s.Arguments, set)
	}
	return set
}

// field follows a path of names joined by dots.
func field(v any, path string) any {
	for _, name := range strings.Split(path, ".") {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[name]
	}
	return v
}
