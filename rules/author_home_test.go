package rules

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
)

// Wishes about other lines of the customer's are about different ones, also where
// each line has to do.
func TestWishesArePartedAmongWhatThereIs(t *testing.T) {
	for _, c := range []struct {
		values [][]any
		want   []any // nil: it cannot be done
	}{
		{[][]any{{1, 2, 3}, {1}, {2, 1}}, []any{3, 1, 2}},
		{[][]any{{1, 2}, {2}, {1}}, nil},
		{nil, []any{}},
	} {
		var stakes []*stake
		for _, v := range c.values {
			stakes = append(stakes, &stake{values: v})
		}
		got := []any{}
		if ok := claim(stakes, &got); ok != (c.want != nil) || ok && !slices.Equal(got, c.want) {
			t.Errorf("of %v: %v %v, want %v", c.values, got, ok, c.want)
		}
	}
	w := worldOf(t, "telecom", false)
	seq := []string{"refuel_data", "suspend_line", "resume_line", "resume_line", "toggle_data"}
	for seed := range uint64(5) {
		d, err := NewAuthor(w.domain, w.contract, w.book).Draft(context.Background(), "t", seq, seed)
		if err != nil {
			t.Error(err)
			continue
		}
		checkDraft(t, authorOf(t, "telecom", false), d)
	}
}

// A sequence of few readings is read in each way before any comes again.
func TestReadingsDiffer(t *testing.T) {
	w := worldOf(t, "telecom", false)
	r := &readings{c: w.contract, seq: []string{"reboot_device", "suspend_line"}, draw: rand.New(rand.NewPCG(1, 1)), drawn: map[string]bool{}}
	for range 5 {
		before := len(r.drawn)
		if _, err := r.next(); err != nil {
			t.Fatal(err)
		}
		if len(r.drawn) == before {
			t.Fatalf("a reading comes again after %d", before)
		}
	}
	for range 9 {
		if b, err := r.next(); err != nil || b == nil {
			t.Fatal("readings that are used up do not come again", err)
		}
	}
}

// What only people can repair may stand behind another trouble than the first.
func TestHandOffBehindALaterTrouble(t *testing.T) {
	w := worldOf(t, "telecom", false)
	seq := []string{"resume_line", "toggle_airplane_mode", "transfer_to_human_agents"}
	for seed := range uint64(60) {
		d, err := NewAuthor(w.domain, w.contract, w.book).Draft(context.Background(), "t", seq, seed)
		if err != nil {
			t.Fatal(err)
		}
		if slices.Contains(d.Meta.Wishes, "dead_line") && slices.Contains(d.Meta.Wishes, "no_service") {
			task, err := NewAuthor(w.domain, w.contract, w.book).Tell(context.Background(), d, seed)
			if err != nil {
				t.Fatal(err)
			}
			passesChecks(t, w, seq, &task)
			return
		}
	}
	t.Error("no task has a trouble before the line that is handed off")
}
