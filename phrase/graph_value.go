package phrase

import (
	"regexp"
	"slices"
)

func (c *builder) patterns(list []*regexp.Regexp, next int32) int32 {
	for _, re := range slices.Backward(list) {
		next = c.emit(inst{op: opClass, arg: c.book.regexpClass(re), next: next})
	}
	return next
}

func (c *builder) slot(n slotNode, next int32) int32 {
	if n.many != "" {
		next = c.split(c.literal(n.one, next), c.literal(n.many, next))
	}
	if n.only {
		return next
	}
	index := c.slotIndex(n.slot)
	next = c.emit(inst{op: opClose, arg: index, next: next})
	next = c.value(c.book.types[c.slots[n.slot]], n.form, next)
	return c.emit(inst{op: opOpen, arg: index, next: next})
}

// slotIndex numbers a slot of the program; it may stand in several alternatives,
// of which a match takes one.
func (c *builder) slotIndex(slot string) int32 {
	i := slices.Index(c.prog.slots, slot)
	if i < 0 {
		i = len(c.prog.slots)
		c.prog.slots = append(c.prog.slots, slot)
	}
	return int32(i)
}

// value compiles the spellings of a type.
func (c *builder) value(t *slotType, form string, next int32) int32 {
	switch t.kind {
	case intKind:
		return c.class("number", isNumber, numberSamples, next)
	case moneyKind:
		return c.class("amount", isAmount, []string{"$7", "1,250"}, next)
	case addressKind:
		return c.address(next)
	case textKind:
		return c.anyWords(next)
	case callKind:
		return c.class("call", isCall, []string{"switch_on()", `switch_on(lamp="left", level=2)`}, next)
	case quoteKind:
		return c.class("quotation", isQuotation, []string{quoted("It works.")}, next)
	case dateKind:
		return c.date(t, next)
	}
	outs := make([]int32, len(t.cases))
	for i := range t.cases {
		k, to := &t.cases[i], next
		if k.pattern == nil {
			c.prog.values = append(c.prog.values, k.value)
			to = c.emit(inst{op: opValue, arg: int32(len(c.prog.values) - 1), next: next})
		}
		outs[i] = c.kaseForm(k, form, to)
	}
	return c.split(outs...)
}

func (c *builder) kaseForm(k *valueCase, form string, next int32) int32 {
	f := k.form(form)
	switch {
	case f != nil:
		c.kase = k
		return c.node(f, next)
	case k.pattern != nil:
		return c.patterns(k.pattern, next)
	}
	return c.literal(k.value, next)
}

func (c *builder) anyWords(next int32) int32 {
	loop := c.split()
	any := c.class("any word", func(string) bool { return true }, []string{"whatever"}, loop)
	c.prog.leads(loop, next, any)
	return any
}

// date compiles: ISO; month day [year]; [the] day [of] month [year].
func (c *builder) date(t *slotType, next int32) int32 {
	end := c.class("year", yearPattern.MatchString, []string{"1999"}, next)
	if t.year != 0 {
		end = c.split(end, next)
	}
	day := func(to int32) int32 { return c.class("day", dayPattern.MatchString, []string{"7", "2nd"}, to) }
	mon := func(to int32) int32 {
		return c.class("month", func(s string) bool { return month(s) > 0 }, []string{"May", "jun"}, to)
	}
	of := mon(end)
	return c.split(
		c.class("ISO date", isoPattern.MatchString, []string{"2024-05-01"}, next),
		mon(day(end)),
		day(c.split(of, c.literal("of", of))),
	)
}

func (c *builder) class(name string, match func(string) bool, samples []string, next int32) int32 {
	return c.emit(inst{op: opClass, arg: c.book.addClass(name, match, samples), next: next})
}

func (b *Book) addClass(name string, match func(string) bool, samples []string) int32 {
	if i, ok := b.classOf(name); ok {
		return i
	}
	b.classes = append(b.classes, class{name, match, samples})
	return int32(len(b.classes) - 1)
}

func (b *Book) classOf(name string) (int32, bool) {
	i := slices.IndexFunc(b.classes, func(k class) bool { return k.name == name })
	return int32(i), i >= 0
}

func (b *Book) regexpClass(re *regexp.Regexp) int32 {
	if i, ok := b.classOf(re.String()); ok {
		return i
	}
	return b.addClass(re.String(), re.MatchString, samplesOf(re))
}

var numberSamples = append([]string{"no", "7", "31"}, numberWords...)

func isNumber(s string) bool {
	_, ok := readInt(s)
	return ok
}

func isAmount(s string) bool { return moneyPattern.MatchString(s) }
