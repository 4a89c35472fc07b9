package pyjson

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Strip is Python's str.strip().
func Strip(s string) string { return strings.TrimFunc(s, isSpace) }

// isSpace is str.isspace of one character: Unicode's white space and the four
// separators of ASCII.
func isSpace(r rune) bool { return unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f }

// Lower is Python's str.lower(), which knows two cases beyond a character by
// character mapping: İ becomes i with a dot above, and Σ at the end of a word
// becomes ς.
func Lower(s string) string {
	if !strings.ContainsAny(s, "İΣ") {
		return strings.ToLower(s)
	}
	runes := []rune(s)
	var b strings.Builder
	for i, r := range runes {
		switch {
		case r == 'İ':
			b.WriteString("i̇")
		case r == 'Σ' && cased(runes[:i], true) && !cased(runes[i+1:], false):
			b.WriteRune('ς')
		default:
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

// cased says whether the nearest character that counts is a letter with case:
// the last one of before, or the first.
func cased(runes []rune, last bool) bool {
	for i := range runes {
		r := runes[i]
		if last {
			r = runes[len(runes)-1-i]
		}
		if !ignorable(r) {
			return unicode.IsUpper(r) || unicode.IsLower(r) || unicode.IsTitle(r)
		}
	}
	return false
}

func ignorable(r rune) bool {
	return unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk) || strings.ContainsRune("'.:·’‘․﹒", r)
}

// Encodable says whether v can be written as UTF-8: no text in it holds a lone
// surrogate.
func Encodable(v any) bool {
	switch x := v.(type) {
	case string:
		return utf8.ValidString(x)
	case []any:
		for _, e := range x {
			if !Encodable(e) {
				return false
			}
		}
	case *Object:
		for k, e := range x.All() {
			if !utf8.ValidString(k) || !Encodable(e) {
				return false
			}
		}
	}
	return true
}

// Len is Python's len() of a str: its characters, half a surrogate pair being
// one.
func Len(s string) int {
	count := 0
	for len(s) > 0 {
		_, n := decodeWTF8(s)
		s = s[n:]
		count++
	}
	return count
}

// Characters returns the characters that a loop over a str meets.
func Characters(s string) []string {
	var out []string
	for len(s) > 0 {
		_, n := decodeWTF8(s)
		out = append(out, s[:n])
		s = s[n:]
	}
	return out
}

// LowersTo says whether Lower(s) is lowered, without spelling it out where s is
// ASCII up to where they differ.
func LowersTo(s, lowered string) bool {
	for i := range len(s) {
		c := s[i]
		switch {
		case c >= utf8.RuneSelf:
			return Lower(s) == lowered
		case 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
		}
		if i >= len(lowered) || lowered[i] != c {
			return false
		}
	}
	return len(s) == len(lowered)
}
