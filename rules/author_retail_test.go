package rules

import (
	"context"
	"slices"
	"testing"

	"taste/role"
)

// drafts makes drafts of one sequence with a few seeds.
func drafts(t *testing.T, a *Author, seq ...string) []*role.Draft {
	t.Helper()
	var out []*role.Draft
	for seed := range uint64(12) {
		d, err := a.Draft(context.Background(), "x", seq, seed)
		if err != nil {
			t.Fatal(err)
		}
		checkDraft(t, a, d)
		out = append(out, d)
	}
	return out
}

// TestSumsKeepWhatTheyAreMadeOf: where a sum is asked for, the read before it is
// made for the sum, and the number that it reveals is not asked for as well.
func TestSumsKeepWhatTheyAreMadeOf(t *testing.T) {
	for _, d := range drafts(t, authorOf(t, "retail", false), "get_item_details", "calculate") {
		if !slices.Equal(d.Meta.Wishes, []string{"ask_bulk"}) {
			t.Errorf("%v", d.Meta.Wishes)
		}
	}
}

// TestChangesShareReadsMadeBefore: a product that was looked up before the order
// answers a question, and is among those that are exchanged.
func TestChangesShareReadsMadeBefore(t *testing.T) {
	a := authorOf(t, "retail", false)
	for _, d := range drafts(t, a, "get_product_details", "get_order_details", "exchange_delivered_order_items") {
		if len(d.Meta.Wishes) != 2 || len(d.Task.EvaluationCriteria.CommunicateInfo) != 1 {
			t.Errorf("%v, to tell %v", d.Meta.Wishes, d.Task.EvaluationCriteria.CommunicateInfo)
		}
		gold := d.Task.EvaluationCriteria.Actions
		e := a.domain.Environment()
		if err := e.SetState(d.Task.InitialState); err != nil {
			t.Fatal(err)
		}
		variants, _ := e.Record("products", gold[0].Arguments["product_id"].(string))["variants"].(map[string]any)
		fresh, _ := gold[2].Arguments["new_item_ids"].([]any)
		if !slices.ContainsFunc(fresh, func(id any) bool { return variants[id.(string)] != nil }) {
			t.Errorf("%v: nothing of it is exchanged for %v", gold[0].Arguments, fresh)
		}
	}
}
