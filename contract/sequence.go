package contract

import (
	"fmt"
	"slices"
)

// SeqRule is one rule over tool names. Rule names its kind:
//
//	known    every tool of the sequence is declared
//	run      no tool more than Most times in a row
//	last     Tools only as the last call
//	first    Tools only before all other calls
//	times    Tools at most Most times each
//	opens    each call of Tools opens a record of its own
//	record   each call of Tools is about an open record, at most Most times a
//	         record; Ended allows a record that has ended; a further call about
//	         the same record needs an earlier call of Again, where that is given
//	ends     a call of Tools ends the record that it is about
//	spares   a call of Tools is about no record that a call of For was about;
//	         with Bare, only where one of the calls about the record has no
//	         Again of its own since the record was read
//	after    a call of Tools needs an earlier call of Any, with Each its own
//	         one, with Since one after the read of the record that it is about
//	serves   a call of Tools that is not the first needs a later call of For
//	next     the first call after one of Tools that is no read is one of For
//	closes   no call of For comes after a call of Tools
//	apart    no call of Tools where there is one of For
//	some     at least one call of Tools
//	gain     a read of Tools is loose unless a call of For follows, or one of Any
//	         came before; without For, unless a call is about the record that it
//	         opened
//	loose    at most Most loose reads, of Tools where they are given
type SeqRule struct {
	ID    string   `yaml:"id"`
	Rule  string   `yaml:"rule"`
	Tools []string `yaml:"tools"`
	Any   []string `yaml:"any"`
	For   []string `yaml:"for"`
	Again []string `yaml:"again"`
	Most  int      `yaml:"most"`
	Each  bool     `yaml:"each"`
	Ended bool     `yaml:"ended"`
	Bare  bool     `yaml:"bare"`
	Since bool     `yaml:"since"`
	Why   string   `yaml:"why"`
	Cites []string `yaml:"cites"`
}

func (r *SeqRule) covers(tool string) bool { return slices.Contains(r.Tools, tool) }

// Fault is one problematic call of a sequence.
type Fault struct {
	Index int    // 0-based position
	Rule  string // the rule's id
	Why   string // in words
}

// Reading is how the judge understands a sequence: Record[i] is the number of
// the record that call i opens or is about, −1 for none; records count from 0
// in the order of their reads. Loose marks reads that no later call needs.
type Reading struct {
	Record  []int
	Records int
	Loose   []bool
}

// Verdict is the judge's answer. An implausible sequence has at least one
// fault; faults are ordered by position, one a call.
type Verdict struct {
	Plausible bool
	Faults    []Fault
	Reading   Reading
}

// Bad lists the problematic positions, ascending.
func (v Verdict) Bad() []int {
	bad := make([]int, len(v.Faults))
	for i, f := range v.Faults {
		bad[i] = f.Index
	}
	return bad
}

// Why says all reasons in one line; it is empty for a plausible sequence.
func (v Verdict) Why() string {
	s := ""
	for i, f := range v.Faults {
		if i > 0 {
			s += "; "
		}
		s += fmt.Sprintf("%d: %s", f.Index, f.Why)
	}
	return s
}

// MaxCalls is the longest sequence that can be plausible: conversations end
// before an agent has made more calls.
const MaxCalls = 200

// tooLong is the verdict on a longer one. Nothing else of it is looked at.
func tooLong() Verdict {
	return Verdict{Faults: []Fault{{Index: MaxCalls, Rule: "length", Why: fmt.Sprintf("no conversation has more than %d calls", MaxCalls)}}}
}

