package phrase

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// sayInt spells a number, small ones in words half of the time; zero before a
// noun is "no".
func sayInt(n int, noun bool, draw *rand.Rand) string {
	switch {
	case n == 0 && noun:
		return "no"
	case n < len(numberWords) && draw.IntN(2) == 0:
		return numberWords[n]
	}
	return fmt.Sprint(n)
}

// finish joins the pieces to a sentence.
func (w *writer) finish() string {
	var text strings.Builder
	for i, p := range w.out {
		if p.article {
			p.text = "a"
			if i+1 < len(w.out) && vowelSound(w.out[i+1].text) {
				p.text = "an"
			}
		}
		if i == 0 && !p.keep {
			p.text = raise(inWords(p.text))
		}
		if i > 0 && !p.glue {
			text.WriteByte(' ')
		}
		text.WriteString(p.text)
	}
	if s := text.String(); strings.ContainsAny(s[max(0, len(s)-1):], ".?!#") {
		return s
	}
	return text.String() + "."
}

// inWords spells a small numeral, as a sentence begins with none.
func inWords(s string) string {
	if n, err := strconv.Atoi(s); err == nil && n >= 0 && n < len(numberWords) {
		return numberWords[n]
	}
	return s
}

func raise(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

// vowelSound guesses by spelling whether a word takes "an".
func vowelSound(word string) bool {
	w := strings.ToLower(word)
	for _, prefix := range []string{"one", "uni", "use", "eu"} {
		if strings.HasPrefix(w, prefix) {
			return false
		}
	}
	for _, prefix := range []string{"hour", "honest", "8", "11", "18"} {
		if strings.HasPrefix(w, prefix) {
			return true
		}
	}
	return w != "" && strings.ContainsAny(w[:1], "aeiou")
}
