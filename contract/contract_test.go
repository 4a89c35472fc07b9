package contract_test

import (
	"os"
	"testing"

	"taste/contract"
)

func airline(t *testing.T) *contract.Contract {
	t.Helper()
	data, err := os.ReadFile("../domain/airline/contract.yaml")
	if err != nil {
		t.Fatal(err)
	}
	c, err := contract.Load(data)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestLoadAirline(t *testing.T) {
	c := airline(t)
	if len(c.Wishes) < 20 || c.Wish("cancel") == nil {
		t.Fatalf("%d wishes", len(c.Wishes))
	}
}
