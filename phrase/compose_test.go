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

// randomBrief draws n wishes or questions with the details that the airline's
// contract puts behind them.
func randomBrief(t testing.TB, b *Book, n int, draw *rand.Rand) Brief {
	t.Helper()
	act := func(name string) Act {
		a, err := b.Sample(name, draw)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	brief := Brief{Facts: []Act{act("self"), act("user_id")}}
	wishes := []string{
		"cancel", "cancel", "move", "move", "recabin", "add_bags", "add_bags", "rename", "fix_dob", "swap_passenger", "book", "compensation",
		"ask_paid", "ask_flights_cost", "ask_paid_two", "ask_segment", "ask_balance", "ask_email", "ask_zip", "ask_status", "ask_status", "ask_fare",
		"ask_earliest", "ask_stopover", "ask_group_fare", "ask_airport_code",
	}
	details := map[string][]string{"move": {"choose", "pay"}, "recabin": {"pay"}, "add_bags": {"pay"}, "book": {"choose", "traveller", "bags", "insurance", "pay"}}
	for range n {
		item := Item{Wish: act(wishes[draw.IntN(len(wishes))])}
		for _, d := range details[item.Wish.Name] {
			item.Details = append(item.Details, act(d))
		}
		brief.Items = append(brief.Items, item)
	}
	return brief
}

func TestReadUndoesCompose(t *testing.T) {
	b := airline(t)
	draw := rand.New(rand.NewPCG(5, 5))
	for i := range 100 {
		want := randomBrief(t, b, 1+i%10, draw)
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
}

// TestEachSentenceCarriesItsOwn deletes each sentence in turn: exactly one act
// less is read, and none is another.
func TestEachSentenceCarriesItsOwn(t *testing.T) {
	b := airline(t)
	draw := rand.New(rand.NewPCG(6, 5))
	s, err := Compose(b, randomBrief(t, b, 8, draw), draw, nil)
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
}

func TestComposeIsAFunctionOfItsArguments(t *testing.T) {
	b := airline(t)
	brief := randomBrief(t, b, 6, rand.New(rand.NewPCG(1, 5)))
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
	brief := randomBrief(t, b, 5, rand.New(rand.NewPCG(1, 5)))
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
