package phrase

import (
	"regexp"
	"strings"
)

// A postal address is one value: "12 Elm Street, Suite 4, Austin, TX 78712,
// USA". It opens with a house number and the second line may be missing; the
// commas are part of it, as they alone say where a line ends.
var (
	addressPattern = regexp.MustCompile(`^\d[^,]*(?:, [^,]+)?, [^,\d]+, [A-Z]{2} \d{5}, \p{Lu}[^,\d]*$`)
	housePattern   = regexp.MustCompile(`^\d[\w/-]*$`)
	linePattern    = regexp.MustCompile(`^[\p{L}\d#&./'-]+$`)
	statePattern   = regexp.MustCompile(`^[A-Z]{2}$`)
	zipPattern     = regexp.MustCompile(`^\d{5}$`)
	countryPattern = regexp.MustCompile(`^\p{Lu}\p{L}*$`)
)

// canonAddress writes an address with single spaces.
func canonAddress(s string) (string, bool) {
	s = strings.Join(strings.Fields(s), " ")
	return s, addressPattern.MatchString(s)
}

// address compiles: house number, words, state, ZIP code, and a country of up to
// three words.
func (c *builder) address(next int32) int32 {
	end := next
	for range 2 {
		end = c.split(next, c.class("country", countryPattern.MatchString, []string{"USA"}, end))
	}
	end = c.class("country", countryPattern.MatchString, []string{"USA"}, end)
	state := c.class("state", statePattern.MatchString, []string{"TX"},
		c.class("ZIP code", zipPattern.MatchString, []string{"78712"}, end))
	loop := c.split()
	line := c.class("line of an address", linePattern.MatchString, []string{"Elm", "Suite", "4"}, loop)
	c.prog.leads(loop, state, line)
	return c.class("house number", housePattern.MatchString, []string{"12"}, line)
}
