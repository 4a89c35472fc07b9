package rules

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	"taste/contract"
	"taste/role"
)

// item is one wish of a planned task: which wishes could stand behind the call
// that fulfils it, and which reads of the sequence are made for it.
type item struct {
	call   int              // position of the call that fulfils the wish
	wishes []*contract.Wish // candidates, in the order to try
	denied bool             // the wish is one that the policy hands off
	record int              // symbolic record that it is about, −1 for none
	serves []int            // positions of reads made for it, ascending
}

// plan is a sequence read as a customer's wishes. serving[i] is the item that
// read i is made for, nil for reads that identify the customer or open a
// record of which several items speak.
type plan struct {
	seq     []string
	items   []*item // by call
	opens   []int   // per symbolic record: position of its read
	serving []*item
}

// planner builds one plan.
type planner struct {
	c    *contract.Contract
	seq  []string
	rd   contract.Reading
	draw *rand.Rand
	tell bool // reads are questions wherever they can be
	*plan
}

// newPlan reads an accepted sequence as wishes. Where several readings are
// possible, draw decides.
func newPlan(c *contract.Contract, seq []string, draw *rand.Rand) (*plan, error) {
	v := c.Judge(seq)
	if !v.Plausible {
		return nil, fmt.Errorf("plan %v: %w: implausible: %s", seq, role.ErrUnbuildable, v.Why())
	}
	for _, tell := range []bool{false, true} {
		p := &planner{c: c, seq: seq, rd: v.Reading, draw: draw, tell: tell, plan: &plan{seq: seq, serving: make([]*item, len(seq))}}
		if err := p.make(); err != nil {
			return nil, err
		}
		if p.shows() {
			return p.plan, nil
		}
	}
	return nil, fmt.Errorf("plan %v: %w: nothing is changed and nothing is told, so doing nothing would do", seq, role.ErrUnbuildable)
}

func (p *planner) make() error {
	p.records()
	p.writes()
	if err := p.needs(); err != nil {
		return err
	}
	p.sums()
	if err := p.reads(); err != nil {
		return err
	}
	slices.SortFunc(p.items, func(a, b *item) int { return a.call - b.call })
	return nil
}

// shows tells whether the outcome of the plan can be told from doing nothing.
func (p *planner) shows() bool {
	return slices.ContainsFunc(p.items, func(it *item) bool {
		return it.wishes[0].Does == "" || p.c.Tools[p.seq[it.call]].Type == "WRITE"
	})
}

func (p *planner) records() {
	for i, t := range p.seq {
		if p.c.RecordRead(t) != "" && p.rd.Record[i] >= 0 {
			p.opens = append(p.opens, i)
		}
	}
}

// writes makes an item of every write and of the hand-off.
func (p *planner) writes() {
	for i, t := range p.seq {
		switch {
		case t == p.c.Protocol.Handoff:
			p.items = append(p.items, p.handoff(i))
		case p.c.Tools[t].Type == "WRITE":
			p.items = append(p.items, &item{call: i, record: p.rd.Record[i], wishes: shuffled(p.draw, p.doing(t))})
		}
	}
}

// handoff explains a hand-off: by a record that was read for nothing else, if
// there is one and a policy rule hands such cases off, or by a wish that only
// people can handle.
func (p *planner) handoff(i int) *item {
	for r := len(p.opens) - 1; r >= 0 && !p.tell; r-- {
		if p.rd.Loose[p.opens[r]] {
			if w := p.handedOff(); len(w) > 0 {
				return &item{call: i, record: r, wishes: w, denied: true}
			}
		}
	}
	return &item{call: i, record: -1, wishes: shuffled(p.draw, p.doing(p.seq[i]))}
}

// handedOff lists the wishes whose tool has a policy rule that hands off.
func (p *planner) handedOff() []*contract.Wish {
	var out []*contract.Wish
	for _, r := range p.c.Policy {
		for _, t := range r.Tools {
			if r.Otherwise == "handoff" {
				out = append(out, p.doing(t)...)
			}
		}
	}
	return out
}

func (p *planner) doing(tool string) []*contract.Wish {
	var out []*contract.Wish
	for _, w := range p.c.Wishes {
		if w.Does == tool {
			out = append(out, w)
		}
	}
	return out
}

