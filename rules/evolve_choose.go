package rules

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"taste/role"
)

// Span is how many traps a task of that many gold calls carries.
func Span(calls int) (least, most int) {
	switch {
	case calls < 3:
		return 1, 2
	case calls < 6:
		return 2, 3
	case calls < 11:
		return 3, 5
	}
	return 5, 7
}

// Limits of what one task is asked to carry.
const (
	twistsPerItem = 2
	newItems      = 3
	leastBranches = 2
)

// choosing is the choice of a task's traps.
type choosing struct {
	plot   *plot
	chosen []pick
}

// choose takes traps in turns, the techniques that the benchmark has least of
// first, at least one of them global, until there are enough.
func (e *Evolver) choose(p *plot, d *role.Design, flops []role.Flop, draw *rand.Rand) ([]pick, error) {
	all, err := snares(d)
	if err != nil {
		return nil, err
	}
	var open []pick
	for n, t := range all {
		if !slices.ContainsFunc(flops, func(f role.Flop) bool { return f.Trap == n }) {
			open = append(open, pick{snare: t, number: n})
		}
	}
	open = shuffled(draw, open)
	least, most := Span(len(p.task.EvaluationCriteria.Actions))
	want := least + draw.IntN(most-least+1)
	if p.calledAbout() >= 0 {
		least = 1 // all gold calls may stand behind one trouble, which carries so many at most
	}
	c := &choosing{plot: p}
	for len(c.chosen) < want {
		// The last place is for a global one, if none is there yet.
		global := len(c.chosen) == want-1 && !c.global()
		next := c.best(open, e.worn, global)
		if next < 0 {
			break
		}
		c.chosen = append(c.chosen, open[next])
		open = slices.Delete(open, next, next+1)
	}
	switch {
	case len(c.chosen) < least:
		return nil, &role.Tame{Why: fmt.Sprintf("%d of at least %d traps found%s", len(c.chosen), least, p.prose.bars())}
	case !c.global() && !p.foreign:
		return nil, &role.Tame{Why: "no trap is about how the customer behaves"}
	case c.branches() < leastBranches && !p.foreign:
		return nil, &role.Tame{Why: fmt.Sprintf("the customer's behaviour branches %d times, want %d", c.branches(), leastBranches)}
	}
	slices.SortStableFunc(c.chosen, func(a, b pick) int { return cmp.Compare(a.number, b.number) })
	return c.chosen, nil
}

func (c *choosing) global() bool {
	return slices.ContainsFunc(c.chosen, func(p pick) bool { return p.Global })
}

func (c *choosing) branches() int {
	n := 0
	for _, p := range c.chosen {
		n += p.Branches
	}
	return n
}

// best is the number of the trap to take next, −1 if none fits: techniques that
// the task does not carry yet first, then those that the benchmark has least of.
func (c *choosing) best(open []pick, worn map[string]int, global bool) int {
	found := -1
	var low [2]int
	for i, p := range open {
		if global && !p.Global || !c.fits(p) {
			continue
		}
		key := [2]int{c.times(p.Technique), worn[p.Technique]}
		if found < 0 || slices.Compare(key[:], low[:]) < 0 {
			found, low = i, key
		}
	}
	return found
}

func (c *choosing) times(technique string) int {
	n := 0
	for _, p := range c.chosen {
		if p.Technique == technique {
			n++
		}
	}
	return n
}

// fits tells whether a trap goes with those chosen: at most two on one wish, of
// which one at most is about its particulars; few new wishes, no two about one
// record, none about a record that is planted, and none torn from the wish that it
// rides on.
func (c *choosing) fits(t pick) bool {
	onItem, news := 0, 0
	for _, p := range c.chosen {
		same := p.New == nil && t.New == nil && p.At == t.At
		if same {
			onItem++
		}
		if same && (p.Technique == t.Technique || !p.Global && !t.Global || p.hesitant() && t.hesitant()) {
			return false
		}
		if c.plantedFor(&p.snare, &t.snare) || c.plantedFor(&t.snare, &p.snare) {
			return false
		}
		if p.New != nil {
			news++
		}
		if p.New != nil && t.New != nil && (p.At == t.At && !c.plot.foreign || p.Record != "" && p.Record == t.Record || p.New.Wish.Name == t.New.Wish.Name && p.Record == "") {
			return false
		}
	}
	return onItem < twistsPerItem && (t.New == nil || news < newItems)
}

// plantedFor tells whether a new wish is about the record that a look-alike is: in the
// state that it is brought into, nobody may want that.
func (c *choosing) plantedFor(alike, wish *snare) bool {
	if alike.Planted == nil || wish.New == nil || wish.Record == "" {
		return false
	}
	table, key, _ := strings.Cut(alike.Planted.Record, "/")
	return Names(c.plot.moments[0].env.Record(table, key), []string{wish.Record})
}

// hesitant tells whether a twist is about when and how the customer comes out
// with a particular or a yes; two of these on one wish leave open which comes
// first.
func (t *snare) hesitant() bool {
	return slices.Contains([]string{ArgumentMisdirection, InformationWithholding, ConditionalEscalation}, t.Technique)
}

// decodeNumbers reads JSON; numbers keep their text.
func decodeNumbers(data []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	return d.Decode(v)
}
