package main

import (
	"strconv"
	"strings"
)

// plural spells a number of things: "1 task", "2 mismatches".
func plural(n int, thing string) string {
	switch {
	case n == 1:
		return "1 " + thing
	case strings.HasSuffix(thing, "ch"):
		thing += "es"
	default:
		thing += "s"
	}
	return strconv.Itoa(n) + " " + thing
}
