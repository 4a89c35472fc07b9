package contract

import "slices"

// reading assigns every call that is about a record to one of the records read
// before it.
type reading struct {
	record  []int            // per call: record opened or meant, −1 for none
	records int              // number of records opened
	orphans []int            // calls that found no record
	ruleAt  map[int]*SeqRule // which rule each orphan breaks
}

// used tells whether a later call is about the record that call i opened.
func (r reading) used(i int) bool {
	for k := i + 1; k < len(r.record); k++ {
		if r.record[k] == r.record[i] {
			return true
		}
	}
	return false
}

// recordState is what is known of one open record during the search.
type recordState struct {
	ended bool
	bare  bool     // a call about it was made without an Again of its own
	uses  [8]uint8 // per record rule: how many calls were about this record
}

// reader searches the assignment with the fewest orphans, then the most
// records in use, then the fewest changes in vain: of records that are ended
// later. Records in the same state are interchangeable but for the
// time of their read, so only the latest of each state is tried.
type reader struct {
	c       *Contract
	seq     []string
	states  []recordState
	record  []int
	opened  []int // per open record: position of its read
	orphans int
	vain    int // records ended after they were changed
	best    []int
	bestKey [3]int
}

// read finds the best assignment of calls to records.
func (c *Contract) read(seq []string) reading {
	r := &reader{c: c, seq: seq, record: make([]int, len(seq)), bestKey: [3]int{len(seq) + 1}}
	r.from(0)
	out := reading{record: r.best, ruleAt: map[int]*SeqRule{}}
	for i, t := range seq {
		if c.opens(t) {
			out.records++
		}
		if k, rule := c.recordRule(t); k >= 0 && r.best[i] < 0 {
			out.orphans = append(out.orphans, i)
			out.ruleAt[i] = rule
		}
	}
	return out
}

func (r *reader) from(i int) {
	if r.orphans > r.bestKey[0] {
		return
	}
	if i == len(r.seq) {
		r.keep()
		return
	}
	t := r.seq[i]
	if r.c.opens(t) {
		r.record[i] = len(r.states)
		r.states, r.opened = append(r.states, recordState{}), append(r.opened, i)
		r.from(i + 1)
		r.states, r.opened = r.states[:len(r.states)-1], r.opened[:len(r.opened)-1]
		return
	}
	r.record[i] = -1
	k, rule := r.c.recordRule(t)
	if k < 0 {
		r.from(i + 1)
		return
	}
	r.choose(i, k, rule)
}

// choose tries every record that call i could be about, else makes it an orphan.
func (r *reader) choose(i, k int, rule *SeqRule) {
	var tried []recordState
	found := false
	for n := len(r.states) - 1; n >= 0; n-- {
		before := r.states[n]
		if !r.open(i, n, k, rule) || contains(tried, before) {
			continue
		}
		tried = append(tried, before)
		found = true
		ends := r.c.ends(r.seq[i])
		r.states[n].bare = before.bare || r.bare(i, n, k, rule)
		r.states[n].uses[k]++
		r.states[n].ended = before.ended || ends
		r.record[i] = n
		if ends && r.changed(before) {
			r.vain++
		}
		r.from(i + 1)
		if ends && r.changed(before) {
			r.vain--
		}
		r.states[n] = before
	}
	r.record[i] = -1
	if !found {
		r.orphans++
		r.from(i + 1)
		r.orphans--
	}
}

// open tells whether call i may be about record n as it stands.
func (r *reader) open(i, n, k int, rule *SeqRule) bool {
	s := r.states[n]
	if s.ended && !rule.Ended || int(s.uses[k]) >= rule.Most || r.spared(i, n, k, rule) || !r.confirmed(i, n) {
		return false
	}
	return s.uses[k] == 0 || len(rule.Again) == 0 ||
		slices.ContainsFunc(r.seq[:i], func(t string) bool { return slices.Contains(rule.Again, t) })
}

// bare tells whether call i is without an Again of its own: record n was read
// and fewer of them were made since then than calls under the rule about it.
func (r *reader) bare(i, n, k int, rule *SeqRule) bool {
	have := 0
	for _, t := range r.seq[r.opened[n]:i] {
		if slices.Contains(rule.Again, t) {
			have++
		}
	}
	return len(rule.Again) > 0 && have <= int(r.states[n].uses[k])
}

// spared tells whether call i must not be about record n as it stands, for
// what other calls did with it. The call is under record rule k.
func (r *reader) spared(i, n, k int, own *SeqRule) bool {
	s := r.states[n]
	for _, rule := range r.c.seqRules["spares"] {
		if !rule.covers(r.seq[i]) || rule.Bare && !s.bare && !r.bare(i, n, k, own) {
			continue
		}
		for k, about := range r.c.seqRules["record"] {
			if s.uses[k] > 0 && slices.ContainsFunc(about.Tools, func(t string) bool { return slices.Contains(rule.For, t) }) {
				return true
			}
		}
	}
	return false
}

// confirmed tells whether what call i needs after the read of record n is there.
func (r *reader) confirmed(i, n int) bool {
	for _, rule := range r.c.seqRules["after"] {
		if rule.Since && rule.covers(r.seq[i]) &&
			!slices.ContainsFunc(r.seq[r.opened[n]:i], func(t string) bool { return slices.Contains(rule.Any, t) }) {
			return false
		}
	}
	return true
}

// keep remembers a complete assignment if it is better than the best so far.
func (r *reader) keep() {
	used := 0
	for _, s := range r.states {
		if s.uses != ([8]uint8{}) {
			used++
		}
	}
	if key := [3]int{r.orphans, -used, r.vain}; slices.Compare(key[:], r.bestKey[:]) < 0 {
		r.bestKey = key
		r.best = append(r.best[:0:0], r.record...)
	}
}

// changed tells whether a call changed the record while it was open.
func (r *reader) changed(s recordState) bool {
	for k, rule := range r.c.seqRules["record"] {
		if s.uses[k] > 0 && !rule.Ended {
			return true
		}
	}
	return false
}

func contains(list []recordState, s recordState) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// opens tells whether a call of the tool opens a record.
func (c *Contract) opens(tool string) bool { return c.covered("opens", tool) }

// ends tells whether a call of the tool ends the record that it is about.
func (c *Contract) ends(tool string) bool { return c.covered("ends", tool) }

func (c *Contract) covered(kind, tool string) bool {
	for _, r := range c.seqRules[kind] {
		if r.covers(tool) {
			return true
		}
	}
	return false
}

// recordRule returns the rule that binds the tool to a record, and its number
// among the record rules; −1 if the tool is about no record.
func (c *Contract) recordRule(tool string) (int, *SeqRule) {
	for k, r := range c.seqRules["record"] {
		if r.covers(tool) {
			return k, r
		}
	}
	return -1, nil
}
