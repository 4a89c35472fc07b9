package pyjson

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode"
)

// AppendFloat writes repr(f): the shortest digits that read back as f, fixed
// notation for exponents from -4 to 15, and always a point or an exponent.
func AppendFloat(dst []byte, f float64) []byte {
	switch {
	case math.IsNaN(f):
		return append(dst, "nan"...)
	case math.IsInf(f, 1):
		return append(dst, "inf"...)
	case math.IsInf(f, -1):
		return append(dst, "-inf"...)
	}
	if a := math.Abs(f); a != 0 && (a < 1e-4 || a >= 1e16) {
		return strconv.AppendFloat(dst, f, 'e', -1, 64)
	}
	n := len(dst)
	dst = strconv.AppendFloat(dst, f, 'f', -1, 64)
	if !strings.Contains(string(dst[n:]), ".") {
		dst = append(dst, ".0"...)
	}
	return dst
}

// Str returns Python's str(v).
func Str(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	return Repr(v)
}

// Repr returns Python's repr(v).
func Repr(v any) string { return string(appendRepr(nil, v)) }

func appendRepr(dst []byte, v any) []byte {
	switch x := v.(type) {
	case nil:
		return append(dst, "None"...)
	case bool:
		if x {
			return append(dst, "True"...)
		}
		return append(dst, "False"...)
	case string:
		return appendReprString(dst, x)
	case int64:
		return strconv.AppendInt(dst, x, 10)
	case int:
		return strconv.AppendInt(dst, int64(x), 10)
	case *big.Int:
		return x.Append(dst, 10)
	case float64:
		return AppendFloat(dst, x)
	case []any:
		return appendReprList(dst, x)
	case *Object:
		return appendReprDict(dst, x)
	}
	g, err := FromGo(v)
	if err != nil {
		return append(dst, '?')
	}
	return appendRepr(dst, g)
}

func appendReprList(dst []byte, a []any) []byte {
	dst = append(dst, '[')
	for i, v := range a {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = appendRepr(dst, v)
	}
	return append(dst, ']')
}

func appendReprDict(dst []byte, o *Object) []byte {
	dst = append(dst, '{')
	for i, k := range o.Keys() {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = append(appendReprString(dst, k), ": "...)
		dst = appendRepr(dst, o.vals[i])
	}
	return append(dst, '}')
}

func appendReprString(dst []byte, s string) []byte {
	quote := byte('\'')
	if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
		quote = '"'
	}
	dst = append(dst, quote)
	for len(s) > 0 {
		r, n := decodeWTF8(s)
		dst = appendReprRune(dst, s[:n], r, quote)
		s = s[n:]
	}
	return append(dst, quote)
}

func appendReprRune(dst []byte, raw string, r rune, quote byte) []byte {
	switch {
	case r == rune(quote), r == '\\':
		return append(dst, '\\', byte(r))
	case r == '\n':
		return append(dst, `\n`...)
	case r == '\r':
		return append(dst, `\r`...)
	case r == '\t':
		return append(dst, `\t`...)
	case r < 0x20, r >= 0x7f && r <= 0xff && !unicode.IsPrint(r):
		return append(dst, '\\', 'x', hexDigits[r>>4&15], hexDigits[r&15])
	case r < 0x7f, unicode.IsPrint(r):
		return append(dst, raw...)
	case r >= 0x10000:
		dst = append(dst, `\U000`...)
		for shift := 16; shift >= 0; shift -= 4 {
			dst = append(dst, hexDigits[r>>shift&15])
		}
		return dst
	}
	return appendU(dst, r)
}

// TypeName returns the name Python gives the type of v.
func TypeName(v any) string {
	switch v.(type) {
	case nil:
		return "NoneType"
	case bool:
		return "bool"
	case string:
		return "str"
	case int64, int, *big.Int:
		return "int"
	case float64:
		return "float"
	case []any:
		return "list"
	case *Object, map[string]any:
		return "dict"
	}
	return "object"
}
