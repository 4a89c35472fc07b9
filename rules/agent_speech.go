package rules

import (
	"slices"
	"strings"

	"taste/phrase"
)

// Acts are named by convention: ask_x (a question, of the customer or of the
// agent about the slot x) and tell_x (the answer to the customer's ask_x).
const (
	askPrefix  = "ask_"
	tellPrefix = "tell_"
)

// askFor names the question that a tell_ act answers.
func askFor(tell string) string { return askPrefix + strings.TrimPrefix(tell, tellPrefix) }

// heard is what was understood of a message.
type heard struct {
	book   *phrase.Book
	acts   []phrase.Act
	sure   int // acts that the book wrote; those behind them are guessed
	unread []string
}

// listen reads a message: sentence by sentence what the book wrote, and in the
// rest what can be guessed of free English.
func listen(b *phrase.Book, text string, p phrase.Person) heard {
	h := heard{book: b}
	h.acts, h.unread = b.Parse(text, p)
	h.sure = len(h.acts)
	if len(h.unread) > 0 {
		h.acts = append(h.acts, b.Hear(strings.Join(h.unread, " "), p)...)
	}
	return h
}

func (h heard) has(name string) bool {
	return slices.ContainsFunc(h.acts, func(a phrase.Act) bool { return a.Name == name })
}

// asked lists the slots that acts of the agent ask for.
func asked(b *phrase.Book, acts []phrase.Act) []string {
	var out []string
	for _, a := range acts {
		if slot, ok := questionAbout(b, a); ok && !slices.Contains(out, slot) {
			out = append(out, slot)
		}
	}
	return out
}

func (h heard) asks() bool { return len(asked(h.book, h.acts)) > 0 }

// questionAbout returns the slot that an act of the agent asks for.
func questionAbout(b *phrase.Book, a phrase.Act) (string, bool) {
	if a.Name == "ask_slot" {
		return a.Str("slot"), true
	}
	slot, ok := strings.CutPrefix(a.Name, askPrefix)
	return slot, ok && b.Spec(a.Name).Role == phrase.ByHelp && slot != "wish"
}

// clause turns a text into words that can stand inside a sentence: no mark that
// would end it.
func clause(text string) string {
	words := strings.Fields(text)
	for i, w := range words {
		words[i] = strings.TrimRight(w, ".!?…;:")
	}
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), " ")
}
