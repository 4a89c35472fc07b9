package view

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  []string
	}{
		{"one two three", 8, []string{"one two", "three"}},
		{"  - indented list", 10, []string{"  -", "indented", "list"}},
		{"onetwothree", 4, []string{"onet", "woth", "ree"}},
		{"a\n\nb\n", 9, []string{"a", "", "b"}},
		{"", 9, []string{""}},
		{"你好你好", 5, []string{"你好", "你好"}},
		{"e\u0301e\u0301e\u0301", 2, []string{"e\u0301e\u0301", "e\u0301"}},
		{"👩\u200d👧", 2, []string{"👩\u200d👧"}},
	} {
		if got := wrap(c.text, c.width); !slices.Equal(got, c.want) {
			t.Errorf("wrap(%q, %d) = %q, want %q", c.text, c.width, got, c.want)
		}
	}
}

func TestSafe(t *testing.T) {
	for text, want := range map[string]string{
		"\x1b[2J":       `\u001b[2J`,
		"a\tb\r\nc\rd":  "a    b\nc" + `\u000d` + "d",
		"\u202egnp.exe": `\u202egnp.exe`,
		"\x9b1m\xff":    "\uFFFD1m\uFFFD",
		"\u009b1m":      `\u009b1m`,
		"naïve 👋":       "naïve 👋",
	} {
		if got := safe(text); got != want {
			t.Errorf("safe(%q) = %q, want %q", text, got, want)
		}
	}
}

// Whatever is said, lines fit, nothing but blanks is lost, and no control
// character passes.
func TestWrapHolds(t *testing.T) {
	blank := strings.NewReplacer(" ", "", "\n", "")
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		width := rapid.IntRange(2, 30).Draw(t, "width")
		lines := wrap(text, width)
		for _, l := range lines {
			if strings.ContainsFunc(l, unicode.IsControl) {
				t.Fatalf("%q holds a control character", l)
			}
			if n := cells.StringWidth(l); n > width && !strings.ContainsRune(l, '\u200d') {
				t.Fatalf("%q takes %d cells of %d", l, n, width)
			}
		}
		if got, want := blank.Replace(strings.Join(lines, "")), blank.Replace(safe(text)); got != want {
			t.Fatalf("%q came out as %q", want, got)
		}
	})
}
