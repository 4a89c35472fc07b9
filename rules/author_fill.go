package rules

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"taste/contract"
)

// errNoFit says that no slot values make a wish fit its place.
var errNoFit = errors.New("no values fit")

// Limits of the search for slot values: values tried a slot, complete
// assignments tried a wish.
const (
	valuesPerSlot = 10
	leavesPerWish = 48
)

// filler searches slot values for one wish, depth first in slot order. A
// condition of the wish prunes as soon as the slots that it needs are there.
type filler struct {
	scope   *contract.Scope
	wish    *contract.Wish
	draw    *rand.Rand
	records []string     // candidates for slots that hold a record
	accept  func() error // checks a complete assignment
	leaves  int
	last    error
}

// fill completes scope.Ask, which holds the preset slots, so that the wish is
// sensible, has no tie and is accepted. On an error Ask holds the presets only.
func (f *filler) fill() error {
	f.scope.Undecided = true
	if left, ok := f.sensible(f.wish.Where); ok && f.slot(0, leavesPerWish, left) {
		return nil
	}
	if f.last != nil {
		return fmt.Errorf("wish %s: %w: %w", f.wish.Name, errNoFit, f.last)
	}
	return fmt.Errorf("wish %s: %w", f.wish.Name, errNoFit)
}

// slot decides slot i and those after it, within a budget of complete
// assignments; a value gets two thirds of what is left, so that a choice that
// spoils all after it does not use everything up. pending are the conditions
// that the slots before did not decide.
func (f *filler) slot(i, budget int, pending []*contract.Expr) bool {
	if i == len(f.wish.Slots) {
		return f.leaf(pending)
	}
	s := &f.wish.Slots[i]
	if _, preset := f.scope.Ask[s.Name]; preset {
		left, ok := f.sensible(pending)
		return ok && f.slot(i+1, budget, left)
	}
	known := f.scope.Known()
	end := f.leaves + budget
	for _, v := range f.values(s) {
		if f.leaves >= end {
			return false
		}
		f.scope.Ask[s.Name] = v
		if left, ok := f.sensible(pending); ok && f.slot(i+1, max(1, (end-f.leaves)*2/3), left) {
			return true
		}
		delete(f.scope.Ask, s.Name)
		f.scope.Return(known)
	}
	return false
}

// values lists candidates: preferred ones first, each group shuffled.
func (f *filler) values(s *contract.Slot) []any {
	var out []any
	if s.Kind != "" {
		for _, id := range shuffled(f.draw, f.records) {
			out = append(out, id)
		}
	}
	for _, e := range []*contract.Expr{s.Prefer, s.From} {
		if e == nil {
			continue
		}
		v, err := f.scope.Eval(e)
		if err != nil {
			f.last = fmt.Errorf("slot %s: %w", s.Name, err)
			continue
		}
		list, ok := v.([]any)
		if !ok {
			f.last = fmt.Errorf("slot %s: candidates are no list", s.Name)
			continue
		}
		f.draw.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		out = append(out, distinct(list, valuesPerSlot)...)
	}
	return out
}

// distinct keeps the first n different values.
func distinct(list []any, n int) []any {
	seen := map[string]bool{}
	var out []any
	for _, v := range list {
		k := fmt.Sprint(v)
		if seen[k] {
			continue
		}
		seen[k] = true
		if out = append(out, v); len(out) == n {
			break
		}
	}
	return out
}

// sensible evaluates conditions: false once one is known to fail, else those
// that still lack a slot.
func (f *filler) sensible(pending []*contract.Expr) (left []*contract.Expr, ok bool) {
	for _, e := range pending {
		holds, err := f.scope.Holds(e)
		var missing *contract.MissingSlot
		if errors.As(err, &missing) {
			left = append(left, e)
			continue
		}
		if err != nil {
			f.last = err
		}
		if err != nil || !holds {
			return nil, false
		}
	}
	return left, true
}

// leaf checks a complete assignment; what is not said now is absent.
func (f *filler) leaf(pending []*contract.Expr) bool {
	f.leaves++
	f.scope.Undecided = false
	defer func() { f.scope.Undecided = true }()
	if left, ok := f.sensible(pending); !ok || len(left) > 0 {
		return false
	}
	if f.wish.Sole != nil {
		if ok, err := f.scope.Holds(f.wish.Sole); err != nil || !ok {
			f.last = errors.Join(errors.New("the choice is tied"), err)
			return false
		}
	}
	if err := f.accept(); err != nil {
		f.last = err
		return false
	}
	return true
}
