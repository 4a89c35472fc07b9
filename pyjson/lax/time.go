package lax

import (
	"fmt"
	"regexp"
	"time"
)

// Date accepts texts of a date, or of a time at midnight, and returns the date
// as Python spells it: 2025-01-31. Timestamps in numbers, which the library
// takes too, are refused.
func (c *Check) Date(v any) string {
	c.scalar("string")
	s, ok := v.(string)
	if !ok {
		c.fail("date_type", "Input should be a valid date", v)
		return ""
	}
	if t, err := time.Parse(time.DateOnly, s); err == nil {
		return t.Format(time.DateOnly)
	}
	t, ok := parseTime(s)
	if !ok {
		c.fail("date_from_datetime_parsing", "Input should be a valid date or datetime", v)
		return ""
	}
	if h, m, sec := t.Clock(); h+m+sec+t.Nanosecond() != 0 {
		c.fail("date_from_datetime_inexact", "Datetimes provided to dates should have zero time - e.g. be exact dates", v)
		return ""
	}
	return t.Format(time.DateOnly)
}

// DateTime accepts texts of a date or of a time and returns the time as Python
// spells it: 2025-01-31 14:30:00, with fractions and offset where there are.
func (c *Check) DateTime(v any) string {
	c.scalar("string")
	s, ok := v.(string)
	if !ok {
		c.fail("datetime_type", "Input should be a valid datetime", v)
		return ""
	}
	t, ok := parseTime(s)
	if !ok {
		c.fail("datetime_from_date_parsing", "Input should be a valid datetime or date", v)
		return ""
	}
	out := t.Format(time.DateTime)
	if micro := t.Nanosecond() / 1000; micro != 0 {
		out += fmt.Sprintf(".%06d", micro)
	}
	if zoned.MatchString(s) {
		out += t.Format("-07:00")
	}
	return out
}

var (
	timeText = regexp.MustCompile(`^(\d{4}-\d{2}-\d{2})(?:[Tt _](\d{2}:\d{2})(:\d{2}(?:[.,]\d{1,9})?)?([Zz]|[+-]\d{2}:?\d{2})?)?$`)
	zoned    = regexp.MustCompile(`[Tt _].*([Zz]|[+-]\d{2}:?\d{2})$`)
)

func parseTime(s string) (time.Time, bool) {
	m := timeText.FindStringSubmatch(s)
	if m == nil {
		return time.Time{}, false
	}
	day, clock, seconds, zone := m[1], m[2], m[3], m[4]
	if clock == "" {
		clock = "00:00"
	}
	if seconds == "" {
		seconds = ":00"
	}
	layout := "2006-01-02 15:04:05"
	switch {
	case zone == "Z" || zone == "z":
		zone, layout = "+00:00", layout+"-07:00"
	case len(zone) == len("+0000"):
		layout += "-0700"
	case zone != "":
		layout += "-07:00"
	}
	t, err := time.Parse(layout, day+" "+clock+seconds+zone)
	return t, err == nil
}
