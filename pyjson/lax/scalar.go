package lax

import (
	"errors"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"taste/pyjson"
)

// Str accepts strings only.
func (c *Check) Str(v any) string {
	c.scalar("string")
	s, ok := v.(string)
	if !ok {
		c.fail("string_type", "Input should be a valid string", v)
	}
	return s
}

// FieldStr is Str of a required key.
func (c *Check) FieldStr(o *pyjson.Object, key string) (s string) {
	c.Field(o, key, func(v any) { s = c.Str(v) })
	return s
}

// Texts accepts a list of strings; the result is not nil.
func (c *Check) Texts(v any) []string {
	texts := []string{}
	c.List(v, func(e any) { texts = append(texts, c.Str(e)) })
	return texts
}

// FieldTexts is Texts of a required key.
func (c *Check) FieldTexts(o *pyjson.Object, key string) (texts []string) {
	c.Field(o, key, func(v any) { texts = c.Texts(v) })
	return texts
}

// unicode fails on a text with a lone surrogate, which the library cannot read
// where it looks at the characters.
func (c *Check) unicode(s string) bool {
	if utf8.ValidString(s) {
		return true
	}
	c.fail("string_unicode", "Input should be a valid string, unable to parse raw data as a unicode string", s)
	return false
}

// Literal accepts one of the given strings.
func (c *Check) Literal(v any, options ...string) string {
	c.literal(v, options)
	if s, ok := v.(string); ok {
		if !c.unicode(s) {
			return ""
		}
		for _, o := range options {
			if s == o {
				return s
			}
		}
	}
	c.fail("literal_error", "Input should be "+alternatives(options), v)
	return ""
}

// FieldLiteral is Literal of a required key.
func (c *Check) FieldLiteral(o *pyjson.Object, key string, options ...string) (s string) {
	c.Field(o, key, func(v any) { s = c.Literal(v, options...) })
	return s
}

func alternatives(options []string) string {
	quoted := make([]string, len(options))
	for i, o := range options {
		quoted[i] = pyjson.Repr(o)
	}
	last := len(quoted) - 1
	if last == 0 {
		return quoted[0]
	}
	return strings.Join(quoted[:last], ", ") + " or " + quoted[last]
}

// Int accepts whole numbers, booleans, floats without a fraction inside int64
// and strings of whole numbers.
func (c *Check) Int(v any) pyjson.Int {
	c.scalar("integer")
	switch x := v.(type) {
	case bool:
		if x {
			return pyjson.NewInt(1)
		}
		return pyjson.NewInt(0)
	case float64:
		return c.floatInt(x)
	case string:
		return c.stringInt(x)
	}
	i, ok := pyjson.AsInt(v)
	if !ok {
		c.fail("int_type", "Input should be a valid integer", v)
	}
	return i
}

// FieldInt is Int of a required key.
func (c *Check) FieldInt(o *pyjson.Object, key string) (i pyjson.Int) {
	c.Field(o, key, func(v any) { i = c.Int(v) })
	return i
}

const tooLarge = "Unable to parse input string as an integer, exceeded maximum size"

func (c *Check) floatInt(f float64) pyjson.Int {
	switch {
	case math.IsInf(f, 0) || math.IsNaN(f):
		c.fail("finite_number", "Input should be a finite number", f)
	case f != math.Trunc(f):
		c.fail("int_from_float", "Input should be a valid integer, got a number with a fractional part", f)
	case f <= -1<<63 || f >= 1<<63:
		c.fail("int_parsing_size", tooLarge, f)
	default:
		i, _ := pyjson.AsInt(int64(f))
		return i
	}
	return pyjson.Int{}
}

// maxDigits is Python's limit for turning a text into an integer.
const maxDigits = 4300

