package gates

import (
	"regexp"
	"slices"
	"strings"
)

// Words by which a scenario keeps something from the agent, or has the customer
// vouch for it.
var (
	hides = regexp.MustCompile(`(?i)(?:\bnot\b|n['’]t\b|\bnever\b|\bwithout\b|\brefuse\w* to\b|\bavoid\b) (?:\w+ ){0,4}?(?:reveal\w*|shar\w+|mention\w*|tell\w*|` +
		`giv\w+|disclos\w+|provid\w+|say\w*|volunteer\w*|state|quote)\b|\b(?:secret|hidden|hide|withhold|withheld|keep (?:it|this|that|` +
		`them) (?:to yourself|private|from)|known only to you|only you know|between us|not supposed to|only if the agent|only (?:mention|` +
		`confirm|say|reveal|share)|for your eyes|internal(?:ly)?)\b`)
	vouches = regexp.MustCompile(`(?i)\b(?:confirm\w*|verif\w+|double-check\w*|right (?:one|ids?|numbers?|item)|correct\w*|match\w*|approve\w*|validate\w*|` +
		`recogni[sz]e\w*|identif\w+)\b`)
	idWord = regexp.MustCompile(`(?i)\b(?:ids?|identifiers?|(?:confirmation|item|product|reference|tracking|account|that|this|the|your|its?) (?:numbers?|codes?)|` +
		`sku)\b`)
)

// lintHidden reports ids that the customer knows and must not say, and ids that
// the customer is to vouch for without knowing them.
func (w *walk) lintHidden() {
	for i := range w.prose {
		s := &w.prose[i]
		if id := w.idIn(s); id != "" && (hides.MatchString(s.text) || i+1 < len(w.prose) && w.prose[i+1].path == s.path && hides.MatchString(w.prose[i+1].text) && (idWord.MatchString(w.prose[i+1].text) || strings.Contains(w.prose[i+1].text, " it"))) {
			w.found(HiddenID, Warning, Secret, s, "the customer knows %s%s and is not to say it, which leaves it to the agent's luck what there is to confirm", id, w.called(id))
			return
		}
		if w.idIn(s) == "" && vouches.MatchString(s.text) && w.saysID(s) && !w.anyID() {
			w.found(HiddenID, Warning, Secret, s, "the customer is to vouch for an id that the scenario does not give")
			return
		}
		if w.saysID(s) && hides.MatchString(s.text) && !w.anyID() && vouches.MatchString(w.prose.text()) {
			w.found(HiddenID, Warning, Secret, s, "the customer keeps back an id that the scenario does not give")
			return
		}
	}
}

// saysID tells whether a sentence speaks of an id, or of the number of a record.
func (w *walk) saysID(s *sentence) bool {
	return idWord.MatchString(s.text) || slices.ContainsFunc(sortedKeys(w.g.contract.Records), func(kind string) bool {
		return s.has(kind+" number") || s.has(kind+" code")
	})
}

var idParts = regexp.MustCompile(`[#A-Za-z0-9_]+`)

// idIn is the first word of a sentence that is an id of the database other than
// the customer's own.
func (w *walk) idIn(s *sentence) string {
	for _, word := range idParts.FindAllString(s.text, -1) {
		if word != w.customer && w.isID(word) {
			return word
		}
	}
	return ""
}

// anyID tells whether the scenario gives any id that a customer could vouch for:
// of a record of hers, or of goods.
func (w *walk) anyID() bool {
	cat := w.g.catalogue()
	for i := range w.prose {
		for _, word := range idParts.FindAllString(w.prose[i].text, -1) {
			if w.ownKey(word) || cat != nil && cat.byID[word] != nil {
				return true
			}
		}
	}
	return false
}

// ownKey tells whether a word is the key of a record of the customer, in
// whatever form prose has it.
func (w *walk) ownKey(word string) bool {
	word = strings.TrimLeft(word, "#")
	for _, kind := range w.kinds() {
		for _, key := range w.own(kind) {
			if bare := strings.TrimLeft(key, "#"); len(word) > 4 && (word == bare || len(word) > 5 && strings.HasSuffix(bare, word)) {
				return true
			}
		}
	}
	return false
}

// isID tells whether a word is a key of the database, within records too, in
// whatever form prose has it.
func (w *walk) isID(word string) bool {
	if w.ownKey(word) {
		return true
	}
	if !strings.ContainsAny(word, "0123456789") || len(word) < 5 {
		return false
	}
	bare := strings.TrimLeft(word, "#")
	return w.g.ids()[bare] != "" || w.keyed(word) || w.keyed("#"+bare)
}
