package phrase

import (
	"regexp"
	"strings"
)

// token is a word of a text as matching sees it: quotes, commas and brackets
// around it are gone, and a possessive 's is a token of its own. A quotation
// between “ and ” is one token, marks and line ends included, and so is a call
// such as switch_on(lamp="left", level=2).
type token struct {
	raw        string
	start, end int // byte offsets in the text
}

// sentence is a run of tokens up to a closing mark, with its offsets.
type sentence struct {
	tokens     []token
	start, end int
}

// abbreviations end with a dot that ends no sentence.
var abbreviations = map[string]bool{
	"a.m.": true, "p.m.": true, "e.g.": true, "i.e.": true, "mr.": true, "mrs.": true,
	"ms.": true, "dr.": true, "vs.": true, "etc.": true, "approx.": true,
	"st.": true, "ave.": true, "rd.": true, "blvd.": true, "apt.": true,
}

const (
	openers = "(\"'[“‘*`"
	closers = ")\"'],;:”’*`.!?…"
)

// sentences splits a text at closing marks and line ends. A dot inside a word
// (an e-mail address, an amount, a time) splits nothing.
func sentences(text string) []sentence {
	var out []sentence
	cur := sentence{start: -1}
	flush := func() {
		if len(cur.tokens) > 0 {
			out = append(out, cur)
		}
		cur = sentence{start: -1}
	}
	for pos := 0; pos < len(text); {
		whole := verbatim(text[pos:])
		end := pos + whole + strings.IndexAny(text[pos+whole:], " \t\n—")
		if end < pos+whole {
			end = len(text)
		}
		ends := cur.addChunk(text, pos, end, whole)
		if ends || end < len(text) && text[end] == '\n' {
			flush()
		}
		pos = end + 1
		if strings.HasPrefix(text[end:], "—") {
			pos = end + len("—")
		}
	}
	flush()
	return out
}

var callPattern = regexp.MustCompile(`^[a-z][a-z0-9_]*\((\w+=[^()]*)?\)`)

const openQuote, closeQuote = "“", "”"

// verbatim is the length of the quotation or call that a text begins with, 0 if
// it begins with neither.
func verbatim(text string) int {
	if strings.HasPrefix(text, openQuote) {
		if end := strings.Index(text, closeQuote); end >= 0 {
			return end + len(closeQuote)
		}
	}
	return len(callPattern.FindString(text))
}

// addChunk appends the tokens of text[pos:end], of which the first whole bytes
// stand as they are, and reports whether a sentence ends behind it.
func (s *sentence) addChunk(text string, pos, end, whole int) bool {
	chunk := text[pos:end]
	if chunk == "" || chunk == "-" || chunk == "–" {
		return false
	}
	if s.start < 0 {
		s.start = pos
	}
	s.end = end
	if whole > 0 {
		s.tokens = append(s.tokens, token{chunk[:whole], pos, pos + whole})
		return strings.ContainsAny(chunk[whole:], ".!?…")
	}
	left := len(chunk) - len(strings.TrimLeft(chunk, openers))
	word := strings.TrimRight(chunk[left:], closers)
	ends := strings.ContainsAny(chunk[left+len(word):], ".!?…") && !abbreviations[strings.ToLower(strings.Trim(chunk, "(,"))]
	from := pos + left
	if word == "" {
		return ends && len(s.tokens) > 0
	}
	if stem, ok := possessive(word); ok {
		mid := from + len(stem)
		s.tokens = append(s.tokens, token{stem, from, mid}, token{"'s", mid, from + len(word)})
		return ends
	}
	s.tokens = append(s.tokens, token{word, from, from + len(word)})
	return ends
}

func possessive(word string) (string, bool) {
	for _, suffix := range []string{"'s", "’s"} {
		if stem, ok := strings.CutSuffix(word, suffix); ok && stem != "" {
			return stem, true
		}
	}
	return word, false
}

// fold is the form in which literal words are compared.
func fold(raw string) string {
	return strings.ReplaceAll(strings.ToLower(raw), "’", "'")
}

// joinRaw is the text of tokens with single spaces.
func joinRaw(tokens []token) string {
	var b strings.Builder
	for i, t := range tokens {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(t.raw)
	}
	return b.String()
}

// words returns the tokens of a literal of a wording.
func words(text string) []string {
	var out []string
	for _, s := range sentences(text) {
		for _, t := range s.tokens {
			out = append(out, t.raw)
		}
	}
	return out
}
