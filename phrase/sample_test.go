package phrase

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// Sample draws slot values for an act: an act that can be rendered.
func (b *Book) Sample(act string, draw *rand.Rand) (Act, error) {
	spec := b.byName[act]
	if spec == nil {
		return Act{}, fmt.Errorf("%w: no act %q", ErrAct, act)
	}
	a := Act{Name: act}
	for _, slot := range spec.names {
		if a.Slots == nil {
			a.Slots = map[string]any{}
		}
		a.Slots[slot] = b.types[spec.Slots[slot]].sample(draw)
	}
	return a, nil
}

func (t *slotType) sample(draw *rand.Rand) any {
	switch t.kind {
	case intKind:
		return t.min + draw.IntN(t.max-t.min+1)
	case dateKind:
		year := t.year
		if year == 0 || draw.IntN(5) == 0 {
			year = 1940 + draw.IntN(85)
		}
		return time.Date(year, 1, 1+draw.IntN(365), 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
	case moneyKind:
		v, _ := canonMoney(fmt.Sprintf("%d.%02d", draw.IntN(20000), draw.IntN(2)*draw.IntN(100)))
		return v
	case addressKind:
		return sampleAddress(draw)
	case callKind:
		return []string{"check_it()", `switch_on(lamp="left. Right, then", level=2)`}[draw.IntN(2)]
	case quoteKind:
		return []string{"It works. (Yes, it does!)", "Lamp: ON\nLevel: 2 | 80%"}[draw.IntN(2)]
	case textKind:
		return []string{"the fare does not allow it", "that took place before 10:30 a.m. today"}[draw.IntN(2)]
	}
	c := t.cases[draw.IntN(len(t.cases))]
	if c.pattern == nil {
		return c.value
	}
	parts := make([]string, len(c.pattern))
	for i, re := range c.pattern {
		parts[i] = sampleOf(re, draw)
	}
	return strings.Join(parts, " ")
}

func sampleAddress(draw *rand.Rand) string {
	one := func(of ...string) string { return of[draw.IntN(len(of))] }
	return fmt.Sprintf("%d %s %s%s, %s, USA", 1+draw.IntN(999), one("Elm", "Oak Hill", "St. Mark's"), one("Street", "Avenue", "Lane"),
		one("", fmt.Sprintf(", Suite %d", 1+draw.IntN(999)), ", Apt 4B"), one("Austin, TX 78712", "New York, NY 10108", "Washington, DC 20307"))
}