// needs gives items whose wishes need a read the nearest one before them that
// no other item has; a read is shared where none is left, and where none was
// made since the record was read, with a question before that. Items that could
// do with or without it take one that is free.
func (p *planner) needs() error {
	for _, it := range p.items {
		with := wishesWhere(it.wishes, func(w *contract.Wish) bool { return len(w.Needs) > 0 })
		without := wishesWhere(it.wishes, func(w *contract.Wish) bool { return len(w.Needs) == 0 })
		if it.denied || len(with) == 0 {
			continue
		}
		needs := needsOf(with)
		i := -1
		if len(without) == 0 || p.draw.IntN(5) > 0 {
			i = p.nearest(it, needs, p.opening(it), p.unserved)
		}
		if i < 0 && len(without) == 0 {
			if i = p.shared(it, needs); i < 0 {
				return fmt.Errorf("plan %v: %w: call %d (%s) has none of %v before it",
					p.seq, role.ErrUnbuildable, it.call, p.seq[it.call], needs)
			}
		}
		if i < 0 {
			it.wishes = without
			continue
		}
		it.wishes = wishesWhere(with, func(w *contract.Wish) bool { return slices.Contains(w.Needs, p.seq[i]) })
		it.serves = append(it.serves, i)
		if p.serving[i] == nil && i > p.opening(it) {
			p.serving[i] = it
		}
	}
	return nil
}

// sums makes questions of calls that need another read first, together with one
// that nothing else explains: what it reveals is used and not told. Some are
// left, so that such reads become questions of their own.
func (p *planner) sums() {
	for i, t := range p.seq {
		with := wishesWhere(p.asking(t), func(w *contract.Wish) bool { return len(w.Needs) > 0 })
		if len(with) == 0 || p.serving[i] != nil || p.draw.IntN(3) == 0 {
			continue
		}
		it := &item{call: i, record: -1}
		at := p.nearest(it, needsOf(with), -1, p.unserved)
		if at < 0 || p.asked(at) {
			continue
		}
		it.wishes = ranked(p.draw, wishesWhere(with, func(w *contract.Wish) bool { return slices.Contains(w.Needs, p.seq[at]) }))
		it.serves, p.serving[at] = []int{at}, it
		p.items = append(p.items, it)
	}
}

// asking lists the questions that a call of the tool answers.
func (p *planner) asking(tool string) []*contract.Wish {
	return wishesWhere(p.c.Wishes, func(w *contract.Wish) bool { return w.Does == "" && slices.Contains(w.Uses, tool) })
}

// asked tells whether a question is made of call i already.
func (p *planner) asked(i int) bool {
	return slices.ContainsFunc(p.items, func(it *item) bool { return it.call == i })
}

// needsOf lists the reads that any of the wishes needs.
func needsOf(list []*contract.Wish) []string {
	var out []string
	for _, w := range list {
		for _, t := range w.Needs {
			if !slices.Contains(out, t) {
				out = append(out, t)
			}
		}
	}
	return out
}

// nearest returns the last position between after and the item's call whose
// tool is one of tools and which ok accepts; −1 if none.
func (p *planner) nearest(it *item, tools []string, after int, ok func(int) bool) int {
	for i := it.call - 1; i > after; i-- {
		if slices.Contains(tools, p.seq[i]) && ok(i) {
			return i
		}
	}
	return -1
}

// unserved tells whether read i serves nothing yet.
func (p *planner) unserved(i int) bool { return p.serving[i] == nil }

// unclaimed tells whether read i was made for no item.
func (p *planner) unclaimed(i int) bool {
	return !slices.ContainsFunc(p.items, func(it *item) bool { return slices.Contains(it.serves, i) })
}

// shared finds a read that an item shares where none is made for it alone. What
// was read before the record of the item was made for something else, for nobody
// knew what to look up: a question. It may be taken before a read that another
// item has, after which both would be about the same.
func (p *planner) shared(it *item, tools []string) int {
	early := p.nearest(it, tools, -1, p.unclaimed)
	taken := p.nearest(it, tools, p.opening(it), func(int) bool { return true })
	switch {
	case early < 0 && taken < 0:
		return p.nearest(it, tools, -1, func(int) bool { return true })
	case taken < 0 || early >= 0 && p.draw.IntN(2) == 0:
		return early
	}
	return taken
}