// Judge decides whether a competent agent could make exactly these calls in
// this order for some customer and some database. It looks at names alone,
// needs no database, and is safe for concurrent use.
func (c *Contract) Judge(seq []string) Verdict {
	if len(seq) > MaxCalls {
		return tooLong()
	}
	j := &judging{c: c, seq: seq, fault: make([]*Fault, len(seq))}
	j.known()
	j.runs()
	j.counts()
	j.order()
	j.pairs()
	reading := c.read(seq)
	for _, i := range reading.orphans {
		j.blame(i, reading.ruleAt[i])
	}
	loose := j.loose(reading)
	v := Verdict{Reading: Reading{Record: reading.record, Records: reading.records, Loose: loose}}
	for _, f := range j.fault {
		if f != nil {
			v.Faults = append(v.Faults, *f)
		}
	}
	v.Plausible = len(v.Faults) == 0 && len(seq) > 0
	if len(seq) == 0 {
		v.Faults = []Fault{{Index: 0, Rule: "empty", Why: "there is no call"}}
	}
	return v
}

// judging collects the first fault of every call.
type judging struct {
	c     *Contract
	seq   []string
	fault []*Fault
}

func (j *judging) blame(i int, r *SeqRule) {
	if j.fault[i] == nil {
		j.fault[i] = &Fault{Index: i, Rule: r.ID, Why: r.Why}
	}
}

func (j *judging) rules(kind string) []*SeqRule { return j.c.seqRules[kind] }

func (j *judging) known() {
	for i, t := range j.seq {
		if j.c.Tools[t] != nil {
			continue
		}
		for _, r := range j.rules("known") {
			j.blame(i, r)
		}
	}
}

func (j *judging) runs() {
	for _, r := range j.rules("run") {
		run := 0
		for i, t := range j.seq {
			if i > 0 && j.seq[i-1] == t {
				run++
			} else {
				run = 1
			}
			if run > r.Most {
				j.blame(i, r)
			}
		}
	}
}

func (j *judging) counts() {
	for _, r := range j.rules("times") {
		seen := map[string]int{}
		for i, t := range j.seq {
			if !r.covers(t) {
				continue
			}
			if seen[t]++; seen[t] > r.Most {
				j.blame(i, r)
			}
		}
	}
	for _, r := range j.rules("first") {
		others := false
		for i, t := range j.seq {
			if r.covers(t) && others {
				j.blame(i, r)
			}
			others = others || !r.covers(t)
		}
	}
	for _, r := range j.rules("last") {
		for i, t := range j.seq {
			if r.covers(t) && i < len(j.seq)-1 {
				j.blame(i, r)
			}
		}
	}
}

func (j *judging) order() {
	for _, r := range j.rules("after") {
		have := 0
		for i, t := range j.seq {
			if slices.Contains(r.Any, t) {
				have++
			}
			if !r.covers(t) {
				continue
			}
			if have == 0 {
				j.blame(i, r)
			} else if r.Each {
				have--
			}
		}
	}
	for _, r := range j.rules("serves") {
		for i, t := range j.seq {
			if i > 0 && r.covers(t) && !j.follows(i, r.For) {
				j.blame(i, r)
			}
		}
	}
}

// follows tells whether a call of one of tools comes after position i.
func (j *judging) follows(i int, tools []string) bool { return hasAny(j.seq[i+1:], tools) }

func hasAny(seq, tools []string) bool {
	return slices.ContainsFunc(seq, func(t string) bool { return slices.Contains(tools, t) })
}

// loose marks the reads without a purpose and blames those beyond the budget.
func (j *judging) loose(rd reading) []bool {
	loose := make([]bool, len(j.seq))
	for _, r := range j.rules("gain") {
		for i, t := range j.seq {
			if !r.covers(t) {
				continue
			}
			if len(r.For) > 0 {
				loose[i] = !j.follows(i, r.For) && !hasAny(j.seq[:i], r.Any)
			} else {
				loose[i] = !rd.used(i)
			}
		}
	}
	for _, r := range j.rules("loose") {
		n := 0
		for i := range loose {
			if !loose[i] || len(r.Tools) > 0 && !r.covers(j.seq[i]) {
				continue
			}
			if n++; n > r.Most {
				j.blame(i, r)
			}
		}
	}
	return loose
}
