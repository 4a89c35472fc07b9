package phrase

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// beginnings, endings and continuations are words by which a connector claims a
// place among the wishes.
var (
	beginnings    = regexp.MustCompile(`(?i)\b(first|begin|start)\b`)
	endings       = regexp.MustCompile(`(?i)\b(last|lastly|final|finally|closing|close|end|finish|leave|leaves)\b`)
	continuations = regexp.MustCompile(`(?i)\b(before (?:going|moving|deciding)|in between|the rest)\b`)
)

func TestConnectorsSuitTheirPlace(t *testing.T) {
	everyTrade(t, func(t *testing.T, _ *trade, b *Book) {
		for _, c := range b.connectors {
			for i := range c.count {
				w := &writer{book: b}
				w.write(c.root, nth(i))
				text := strings.TrimRight(w.finish(), ".,:")
				if beginnings.MatchString(text) && c.group != firstGroup {
					t.Errorf("%s: %q speaks of a beginning", c.group, text)
				}
				if endings.MatchString(text) && c.group != lastGroup && c.group != rethinkGroup {
					t.Errorf("%s: %q speaks of an end", c.group, text)
				}
				if continuations.MatchString(text) {
					t.Errorf("%s: %q speaks of more to come, even at the end", c.group, text)
				}
			}
		}
	})
}

// opened tells which group's connector opens a sentence, "" for none.
func opened(b *Book, text string) []string {
	var out []string
	for _, c := range b.connectors {
		for i := range c.count {
			w := &writer{book: b}
			w.write(c.root, nth(i))
			if strings.HasPrefix(text, strings.TrimSuffix(w.finish(), ".")) {
				out = append(out, c.group)
			}
		}
	}
	return out
}

// TestScenariosAreEnglish composes scenarios and checks their sentences one by
// one, and the connectors of the wishes by position.
func TestScenariosAreEnglish(t *testing.T) {
	everyTrade(t, func(t *testing.T, d *trade, b *Book) {
		draw := rand.New(rand.NewPCG(4, 8))
		for i := range 30 {
			brief := d.brief(t, 1+i%9, draw)
			s, err := Compose(b, brief, draw, nil)
			if err != nil {
				t.Fatal(err)
			}
			wish := 0
			for _, text := range s.texts() {
				for _, at := range sentences(text) {
					one := text[at.start:at.end]
					checkEnglish(t, "scenario", one)
					acts, _ := b.Parse(one, Second)
					if len(acts) != 1 || !slices.Contains([]string{Wish, Ask}, b.Spec(acts[0].Name).Role) {
						continue
					}
					groups := opened(b, one)
					if slices.Contains(groups, firstGroup) && wish > 0 || slices.Contains(groups, lastGroup) && wish < len(brief.Items)-1 {
						t.Errorf("wish %d of %d opens as %v: %q", wish+1, len(brief.Items), groups, one)
					}
					wish++
				}
			}
			if wish != len(brief.Items) {
				t.Errorf("%d of %d wishes found in %+v", wish, len(brief.Items), s)
			}
		}
	})
}

