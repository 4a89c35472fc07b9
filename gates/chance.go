package gates

import (
	"regexp"
	"slices"
	"strings"

	"taste/chat"
	"taste/env"
	"taste/pyjson"
	"taste/tau"
)

// chance fails each string that has to be said and that an agent says without
// knowing it, for scoring looks for it within all that was said, words and
// longer numbers included: what is very short, what stands within an everyday
// word of the domain, and what stands in an argument of a gold write, which
// agents repeat when they have a change confirmed.
func (w *walk) chance() {
	if !slices.Contains(w.crit.RewardBasis, tau.Communicate) {
		return
	}
	for _, s := range w.crit.CommunicateInfo {
		said := pyjson.Lower(s)
		if len([]rune(s)) < MinLiteral {
			w.fail(Chance, "%q is so short that it is said by chance", s)
		} else if word := w.g.within(said); word != "" {
			w.fail(Chance, "%q is said along with %q", s, word)
		} else if arg := w.argued(said); arg != "" {
			w.fail(Chance, "%q is said by whoever names %s, an argument of gold", s, arg)
		}
	}
}

// argued finds an argument of a gold write that holds a text, "" if none does.
func (w *walk) argued(text string) string {
	for _, s := range w.goldWrites() {
		for _, name := range sortedKeys(s.Arguments) {
			for _, v := range scalars(s.Arguments[name], nil) {
				if strings.Contains(spoken(v), text) {
					return v
				}
			}
		}
	}
	return ""
}

// scalars appends texts and numbers within a value, map entries in key order.
func scalars(v any, out []string) []string {
	switch x := v.(type) {
	case nil, bool:
	case []any:
		for _, e := range x {
			out = scalars(e, out)
		}
	case map[string]any:
		for _, k := range sortedKeys(x) {
			out = scalars(x[k], out)
		}
	default:
		if p, err := pyjson.FromGo(x); err == nil {
			out = append(out, pyjson.Str(p))
		}
	}
	return out
}

var (
	word    = regexp.MustCompile(`\p{L}+`)
	oneWord = regexp.MustCompile(`^\p{L}+$`)
)

// within finds a common word that is longer than a text of letters and has it
// within, "" if there is none.
func (g *Gate) within(text string) string {
	if !oneWord.MatchString(text) {
		return ""
	}
	i := slices.IndexFunc(g.words, func(w string) bool { return w != text && strings.Contains(w, text) })
	if i < 0 {
		return ""
	}
	return g.words[i]
}

// commonWords are the words that agents of a domain use whatever they are
// asked, in order: those of policy and tool descriptions, and what tools tell
// that take no arguments, such as the names of cities.
func commonWords(d *env.Domain) []string {
	texts := []string{d.Policy}
	e := d.Environment()
	for i := range d.Tools {
		t := &d.Tools[i]
		if schema, err := pyjson.DecodeObject(t.Schema); err == nil {
			texts = leaves(pyjson.PlainMap(schema), texts)
		}
		if params, err := t.Parameters(); err == nil && !slices.ContainsFunc(params, required) && !t.MutatesState {
			texts = append(texts, e.Call(chat.Assistant, t.Name, nil).Content)
		}
	}
	words := word.FindAllString(pyjson.Lower(strings.Join(texts, "\n")), -1)
	slices.Sort(words)
	return slices.Compact(words)
}

func required(p chat.Parameter) bool { return p.Required }
