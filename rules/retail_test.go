package rules

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"taste/phrase"
)

// shopper is a customer of the built-in shop with what it takes to find her.
type shopper struct{ id, email, name, zip, order string }

func shopperOf(t *testing.T, a *Author) shopper {
	t.Helper()
	e := a.domain.Environment()
	for _, id := range e.Keys("users") {
		me := e.Record("users", id)
		orders, _ := me["orders"].([]any)
		if len(orders) == 0 || fmt.Sprint(e.Record("orders", fmt.Sprint(orders[0]))["status"]) != "pending" {
			continue
		}
		name, address := me["name"].(map[string]any), me["address"].(map[string]any)
		return shopper{
			id: id, email: fmt.Sprint(me["email"]), zip: fmt.Sprint(address["zip"]), order: fmt.Sprint(orders[0]),
			name: fmt.Sprint(name["first_name"], " ", name["last_name"]),
		}
	}
	t.Fatal("nobody has a pending order")
	return shopper{}
}

// TestAgentFindsCustomers: in the ways that the contract lists, in its order,
// asking once for each particular.
func TestAgentFindsCustomers(t *testing.T) {
	a := authorOf(t, "retail", false)
	w := testWorld{a.domain, a.contract, a.book}
	s := shopperOf(t, a)
	email, name, zip := phrase.New("my_email", "email", s.email), phrase.New("my_name", "name", s.name), phrase.New("my_zip", "zip", s.zip)
	wish, no := phrase.New("ask_ship_zip", "order", s.order), func(slot string) phrase.Act { return phrase.New("dont_know", "slot", slot) }
	byEmail, byName, served := "find_user_id_by_email", "find_user_id_by_name_zip", []string{"get_order_details", "tell_ship_zip", nextThing}
	for title, k := range map[string]struct {
		turns [][]phrase.Act
		want  []string
	}{
		"by e-mail":                  {[][]phrase.Act{turn(wish), turn(email)}, []string{"ask_slot", byEmail}},
		"by name and ZIP, unasked":   {[][]phrase.Act{turn(name, zip, wish)}, []string{byName}},
		"by the other way":           {[][]phrase.Act{turn(wish), turn(no("email")), turn(name), turn(zip)}, []string{"ask_slot", "ask_slot", "ask_slot", byName}},
		"after an unknown e-mail":    {[][]phrase.Act{turn(wish), turn(phrase.New("my_email", "email", "no.one@example.com")), turn(name), turn(zip)}, []string{"ask_slot", byEmail, "ask_slot", "ask_slot", byName}},
		"after a slip in the e-mail": {[][]phrase.Act{turn(wish), turn(phrase.New("my_email", "email", "no.one@example.com")), turn(email)}, []string{"ask_slot", byEmail, "ask_slot", byEmail}},
		"asked again":                {[][]phrase.Act{turn(wish), turn(phrase.New("rephrase")), turn(email)}, []string{"ask_slot", "ask_slot", byEmail}},
	} {
		if got, want := movesOf(t, a.book, visitOf(t, w, k.turns...)), slices.Concat(k.want, served); !slices.Equal(got, want) {
			t.Errorf("%s:\n got %v\nwant %v", title, got, want)
		}
	}
	got := movesOf(t, a.book, visitOf(t, w, turn(wish), turn(no("email")), turn(no("name"))))
	if want := []string{"ask_slot", "ask_slot", "cannot_without", nextThing}; !slices.Equal(got, want) {
		t.Errorf("says nothing of herself: %v, want %v", got, want)
	}
	got = movesOf(t, a.book, visitOf(t, w, turn(wish), turn(no("email")), turn(name), turn(phrase.New("my_zip", "zip", "00000"))))
	if want := []string{"ask_slot", "ask_slot", "ask_slot", byName, "cannot_without", nextThing}; !slices.Equal(got, want) {
		t.Errorf("is not to be found: %v, want %v", got, want)
	}
}

// TestIntroductionsFollowTheSequence: the scenario gives the facts of the ways
// whose reads the sequence makes, and the gold calls are made with them.
func TestIntroductionsFollowTheSequence(t *testing.T) {
	a := authorOf(t, "retail", false)
	for _, k := range []struct{ first, facts []string }{
		{[]string{"find_user_id_by_email"}, []string{"my_email"}},
		{[]string{"find_user_id_by_name_zip"}, []string{"my_name", "my_zip"}},
		{[]string{"find_user_id_by_name_zip", "find_user_id_by_email"}, []string{"my_email", "my_name", "my_zip"}},
	} {
		for _, d := range drafts(t, a, append(slices.Clone(k.first), "get_order_details", "cancel_pending_order")...) {
			brief, err := briefOf(d)
			if err != nil {
				t.Fatal(err)
			}
			var facts []string
			for _, f := range brief.Facts {
				facts = append(facts, f.Name)
			}
			if !slices.Equal(facts, k.facts) {
				t.Errorf("%v: the customer says %v, want %v", k.first, facts, k.facts)
			}
			e := a.domain.Environment()
			if err := e.SetState(d.Task.InitialState); err != nil {
				t.Fatal(err)
			}
			gold := d.Task.EvaluationCriteria.Actions
			owner := e.Record("orders", fmt.Sprint(gold[len(k.first)].Arguments["order_id"]))["user_id"]
			for i := range k.first {
				if got, err := e.Read(gold[i].Name, gold[i].Arguments); err != nil || got != owner {
					t.Errorf("%s finds %v (%v), the order is of %v", Spell(gold[i].Name, gold[i].Arguments), got, err, owner)
				}
			}
			if got := CustomerOf(a.contract, e, &d.Task, factsOf(brief)); got != owner {
				t.Errorf("the facts are those of %s, the order is of %v", got, owner)
			}
			if got := CustomerOf(a.contract, e, &d.Task, nil); got != owner {
				t.Errorf("gold is about %s, the order is of %v", got, owner)
			}
		}
	}
}

