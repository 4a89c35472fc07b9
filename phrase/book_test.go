package phrase

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestEveryWordingIsReadBack renders every surface form of every wording (a
// sample where there are very many) with random slot values and requires that it is
// read as that act and no other.
func TestEveryWordingIsReadBack(t *testing.T) {
	everyTrade(t, func(t *testing.T, _ *trade, b *Book) {
		draw := rand.New(rand.NewPCG(7, 7))
		eachWording(b, func(w *wording, p Person) { checkWording(t, b, w, p, draw) })
	})
}

// fewForms is up to how many forms of a wording all are tried; beyond it as many
// are drawn.
const fewForms = 2_000

func checkWording(t *testing.T, b *Book, w *wording, p Person, draw *rand.Rand) {
	t.Helper()
	for i := range min(w.count, fewForms) {
		choose := nth(i)
		if w.count > fewForms {
			choose = nth(draw.Uint64N(w.count))
		}
		act, err := b.Sample(w.act.Name, draw)
		if err != nil {
			t.Fatal(err)
		}
		for slot, v := range w.fixed {
			act.Slots[slot] = v
		}
		if !w.fits(act) {
			continue
		}
		out := &writer{book: b, person: p, draw: draw, act: act, spec: w.act}
		out.write(w.root, choose)
		text := out.finish()
		if got := fmt.Sprint(b.Readings(text, p)); got != fmt.Sprint([]Act{act}) {
			t.Errorf("%s: %q\nread as %s\nwant    %s", p, text, got, act)
			return
		}
	}
}

func TestNoSentenceIsTwoActs(t *testing.T) {
	everyTrade(t, func(t *testing.T, d *trade, _ *Book) {
		for _, a := range d.load(t).Ambiguities() {
			t.Error(a)
		}
	})
}

// Readings lists the distinct acts that a sentence can be read as; a sound
// book gives at most one for each.
func (b *Book) Readings(text string, p Person) []Act {
	var out []Act
	known := map[string]bool{}
	for _, s := range sentences(text) {
		b.newMatcher(text, s).matchAll(b.readers[p], func(_ *program, a Act) bool {
			if key := fmt.Sprint(a); !known[key] {
				known[key] = true
				out = append(out, a)
			}
			return false
		})
	}
	return out
}
