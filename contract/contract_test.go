package contract_test

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"taste/contract"
)

// domains have a contract in the folder of their name.
var domains = []string{"airline", "retail"}

func load(t *testing.T, domain string) *contract.Contract {
	t.Helper()
	data, err := os.ReadFile(contractPath(domain))
	if err != nil {
		t.Fatal(err)
	}
	c, err := contract.Load(data)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func contractPath(domain string) string {
	return filepath.Join("..", "domain", domain, "contract.yaml")
}

func TestLoadAirline(t *testing.T) {
	c := load(t, "airline")
	if len(c.Wishes) < 20 || c.Wish("cancel") == nil {
		t.Fatalf("%d wishes", len(c.Wishes))
	}
}

func TestSplitJoin(t *testing.T) {
	w := load(t, "airline").Wish("book")
	ask := map[string]any{
		"origin": "JFK", "destination": "SEA", "date": "2024-05-20", "cabin": "economy", "via": "direct", "pick": "cheapest",
		"travellers": []any{map[string]any{"name": "A B", "dob": "1990-01-01"}, map[string]any{"name": "C D", "dob": "1991-01-01"}},
		"bags":       int64(0), "insurance": "no", "pay": "7447",
	}
	main, details := w.Split(ask)
	if len(main.Slots) != 4 || len(details) != 6 {
		t.Fatalf("main %v, details %v", main, details)
	}
	back, err := w.Join(main, details)
	if err != nil || !reflect.DeepEqual(back, ask) {
		t.Fatalf("got %v, %v", back, err)
	}
}