// TestRetailTasksHold: tasks of the second domain pass reviewer and verifier,
// are earned by the careful agent, and by nobody who was not told what it takes.
func TestRetailTasksHold(t *testing.T) {
	if testing.Short() {
		t.Skip("makes tasks one after the other: run without -short")
	}
	a := authorOf(t, "retail", false)
	verifier, reviewer := NewVerifier(a.domain, a.contract, a.book), NewReviewer(a.domain, a.contract, a.book)
	honesty := NewHonesty(a.domain, a.contract, a.book)
	ctx, carried := context.Background(), 0
	for _, task := range soundTasks(t, a, 5) {
		if found, err := reviewer.Review(ctx, &task); err != nil || len(found) > 0 {
			t.Errorf("%s: review: %v, %v", task.ID, found, err)
		}
		attempts, err := verifier.Verify(ctx, &task, 1)
		for _, x := range attempts {
			if x.Reward != 1 {
				t.Errorf("%s: the verifier fails: %s", task.ID, x.Why)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		if o := play(t, Play{Target: targetOf(t, a.domain, &task), Agent: Careful(a.contract, a.book), User: Customer(a.book), Seed: 2}); o.Reward != 1 {
			t.Errorf("%s: the careful agent fails: %s", task.ID, o.Why)
		}
		deletions, err := honesty.Test(ctx, &task, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range deletions {
			carried += count(x.Carries)
			if !x.Honest() {
				t.Errorf("%s: verifier %v, careful %v without %s %q", task.ID, x.Verifier, x.Careful, x.Act, x.Sentence)
			}
		}
	}
	if carried < 10 {
		t.Errorf("%d deletions carry an argument", carried)
	}
}

// TestRetailTrapsHold: all seven techniques are found in the second domain, and
// what is kept of them is proven.
func TestRetailTrapsHold(t *testing.T) {
	if testing.Short() {
		t.Skip("makes tasks one after the other: run without -short")
	}
	a := authorOf(t, "retail", false)
	e := NewEvolver(a.domain, a.contract, a.book)
	seen := map[string]int{}
	for _, task := range soundTasks(t, a, 10) {
		x, ok := evolve(t, e, &task)
		if !ok {
			continue
		}
		checkSentences(t, e, &x)
		checkStripped(t, e, &task, &x)
		for _, tr := range x.Techniques {
			seen[tr.Technique]++
		}
	}
	for _, name := range Techniques() {
		if seen[name] == 0 {
			t.Errorf("no task carries %s: %v", name, seen)
		}
	}
}

// TestRivalsMayBeParts: a look-alike of a variant is laid over its product, whose
// other variants stay.
func TestRivalsMayBeParts(t *testing.T) {
	a := authorOf(t, "retail", false)
	e := NewEvolver(a.domain, a.contract, a.book)
	found := 0
	for _, d := range drafts(t, a, "get_order_details", "get_product_details", "exchange_delivered_order_items") {
		if !slices.Contains(d.Meta.Wishes, "exchange_pick") {
			continue
		}
		task, err := a.Tell(t.Context(), d, 1)
		if err != nil {
			t.Fatal(err)
		}
		design, err := e.Devise(t.Context(), &task, 1)
		if err != nil {
			t.Fatal(err)
		}
		traps, err := snares(design)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range traps {
			if s.Decoy != "available" {
				continue
			}
			found++
			r := s.Records[0]
			data, err := addTo(a.contract, a.domain, task.InitialState, s.Records)
			if err != nil {
				t.Fatal(err)
			}
			env := a.domain.Environment()
			before := len(env.Record(r.Table, r.Key)["variants"].(map[string]any))
			if err := env.SetState(data); err != nil {
				t.Fatal(err)
			}
			if after := len(env.Record(r.Table, r.Key)["variants"].(map[string]any)); r.Table != "products" || before != after {
				t.Errorf("%s %s: %d variants, then %d", r.Table, r.Key, before, after)
			}
		}
	}
	if found == 0 {
		t.Error("no rival of a variant was found")
	}
}
