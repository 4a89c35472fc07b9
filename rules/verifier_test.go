package rules

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"taste/phrase"
	"taste/tau"
)

func TestVerifierSolvesWithHints(t *testing.T) {
	d, c, b := builtin(t)
	v := NewVerifier(d, c, b)
	for name, e := range errands {
		attempts, err := v.Verify(context.Background(), retell(t, b, e), 1)
		if err != nil || len(attempts) != Attempts {
			t.Fatalf("%s: %d attempts, %v", name, len(attempts), err)
		}
		for _, a := range attempts {
			if a.Reward != 1 {
				t.Errorf("%s: %s", name, a.Why)
			}
		}
		again, err := v.Verify(context.Background(), retell(t, b, e), 1)
		if err != nil || !reflect.DeepEqual(attempts, again) {
			t.Errorf("%s: the same seed gives %v, then %v (%v)", name, attempts, again, err)
		}
	}
}

func TestVerifierFailsWrongTasks(t *testing.T) {
	d, c, b := builtin(t)
	v := NewVerifier(d, c, b)
	for name, spoil := range map[string]func(*tau.Task){
		"an answer that is never given": func(t *tau.Task) {
			t.EvaluationCriteria.CommunicateInfo = []string{"four score and seven"}
		},
		"a gold call that nobody asks for": func(t *tau.Task) {
			t.EvaluationCriteria.Actions = append(t.EvaluationCriteria.Actions, tau.Action{
				Name:      "send_certificate",
				Arguments: map[string]any{"user_id": "samir_rahman_8450", "amount": int64(50)},
			})
		},
		"gold is about another booking": func(t *tau.Task) {
			last := &t.EvaluationCriteria.Actions[len(t.EvaluationCriteria.Actions)-1]
			args := map[string]any{}
			for k, v := range last.Arguments {
				args[k] = v
			}
			args["reservation_id"] = "E2PHU8"
			*last = tau.Action{Name: last.Name, Arguments: args}
		},
	} {
		task := retell(t, b, errands["bags beyond the allowance"])
		spoil(task)
		attempts, err := v.Verify(context.Background(), task, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range attempts {
			if a.Reward != 0 || a.Why == "" {
				t.Errorf("%s: reward %v, why %q", name, a.Reward, a.Why)
			}
		}
	}
}

func TestVerifierDoesNotReadForeignProse(t *testing.T) {
	d, c, b := builtin(t)
	task := retell(t, b, errands["a booking of today"])
	s := *task.UserScenario.Instructions.Structured
	s.TaskInstructions += " Thou shalt not pass."
	task.UserScenario.Instructions.Structured = &s
	if _, err := NewVerifier(d, c, b).Verify(context.Background(), task, 1); !errors.Is(err, ErrUnreadable) {
		t.Errorf("got %v", err)
	}
}

func TestHintsHideThreeTenthsOfEachCall(t *testing.T) {
	for n, want := range []int{0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 3, 4} {
		if got := Hidden(n); got != want {
			t.Errorf("of %d arguments %d are hidden, want %d", n, got, want)
		}
	}
	_, _, b := builtin(t)
	task := retell(t, b, errands["a booking paid in two ways"])
	h := newHints(task, rand.New(rand.NewPCG(1, 1)))
	var names []string
	for _, c := range h.calls {
		names = append(names, c.name)
		i := slices.IndexFunc(task.EvaluationCriteria.Actions, func(a tau.Action) bool { return a.Name == c.name })
		if all := len(task.EvaluationCriteria.Actions[i].Arguments); len(c.args) != all-Hidden(all) {
			t.Errorf("%s shows %d of %d arguments", c.name, len(c.args), all)
		}
	}
	slices.Sort(names)
	if want := []string{"book_reservation", "calculate", "get_user_details", "search_direct_flight"}; !slices.Equal(names, want) {
		t.Errorf("hints about %v", names)
	}
}

func TestHintFitsOnlyWhatTheCustomerSaid(t *testing.T) {
	_, c, _ := builtin(t)
	mine := map[string]any{
		"reservation_id": "AAAAAA", "cabin": "economy", "payment_id": "p",
		"flights": []any{map[string]any{"flight_number": "KES001", "date": "2024-05-20"}},
	}
	flights := func(number, date string) []any {
		return []any{map[string]any{"flight_number": number, "date": date}}
	}
	for name, s := range map[string]struct {
		hint map[string]any
		want string // flight number of the merged call, "" for none
	}{
		"nothing visible": {map[string]any{}, "KES001"},
		"all the same":    {map[string]any{"cabin": "economy", "flights": flights("KES001", "2024-05-20")}, "KES001"},
		"another choice":  {map[string]any{"flights": flights("KES003", "2024-05-20")}, "KES003"},
		"another day":     {map[string]any{"flights": flights("KES001", "2024-05-21")}, ""},
		"another booking": {map[string]any{"reservation_id": "BBBBBB"}, ""},
		"one flight more": {map[string]any{"flights": append(flights("KES001", "2024-05-20"), flights("KES003", "2024-05-20")...)}, ""},
	} {
		f := &fit{hint: &hint{args: s.hint}, sources: c.Tools["update_reservation_flights"].Args}
		err := f.arguments(&matter{wish: c.Wish("recabin"), args: mine})
		got := ""
		if err == nil {
			got = f.merged["flights"].([]any)[0].(map[string]any)["flight_number"].(string)
		}
		if got != s.want {
			t.Errorf("%s: %q (%v), want %q", name, got, err, s.want)
		}
	}
	m := &matter{wish: c.Wish("add_bags"), args: map[string]any{"reservation_id": "AAAAAA"}}
	shown := map[string]any{"total_baggages": int64(3), "nonfree_baggages": int64(1), "payment_id": "p"}
	if err := (&fit{hint: &hint{args: shown}, sources: c.Tools["update_reservation_baggages"].Args}).arguments(m); err == nil {
		t.Error("a hint supplies the payment that the customer did not name")
	}
}

func TestHintsAreReassigned(t *testing.T) {
	_, c, _ := builtin(t)
	args := func(cabin string) map[string]any {
		return map[string]any{
			"reservation_id": "AAAAAA", "cabin": cabin, "payment_id": "p",
			"flights": []any{map[string]any{"flight_number": "KES001", "date": "2024-05-20"}},
		}
	}
	vague := &hint{name: "update_reservation_flights", args: map[string]any{"payment_id": "p"}}
	exact := &hint{name: "update_reservation_flights", args: map[string]any{"cabin": "economy"}}
	h := &hints{calls: []*hint{vague, exact}, behind: map[*matter]*hint{}}
	for _, cabin := range []string{"economy", "business"} {
		m := &matter{wish: c.Wish("recabin"), args: args(cabin)}
		best, merged := h.match(c, m)
		if best == nil || merged["cabin"] != cabin {
			t.Fatalf("no hint for %s", cabin)
		}
		h.behind[m] = best
		h.did(m, merged)
	}
	if vague.made["cabin"] != "business" || exact.made["cabin"] != "economy" {
		t.Errorf("vague %v, exact %v", vague.made, exact.made)
	}
	if best, _ := h.match(c, &matter{wish: c.Wish("recabin"), args: args("economy")}); best != nil {
		t.Error("a third call follows a hint though both were followed")
	}
}

func TestDeletedSentencesAreMissed(t *testing.T) {
	d, c, b := builtin(t)
	h := NewHonesty(d, c, b)
	carriers := map[string]bool{}
	for name, e := range errands {
		task := retell(t, b, e)
		deletions, err := h.Test(context.Background(), task, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range deletions {
			if !strings.Contains(allText(task.UserScenario), x.Sentence) {
				t.Errorf("%s: %q is no sentence of the scenario", name, x.Sentence)
			}
			if !x.Honest() {
				t.Errorf("%s: verifier %v, careful %v without %s %q", name, x.Verifier, x.Careful, x.Act, x.Sentence)
			}
			carriers[x.Act] = carriers[x.Act] || x.Carries
			if role := b.Spec(x.Act).Role; role == phrase.Mood || role == phrase.Order || role == phrase.Story {
				if x.Carries || !x.Careful || !x.Verifier {
					t.Errorf("%s: %q carries %v, verifier %v, careful %v", name, x.Sentence, x.Carries, x.Verifier, x.Careful)
				}
			}
		}
	}
	for _, act := range []string{"cancel", "move", "choose", "pay", "pay_split", "traveller", "bags", "insurance", "add_bags", "fix_dob", "user_id", "compensation", "ask_paid"} {
		if !carriers[act] {
			t.Errorf("no sentence of %s carries an argument", act)
		}
	}
	if carriers["ask_balance"] || carriers["outside"] {
		t.Error("a wish without arguments of weight carries one")
	}
}

func allText(s tau.UserScenario) string {
	t := scenarioText(s)
	return strings.Join([]string{t.ReasonForCall, t.TaskInstructions, t.KnownInfo, t.UnknownInfo}, "\n")
}
