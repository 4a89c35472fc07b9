package rules

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"taste/contract"
	"taste/phrase"
	"taste/tau"
)

// prose is what was understood of a scenario that is not worded by the phrase
// book: not what it asks for, but what must not be added to it.
type prose struct {
	shut     string            // why no wish may be added, "" if one may
	barred   map[string]string // by wish, why it may not be brought up
	settled  string            // why nothing may be added on how the customer goes about her trouble
	reticent string            // why not when she comes out with something
	claims   map[string]string // by claim that may be made, why it may not after all
}

// The signs by which such prose is read. They look for too much rather than too
// little: a task that stays as it is does no harm.
var (
	// The customer speaks when spoken to, or leaves at a time of its own.
	signSilent = regexp.MustCompile(`(?i)\breactive\b|\b(?:only|just) (?:answer|respond|reply|speak|talk)|` +
		`(?:\bnot|n't|n’t|\bnever|\bwithout|\bavoid) (?:say|volunteer|offer|provid|shar|giv|reveal|mention|disclos|tell|bring|ask|speak|talk)\w*(?: \w+){0,2} (?:anything|any|more|much|information|details|other|else)\b|` +
		`\b(?:end|ends|finish|leave|close|stop|terminate) (?:the|this|your) (?:conversation|call|chat)|\bhang(?:s|ing)? up\b`)
	// It has nothing but its matter to speak of.
	signSole  = regexp.MustCompile(`(?i)\bnothing else\b|\b(?:only|just) (?:one|a single) (?:thing|matter|request|question)`)
	signWhole = regexp.MustCompile(`(?i)\b(?:everything|anything)\b`)
	// It means as many records as there are, or the one that compares with them.
	signOpen = regexp.MustCompile(`(?i)\b(?:all|every|each|any|both|either|neither|none|which|whichever|whatever|wherever|whenever|anywhere|multiple|several|many|some|total|together|other|others|another|rest|remaining|most|least|best|worst|` +
		`(?:cheap|earli|lat|long|short|fast|quick|low|high|old|new|near|clos|soon|bigg|larg|small)est|duplicates?|mix-?up|figure out|` +
		`(?:one|two|three|four|five|some|none|\d+) (?:of|upcoming|future))\b`)
	signCount = regexp.MustCompile(`(?i)\b(?:one|two|three|four|five|some|none|\d+) (\w+s)\b`)
	signTurn  = regexp.MustCompile(`(?i)\b(?:the|my|your|his|her|their|exact) (?:first|second|third|last|next|same) (?:\S+ ){0,2}\S+`)
	// Its records as a whole, unless the words that follow tell which.
	signPlural = regexp.MustCompile(`(?i)\b(?:my|your|his|her|their|the) (?:\w+ ){0,3}\w+s\b`)
	signTold   = regexp.MustCompile(`(?i)\b(?:from|between|under|within)\b`)
	// It says what it does, takes or allows should something not go as it wants.
	signElse = regexp.MustCompile(`(?i)\b(?:if|unless|in case|as long as|provided|whenever|willing|otherwise|alternativ\w*|instead|fall(?:s|ing)? back|fallback|accept\w*|settle\w*|` +
		`(?:open|agree\w*) to|(?:fine|ok|okay|happy|content) (?:with|to)|last resort|not possible|impossible|cannot|can't|can’t|unable|not able|not allowed|refus\w*|declin\w*|den(?:y|ies|ied)|flexible|don't mind|do not mind|would rather)\b`)
	// It says who is to take over, or when.
	signPeople = regexp.MustCompile(`(?i)\b(?:supervisors?|managers?|superiors?|seniors?|humans?|colleagues?|(?:some|any)(?:one|body) else|transfer\w*|escalat\w*|hand(?:s|ed|ing)? (?:\w+ )?over)\b`)
	// It says when it comes out with things.
	signReticent = regexp.MustCompile(`(?i)\b(?:only|just) (?:shar|giv|provid|offer|say|tell|reveal|mention|volunteer)\w*|\b(?:when|if|until|unless) (?:you are |you're |you’re |being )?(?:specifically |explicitly |directly )?asked\b`)
)

