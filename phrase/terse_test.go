package phrase

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestTerseScenarios(t *testing.T) {
	everyTrade(t, func(t *testing.T, d *trade, b *Book) {
		briefs, run := d.hardRun(t)
		for i, s := range run[:50] {
			got, unread := Read(b, s)
			want := briefs[i]
			want.Theme, want.Terse = got.Theme, false
			if fmt.Sprint(got) != fmt.Sprint(want) || len(unread) > 0 {
				t.Errorf("%+v\nread as %v, unread %q\nwant    %v", s, got, unread, want)
			}
			if n := len(Sentences(s.ReasonForCall)); n != 1 {
				t.Errorf("a reason of %d sentences: %s", n, s.ReasonForCall)
			}
			if n := directives(b, s); n != 10 {
				t.Errorf("%d directives: %s", n, s.TaskInstructions)
			}
		}
		checkVariety(t, run)
	})
}

// TestTermsMakeUpTheDirectives: a terse scenario without twists has directives,
// too, and says that a refused wish is let go.
func TestTermsMakeUpTheDirectives(t *testing.T) {
	everyTrade(t, func(t *testing.T, d *trade, b *Book) {
		draw := rand.New(rand.NewPCG(3, 5))
		for i := range 30 {
			brief := d.brief(t, 1+i%4, draw)
			brief.Terse = true
			s, err := Compose(b, brief, draw, nil)
			if err != nil {
				t.Fatal(err)
			}
			if n := directives(b, s); n != 4 {
				t.Errorf("%d directives: %s", n, s.TaskInstructions)
			}
			acts, _ := b.Parse(s.TaskInstructions, Second)
			for _, needed := range []string{"terms_refused", "terms_open"} {
				if len(brief.Items) == 1 {
					needed += "_one"
				}
				if !slices.ContainsFunc(acts, func(a Act) bool { return a.Name == needed }) {
					t.Errorf("no %s in %s", needed, s.TaskInstructions)
				}
			}
		}
	})
}

// TestNothingContradictsATwist: neither the way in which requests are brought
// up nor the customer's manner denies what a twist says.
func TestNothingContradictsATwist(t *testing.T) {
	everyTrade(t, func(t *testing.T, d *trade, b *Book) {
		_, run := d.hardRun(t)
		for _, s := range run[:50] {
			acts, _ := b.Parse(s.TaskInstructions, Second)
			if slices.ContainsFunc(acts, func(a Act) bool { return a.Name == Order }) {
				t.Errorf("one at a time, but two with a yes: %s", s.TaskInstructions)
			}
			for _, denies := range []string{"quick to agree", "knows the rules", "over small things", "precisely", "in order", "invent"} {
				for _, at := range Sentences(s.TaskInstructions) {
					sentence := s.TaskInstructions[at[0]:at[1]]
					if acts, _ := b.Parse(sentence, Second); acts[0].Name == Mood && strings.Contains(sentence, denies) {
						t.Errorf("beside an insistent customer who errs: %s", sentence)
					}
				}
			}
		}
	})
}

// TestNothingPartsWhatGoesOutTogether: what is brought up with the yes to the
// wish before it does not open as if it came after that one.
func TestNothingPartsWhatGoesOutTogether(t *testing.T) {
	everyTrade(t, func(t *testing.T, d *trade, b *Book) {
		_, run := d.hardRun(t)
		for _, s := range run[:20] {
			var wish string
			for _, at := range Sentences(s.TaskInstructions) {
				one := s.TaskInstructions[at[0]:at[1]]
				acts, _ := b.Parse(one, Second)
				switch spec := b.Spec(acts[0].Name); {
				case spec.Role == Wish || spec.Role == Ask:
					wish = one
				case spec.joins && len(opened(b, wish)) > 0:
					t.Errorf("%q before %q", wish, one)
				}
			}
		}
	})
}

// TestTwistsSuffice holds forms and skeletons of twists and terms; each twist
// is one sentence that can be cut out alone, and a claim can be spoken.
func TestTwistsSuffice(t *testing.T) {
	everyTrade(t, func(t *testing.T, d *trade, b *Book) {
		for _, a := range b.Acts() {
			least, skeletons := uint64(40), 11
			if slices.Contains([]string{"insist", "supervisor", "withhold", "with_yes"}, a.Name) {
				least, skeletons = 60, 30
			}
			if forms, templates := b.Wordings(a.Name, Second); (a.Role == Twist || a.Role == Terms) && (forms < least || templates < skeletons) {
				t.Errorf("%s has %d forms of %d wordings", a.Name, forms, templates)
			}
			if forms, _ := b.Wordings(a.Name, First); a.Role == Twist && strings.HasPrefix(a.Name, "claim_") != (forms > 3) {
				t.Errorf("%s has %d forms for the customer", a.Name, forms)
			}
		}
		if n := len(Sentences(hardSentences(t, d))); n != 7 {
			t.Errorf("%d sentences", n)
		}
	})
}

var conditional = regexp.MustCompile(`(?i)\b(if|when|whenever|unless|until|should|as soon as|as long as|in case|once|before|suppose|provided|whatever|where)\b`)

// TestDirectivesAreConditional: each form of a twist or term says when it
// comes to that.
func TestDirectivesAreConditional(t *testing.T) {
	everyTrade(t, func(t *testing.T, _ *trade, b *Book) {
		draw := rand.New(rand.NewPCG(5, 5))
		for _, a := range b.Acts() {
			for range 100 {
				if a.Role != Twist && a.Role != Terms {
					break
				}
				act, err := b.Sample(a.Name, draw)
				if err != nil {
					t.Fatal(err)
				}
				if s, err := b.Render(act, Second, draw); err != nil || !conditional.MatchString(s) {
					t.Errorf("%s: %q, %v", a.Name, s, err)
				}
			}
		}
	})
}

func hardSentences(t testing.TB, d *trade) string {
	draw := rand.New(rand.NewPCG(4, 5))
	var out []string
	for _, item := range d.hardBrief(t, draw).Items {
		for _, twist := range item.Twists {
			s, err := d.book(t).Render(twist, Second, draw)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, s)
		}
	}
	return strings.Join(out, " ")
}

// directives counts the conditional directives of a scenario: its sentences
// that are twists or terms.
func directives(b *Book, s Scenario) int {
	n := 0
	for _, text := range s.texts() {
		acts, _ := b.Parse(text, Second)
		for _, a := range acts {
			if role := b.byName[a.Name].Role; role == Twist || role == Terms {
				n++
			}
		}
	}
	return n
}
