package contract_test

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"taste/contract"
)

// domains have a contract and a corpus of cases for each of its rules.
var domains = []string{"airline", "retail", "telecom"}

// labelled are those whose sequences have been read by others.
var labelled = []string{"airline", "retail"}

// toy is the domain of another trade that tests have; it has no such corpus and
// no pack.
const toy = "library"

// folder is where the files of a domain are.
func folder(domain string) string {
	if domain == toy {
		return filepath.Join("..", "internal", toy)
	}
	return filepath.Join("..", "domain", domain)
}

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

func contractPath(domain string) string { return filepath.Join(folder(domain), "contract.yaml") }

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
