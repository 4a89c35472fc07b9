package phrase

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

var (
	isoPattern  = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}$`)
	dayPattern  = regexp.MustCompile(`^(?i)([12]?\d|3[01])(st|nd|rd|th)?$`)
	yearPattern = regexp.MustCompile(`^(19|20)\d{2}$`)
)

func isISO(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

// month reads a month's name or its first three letters; 0 is none.
func month(s string) int {
	s = strings.ToLower(strings.TrimSuffix(s, "."))
	for m := time.January; m <= time.December; m++ {
		name := strings.ToLower(m.String())
		if s == name || s == name[:3] {
			return int(m)
		}
	}
	return 0
}

// dateStyles are the spellings of a date, by number: May 22, 2024; 22 May 2024;
// May 22nd. They name no year where the type supplies it. Read are numerals
// (2024-05-22) as well.
const dateStyles = 3

// sayDate spells an ISO date in a style, as words with spaces between.
func (t *slotType) sayDate(iso string, style int) string {
	d, err := time.Parse(time.DateOnly, iso)
	if err != nil {
		return iso
	}
	named := d.Year() != t.year
	switch style {
	case 1:
		return strings.TrimSpace(d.Format("2 January") + yearIf(named, " ", d))
	case 2:
		if !named {
			return d.Format("January ") + ordinal(d.Day())
		}
	}
	return d.Format("January 2") + yearIf(named, ", ", d)
}

func yearIf(named bool, sep string, d time.Time) string {
	if !named {
		return ""
	}
	return sep + strconv.Itoa(d.Year())
}

func ordinal(n int) string {
	suffix := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return strconv.Itoa(n) + suffix
}

// readDate reads the tokens of a date in any style; "the" and "of" are passed
// over.
func (t *slotType) readDate(tokens []token) (string, bool) {
	m, day, year := 0, 0, t.year
	for _, tok := range tokens {
		switch {
		case isoPattern.MatchString(tok.raw):
			return tok.raw, isISO(tok.raw)
		case month(tok.raw) > 0:
			m = month(tok.raw)
		case yearPattern.MatchString(tok.raw):
			year, _ = strconv.Atoi(tok.raw)
		case dayPattern.MatchString(tok.raw):
			day, _ = strconv.Atoi(dayPattern.FindStringSubmatch(tok.raw)[1])
		}
	}
	iso := fmt.Sprintf("%04d-%02d-%02d", year, m, day)
	return iso, isISO(iso)
}
