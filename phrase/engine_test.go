package phrase

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// small is a book of a lending library.
const small = `
pronouns:
  you: [you, I, you, they]
  your: [your, my, your, their]
  are: [are, am, are, are]
macros: {want: (want|wish)}
types:
  - {type: code, pattern: '[A-Z]{2}\d{2}'}
  - {type: weeks, kind: int, min: 0, max: 30}
  - {type: day, kind: date, year: 2024}
  - {type: fee, kind: money}
  - {type: words, kind: text}
  - type: branch
    values:
      - {value: north, say: "(the north branch|North)", of: uptown}
      - {value: old, say: old hall, of: downtown}
connectors:
  - group: then
    say: |
      after that,
      one more thing:
acts:
  - act: extend
    role: wish
    slots: {book: code, weeks: weeks}
    say: |
      <you> $want to keep {book} for {weeks more week|more weeks}
  - act: fetch
    role: wish
    slots: {book: code, day: day, branch: branch}
    say: |
      ^on {day} <you> <are> collecting {book} at {branch}
  - act: offer
    role: agent
    slots: {book: code, fee: fee}
    say: |
      {book} is <a> (old|new) item and costs {fee}
`

func smallBook(t *testing.T, change ...string) *Book {
	t.Helper()
	b, err := Load([]byte(strings.NewReplacer(change...).Replace(small)))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestRenderBendsTheSentence(t *testing.T) {
	b := smallBook(t)
	for _, c := range []struct {
		act    Act
		person Person
		forms  []string
	}{
		{New("extend", "book", "AB12", "weeks", 1), Second, []string{
			"You want to keep AB12 for one more week.", "You want to keep AB12 for 1 more week.",
			"You wish to keep AB12 for one more week.", "You wish to keep AB12 for 1 more week.",
		}},
		{New("extend", "book", "AB12", "weeks", 20), First, []string{
			"I want to keep AB12 for 20 more weeks.", "I wish to keep AB12 for 20 more weeks.",
		}},
		{New("offer", "book", "AB12", "fee", "1250.5"), Agent, []string{
			"AB12 is an old item and costs $1,250.50.", "AB12 is a new item and costs $1,250.50.",
		}},
	} {
		draw := rand.New(rand.NewPCG(1, 1))
		seen := map[string]bool{}
		for range 200 {
			s, err := b.Render(c.act, c.person, draw)
			if err != nil {
				t.Fatal(err)
			}
			if seen[s] = true; !slices.Contains(c.forms, s) {
				t.Fatalf("%s: %q", c.act, s)
			}
		}
		if len(seen) != len(c.forms) {
			t.Errorf("%s: only %v", c.act, seen)
		}
	}
}

func TestParseReadsEverySpelling(t *testing.T) {
	b := smallBook(t)
	want := New("fetch", "book", "AB12", "day", "2024-05-22", "branch", "north").String()
	for _, day := range []string{"May 22", "22 May", "May 22nd", "22nd of May", "May 22, 2024", "2024-05-22", "22 may 2024"} {
		for _, branch := range []string{"the north branch", "north"} {
			text := "One more thing: on " + day + " you are collecting AB12, at \"" + branch + "\"."
			acts, unread := b.Parse(text, Second)
			if len(acts) != 1 || acts[0].String() != want || len(unread) > 0 {
				t.Errorf("%q: %v, unread %q", text, acts, unread)
			}
		}
	}
}

// TestSlotMayStandInEachAlternative: which one was read does not matter, nor do
// those that were tried before.
func TestSlotMayStandInEachAlternative(t *testing.T) {
	b := smallBook(t, "<you> $want to keep {book} for {weeks more week|more weeks}",
		"(<you> keep {book} and read on|keeping {book}|<you> keep {book}) for {weeks more week|more weeks}")
	for _, text := range []string{"You keep AB12 and read on for 2 more weeks.", "Keeping AB12 for 2 more weeks.", "You keep AB12 for 2 more weeks."} {
		if acts, _ := b.Parse(text, Second); fmt.Sprint(acts) != "[extend{book: AB12, weeks: 2}]" {
			t.Errorf("%q: %v", text, acts)
		}
	}
}

func TestParseSplitsSentences(t *testing.T) {
	b := smallBook(t)
	acts, unread := b.Parse("I want to keep AB12 for 2 more weeks. Mail a.b@c.org by 10 a.m. for $1,250.50 off!\nI wish to keep CD34 for no more weeks", First)
	if got := fmt.Sprint(acts); got != "[extend{book: AB12, weeks: 2} extend{book: CD34, weeks: 0}]" {
		t.Error(got)
	}
	if want := []string{"Mail a.b@c.org by 10 a.m. for $1,250.50 off!"}; !slices.Equal(unread, want) {
		t.Errorf("unread %q", unread)
	}
	if acts, _ := b.Parse("I want to keep AB12 for 2 more weeks.", Second); len(acts) > 0 {
		t.Error("read the customer's speech as a scenario:", acts)
	}
	if acts, _ := b.Parse("You want to keep AB12 for 31 more weeks. On May 32 you are collecting AB12 at North.", Second); len(acts) > 0 {
		t.Error("read values outside their types:", acts)
	}
}

func TestRenderRefuses(t *testing.T) {
	b := smallBook(t)
	for _, a := range []Act{
		New("none"), New("extend", "book", "AB12"), New("extend", "book", "ab12", "weeks", 1),
		New("extend", "book", "AB12", "weeks", 31), New("fetch", "book", "AB12", "day", "2024-02-30", "branch", "north"),
		New("fetch", "book", "AB12", "day", "2024-02-20", "branch", "south"),
	} {
		if s, err := b.Render(a, Second, rand.New(rand.NewPCG(1, 1))); !errors.Is(err, ErrAct) {
			t.Errorf("%s: %q, %v", a, s, err)
		}
	}
	if _, err := b.Render(New("offer", "book", "AB12", "fee", "3"), First, rand.New(rand.NewPCG(1, 1))); !errors.Is(err, ErrAct) {
		t.Error("the customer made an offer:", err)
	}
}

func TestLoadRefuses(t *testing.T) {
	for name, change := range map[string][2]string{
		"unknown key":       {"role: agent", "roles: agent"},
		"unknown role":      {"role: agent", "role: clerk"},
		"unknown type":      {"fee: fee", "fee: fees"},
		"unknown slot":      {"costs {fee}", "costs {fee} {cost}"},
		"missing slot":      {"costs {fee}", "costs money"},
		"slot in one form":  {"costs {fee}", "costs (money|{fee})"},
		"slot twice":        {"costs {fee}", "costs {fee} or {fee}"},
		"unknown pronoun":   {"<you> <are>", "<you> <were>"},
		"unknown macro":     {"$want to", "$need to"},
		"unknown form":      {"at {branch}", "at {branch:by}"},
		"unclosed group":    {"(old|new)", "(old|new"},
		"group in a word":   {"(old|new)", "(old|new)er"},
		"bad pattern":       {`[A-Z]{2}\d{2}`, `[A-Z{2}`},
		"act defined twice": {"act: fetch", "act: extend"},
	} {
		if !strings.Contains(small, change[0]) {
			t.Fatalf("%s: nothing to change", name)
		}
		if _, err := Load([]byte(strings.Replace(small, change[0], change[1], 1))); err == nil {
			t.Errorf("%s: loaded", name)
		}
	}
}

func TestFormsVisitEachOnce(t *testing.T) {
	n, err := parseTemplate("(a|b [c|d]) [e] (f|(g|h) i)")
	if err != nil {
		t.Fatal(err)
	}
	if got := count(n); got != 4*2*3 {
		t.Fatalf("%d forms", got)
	}
	seen := map[string]bool{}
	for i := range count(n) {
		w := &writer{}
		w.write(n, nth(i))
		seen[w.finish()] = true
	}
	if len(seen) != 24 {
		t.Errorf("%d of 24 forms", len(seen))
	}
}

func TestAmbiguityIsFound(t *testing.T) {
	if found := smallBook(t).Ambiguities(); len(found) > 0 {
		t.Error(found)
	}
	b := smallBook(t, "acts:", `acts:
  - act: other
    role: wish
    slots: {book: code, note: words}
    say: |
      <you> wish to keep {book} [for] {note}`)
	if found := b.Ambiguities(); len(found) == 0 || found[0].A != "other" || found[0].B != "extend" {
		t.Error(found)
	}
	b = smallBook(t, "one more thing:", "after that, and then,")
	if found := b.Ambiguities(); len(found) == 0 || found[0].A != "connector" {
		t.Error(found)
	}
}

func TestMask(t *testing.T) {
	for text, want := range map[string]string{
		"You want Mia Li, born on 22 May 2001, in seat 12B.": "you want # born on # in seat #",
		"Mia Li pays $12.50 for two bags.":                   "# pays # for # bags",
		"I'm off to New York (JFK), and I am glad.":          "i'm off to # and i am glad",
		"Reservation 4WQ150 is Omar Rossi's.":                "reservation # is # 's",
	} {
		if got := Mask(text); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// nth chooses so that the indices 0 … count−1 of a node visit each of its
// forms once.
func nth(index uint64) chooser {
	return func(counts []uint64) int {
		total := sum(counts)
		rest := index % total
		index /= total
		for i, c := range counts {
			if rest < c {
				index = index*c + rest
				return i
			}
			rest -= c
		}
		return 0
	}
}
