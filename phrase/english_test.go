package phrase

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// fault is something that no English sentence has.
type fault struct {
	name  string
	found func(text string) bool
}

var (
	articles = regexp.MustCompile(`(?:^| )(^An?|an?) ([a-z]+)`)
	spacing  = regexp.MustCompile(`  |^ | $| [,.;:?!)]|[(] |[,;:](?:$|[^ 0-9])|[,;:]{2}`)
	opening  = regexp.MustCompile(`^[\p{Lu}0-9#$"]`)
	object   = regexp.MustCompile(`\b(?:of|to|for|with|from|by|on|makes|lets|forces) I(?: [a-z]|[.,])`)
	closing  = regexp.MustCompile(`[.?!#]$`)
	stray    = regexp.MustCompile(`(?i)\b(?:lowest|highest) price for an? [^,.]+ (?:available|on offer)\b`)
)

var faults = []fault{
	{"spaces", spacing.MatchString},
	{"first letter", func(s string) bool { return !opening.MatchString(s) }},
	{"full stop", func(s string) bool { return !closing.MatchString(s) }},
	{"quotes and brackets", func(s string) bool {
		return strings.Count(s, `"`)%2 > 0 || strings.Count(s, "(") != strings.Count(s, ")")
	}},
	{"doubled word", doubled},
	{"article", func(s string) bool {
		return slices.ContainsFunc(articles.FindAllStringSubmatch(s, -1), func(m []string) bool {
			return (strings.ToLower(m[1]) == "an") != vowelSound(m[2])
		})
	}},
	{"case of the pronoun", object.MatchString},
	{"stray adjective", stray.MatchString},
	{"two colons", func(s string) bool { return strings.Count(s, ": ") > 1 }},
}

func doubled(s string) bool {
	words := strings.Fields(s)
	for i, w := range words {
		if i > 0 && w == strings.ToLower(words[i-1]) && !strings.ContainsFunc(w, func(r rune) bool { return !unicode.IsLower(r) }) {
			return true
		}
	}
	return false
}

// quotation is what is said word for word, by no rules of English.
var quotation = regexp.MustCompile(`“[^”]*”`)

func checkEnglish(t *testing.T, where, text string) {
	t.Helper()
	text = quotation.ReplaceAllString(text, "“so”")
	for _, f := range faults {
		if f.found(text) {
			t.Errorf("%s: %s: %q", where, f.name, text)
		}
	}
}

// TestFaultsAreFound tries the checks on sentences that have them.
func TestFaultsAreFound(t *testing.T) {
	for name, text := range map[string]string{
		"spaces": "You want  two bags.", "first letter": "you want two bags.", "full stop": "You want two bags",
		"quotes and brackets": "You fly to Boston (BOS.", "doubled word": "You want the the bags.",
		"article": "You want a early flight.", "case of the pronoun": "It matters to I.", "two colons": "One thing: it is this: two bags.",
		"stray adjective": "You need the lowest price for a blender available.",
	} {
		for _, f := range faults {
			if f.found(text) != (f.name == name) {
				t.Errorf("%s in %q: %v", f.name, text, f.found(text))
			}
		}
	}
}

// formsOf renders surface forms of a wording, a sample where there are many, with
// slots of a suitable act.
func formsOf(t *testing.T, b *Book, w *wording, p Person, draw *rand.Rand, change func(*Act)) []string {
	t.Helper()
	var out []string
	for i := range min(w.count, 60) {
		choose := nth(i)
		if w.count > 60 {
			choose = nth(draw.Uint64N(w.count))
		}
		act, err := b.Sample(w.act.Name, draw)
		if err != nil {
			t.Fatal(err)
		}
		change(&act)
		for slot, v := range w.fixed {
			act.Slots[slot] = v
		}
		if w.fits(act) {
			wr := &writer{book: b, person: p, draw: draw, act: act, spec: w.act}
			wr.write(w.root, choose)
			out = append(out, wr.finish())
		}
	}
	return out
}

