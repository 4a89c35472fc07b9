package phrase

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// stationer is a book of a shop with plural goods, options and parcels.
const stationer = `
pronouns:
  you: [you, I, you, they]
types:
  - {type: place, kind: address}
  - type: good
    values:
      - {value: pen, say: the pen}
      - {value: scissors, number: many, say: the scissors}
  - type: option
    values:
      - {value: "color @", each: red|blue, with: "in @", be: "be @"}
      - {value: "tip @", each: fine|8-mm, with: "with <a> @ tip", be: "have <a> @ tip"}
acts:
  - act: exchange
    role: wish
    slots: {good: good, option: option}
    say: |
      <you> want {good}, but {good~it|they} should {option:be}
      <you> want {good~one|a pair} like {good} {option:with}
  - act: send
    role: wish
    slots: {good: good, place: place}
    say: |
      {good} {good~goes|go} to {place}
      to {place}, <you> want {good} sent
`

func TestValuesOfThePluralBendTheSentence(t *testing.T) {
	b, err := Load([]byte(stationer))
	if err != nil {
		t.Fatal(err)
	}
	forms := map[string][]string{
		"pen color red":       {"You want the pen, but it should be red.", "You want one like the pen in red."},
		"scissors tip 8-mm":   {"You want the scissors, but they should have an 8-mm tip.", "You want a pair like the scissors with an 8-mm tip."},
		"scissors color blue": {"You want the scissors, but they should be blue.", "You want a pair like the scissors in blue."},
	}
	draw := rand.New(rand.NewPCG(1, 1))
	for key, want := range forms {
		good, option, _ := strings.Cut(key, " ")
		act := New("exchange", "good", good, "option", option)
		for range 20 {
			s, err := b.Render(act, Second, draw)
			if err != nil || !slices.Contains(want, s) {
				t.Fatalf("%s: %q, %v", act, s, err)
			}
			if got, _ := b.Parse(s, Second); fmt.Sprint(got) != fmt.Sprint([]Act{act}) {
				t.Errorf("%q read as %v", s, got)
			}
		}
	}
	if _, err := Load([]byte(strings.Replace(stationer, "number: many", "number: more", 1))); !errors.Is(err, ErrBook) {
		t.Error("loaded an unknown number")
	}
}

func TestAddressIsOneValue(t *testing.T) {
	b, err := Load([]byte(stationer))
	if err != nil {
		t.Fatal(err)
	}
	draw := rand.New(rand.NewPCG(1, 1))
	for _, place := range []string{
		"12 Elm Street, Suite 4, Austin, TX 78712, USA", "1234 Elm St., Springfield, IL 62701, USA",
		"7b O'Hara Road, Apt #3, New York, NY 10108, United States", "101 Highway, Fort Worth, TX 76165, USA",
	} {
		act := New("send", "good", "pen", "place", place)
		for range 10 {
			s, err := b.Render(act, First, draw)
			if err != nil {
				t.Fatal(err)
			}
			if got, _ := b.Parse(s, First); fmt.Sprint(got) != fmt.Sprint([]Act{act}) {
				t.Errorf("%q read as %v", s, got)
			}
		}
	}
	for _, place := range []string{"Elm Street, Austin, TX 78712, USA", "12 Elm Street, TX 78712, USA", "12 Elm Street, Austin, TX 7871, USA", "12 Elm Street, Austin, TX 78712"} {
		if s, err := b.Render(New("send", "good", "pen", "place", place), First, draw); !errors.Is(err, ErrAct) {
			t.Errorf("%q, %v", s, err)
		}
	}
	if got, _ := b.Parse("The pen goes to 12 Elm Street Austin TX 78712 USA.", Second); len(got) > 0 {
		t.Error("read an address whose lines nobody can tell apart:", got)
	}
}

// TestValuesAreToldApart: no spelling of a closed list stands for two values.
func TestValuesAreToldApart(t *testing.T) {
	everyTrade(t, func(t *testing.T, _ *trade, b *Book) {
		for name, typ := range b.types {
			said := map[string]string{}
			for i := range typ.cases {
				c := &typ.cases[i]
				if c.pattern != nil {
					continue
				}
				for form, n := range c.forms {
					for i := range count(n) {
						w := &writer{book: b}
						w.write(n, nth(i))
						key := form + ": " + fold(w.finish())
						if other, ok := said[key]; ok && other != c.value {
							t.Errorf("%s: %q is %q and %q", name, key, other, c.value)
						}
						said[key] = c.value
					}
				}
			}
		}
	})
}