// scenariosOf composes n scenarios of one brief.
func scenariosOf(t *testing.T, b *Book, brief Brief, n uint64) []Scenario {
	t.Helper()
	var out []Scenario
	for seed := range n {
		s, err := Compose(b, brief, rand.New(rand.NewPCG(seed, 8)), nil)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	return out
}

// refuse reports sentences of acts of some roles in which words stand that the
// brief gives no ground for.
func refuse(t *testing.T, b *Book, run []Scenario, words string, roles ...string) {
	t.Helper()
	bad := regexp.MustCompile(`(?i)\b(?:` + words + `)\b`)
	for _, s := range run {
		for _, text := range s.texts() {
			for _, at := range sentences(text) {
				one := text[at.start:at.end]
				acts, _ := b.Parse(one, Second)
				if len(acts) == 1 && slices.Contains(roles, b.Spec(acts[0].Name).Role) && bad.MatchString(one) {
					t.Errorf("%q in %q", bad.FindString(one), one)
				}
			}
		}
	}
}

func TestOnePassengerHasNoCompany(t *testing.T) {
	b := airline(t)
	item := Item{
		Wish: New("book", "origin", "BOS", "destination", "MIA", "date", "2024-05-22", "cabin", "economy"),
		Details: []Act{
			New("traveller", "name", "Mia Li", "dob", "1990-02-03"), New("bags", "count", 2),
			New("insurance", "insurance", "no"), New("pay", "pay", "gift_card_1234567"),
		},
	}
	refuse(t, b, scenariosOf(t, b, Brief{Theme: "rain", Items: []Item{item}}, 100),
		`along|together|everyone|everybody|party|nobody|no one|with them|among|, too|all (?:travellers|passengers)`, Wish, Detail, Default)
}

func TestQuestionsAskForNoConsent(t *testing.T) {
	everyTrade(t, func(t *testing.T, d *trade, b *Book) {
		brief := Brief{Theme: "rain"}
		for _, question := range d.questions {
			brief.Items = append(brief.Items, Item{Wish: question})
			refuse(t, b, scenariosOf(t, b, brief, 40), `confirm\w*|consent|approval|approve|proposal\w*|propose\w*|changes?|carried out|what (?:was|has been) done|say yes|a yes|your yes`, Mood, Order, Consent, Finish)
		}
	})
}

// TestMediumIsLeftOpen: whether people speak or type is for the evaluation to say.
func TestMediumIsLeftOpen(t *testing.T) {
	everyTrade(t, func(t *testing.T, d *trade, b *Book) {
		draw := rand.New(rand.NewPCG(5, 8))
		for range 40 {
			s, err := Compose(b, d.brief(t, 4, draw), draw, nil)
			if err != nil {
				t.Fatal(err)
			}
			refuse(t, b, []Scenario{s}, `hang up|on the line|(?:this|the|your) (?:call|chat)|hanging up`,
				Wish, Ask, Detail, Fact, Story, Gist, Mood, Order, Consent, Finish, Unknown)
		}
	})
}

// TestCancellationUndoesChangesAlone: who cancels has not asked in vain to be
// compensated or told something, or to be rid of something else.
func TestCancellationUndoesChangesAlone(t *testing.T) {
	for _, c := range []struct {
		domain, slot, id string
		cancel           Act
		earlier          map[string]bool
	}{
		{
			"airline", "booking", "4WQ150", New("cancel", "booking", "4WQ150", "reason", "weather"),
			map[string]bool{"add_bags": true, "compensation": false, "ask_paid": false},
		},
		{
			"retail", "order", "#W1234567", New("cancel_order", "order", "#W1234567", "reason", "no longer needed"),
			map[string]bool{"reship": true, "repay": true, "return_items": false, "ask_order_total": false},
		},
	} {
		b := bookOf(t, c.domain)
		for earlier, want := range c.earlier {
			act := sampled(t, b, rand.New(rand.NewPCG(1, 8)))(earlier)
			act.Slots[c.slot] = c.id
			if got := b.undoes([]Item{{Wish: act}, {Wish: c.cancel}}, 1); got != want {
				t.Errorf("after %s: %v", act, got)
			}
		}
	}
}

func TestLinkingConnectorsNeedTheLink(t *testing.T) {
	for _, c := range []struct {
		domain, slot     string
		one, other, same Act
	}{
		{
			"airline", "booking", New("ask_paid", "booking", "4WQ150"),
			New("cancel", "booking", "ZZZ999", "reason", "plans"), New("cancel", "booking", "4WQ150", "reason", "plans"),
		},
		{
			"retail", "order", New("ask_tracking", "order", "#W1234567"),
			New("return_all", "order", "#W7654321"), New("return_all", "order", "#W1234567"),
		},
	} {
		linking := 0
		for _, k := range bookOf(t, c.domain).connectors {
			if !slices.Contains(k.shares, c.slot) {
				continue
			}
			linking++
			if k.suits(c.other, setting{wishes: []Act{c.one}}) || k.suits(c.same, setting{}) || !k.suits(c.same, setting{wishes: []Act{c.other, c.one}}) {
				t.Errorf("a connector of %s suits where no %s is shared, or not where one is", k.group, c.slot)
			}
		}
		if linking == 0 {
			t.Errorf("no connector of the %s shares the %s", c.domain, c.slot)
		}
	}
}

// TestLinkingConnectorsKnowNoState: the wish before may have been to cancel the
// order that the connector speaks of.
func TestLinkingConnectorsKnowNoState(t *testing.T) {
	b := bookOf(t, "retail")
	for _, c := range b.connectors {
		for i := range c.count {
			w := &writer{book: b}
			w.write(c.root, nth(i))
			if text := w.finish(); len(c.shares) > 0 && strings.Contains(text, " open") {
				t.Errorf("%s: %q speaks of an order that may be closed", c.group, text)
			}
		}
	}
}
