package phrase

import (
	"fmt"
	"math/rand/v2"
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
	wishes := []string{"cancel", "cancel", "move", "move", "recabin", "add_bags", "add_bags", "rename", "fix_dob", "swap_passenger", "book", "compensation",
		"ask_paid", "ask_flights_cost", "ask_paid_two", "ask_segment", "ask_balance", "ask_email", "ask_zip", "ask_status", "ask_status", "ask_fare",
		"ask_earliest", "ask_stopover", "ask_group_fare", "ask_airport_code"}
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
