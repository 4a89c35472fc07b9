package view

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/mattn/go-runewidth"
)

// cells measures text independently of the process's locale.
var cells = &runewidth.Condition{StrictEmojiNeutral: true}

// safe spells out what a terminal would obey instead of showing.
func safe(s string) string {
	s = strings.ToValidUTF8(strings.ReplaceAll(s, "\r\n", "\n"), "\uFFFD")
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\n':
			b.WriteRune(r)
		case r == '\t':
			b.WriteString("    ")
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), r == '\u2028', r == '\u2029':
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// wrap breaks text into lines of at most width cells, between words where it can.
// Its own line breaks and indentation stay.
func wrap(s string, width int) []string {
	var out []string
	for line := range strings.SplitSeq(strings.TrimRight(safe(s), "\n "), "\n") {
		line = strings.TrimRight(line, " ")
		for {
			head, rest := cut(line, width)
			out = append(out, head)
			if rest == "" {
				break
			}
			line = rest
		}
	}
	return out
}

// cut splits off the first line. It takes at least one character.
func cut(line string, width int) (head, rest string) {
	used, space, joined := 0, -1, false
	for i, r := range line {
		w := cells.RuneWidth(r)
		if used += w; used > width && i > 0 && w > 0 && !joined {
			if r == ' ' {
				return line[:i], strings.TrimLeft(line[i:], " ")
			}
			if space > 0 && w < 2 { // wide characters stand without spaces
				return line[:space], strings.TrimLeft(line[space:], " ")
			}
			return line[:i], line[i:]
		}
		joined = r == '\u200d' // what it joins is one character
		if r == ' ' && strings.TrimLeft(line[:i], " ") != "" {
			space = i
		}
	}
	return line, ""
}
