package phrase

import (
	"math/rand/v2"
	"testing"
)

// TestUnknownsGoWithWhatIsKnown: a customer who is known by a number and not by
// a name does not remember the name, and one who gives both says no such thing.
func TestUnknownsGoWithWhatIsKnown(t *testing.T) {
	b := smallBook(t, "acts:\n", `acts:
  - {act: story.any, role: story, scenario: you have been reading}
  - {act: number, role: fact, slots: {number: code}, say: "<your> number is {number}"}
  - {act: name, role: fact, slots: {name: code}, say: "<your> name is {name}"}
  - {act: unknown.fees, role: unknown, scenario: you do not know any fees}
  - {act: unknown.rules, role: unknown, scenario: you do not know the rules}
  - {act: unknown.name, role: unknown, wants: [number], bars: [name], scenario: you do not remember the name}
  - {act: mood, role: mood, scenario: you are polite}
  - {act: finish, role: finish, scenario: you say goodbye}
`)
	number, name := New("number", "number", "AB12"), New("name", "name", "CD34")
	for _, c := range []struct {
		facts []Act
		said  bool
	}{{[]Act{number}, true}, {[]Act{name}, false}, {[]Act{number, name}, false}, {nil, false}} {
		for seed := range uint64(20) {
			brief := Brief{Facts: c.facts, Items: []Item{{Wish: New("extend", "book", "AB12", "weeks", 1)}}}
			s, err := Compose(b, brief, rand.New(rand.NewPCG(seed, 1)), nil)
			if err != nil {
				t.Fatal(err)
			}
			acts, _ := b.Parse(s.UnknownInfo, Second)
			names, beside := map[string]bool{}, 0
			for _, a := range acts {
				names[a.Name] = true
			}
			if c.said {
				beside = 1
			}
			if names["unknown.name"] != c.said || len(acts) < 1+beside || len(acts) > 2+beside {
				t.Fatalf("facts %v: %q", c.facts, s.UnknownInfo)
			}
		}
	}
}
