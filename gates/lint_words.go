package gates

import (
	"regexp"
)

// Words that leave open what they are about.
var vague = regexp.MustCompile(`(?i)\b(?:similar|comparable|roughly|approximately|or so|or thereabouts|something (?:like|similar|nice|different|of the sort|` +
	`along)|some(?:time|where|how)\b|some (?:kind|sort|type|other|item|product|variant|colou?r|day|date)\b|some (?:\w+ )?of yours|` +
	`kind of|sort of|more or less|maybe|perhaps|possibly|probably|ideally|a certain|decent|nice(?:r)? (?:one|colou?r|variant|option|` +
	`version)|nicer|suitable|appropriate|reasonabl[ey]|whichever|some of (?:your|the)\b|a (?:different|better|another) (?:one|version|` +
	`option|variant|model|kind|type|colou?r|size|date|day)\b|another (?:one|version|option|variant|model|kind|type|colou?r|size|date|` +
	`day)\b|around (?:\w+ )?(?:the|then|that|noon|may|\d)|at some point|in the near future|a couple of|and so on|etc\b|and the like|` +
	`or (?:something|whatever|another|other)|as (?:you|they) see fit|good enough|the usual|as usual|as appropriate|and/or|` +
	`one of the (?:\w+ )?things you|the (?:thing|stuff)\b|different(?: (?:and|or|colou?r|size|material|style|type|capacity|model|` +
	`length|height|brand|theme)\b|;|\.))`)

// lintVague reports words that leave open what the customer wants.
func (w *walk) lintVague() {
	for i := range w.prose {
		s := &w.prose[i]
		if m := vague.FindString(s.text); m != "" {
			w.found(Ambiguous, Warning, Vague, s, "%q leaves open what is meant", m)
			return
		}
	}
}

// lintUnclear reports ways of speaking that the contract knows to be ambiguous.
func (w *walk) lintUnclear() {
	text := w.prose.text()
	for _, u := range w.g.contract.Lint.Unclear {
		if at := w.prose.finds(u.Says); at != nil && !u.Unless.Finds(text) {
			w.found(Ambiguous, Warning, Vague, at, "%q: %s", u.Says.FindString(at.text), u.Why)
		}
	}
}

// Words by which a customer takes whatever comes.
var permissive = regexp.MustCompile(`(?i)\b(?:any (?:\w+ ){1,3}(?:is|are|would be|will be|works?)(?: \w+)? (?:fine|ok|okay|good|acceptable)|(?:any|every)(?:thing|` +
	` (?:other )?(?:alternative|solution|option|resolution|outcome|way|arrangement|offer|one|variant))s? (?:(?:\w+ ){0,3}(?:works?|` +
	`suggest\w*|offer\w*|propos\w*|fine|ok|okay|acceptable|do\b|will do)|is (?:fine|ok|okay|good))|whatever (?:\w+ ){0,4}(?:suggest\w*|` +
	`offer\w*|propos\w*|recommend\w*|say|says|works|is|possible|can)|(?:fine|happy|ok|okay|content|satisfied|good) (?:with|to (?:take|` +
	`accept)) (?:any|either|both|whatever|whichever|every)\w*|(?:either|both|any)(?: (?:one|way|of (?:them|these|those|` +
	`the two)))? (?:is|are|works?|would|will) (?:\w+ )?(?:fine|ok|okay|good|acceptable|do|work)|(?:open|amenable|flexible) (?:to|` +
	`about) (?:any|other|all|alternative)\w*|up to the agent|leave (?:it|that|this|the choice|the decision) (?:up )?to the agent|` +
	`let the agent (?:choose|pick|decide)|agent(?:'s)? (?:choice|discretion)|(?:do not|don't|doesn't|does not) (?:really )?(?:care|` +
	`mind|matter)(?: to you)?(?: (?:which|what|how|whether|about which))|it (?:does not|doesn't) matter|(?:equally|just as) (?:happy|` +
	`fine|good)|(?:equally|alternatively),? (?:be )?(?:accept|happy|fine|ok|okay|content|willing|open)\w*|also (?:be )?(?:accept|happy|` +
	`content|willing|open)\w*|as (?:good|well) as|(?:accept|take) (?:any|whatever|either)(?:thing)?\b|if the agent (?:suggests|offers|` +
	`proposes|recommends) (?:\w+ ){0,6}(?:alternative|instead|workaround|another|other|else|different)[^.]{0,60}(?:accept|agree|fine|` +
	`ok|take|go)|(?:would|will|'d) (?:also|gladly|happily) (?:take|accept|agree|be)|workaround|loophole|(?:fine|ok|okay|acceptable|` +
	`good) (?:too|as well|instead|by you)|alternatively|as an alternative|works? (?:too|as well)|no (?:strong )?preference|` +
	`or,? if (?:it is |that is |that's |it's )?(?:easier|simpler|quicker|better))`)

// lintPermissive reports customers who take one thing as well as another.
func (w *walk) lintPermissive() {
	for i := range w.prose {
		s := &w.prose[i]
		if at := permissive.FindStringIndex(s.text); at != nil && !saysNot.MatchString(s.text[:at[0]]) {
			m := s.text[at[0]:at[1]]
			w.found(OpenLoophole, Warning, Permissive, s, "%q: another outcome than gold's would please as well", m)
			return
		}
	}
}
