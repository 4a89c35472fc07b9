package gates_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"taste/chat"
	"taste/domain/telecom"
	"taste/gates"
	"taste/phrase"
	"taste/tau"
)

// TestAdviceOnTroubles: about a trouble that is not there nothing is said of calls.
func TestAdviceOnTroubles(t *testing.T) {
	k := newPhones(t)
	book, err := phrase.Load(append([][]byte{phrase.Common}, telecom.Phrases()...)...)
	must(t, err)
	task := broken(t, k, []tau.EnvCall{envCall(chat.User, "turn_data_off")}, byUser("reboot_device"))
	draw := rand.New(rand.NewPCG(1, 1))
	said := ""
	for _, act := range []phrase.Act{phrase.New("my_number", "number", "555-318-4471"), phrase.New("no_service")} {
		text, err := book.Render(act, phrase.Second, draw)
		must(t, err)
		said += text + " "
	}
	task.UserScenario.Instructions.Plain = said
	found, err := gates.Validate(context.Background(), []tau.Task{*task}, k.domain, k.contract, book, nil)
	must(t, err)
	seen := false
	for _, f := range found {
		if f.Rule == "trouble" {
			seen = true
			if f.Class != gates.Impossible || strings.Contains(f.Advice, "call") || !strings.Contains(f.Advice, "trouble") {
				t.Errorf("%s: class %s, advice %q", f.Evidence, f.Class, f.Advice)
			}
		}
	}
	if !seen {
		t.Errorf("nothing is found of the trouble: %v", found)
	}
}
