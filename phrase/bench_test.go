package phrase

import (
	"math/rand/v2"
	"testing"
)

func BenchmarkLoad(b *testing.B) {
	for _, d := range trades {
		b.Run(d.name, func(b *testing.B) {
			for b.Loop() {
				d.load(b)
			}
		})
	}
}

func BenchmarkRender(b *testing.B) {
	book := airline(b)
	draw := rand.New(rand.NewPCG(1, 1))
	act := New("move", "booking", "NO6JO3", "part", "return", "date", "2024-05-22")
	for b.Loop() {
		if _, err := book.Render(act, Second, draw); err != nil {
			b.Fatal(err)
		}
	}
}

// tenWishes is a long scenario.
func tenWishes(b testing.TB, book *Book) Scenario {
	draw := rand.New(rand.NewPCG(3, 1))
	s, err := Compose(book, tradeOf(b, "airline").brief(b, 10, draw), draw, nil)
	if err != nil {
		b.Fatal(err)
	}
	return s
}

func BenchmarkReadTenWishes(b *testing.B) {
	book := airline(b)
	s := tenWishes(b, book)
	for b.Loop() {
		Read(book, s)
	}
}

func BenchmarkComposeTenWishes(b *testing.B) {
	book := airline(b)
	draw := rand.New(rand.NewPCG(3, 1))
	brief := tradeOf(b, "airline").brief(b, 10, draw)
	for b.Loop() {
		if _, err := Compose(book, brief, draw, nil); err != nil {
			b.Fatal(err)
		}
	}
}
