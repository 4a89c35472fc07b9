package library_test

import (
	"strings"
	"testing"

	"taste/chat"
	"taste/gates"
	"taste/internal/library"
	"taste/pyjson"
	"taste/run"
)

// TestTools makes calls in turn: NAME JSON → what the answer holds.
func TestTools(t *testing.T) {
	e := open(t, 1).domain.Environment()
	for _, line := range []string{
		`get_member {"member_id": "M02435960"} → "category": "student", "cards": ["3013", "5958"]`,
		`get_member {"member_id": "M1"} → Error: Member not found`,
		`get_loan {"loan_id": "L-108205"} → "due": "2031-01-19", "renewals": 0, "waiting": 0, "paid": 0.0, "paid_by": ""`,
		`pay_fee {"loan_id": "L-108205", "amount": 10.4, "card": "1111"} → Error: The member has no such card`,
		`pay_fee {"loan_id": "L-108205", "amount": -1, "card": "5958"} → Error: The amount must be positive`,
		`pay_fee {"loan_id": "L-108205", "amount": 10.4, "card": "5958"} → "paid": 10.4, "paid_by": "5958"`,
		`renew_loan {"loan_id": "L-922675", "due": "soon"} → Error: The due date must be given as YYYY-MM-DD`,
		`renew_loan {"loan_id": "L-922675", "due": "2031-03-27"} → Error: The new due date must be later`,
		`renew_loan {"loan_id": "L-922675", "due": "2031-04-17"} → "due": "2031-04-17", "renewals": 1`,
		`renew_loan {"loan_id": "L-0", "due": "2031-04-17"} → Error: Loan not found`,
		`hand_over {"summary": "a room"} → A librarian has been called`,
	} {
		request, want, _ := strings.Cut(line, " → ")
		name, args, _ := strings.Cut(request, " ")
		v, err := pyjson.Decode([]byte(args))
		if err != nil {
			t.Fatal(err)
		}
		if got := e.CallOrdered(chat.Assistant, name, v.(*pyjson.Object)).Content; !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", request, got, want)
		}
	}
}

// TestSeedTasks: the seed tasks are sound tasks of every world, and plausible.
func TestSeedTasks(t *testing.T) {
	for _, worldSeed := range []uint64{1, 2} {
		l := open(t, worldSeed)
		for i := range l.seeds {
			if v := l.contract.Judge(run.GoldSequence(&l.seeds[i])); !v.Plausible {
				t.Errorf("%s: %s", l.seeds[i].ID, v.Why())
			}
		}
		faults, err := gates.Validate(t.Context(), l.seeds, l.domain, l.contract, l.book, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range faults {
			if f.Kind != gates.NotChecked {
				t.Errorf("world %d: %+v", worldSeed, f)
			}
		}
	}
}

// TestBooksOfTheFolder: both files of the phrase book are embedded.
func TestBooksOfTheFolder(t *testing.T) {
	if n := len(library.Phrases()); n != 2 {
		t.Errorf("%d files of the phrase book", n)
	}
}
