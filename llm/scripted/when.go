package scripted

import (
	"errors"
	"regexp"
	"strings"

	"taste/chat"
	"taste/llm"
)

// When is a condition on requests: all that is set has to hold.
type When struct {
	Role     string  `yaml:"role"`     // of the prompt, e.g. judge; * stands for anything, as in author-*
	Model    string  `yaml:"model"`    // that is asked for; * stands for anything
	Contains string  `yaml:"contains"` // somewhere in system text or messages
	Matches  string  `yaml:"matches"`  // a regular expression, for the same
	Last     string  `yaml:"last"`     // in the last message
	From     string  `yaml:"from"`     // who wrote the last message: user, assistant or tool
	Tool     string  `yaml:"tool"`     // that is offered
	After    string  `yaml:"after"`    // the tool that the last message answers
	Turns    *int    `yaml:"turns"`    // how many answers the conversation holds already
	Nth      int     `yaml:"nth"`      // the how many-eth request that fits all else, from 1
	Asked    int     `yaml:"asked"`    // the how many-eth time that just this is asked, from 1
	Share    float64 `yaml:"share"`    // of requests, picked by what they say: the same in each run
	Seed     string  `yaml:"seed"`     // picks another share

	role, model, matches *regexp.Regexp
}

func (w *When) prepare() error {
	if w.Share < 0 || w.Share > 1 {
		return errors.New("share is within 0 and 1")
	}
	if w.Nth < 0 || w.Asked < 0 {
		return errors.New("nth and asked count from 1")
	}
	switch w.From {
	case "", chat.User, chat.Assistant, chat.Tool:
	default:
		return errors.New("from is user, assistant or tool")
	}
	w.role, w.model = wildcard(w.Role), wildcard(w.Model)
	var err error
	if w.Matches != "" {
		w.matches, err = regexp.Compile(w.Matches)
	}
	return err
}

// wildcard is a pattern in which * stands for anything; nil for none.
func wildcard(pattern string) *regexp.Regexp {
	if pattern == "" {
		return nil
	}
	parts := strings.Split(pattern, "*")
	for i := range parts {
		parts[i] = regexp.QuoteMeta(parts[i])
	}
	return regexp.MustCompile("^(?s:" + strings.Join(parts, ".*") + ")$")
}

// fits says whether all but Nth holds.
func (w *When) fits(v *view) bool {
	switch {
	case w.role != nil && !w.role.MatchString(v.Role),
		w.model != nil && !w.model.MatchString(v.Model),
		w.Contains != "" && !strings.Contains(v.text, w.Contains),
		w.matches != nil && !w.matches.MatchString(v.text),
		w.Last != "" && !strings.Contains(v.Last, w.Last),
		w.From != "" && w.From != v.From,
		w.After != "" && w.After != v.After,
		w.Turns != nil && *w.Turns != v.Turns,
		w.Asked > 0 && w.Asked != v.asked,
		w.Tool != "" && !offers(v.request, w.Tool):
		return false
	}
	return w.Share == 0 || fraction(v.request, w.Seed) < w.Share
}

func offers(r *llm.Request, tool string) bool {
	for _, t := range r.Tools {
		if t.Name == tool {
			return true
		}
	}
	return false
}
