package phrase

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

func BenchmarkLoad(b *testing.B) {
	files := [][]byte{Common}
	paths, _ := filepath.Glob("../domain/airline/phrases*.yaml")
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			b.Fatal(err)
		}
		files = append(files, data)
	}
	for b.Loop() {
		if _, err := Load(files...); err != nil {
			b.Fatal(err)
		}
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
	s, err := Compose(book, randomBrief(b, book, 10, draw), draw, nil)
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
	brief := randomBrief(b, book, 10, draw)
	for b.Loop() {
		if _, err := Compose(book, brief, draw, nil); err != nil {
			b.Fatal(err)
		}
	}
}