func (c *Check) stringInt(s string) pyjson.Int {
	body := strings.TrimSpace(s)
	if !c.unicode(s) {
		return pyjson.Int{}
	}
	if len(body) > maxDigits {
		c.fail("int_parsing_size", tooLarge, s)
		return pyjson.Int{}
	}
	sign := ""
	if body != "" && (body[0] == '-' || body[0] == '+') {
		sign, body = strings.TrimPrefix(body[:1], "+"), body[1:]
	}
	digits, ok := wholeDigits(body)
	if !ok {
		c.fail("int_parsing", "Input should be a valid integer, unable to parse string as an integer", s)
		return pyjson.Int{}
	}
	b, _ := new(big.Int).SetString(sign+digits, 10)
	i, _ := pyjson.AsInt(b)
	return i
}

// wholeDigits takes digits with single underscores between them, perhaps
// followed by a point and zeros.
func wholeDigits(s string) (string, bool) {
	if whole, frac, ok := strings.Cut(s, "."); ok {
		if frac == "" || strings.Trim(frac, "0") != "" {
			return "", false
		}
		s = whole
	}
	if s == "" || s[0] == '_' || s[len(s)-1] == '_' || strings.Contains(s, "__") {
		return "", false
	}
	s = strings.ReplaceAll(s, "_", "")
	return s, strings.Trim(s, "0123456789") == ""
}

// Bool accepts booleans, the numbers 0 and 1 and the usual words.
func (c *Check) Bool(v any) bool {
	c.scalar("boolean")
	if b, ok := v.(bool); ok {
		return b
	}
	if s, ok := v.(string); ok {
		b, known := words[strings.ToLower(s)]
		if !known && c.unicode(s) {
			c.fail("bool_parsing", "Input should be a valid boolean, unable to interpret input", v)
		}
		return b
	}
	one := pyjson.Equal(v, int64(1))
	switch {
	case one || pyjson.Equal(v, int64(0)):
		return one
	case pyjson.IsNumber(v):
		c.fail("bool_parsing", "Input should be a valid boolean, unable to interpret input", v)
	default:
		c.fail("bool_type", "Input should be a valid boolean", v)
	}
	return false
}

// FieldBool is Bool of a required key.
func (c *Check) FieldBool(o *pyjson.Object, key string) (b bool) {
	c.Field(o, key, func(v any) { b = c.Bool(v) })
	return b
}

// words are the texts that count as booleans, in lower case.
var words = map[string]bool{
	"true": true, "t": true, "yes": true, "y": true, "on": true, "1": true,
	"false": false, "f": false, "no": false, "n": false, "off": false, "0": false,
}

// Float accepts numbers, booleans and strings of numbers.
func (c *Check) Float(v any) float64 {
	c.scalar("number")
	if s, ok := v.(string); ok {
		f, ok := stringFloat(s)
		if !ok && c.unicode(s) {
			c.fail("float_parsing", "Input should be a valid number, unable to parse string as a number", s)
		}
		return f
	}
	f, err := pyjson.Float(v)
	if err != nil {
		c.fail("float_type", "Input should be a valid number", v)
	}
	return f
}

// FieldFloat is Float of a required key.
func (c *Check) FieldFloat(o *pyjson.Object, key string) (f float64) {
	c.Field(o, key, func(v any) { f = c.Float(v) })
	return f
}

// stringFloat tries the trimmed text, then the untrimmed one without its
// single underscores.
func stringFloat(s string) (float64, bool) {
	if f, ok := plainFloat(strings.TrimSpace(s)); ok {
		return f, true
	}
	if strings.HasPrefix(s, "_") || strings.HasSuffix(s, "_") || strings.Contains(s, "__") {
		return 0, false
	}
	return plainFloat(strings.ReplaceAll(s, "_", ""))
}

func plainFloat(s string) (float64, bool) {
	body := strings.ToLower(strings.TrimLeft(s, "+-"))
	if len(s)-len(body) > 1 {
		return 0, false
	}
	switch body {
	case "nan":
		return math.NaN(), true
	case "inf", "infinity":
	default:
		if strings.Trim(body, "0123456789.e+-") != "" || strings.ContainsAny(body, "xp_") {
			return 0, false
		}
	}
	f, err := strconv.ParseFloat(s, 64)
	return f, err == nil || errors.Is(err, strconv.ErrRange)
}
