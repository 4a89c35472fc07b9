package gates

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"taste/contract"
	"taste/domain/airline"
	"taste/env"
	"taste/pyjson"
	"taste/tau"
)

// ends makes the writes in every order that keeps before, and returns the
// number of distinct end states.
func ends(start *env.Environment, steps []Step, before []uint64) int {
	var found []*env.Environment
	var permute func(e *env.Environment, done uint64)
	permute = func(e *env.Environment, done uint64) {
		if done == 1<<len(steps)-1 {
			if !slices.ContainsFunc(found, e.Equal) {
				found = append(found, e)
			}
			return
		}
		for k := range steps {
			if done&(1<<k) == 0 && before[k]&^done == 0 {
				next := e.Clone()
				next.Apply(steps[k].action())
				permute(next, done|1<<k)
			}
		}
	}
	permute(start, 0)
	return len(found)
}

// smallAirline is the domain of the contract's own tests.
func smallAirline(t *testing.T) *env.Domain {
	t.Helper()
	data, err := os.ReadFile("../contract/testdata/deletion/airline/db.json")
	if err != nil {
		t.Fatal(err)
	}
	db, err := pyjson.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	state, err := airline.Native.Load(db, nil)
	if err != nil {
		t.Fatal(err)
	}
	builtin, err := airline.Builtin(1)
	if err != nil {
		t.Fatal(err)
	}
	d, err := env.NewDomain(env.Domain{Name: "airline", Tools: builtin.Tools}, state)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestOrdersAgainstPermutations compares the walk over sets with all orders,
// on random writes that depend on each other through one gift card, minted
// ids and common records.
func TestOrdersAgainstPermutations(t *testing.T) {
	d := smallAirline(t)
	c, err := contract.Load(airline.Contract())
	if err != nil {
		t.Fatal(err)
	}
	pool := []Step{
		{Name: "cancel_reservation", Arguments: map[string]any{"reservation_id": "AAA888"}},
		{Name: "send_certificate", Arguments: map[string]any{"user_id": "ann_gold_1001", "amount": int64(50)}},
		{Name: "send_certificate", Arguments: map[string]any{"user_id": "ann_gold_1001", "amount": int64(100)}},
		{Name: "update_reservation_baggages", Arguments: map[string]any{"reservation_id": "AAA333", "total_baggages": int64(9), "nonfree_baggages": int64(7), "payment_id": "gift_card_1110003"}},
		{Name: "update_reservation_baggages", Arguments: map[string]any{"reservation_id": "AAA222", "total_baggages": int64(16), "nonfree_baggages": int64(10), "payment_id": "gift_card_1110003"}},
		{Name: "update_reservation_baggages", Arguments: map[string]any{"reservation_id": "AAA222", "total_baggages": int64(2), "nonfree_baggages": int64(0), "payment_id": "gift_card_1110003"}},
	}
	draw := rand.New(rand.NewPCG(1, 2))
	several := 0
	for range 60 {
		draw.Shuffle(len(pool), func(i, j int) { pool[i], pool[j] = pool[j], pool[i] })
		task := &tau.Task{ID: "t", EvaluationCriteria: &tau.EvaluationCriteria{}}
		for i, s := range pool[:2+draw.IntN(4)] {
			task.EvaluationCriteria.Actions = append(task.EvaluationCriteria.Actions, tau.Action{ActionID: fmt.Sprint(i), Name: s.Name, Arguments: s.Arguments})
		}
		w, err := New(d, c, nil).walk(task)
		if err != nil {
			t.Fatal(err)
		}
		o := w.ordering()
		got, ok := o.run()
		if want := ends(w.start(), o.steps, o.before); !ok || len(got) != want {
			t.Errorf("%v: %d end states, all orders give %d", o.steps, len(got), want)
		}
		if len(got) > 1 {
			several++
		}
	}
	if several == 0 {
		t.Error("no case in which the order matters")
	}
}
