package phrase

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// hardBrief is an evolved task with every technique in it: three wishes of the
// customer's own and two that the policy refuses.
func hardBrief(t testing.TB, b *Book, draw *rand.Rand) Brief {
	t.Helper()
	act := func(name string) Act {
		a, err := b.Sample(name, draw)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	one := func(names ...string) string { return names[draw.IntN(len(names))] }
	withhold := New("withhold", "slot", one("pay", "bags", "choose", "insurance"))
	items := []Item{
		{Wish: act("move"), Details: []Act{act("choose"), act("pay")}, Twists: []Act{act(one("slip_date", "slip_pick")), withhold}},
		{Wish: act(one("cancel", "rename")), Twists: []Act{New("with_yes")}},
		{Wish: act("add_bags"), Details: []Act{act("pay")}, Twists: []Act{act(one("mixup", "slip_extra")), New("supervisor")}},
		{Wish: act(one("cancel", "recabin", "compensation")), Twists: []Act{New("insist")}},
		{Wish: act("recabin"), Details: []Act{act("pay")}, Twists: []Act{act(one("claim_level", "claim_bags", "claim_fresh", "claim_insured", "claim_cabin"))}},
	}
	return Brief{Facts: []Act{act("user_id")}, Items: items, Terse: true}
}

func composeHard(t testing.TB, b *Book, n int) (briefs []Brief, run []Scenario) {
	var used Variety
	draw := rand.New(rand.NewPCG(2, 5))
	for range n {
		brief := hardBrief(t, b, draw)
		s, err := Compose(b, brief, draw, &used)
		if err != nil {
			t.Fatal(err)
		}
		used.Add(s)
		briefs, run = append(briefs, brief), append(run, s)
	}
	return briefs, run
}

func TestTerseScenarios(t *testing.T) {
	b := airline(t)
	briefs, run := composeHard(t, b, 50)
	for i, s := range run {
		got, unread := Read(b, s)
		want := briefs[i]
		want.Theme, want.Terse = got.Theme, false
		if fmt.Sprint(got) != fmt.Sprint(want) || len(unread) > 0 {
			t.Errorf("%+v\nread as %v, unread %q\nwant    %v", s, got, unread, want)
		}
		if n := len(Sentences(s.ReasonForCall)); n != 1 {
			t.Errorf("a reason of %d sentences: %s", n, s.ReasonForCall)
		}
		if n := Directives(b, s); n != 10 {
			t.Errorf("%d directives: %s", n, s.TaskInstructions)
		}
	}
	for _, size := range []struct{ tasks, most int }{{50, 3}, {114, 5}} {
		_, run := composeHard(t, b, size.tasks)
		s, n := MaskedSentenceMax(run)
		o := MedianOverlap(run)
		t.Logf("%d scenarios: most frequent sentence %d times, median overlap %+v", size.tasks, n, o)
		if n > size.most || o.Jaccard > .15 {
			t.Errorf("%q stands in %d of %d scenarios, median overlap %+v", s, n, size.tasks, o)
		}
	}
}

// TestTermsMakeUpTheDirectives: a terse scenario without twists has directives,
// too, and says that a refused wish is let go.
func TestTermsMakeUpTheDirectives(t *testing.T) {
	b := airline(t)
	draw := rand.New(rand.NewPCG(3, 5))
	for i := range 30 {
		brief := randomBrief(t, b, 1+i%4, draw)
		brief.Terse = true
		s, err := Compose(b, brief, draw, nil)
		if err != nil {
			t.Fatal(err)
		}
		if n := Directives(b, s); n != 4 {
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
}

// TestNothingContradictsATwist: neither the way in which requests are brought
// up nor the customer's manner denies what a twist says.
func TestNothingContradictsATwist(t *testing.T) {
	b := airline(t)
	_, run := composeHard(t, b, 50)
	for _, s := range run {
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
}

// TestNothingPartsWhatGoesOutTogether: what is brought up with the yes to the
// wish before it does not open as if it came after that one.
func TestNothingPartsWhatGoesOutTogether(t *testing.T) {
	b := airline(t)
	_, run := composeHard(t, b, 20)
	for _, s := range run {
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
}

// TestTwistsSuffice holds forms and skeletons of twists and terms; each twist
// is one sentence that can be cut out alone, and a claim can be spoken.
func TestTwistsSuffice(t *testing.T) {
	b := airline(t)
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
	if n := len(Sentences(hardSentences(t, b))); n != 7 {
		t.Errorf("%d sentences", n)
	}
}

var conditional = regexp.MustCompile(`(?i)\b(if|when|whenever|unless|until|should|as soon as|as long as|in case|once|before|suppose|provided|whatever|where)\b`)

// TestDirectivesAreConditional: each form of a twist or term says when it
// comes to that.
func TestDirectivesAreConditional(t *testing.T) {
	b := airline(t)
	draw := rand.New(rand.NewPCG(5, 5))
	for _, a := range b.Acts() {
		for range 300 {
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
}

func hardSentences(t testing.TB, b *Book) string {
	draw := rand.New(rand.NewPCG(4, 5))
	var out []string
	for _, item := range hardBrief(t, b, draw).Items {
		for _, twist := range item.Twists {
			s, err := b.Render(twist, Second, draw)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, s)
		}
	}
	return strings.Join(out, " ")
}
