package phrase

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// kind says how a slot type spells its values.
type kind int

const (
	patternKind kind = iota // the value as it stands, of tokens that match patterns
	valuesKind              // a closed list, each value with its own surface forms
	casesKind               // patterns, each with its own surface forms
	intKind
	dateKind
	moneyKind
	addressKind
	textKind  // any words
	callKind  // a call of a tool, with its arguments
	quoteKind // a text word for word, between quotation marks
)

// slotType is a type of slot values.
type slotType struct {
	name     string
	kind     kind
	cases    []valueCase
	min, max int // of an int
	year     int // a date's year where the text names none; 0: it must
}

// valueCase is one value of a closed list, or one pattern.
type valueCase struct {
	value   string           // closed list
	many    bool             // the value is of the plural
	pattern []*regexp.Regexp // one a token
	forms   map[string]node  // "say" is the default; nil for a bare pattern
}

// ErrValue is wrapped by errors about a slot value that its type refuses.
var ErrValue = errors.New("value does not fit its type")

// canon returns a value in canonical form.
func (t *slotType) canon(v any) (any, error) {
	switch t.kind {
	case intKind:
		return t.canonInt(v)
	case moneyKind:
		if s, ok := canonMoney(fmt.Sprint(v)); ok {
			return s, nil
		}
	case dateKind:
		if s, ok := v.(string); ok && isISO(s) {
			return s, nil
		}
	case addressKind:
		if s, ok := canonAddress(fmt.Sprint(v)); ok {
			return s, nil
		}
	case textKind:
		if s, ok := v.(string); ok && len(words(s)) > 0 {
			return s, nil
		}
	case callKind:
		if s, ok := v.(string); ok && isCall(s) {
			return s, nil
		}
	case quoteKind:
		if s, ok := v.(string); ok && isQuotation(quoted(s)) {
			return s, nil
		}
	default:
		if s, ok := v.(string); ok && t.caseOf(s) != nil {
			return s, nil
		}
	}
	return nil, fmt.Errorf("%w: %v is no %s", ErrValue, v, t.name)
}

func (t *slotType) canonInt(v any) (any, error) {
	n, err := strconv.Atoi(fmt.Sprint(v))
	if err != nil || n < t.min || n > t.max {
		return nil, fmt.Errorf("%w: %v is no %s (%d to %d)", ErrValue, v, t.name, t.min, t.max)
	}
	return n, nil
}

// caseOf finds the entry of a closed list or the first pattern that a value
// matches.
func (t *slotType) caseOf(value string) *valueCase {
	for i := range t.cases {
		c := &t.cases[i]
		if c.pattern == nil && c.value == value || c.pattern != nil && c.matches(value) {
			return c
		}
	}
	return nil
}

// isOne reports whether the words that agree with a value are of the singular.
func (t *slotType) isOne(v any) bool {
	if t.kind == intKind {
		return v == 1
	}
	s, _ := v.(string)
	c := t.caseOf(s)
	return c == nil || !c.many
}

func (c *valueCase) matches(value string) bool {
	parts := strings.Split(value, " ")
	if len(parts) != len(c.pattern) {
		return false
	}
	for i, re := range c.pattern {
		if !re.MatchString(parts[i]) {
			return false
		}
	}
	return true
}

// hasForm reports whether every value of the type has the form.
func (t *slotType) hasForm(form string) bool {
	if form == "" || form == "say" {
		return true
	}
	return !slices.ContainsFunc(t.cases, func(c valueCase) bool { return c.forms[form] == nil }) && len(t.cases) > 0
}

// form returns the template of a case, nil where the bare value is meant.
func (c *valueCase) form(name string) node {
	if name == "" {
		name = "say"
	}
	return c.forms[name]
}

func isCall(s string) bool { return s != "" && len(callPattern.FindString(s)) == len(s) }

// isQuotation tells whether a text is one quotation and nothing else.
func isQuotation(s string) bool {
	return strings.HasPrefix(s, openQuote) && len(s) > len(openQuote+closeQuote) && strings.Index(s, closeQuote) == len(s)-len(closeQuote)
}

func quoted(s string) string { return openQuote + s + closeQuote }

func unquoted(s string) string {
	return strings.TrimSuffix(strings.TrimPrefix(s, openQuote), closeQuote)
}

var moneyPattern = regexp.MustCompile(`^\$?(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d{1,2}))?$`)

// canonMoney spells an amount without sign and commas: "1250", or with two
// decimals where it has any: "99.50".
func canonMoney(s string) (string, bool) {
	m := moneyPattern.FindStringSubmatch(s)
	if m == nil {
		return "", false
	}
	whole := strings.ReplaceAll(m[1], ",", "")
	cents := (m[2] + "00")[:2]
	if cents == "00" {
		return whole, true
	}
	return whole + "." + cents, true
}

// sayMoney spells a canonical amount in US dollars with thousands marked.
func sayMoney(canonical string) string {
	whole, cents, ok := strings.Cut(canonical, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if ok {
		whole += "." + cents
	}
	return "$" + whole
}

var numberWords = []string{"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"}

// readInt reads a numeral or a number word; "no" is zero, "a" is no number.
func readInt(s string) (int, bool) {
	if s = strings.ToLower(s); s == "no" {
		return 0, true
	}
	if i := slices.Index(numberWords, s); i >= 0 {
		return i, true
	}
	n, err := strconv.Atoi(s)
	return n, err == nil && n >= 0
}
