// Package toy is a small made-up airline for tests of sequence models: a
// vocabulary of fourteen tools and a judge with a memory, so that plausibility
// depends on more than the last two tools.
package toy

import (
	"fmt"

	"taste/toolseq"
)

// The tools, in the order of Vocab.
const (
	Book = iota
	Calculate
	Cancel
	Status
	Record
	Profile
	Airports
	Direct
	OneStop
	Certificate
	HandOff
	Bags
	Flights
	Passengers
)

// Vocab names and types the tools.
func Vocab() toolseq.Vocab {
	const r, w, g = toolseq.Read, toolseq.Write, toolseq.Generic
	return toolseq.Vocab{
		Names: []string{
			"book_reservation", "calculate", "cancel_reservation", "get_flight_status",
			"get_reservation_details", "get_user_details", "list_all_airports",
			"search_direct_flight", "search_onestop_flight", "send_certificate",
			"transfer_to_human_agents", "update_reservation_baggages",
			"update_reservation_flights", "update_reservation_passengers",
		},
		Types: []toolseq.Type{w, g, w, r, r, r, r, r, r, w, g, w, w, w},
	}
}

// Seeds are gold sequences of imagined tasks; most are plausible.
func Seeds() [][]int {
	return [][]int{
		{},
		{Profile, Record, Direct, Flights},
		{Record, Cancel},
		{Profile, Direct, Book},
		{Record, Direct, Direct, Flights, Bags},
		{Record, Record, Flights, Cancel, Cancel},
		{Profile, Record, Passengers},
		{Status, Record, Certificate},
		{Record, HandOff},
		{Record, Calculate, Cancel, Direct, Book},
		{Profile, Record, Record, Record, Record, Cancel},
		{Record, OneStop, Flights, Record, Bags},
	}
}

// record is a reservation that was read: which changes it has had.
type record struct {
	changed [3]int // by tool, Bags first
	gone    bool
}

// state is what the judge remembers of the calls so far.
type state struct {
	records              []record
	seen                 [14]int
	numbers              bool // something to calculate with is new
	idle                 int  // reads since the last write
	profileAt, lastWrite int
}

const (
	maxIdle   = 6 // reads in a row that may serve one wish
	maxClosed = 3 // reads after the last write that a curious customer may ask for
)

// Judge says whether a sequence of tools is plausible and lists every position
// that breaks a rule.
func Judge(seq []int) toolseq.Verdict {
	s := state{profileAt: -1, lastWrite: -1}
	bad := map[int]string{}
	for i, t := range seq {
		if why := s.step(seq, i, t); why != "" {
			bad[i] = why
		}
	}
	s.finish(seq, bad)
	v := toolseq.Verdict{Plausible: len(bad) == 0}
	for i := range seq {
		if why, ok := bad[i]; ok {
			if v.Reason == "" {
				v.Reason = fmt.Sprintf("call %d, %s: %s", i, Vocab().Names[seq[i]], why)
			}
			v.Bad = append(v.Bad, i)
		}
	}
	return v
}

func (s *state) step(seq []int, i, t int) string {
	why := s.rule(seq, i, t)
	s.seen[t]++
	switch t {
	case Record:
		s.records = append(s.records, record{})
		s.numbers = true
	case Direct, OneStop, Profile:
		s.numbers = true
	case Calculate:
		s.numbers = false
	}
	if isWrite(t) {
		s.idle, s.lastWrite = 0, i
	} else {
		s.idle++
	}
	if t == Profile {
		s.profileAt = i
	}
	return why
}

func isWrite(t int) bool { return Vocab().Types[t] == toolseq.Write }

func (s *state) rule(seq []int, i, t int) string {
	if i >= 2 && seq[i-1] == t && seq[i-2] == t {
		return "the same tool three times in a row"
	}
	switch {
	case t == HandOff && i != len(seq)-1:
		return "a hand-off ends the conversation"
	case (t == Profile || t == Airports) && s.seen[t] > 0:
		return "was asked before"
	case t == Calculate && !s.numbers:
		return "no new numbers to calculate with"
	case t == Book && s.seen[Direct]+s.seen[OneStop] <= s.seen[Book]/2:
		return "nothing was searched for this booking"
	case t == Certificate && (s.seen[Status] <= s.seen[Certificate] || s.seen[Record] <= s.seen[Certificate]):
		return "status or record not read"
	case t == Cancel && !s.cancel():
		return "no record to cancel"
	case t >= Bags && !s.change(t):
		return "no record to change"
	case !isWrite(t) && s.idle >= maxIdle && i != len(seq)-1:
		return "reads lead nowhere"
	}
	return ""
}

// change finds a record that may still be changed in this way: flights twice,
// for a cabin first, anything else once.
func (s *state) change(t int) bool {
	limit := 1
	if t == Flights {
		limit = 2
	}
	for i := range s.records {
		r := &s.records[i]
		if !r.gone && r.changed[t-Bags] < limit {
			r.changed[t-Bags]++
			return true
		}
	}
	return false
}

// cancel ends the oldest record left.
func (s *state) cancel() bool {
	for i := range s.records {
		if !s.records[i].gone {
			s.records[i].gone = true
			return true
		}
	}
	return false
}

// finish finds what only the whole sequence shows: look-ups that nothing came
// of, and a profile read after all was done.
func (s *state) finish(seq []int, bad map[int]string) {
	n := len(seq)
	if n > 0 && seq[n-1] == HandOff {
		return
	}
	closing := s.lastWrite + 1
	if s.lastWrite < 0 {
		closing = 2
	}
	for i := closing + maxClosed; i < n; i++ {
		bad[i] = "look-ups after the last change serve nothing"
	}
	if s.lastWrite >= 0 && s.profileAt > s.lastWrite {
		bad[s.profileAt] = "the profile comes after all changes"
	}
}