func eachWording(b *Book, visit func(w *wording, p Person)) {
	for _, spec := range b.Acts() {
		for _, w := range spec.wordings {
			for p := range persons {
				if w.persons[p] {
					visit(w, p)
				}
			}
		}
	}
}

func TestWordingsAreEnglish(t *testing.T) {
	everyTrade(t, func(t *testing.T, _ *trade, b *Book) {
		draw := rand.New(rand.NewPCG(2, 8))
		eachWording(b, func(w *wording, p Person) {
			for _, text := range formsOf(t, b, w, p, draw, func(*Act) {}) {
				if checkEnglish(t, w.act.Name, text); t.Failed() {
					return
				}
			}
		})
	})
}

// slotsOf lists the slot references of a node, each with the word behind it.
func slotsOf(n node, visit func(s slotNode, behind string)) {
	switch n := n.(type) {
	case seqNode:
		for i, c := range n {
			if s, ok := c.(slotNode); ok {
				behind := ""
				if i+1 < len(n) {
					behind = firstWord(n[i+1])
				}
				visit(s, behind)
				continue
			}
			slotsOf(c, visit)
		}
	case altNode:
		slotsOf(seqNode(n.alts), visit)
	case slotNode:
		visit(n, "")
	}
}

func firstWord(n node) string {
	if l, ok := n.(litNode); ok && !l.glue {
		return l.text
	}
	return ""
}

// TestNumbersAgree: a number that may be one has its noun inside the reference,
// so that it bends; and no verb of the other number stands behind that noun.
func TestNumbersAgree(t *testing.T) {
	everyTrade(t, func(t *testing.T, _ *trade, b *Book) {
		draw := rand.New(rand.NewPCG(3, 8))
		eachWording(b, func(w *wording, p Person) {
			slotsOf(w.root, func(s slotNode, behind string) {
				slot := b.types[w.act.Slots[s.slot]]
				if slot == nil || slot.kind != intKind {
					return
				}
				if s.many == "" && slot.min < 2 && len(behind) > 3 && strings.HasSuffix(behind, "s") {
					t.Errorf("%s: {%s} does not bend %q in %q", w.act.Name, s.slot, behind, w.source)
				}
				for n, verbs := range map[int]string{1: "are|were|have", 3: "is|was|has"} {
					counted := s.one
					if n > 1 {
						counted = s.many
					}
					if counted == "" || s.only || n < slot.min {
						continue
					}
					wrong := regexp.MustCompile(`(?i)(?:^|[:,] )(?:one|1|three|3) ` + counted + ` (?:` + verbs + `)\b`)
					for _, text := range formsOf(t, b, w, p, draw, func(a *Act) { a.Slots[s.slot] = n }) {
						if wrong.MatchString(text) {
							t.Fatalf("%s: %q", w.act.Name, text)
						}
					}
				}
			})
		})
	})
}

// TestPluralValuesAgree: the verb behind a value of the plural is of the plural.
func TestPluralValuesAgree(t *testing.T) {
	wrong := regexp.MustCompile(`(?i)(?:^|[,:] |\b(?:that|and|because|since|as) )(?:the|your|my) sunglasses(?: (?:in|from|of) (?:that |this )?(?:order|parcel)(?: #W\d{7})?)? (?:is|was|has|does|goes|comes|needs|belongs)\b`)
	b := bookOf(t, "retail")
	draw := rand.New(rand.NewPCG(6, 8))
	eachWording(b, func(w *wording, p Person) {
		for slot, typ := range w.act.Slots {
			if typ != "product" {
				continue
			}
			for _, text := range formsOf(t, b, w, p, draw, func(a *Act) { a.Slots[slot] = "Sunglasses" }) {
				if wrong.MatchString(text) {
					t.Errorf("%s: %q", w.act.Name, text)
				}
			}
		}
	})
}
