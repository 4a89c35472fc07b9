package phrase

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// hidden stands for what a masked sentence hides.
const hidden = "#"

// Mask returns a sentence as lower-case words without punctuation in which
// names, ids, dates, numbers and places are hidden: tokens with a digit, number
// words, months, and capitalised words (the first word of the sentence only
// where another one follows). A run of them counts as one.
func Mask(text string) string {
	var out []string
	for _, s := range sentences(text) {
		out = append(out, maskWords(s.tokens)...)
	}
	return strings.Join(out, " ")
}

func maskWords(tokens []token) []string {
	out := make([]string, 0, len(tokens))
	for i, t := range tokens {
		word := fold(t.raw)
		next := i+1 < len(tokens) && capital(tokens[i+1].raw)
		if isHidden(t.raw, word, i > 0 || next) {
			word = hidden
			if len(out) > 0 && out[len(out)-1] == hidden {
				continue
			}
		}
		out = append(out, word)
	}
	return out
}

func isHidden(raw, word string, named bool) bool {
	if strings.ContainsAny(raw, "0123456789") || slices.Contains(numberWords, word) {
		return true
	}
	return named && capital(raw)
}

// capital reports whether a word is written as a name is; "I" is none.
func capital(raw string) bool {
	r, _ := utf8.DecodeRuneInString(raw)
	return unicode.IsUpper(r) && raw != "I" && !strings.HasPrefix(raw, "I'")
}

// maskedSentences lists the distinct masked sentences of a scenario.
func maskedSentences(s Scenario) []string {
	var out []string
	known := map[string]bool{}
	for _, text := range s.texts() {
		for _, sent := range sentences(text) {
			masked := strings.Join(maskWords(sent.tokens), " ")
			if !known[masked] {
				known[masked] = true
				out = append(out, masked)
			}
		}
	}
	return out
}

// texts lists the fields that hold sentences.
func (s Scenario) texts() []string {
	return []string{s.ReasonForCall, s.KnownInfo, s.UnknownInfo, s.TaskInstructions}
}

// grams lists the distinct runs of four masked words of a scenario, within a
// field and across its sentences.
func grams(s Scenario) []string {
	var out []string
	known := map[string]bool{}
	for _, text := range s.texts() {
		for _, g := range gramsOf(strings.Fields(Mask(text))) {
			if !known[g] {
				known[g] = true
				out = append(out, g)
			}
		}
	}
	return out
}

func gramsOf(words []string) []string {
	var out []string
	for i := 0; i+4 <= len(words); i++ {
		out = append(out, strings.Join(words[i:i+4], " "))
	}
	return out
}