// opening is the position of the read of the item's record; −1 for none.
func (p *planner) opening(it *item) int {
	if it.record < 0 {
		return -1
	}
	return p.opens[it.record]
}

// reads finds the purpose of every read that serves nothing yet: it identifies
// the customer, opens a record that is used, helps a later wish, or answers
// something that the customer asks.
func (p *planner) reads() error {
	for i, t := range p.seq {
		if p.c.Tools[t].Type == "WRITE" || t == p.c.Protocol.Handoff || p.serving[i] != nil || p.asked(i) {
			continue
		}
		if p.identifies(i) || p.opensUsed(i) || p.helps(i) {
			continue
		}
		asks := p.asking(t)
		if len(asks) == 0 {
			return fmt.Errorf("plan %v: %w: nothing explains call %d (%s)", p.seq, role.ErrUnbuildable, i, t)
		}
		it := &item{call: i, record: -1, wishes: ranked(p.draw, asks)}
		if p.c.RecordRead(t) != "" {
			it.record = p.rd.Record[i]
		}
		p.items = append(p.items, it)
	}
	return nil
}

// identifies tells whether a read establishes who the customer is, or opens the
// profile for something that is done later.
func (p *planner) identifies(i int) bool {
	if slices.ContainsFunc(p.c.Customer.Identify, func(w *contract.Way) bool { return slices.Contains(w.Tools(), p.seq[i]) }) {
		return true
	}
	if p.tell || p.seq[i] != p.c.Reads[p.c.Customer.Read].Tool {
		return false
	}
	return slices.ContainsFunc(p.items, func(it *item) bool { return it.call > i && it.wishes[0].Does != "" })
}

func (p *planner) opensUsed(i int) bool {
	if !slices.Contains(p.opens, i) {
		return false
	}
	return slices.ContainsFunc(p.items, func(it *item) bool { return it.call > i && it.record == p.rd.Record[i] && it.wishes[0].Does != "" })
}

// helps lets a read support a later wish that may use it but need not, of
// whose record it is known by then; some of such reads become questions
// instead, for questions are what is told.
func (p *planner) helps(i int) bool {
	if p.c.RecordRead(p.seq[i]) != "" || p.draw.IntN(5) == 0 {
		return false
	}
	for _, it := range p.items {
		if it.call < i || it.denied || p.opening(it) > i || p.lent(it, p.seq[i]) {
			continue
		}
		if all(it.wishes, func(w *contract.Wish) bool {
			return w.Does != "" && slices.Contains(w.Uses, p.seq[i]) && !slices.Contains(w.Needs, p.seq[i])
		}) {
			it.serves = append(it.serves, i)
			slices.Sort(it.serves)
			p.serving[i] = it
			return true
		}
	}
	return false
}

// lent tells whether a read of the tool is made for the item already.
func (p *planner) lent(it *item, tool string) bool {
	return slices.ContainsFunc(it.serves, func(i int) bool { return p.seq[i] == tool })
}

// ranked orders questions at random, those with a larger share more often first.
func ranked(draw *rand.Rand, list []*contract.Wish) []*contract.Wish {
	at := map[*contract.Wish]float64{}
	for _, w := range list {
		at[w] = draw.ExpFloat64() / cmp.Or(w.Share, 1)
	}
	out := slices.Clone(list)
	slices.SortFunc(out, func(a, b *contract.Wish) int { return cmp.Compare(at[a], at[b]) })
	return out
}

func wishesWhere(list []*contract.Wish, ok func(*contract.Wish) bool) []*contract.Wish {
	var out []*contract.Wish
	for _, w := range list {
		if ok(w) {
			out = append(out, w)
		}
	}
	return out
}

func all[T any](list []T, ok func(T) bool) bool {
	return !slices.ContainsFunc(list, func(v T) bool { return !ok(v) })
}

// shuffled returns a shuffled copy.
func shuffled[T any](draw *rand.Rand, list []T) []T {
	out := slices.Clone(list)
	draw.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}
