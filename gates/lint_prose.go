package gates

import (
	"regexp"
	"strings"

	"taste/contract"
	"taste/phrase"
	"taste/tau"
)

// sentence is one sentence of a scenario.
type sentence struct {
	path string // the field it stands in
	text string
	norm string // its words by stem, each between blanks
}

// prose is a scenario that nobody wrote from the phrase book, sentence by
// sentence. What it means is not understood; lints look for words.
type prose []sentence

// readProse splits the fields of a scenario.
func readProse(s tau.UserScenario) prose {
	const at = "user_scenario."
	var out prose
	add := func(path, text string) {
		for _, r := range phrase.Sentences(text) {
			out = append(out, sentence{at + path, text[r[0]:r[1]], normal(text[r[0]:r[1]])})
		}
	}
	opt := func(path string, text *string) {
		if text != nil {
			add(path, *text)
		}
	}
	opt("persona", s.Persona)
	i := s.Instructions.Structured
	if i == nil {
		add("instructions", s.Instructions.Plain)
		return out
	}
	add("instructions.reason_for_call", i.ReasonForCall)
	opt("instructions.known_info", i.KnownInfo)
	opt("instructions.unknown_info", i.UnknownInfo)
	add("instructions.task_instructions", i.TaskInstructions)
	return out
}

var wordParts = regexp.MustCompile(`[\p{L}\p{N}]+(?:['’][\p{L}]+)?`)

// normal brings a text to the words by which values and prose are compared:
// small letters, singular, no punctuation, each word between blanks.
func normal(text string) string {
	var b strings.Builder
	b.WriteByte(' ')
	for _, w := range wordParts.FindAllString(strings.ToLower(text), -1) {
		b.WriteString(stem(w))
		b.WriteByte(' ')
	}
	return b.String()
}

// stem takes the plural off a word.
func stem(w string) string {
	switch {
	case len(w) < 4 || strings.HasSuffix(w, "ss"):
		return w
	case strings.HasSuffix(w, "lves"):
		return w[:len(w)-3] + "f"
	case strings.HasSuffix(w, "ies"):
		return w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "ches"), strings.HasSuffix(w, "shes"), strings.HasSuffix(w, "xes"), strings.HasSuffix(w, "sses"):
		return w[:len(w)-2]
	case strings.HasSuffix(w, "s"):
		return w[:len(w)-1]
	}
	return w
}

// has tells whether the sentence has the words of a value one after the other.
func (s *sentence) has(value string) bool {
	n := normal(value)
	return len(n) > 2 && strings.Contains(s.norm, n)
}

// has finds the first sentence with the words of a value.
func (p prose) has(value string) *sentence {
	for i := range p {
		if p[i].has(value) {
			return &p[i]
		}
	}
	return nil
}

// finds returns the first sentence that a pattern matches.
func (p prose) finds(pattern contract.Pattern) *sentence {
	for i := range p {
		if pattern.Finds(p[i].text) {
			return &p[i]
		}
	}
	return nil
}

// match returns the first sentence that an expression matches, and the match.
func (p prose) match(re *regexp.Regexp) (*sentence, string) {
	for i := range p {
		if m := re.FindString(p[i].text); m != "" {
			return &p[i], m
		}
	}
	return nil, ""
}

// text is the whole scenario.
func (p prose) text() string {
	parts := make([]string, len(p))
	for i := range p {
		parts[i] = p[i].text
	}
	return strings.Join(parts, " ")
}

// Words by which prose takes back, limits or hedges what it says.
var (
	saysIf   = regexp.MustCompile(`(?i)\b(?:if|unless|otherwise|in case|as long as|provided|whether|whenever)\b`)
	saysNot  = regexp.MustCompile(`(?i)\b(?:not|never|no|without|cannot|nor|avoid|refuse\w*|instead of|rather than|other than)\b|n['’]t\b`)
	saysElse = regexp.MustCompile(`(?i)\b(?:if|unless|otherwise|in case|as long as|willing|instead|fall(?:s|ing)? back|fallback|settle\w*|accept\w*|give up|move on|` +
		`ok|okay|fine|only|except|but|forget about|keep|either|prefer\w*|alternativ\w*|then|after|before)\b`)
)

// clauses are where a new clause begins.
var clauses = regexp.MustCompile(`[.;:!?,(]|\b(?:and|so|but|because|then)\b`)

// asked tells whether a sentence asks for something by the words of a pattern:
// not in a subordinate clause, and not denied.
func (s *sentence) asked(pattern contract.Pattern) bool {
	return pattern.Regexp != nil && s.wants(pattern, func(before string) bool { return !saysIf.MatchString(before) })
}

// wants is asked with a condition on what stands before in place of that on
// subordinate clauses.
func (s *sentence) wants(pattern contract.Pattern, ok func(before string) bool) bool {
	for _, at := range pattern.FindAllStringIndex(s.text, -1) {
		before := s.text[:at[0]]
		if !ok(before) {
			continue
		}
		if i := clauses.FindAllStringIndex(before, -1); i != nil {
			before = before[i[len(i)-1][1]:]
		}
		if !saysNot.MatchString(before) {
			return true
		}
	}
	return false
}

// asks returns the first sentence that asks for something.
func (p prose) asks(pattern contract.Pattern) *sentence {
	for i := range p {
		if p[i].asked(pattern) {
			return &p[i]
		}
	}
	return nil
}

// mayAsk returns the first sentence that asks for something, if only on a
// condition.
func (p prose) mayAsk(pattern contract.Pattern) *sentence {
	for i := range p {
		if pattern.Regexp != nil && p[i].wants(pattern, func(string) bool { return true }) {
			return &p[i]
		}
	}
	return nil
}
