package phrase

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
)

func TestReadUndoesCompose(t *testing.T) {
	everyTrade(t, func(t *testing.T, d *trade, b *Book) {
		draw := rand.New(rand.NewPCG(5, 5))
		for i := range 50 {
			want := d.brief(t, 1+i%10, draw)
			s, err := Compose(b, want, draw, nil)
			if err != nil {
				t.Fatal(err)
			}
			got, unread := Read(b, s)
			want.Theme = got.Theme
			if fmt.Sprint(got) != fmt.Sprint(want) || got.Theme == "" || len(unread) > 0 {
				t.Fatalf("scenario %+v\nread as %v, unread %q\nwant    %v", s, got, unread, want)
			}
		}
	})
}

// TestEachSentenceCarriesItsOwn deletes each sentence in turn: exactly one act
// less is read, and none is another.
func TestEachSentenceCarriesItsOwn(t *testing.T) {
	everyTrade(t, func(t *testing.T, d *trade, b *Book) {
		draw := rand.New(rand.NewPCG(6, 5))
		s, err := Compose(b, d.brief(t, 8, draw), draw, nil)
		if err != nil {
			t.Fatal(err)
		}
		all, _ := b.Parse(s.TaskInstructions, Second)
		for i, at := range sentences(s.TaskInstructions) {
			got, unread := b.Parse(s.TaskInstructions[:at.start]+s.TaskInstructions[at.end:], Second)
			want := slices.Delete(slices.Clone(all), i, i+1)
			if fmt.Sprint(got) != fmt.Sprint(want) || len(unread) > 0 {
				t.Errorf("without %q: %v", s.TaskInstructions[at.start:at.end], got)
			}
		}
	})
}

func TestComposeIsAFunctionOfItsArguments(t *testing.T) {
	b := airline(t)
	brief := tradeOf(t, "airline").brief(t, 6, rand.New(rand.NewPCG(1, 5)))
	var used Variety
	first, _ := Compose(b, brief, rand.New(rand.NewPCG(9, 9)), &used)
	again, _ := Compose(b, brief, rand.New(rand.NewPCG(9, 9)), &used)
	if first != again {
		t.Errorf("%+v\n%+v", first, again)
	}
	used.Add(first)
	if other, _ := Compose(b, brief, rand.New(rand.NewPCG(9, 9)), &used); other.ReasonForCall == first.ReasonForCall {
		t.Error("used wordings came back:", other.ReasonForCall)
	}
}

func TestComposeHidesAnswers(t *testing.T) {
	b := airline(t)
	brief := Brief{
		Items: []Item{
			{Wish: New("ask_airport_code", "city", "Boston")},
			{Wish: New("ask_fare", "origin", "BOS", "destination", "MIA", "date", "2024-05-22", "via", "direct", "cabin", "economy")},
			{Wish: New("cancel", "booking", "4WQ150", "reason", "plans")},
		},
		Hidden: []string{"BOS)", "cancelled", "Flying"},
	}
	for seed := range uint64(50) {
		s, err := Compose(b, brief, rand.New(rand.NewPCG(seed, 1)), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range s.texts() {
			for _, h := range brief.Hidden {
				if strings.Contains(strings.ToLower(text), strings.ToLower(h)) {
					t.Errorf("%q stands in %q", h, text)
				}
			}
		}
	}
	brief.Hidden = []string{"4WQ150"}
	if _, err := Compose(b, brief, rand.New(rand.NewPCG(1, 1)), nil); !errors.Is(err, ErrAct) {
		t.Error("a reservation id was hidden and told:", err)
	}
}

func TestDefaultStandsWhereTheDetailIsMissing(t *testing.T) {
	b := airline(t)
	book := New("book", "origin", "BOS", "destination", "MIA", "date", "2024-05-22", "cabin", "economy")
	for _, details := range [][]Act{nil, {New("return_on", "date", "2024-05-27")}} {
		s, err := Compose(b, Brief{Items: []Item{{Wish: book, Details: details}}}, rand.New(rand.NewPCG(1, 1)), nil)
		if err != nil {
			t.Fatal(err)
		}
		acts, _ := b.Parse(s.ReasonForCall, Second)
		oneWay := slices.ContainsFunc(acts, func(a Act) bool { return a.Name == "one_way" })
		if oneWay != (details == nil) {
			t.Errorf("details %v: %s", details, s.ReasonForCall)
		}
	}
}

func TestStoriesSuitTheWishes(t *testing.T) {
	b := airline(t)
	ill := Brief{Items: []Item{{Wish: New("cancel", "booking", "4WQ150", "reason", "illness")}}}
	planned := Brief{Items: []Item{{Wish: New("cancel", "booking", "4WQ150", "reason", "plans")}}}
	if doctor := b.Spec("story.doctor"); !b.suits(doctor, ill) || b.suits(doctor, planned) {
		t.Error("the doctor's story goes with illness alone")
	}
	if order := b.Spec("order"); b.suits(order, ill) {
		t.Error("one wish has no order")
	}
}

func TestRenderNextOpensWithAConnector(t *testing.T) {
	b := smallBook(t)
	act := New("fetch", "book", "AB12", "day", "2024-05-22", "branch", "old")
	draw := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		s, err := b.RenderNext(act, First, false, draw)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(s, "One more thing: on ") {
			t.Errorf("%q: an opening adverbial takes a colon", s)
		}
		if acts, _ := b.Parse(s, First); len(acts) != 1 || acts[0].String() != act.String() {
			t.Errorf("%q read as %v", s, acts)
		}
	}
}

func TestBookServesManyAtOnce(t *testing.T) {
	b := airline(t)
	brief := tradeOf(t, "airline").brief(t, 5, rand.New(rand.NewPCG(1, 5)))
	texts := make([]Scenario, 8)
	var all sync.WaitGroup
	for i := range texts {
		all.Go(func() {
			texts[i], _ = Compose(b, brief, rand.New(rand.NewPCG(2, 2)), nil)
			Read(b, texts[i])
		})
	}
	all.Wait()
	for _, s := range texts {
		if s != texts[0] || s == (Scenario{}) {
			t.Fatalf("%+v", s)
		}
	}
}
