package gates

import (
	"maps"
	"slices"

	"taste/env"
)

// orderStates is how many sets of writes are looked at before the orders of a
// task count as too many to try.
const orderStates = 4096

// orders checks that all orders of the writes that are left free end in one
// state. Writes that name a common record keep gold's order, and so do all of
// them where the scenario states an order. Of unreadable prose it cannot be
// told whether it does. Where the reward does not compare the database there is
// no such state.
func (w *walk) orders() {
	if len(w.writes) < 2 || !w.databaseCounts() || w.g.contract == nil || w.story.Ordered && w.behind != nil {
		return
	}
	ends, ok := w.ordering().run()
	switch {
	case !ok:
		w.skip(FreeOrder, "%d writes have too many orders to try", len(w.writes))
	case len(ends) > 1 && w.behind == nil:
		w.skip(FreeOrder, "the order of the writes decides the end state, and the scenario could not be read: %s", w.difference(ends))
	case len(ends) > 1:
		w.fail(FreeOrder, "the order of the writes is free and decides the end state: %s", w.difference(ends))
	}
}

// ordering takes the gold writes with the pairs whose order is fixed.
func (w *walk) ordering() *ordering {
	o := &ordering{w: w, steps: w.goldWrites(), before: make([]uint64, len(w.writes))}
	for j := range o.steps {
		for i := range j {
			if w.linked(o.steps[i], o.steps[j]) {
				o.before[j] |= 1 << i
			}
		}
	}
	return o
}

// linked tells whether two writes are about a common record.
func (w *walk) linked(a, b Step) bool {
	records := w.recordsOf(a.Arguments)
	return slices.ContainsFunc(w.recordsOf(b.Arguments), func(k string) bool { return slices.Contains(records, k) })
}

// difference shows one line by which another order's end state differs.
func (w *walk) difference(ends []*env.Environment) string {
	for _, e := range ends {
		if d := w.target.Diff(e); len(d) > 0 {
			return d[0]
		}
	}
	return ""
}

// ordering walks all orders at once: after a set of writes, the distinct states
// that some order of them leads to.
type ordering struct {
	w      *walk
	steps  []Step
	before []uint64 // per write, those that come before it in every order
}

func (o *ordering) run() (ends []*env.Environment, ok bool) {
	layer := map[uint64][]*env.Environment{0: {o.w.start()}}
	seen := 0
	for range o.steps {
		next := map[uint64][]*env.Environment{}
		for _, set := range slices.Sorted(maps.Keys(layer)) {
			if seen++; seen > orderStates {
				return nil, false
			}
			o.extend(next, set, layer[set])
		}
		layer = next
	}
	return layer[1<<len(o.steps)-1], true
}

// extend makes every write that may come next.
func (o *ordering) extend(next map[uint64][]*env.Environment, set uint64, states []*env.Environment) {
	for k := range o.steps {
		if set&(1<<k) != 0 || o.before[k]&^set != 0 {
			continue
		}
		for _, e := range states {
			e = e.Clone()
			e.Act(o.steps[k].action())
			to := set | 1<<k
			if !slices.ContainsFunc(next[to], e.Equal) {
				next[to] = append(next[to], e)
			}
		}
	}
}
