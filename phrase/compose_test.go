package phrase

import (
	"math/rand/v2"
	"testing"
)

func TestComposeSmoke(t *testing.T) {
	b := airline(t)
	s, err := Compose(b, Brief{Facts: []Act{New("self", "name", "Mia Li"), New("user_id", "user_id", "mia_li_3668")},
		Items: []Item{{Wish: New("cancel", "booking", "NO6JO3", "reason", "plans")},
			{Wish: New("add_bags", "booking", "AIXC49", "extra", 2), Details: []Act{New("pay", "pay", "7447")}},
			{Wish: New("ask_balance")}}}, rand.New(rand.NewPCG(1, 2)), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v", s)
	brief, unread := Read(b, s)
	t.Logf("%v %v", brief, unread)
}