// readProse looks for what stands against adding to a scenario. The reasons
// quote it.
func readProse(c *contract.Contract, s tau.UserScenario) prose {
	out := prose{barred: map[string]string{}, claims: map[string]string{}}
	words := &c.Evolution.Prose
	for act := range words.Claims {
		out.claims[act] = ""
	}
	if len(words.Wishes) == 0 {
		out.shut = "the contract does not say by what words prose of others is understood"
	}
	texts := scenarioFields(&s)
	if s.Persona != nil {
		texts = append(texts, scenarioField{"persona", s.Persona})
	}
	for _, f := range texts {
		for _, at := range phrase.Sentences(*f.text) {
			sentence := (*f.text)[at[0]:at[1]]
			out.read(words, sentence)
			out.manner(words, sentence)
		}
	}
	return out
}

// manner takes what one sentence says of how the customer goes about her matter.
func (p *prose) manner(words *contract.Prose, sentence string) {
	note := func(why *string, found bool) {
		if found && *why == "" {
			*why = quoted(sentence)
		}
	}
	note(&p.reticent, signReticent.MatchString(sentence))
	if p.settled == "" && (signSilent.MatchString(sentence) || signPeople.MatchString(sentence)) {
		p.settled = "it says how the customer goes about it: " + quoted(sentence)
	}
	for act, says := range words.Claims {
		why := p.claims[act]
		note(&why, says.Finds(sentence))
		p.claims[act] = why
	}
}

// mayClaim tells whether the customer may make a claim.
func (p *prose) mayClaim(act string) bool {
	why, known := p.claims[act]
	return known && why == "" && p.settled == "" && p.reticent == ""
}

// read takes one sentence.
func (p *prose) read(words *contract.Prose, sentence string) {
	record := words.Records.Finds(sentence)
	fallback := signElse.MatchString(sentence)
	switch {
	case p.shut != "":
		return
	case signSilent.MatchString(sentence), signSole.MatchString(sentence):
		p.shut = "the customer is not to speak of more: " + quoted(sentence)
	case signWhole.MatchString(sentence), record && (signOpen.MatchString(sentence) || counted(words, sentence)), words.Records.Finds(signTurn.FindString(sentence)):
		p.shut = "it may mean any of the customer's records: " + quoted(sentence)
	case record && p.plural(words, sentence):
		p.shut = "it means several records and does not say which: " + quoted(sentence)
	case fallback && !words.Known(sentence):
		p.shut = "what the customer falls back on may be about anything: " + quoted(sentence)
	}
	for name, w := range words.Wishes {
		if p.barred[name] == "" && (w.Says.Finds(sentence) || fallback && w.Eased.Finds(sentence)) {
			p.barred[name] = quoted(sentence)
		}
	}
}

// counted tells whether a sentence speaks of a number of records.
func counted(words *contract.Prose, sentence string) bool {
	return slices.ContainsFunc(signCount.FindAllStringSubmatch(sentence, -1), func(m []string) bool { return words.Records.Finds(m[1]) })
}

// plural tells whether a sentence speaks of the customer's records as a whole.
func (p *prose) plural(words *contract.Prose, sentence string) bool {
	if signTold.MatchString(sentence) {
		return false
	}
	for _, text := range signPlural.FindAllString(sentence, -1) {
		i := strings.LastIndex(text, " ")
		if words.Records.Finds(text[i+1:]) {
			return true
		}
	}
	return false
}

// longestQuote is how much of a sentence a reason quotes, in characters.
const longestQuote = 120

func quoted(s string) string {
	r := []rune(strings.Join(strings.Fields(s), " "))
	if len(r) > longestQuote {
		return fmt.Sprintf("“%s…”", string(r[:longestQuote]))
	}
	return fmt.Sprintf("“%s”", string(r))
}

// bars lists what is barred, to be put behind a reason.
func (p *prose) bars() string {
	text := ""
	for _, name := range sortedKeys(p.barred) {
		text += fmt.Sprintf("; not about %s: %s", name, p.barred[name])
	}
	return text
}

// all says of each wish that a trap could be about why it is barred, "" if one
// is not.
func (p *prose) all(forbidden []contract.Forbidden) string {
	var why []string
	for _, f := range forbidden {
		because := p.barred[f.Wish]
		if because == "" {
			return ""
		}
		why = append(why, fmt.Sprintf("%s: %s", f.Wish, because))
	}
	return "nothing is left that the customer could press for; " + strings.Join(why, ", ")
}
