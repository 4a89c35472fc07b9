package rules

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"taste/eval"
	"taste/phrase"
	"taste/role"
	"taste/tau"
)

// soundTasks makes n tasks of the built-in world.
func soundTasks(t *testing.T, a *Author, n int) []tau.Task {
	t.Helper()
	var out []tau.Task
	for i, seq := range accepted(t, a, 11, 4*n) {
		d, err := a.Draft(t.Context(), fmt.Sprint("t", i), seq, uint64(i))
		if errors.Is(err, role.ErrUnbuildable) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		task, err := a.Tell(t.Context(), d, uint64(i))
		if err == nil {
			out = append(out, task)
		}
		if len(out) == n {
			break
		}
	}
	return out
}

// evolve makes a task harder, dropping traps that flop.
func evolve(t *testing.T, e *Evolver, task *tau.Task) (role.Evolved, bool) {
	t.Helper()
	d, err := e.Devise(t.Context(), task, 3)
	if err != nil {
		t.Fatal(err)
	}
	var flops []role.Flop
	for round := range uint64(5) {
		x, err := e.Word(t.Context(), task, d, role.Full, flops, round)
		var tame *role.Tame
		if errors.As(err, &tame) {
			t.Logf("%s: %s", task.ID, tame.Why)
			return x, false
		}
		if err != nil {
			t.Fatal(err)
		}
		more, err := e.Prove(t.Context(), &x, 7)
		if err != nil {
			t.Fatal(err)
		}
		if len(more) == 0 {
			return x, true
		}
		flops = append(flops, more...)
	}
	return role.Evolved{}, false
}

// TestEvolvedTasksAreWhatTheySay holds tasks that were made harder to the rules
// for them, one by one.
func TestEvolvedTasksAreWhatTheySay(t *testing.T) {
	if testing.Short() {
		t.Skip("makes tasks one after the other: run without -short")
	}
	a := builtinAuthor(t)
	e := NewEvolver(a.domain, a.contract, a.book)
	tasks := soundTasks(t, a, 8)
	full := 0
	for i := range tasks {
		x, ok := evolve(t, e, &tasks[i])
		if !ok {
			continue
		}
		full++
		if !reflect.DeepEqual(x.Task.EvaluationCriteria, tasks[i].EvaluationCriteria) {
			t.Errorf("%s: the gold changed", tasks[i].ID)
		}
		least, most := Span(len(x.Task.EvaluationCriteria.Actions))
		if n := len(x.Techniques); n < least || n > most {
			t.Errorf("%s: %d traps, want %d to %d", tasks[i].ID, n, least, most)
		}
		checkSentences(t, e, &x)
		checkDecoys(t, e, &x)
		checkStripped(t, e, &tasks[i], &x)
	}
	if full < 6 {
		t.Errorf("%d of %d tasks are fully evolved", full, len(tasks))
	}
}

// checkSentences: the scenario can be read in full, and every trap's sentences
// stand in it at the item that it names.
func checkSentences(t *testing.T, e *Evolver, x *role.Evolved) {
	t.Helper()
	brief, unread := phrase.Read(e.author.book, scenarioText(x.Task.UserScenario))
	if len(unread) > 0 {
		t.Errorf("%s: unread %q", x.Task.ID, unread)
	}
	text := x.Task.UserScenario.Instructions.Structured.TaskInstructions
	for _, tr := range x.Techniques {
		if tr.Item >= len(brief.Items) {
			t.Errorf("%s: %s is about item %d of %d", x.Task.ID, tr.Technique, tr.Item, len(brief.Items))
		}
		for _, s := range tr.Sentences {
			if !strings.Contains(text, s) {
				t.Errorf("%s: no sentence %q", x.Task.ID, s)
			}
		}
		if len(tr.Sentences)+len(tr.Decoys) == 0 || tr.Aim == "" {
			t.Errorf("%s: nothing carries %s", x.Task.ID, tr.Technique)
		}
	}
}

// checkDecoys: a twin differs from one of the customer's other records in its
// key and the field that is named; a rival's field is there.
func checkDecoys(t *testing.T, e *Evolver, x *role.Evolved) {
	t.Helper()
	env := e.author.domain.Environment()
	if err := env.SetState(x.Task.InitialState); err != nil {
		t.Fatal(err)
	}
	for _, tr := range x.Techniques {
		for i, name := range tr.Decoys {
			table, key, _ := strings.Cut(name, "/")
			rec := env.Record(table, key)
			if rec == nil {
				t.Errorf("%s: no decoy %s", x.Task.ID, name)
				continue
			}
			for _, kind := range e.author.contract.Records {
				if kind.Table != table {
					continue
				}
				alike := 0
				for k, other := range env.Records(table) {
					if k != key && other[kind.Owner] == rec[kind.Owner] && equalBut(rec, other, kind.Key, tr.Differs[i]) {
						alike++
					}
				}
				if alike != 1 {
					t.Errorf("%s: %s is like %d records but for %s", x.Task.ID, name, alike, tr.Differs[i])
				}
			}
		}
	}
}

// checkStripped: without all techniques the task asks for what the base asks
// for, in the base's database.
func checkStripped(t *testing.T, e *Evolver, base *tau.Task, x *role.Evolved) {
	t.Helper()
	bare := &x.Task
	for _, name := range Techniques() {
		var err error
		if bare, err = Strip(bare, x.Techniques, name); err != nil {
			t.Fatal(err)
		}
	}
	want, _ := phrase.Read(e.author.book, scenarioText(base.UserScenario))
	got, _ := phrase.Read(e.author.book, scenarioText(bare.UserScenario))
	if fmt.Sprint(want.Items) != fmt.Sprint(got.Items) {
		t.Errorf("%s: stripped of everything it asks for\n%v, want\n%v", base.ID, got.Items, want.Items)
	}
	before, err := eval.NewTarget(e.author.domain, base)
	if err != nil {
		t.Fatal(err)
	}
	after, err := eval.NewTarget(e.author.domain, bare)
	if err != nil {
		t.Fatal(err)
	}
	if d := before.Gold().Diff(after.Gold()); len(d) > 0 {
		t.Errorf("%s: stripped of everything it ends otherwise: %s", base.ID, d[0])
	}
}

// TestLiteTasksHaveNoTrap: they ask for the same in other words.
func TestLiteTasksHaveNoTrap(t *testing.T) {
	a := builtinAuthor(t)
	e := NewEvolver(a.domain, a.contract, a.book)
	task := soundTasks(t, a, 1)[0]
	x, err := e.Word(context.Background(), &task, &role.Design{Traps: []byte("[]")}, role.Lite, nil, 1)
	if err != nil || len(x.Techniques)+len(x.Adds) > 0 {
		t.Fatalf("%v, %v", x.Techniques, err)
	}
	checkStripped(t, e, &task, &x)
	if flops, err := e.Prove(context.Background(), &x, 1); err != nil || len(flops) > 0 {
		t.Errorf("%v, %v", flops, err)
	}
}

// TestProseOfOthersIsKept: what the customer wants is inferred from gold, and the
// prose stays word for word.
func TestProseOfOthersIsKept(t *testing.T) {
	a := builtinAuthor(t)
	e := NewEvolver(a.domain, a.contract, a.book)
	evolved, kept := 0, 0
	for _, task := range soundTasks(t, a, 8) {
		task, ok := firstWrite(a, task)
		if !ok {
			continue
		}
		prose := "I go by " + e.customerOf(t, &task) + ", and the rest is my own affair."
		task.UserScenario = tau.UserScenario{Instructions: tau.Instructions{Plain: prose}}
		p, why, err := a.plot(&task)
		if err != nil {
			t.Fatal(err)
		}
		if p == nil {
			t.Logf("%s: %s", task.ID, why)
			kept++
			continue
		}
		x, ok := evolve(t, e, &task)
		if !ok {
			continue
		}
		evolved++
		if got := x.Task.UserScenario.Instructions.Plain; !strings.HasPrefix(got, prose) {
			t.Errorf("%s: %q", task.ID, got)
		}
		for _, tr := range x.Techniques {
			if tr.Technique != EligibilityPressure && tr.Technique != FactualMisrepresentation || len(x.Adds)+len(tr.Decoys) > 0 {
				t.Errorf("%s: %s adds %v to what words of others may mean", task.ID, tr.Technique, x.Adds)
			}
		}
	}
	if evolved < 3 {
		t.Errorf("%d made harder, %d kept", evolved, kept)
	}
}

// firstWrite is a task that ends with its first write; not ok for one without.
func firstWrite(a *Author, t tau.Task) (out tau.Task, ok bool) {
	crit := *t.EvaluationCriteria
	i := slices.IndexFunc(crit.Actions, func(x tau.Action) bool { return acts(a.contract, x.Name) })
	if i < 0 {
		return t, false
	}
	crit.Actions, crit.CommunicateInfo, crit.RewardBasis = crit.Actions[i:i+1], nil, nil
	t.EvaluationCriteria = &crit
	return t, true
}

func (e *Evolver) customerOf(t *testing.T, task *tau.Task) string {
	t.Helper()
	env := e.author.domain.Environment()
	if err := env.SetState(task.InitialState); err != nil {
		t.Fatal(err)
	}
	return CustomerOf(e.author.contract, env, task, nil)
}

func TestStripNamesWhatIsMissing(t *testing.T) {
	task := &tau.Task{ID: "x", UserScenario: tau.UserScenario{Instructions: tau.Instructions{Plain: "One. Two. Three."}}}
	carried := []role.Technique{{Technique: "a", Sentences: []string{"Two."}}, {Technique: "b", Sentences: []string{"Four."}}}
	got, err := Strip(task, carried, "a")
	if err != nil || got.UserScenario.Instructions.Plain != "One. Three." || task.UserScenario.Instructions.Plain != "One. Two. Three." {
		t.Errorf("%q, %v", got.UserScenario.Instructions.Plain, err)
	}
	if _, err := Strip(task, carried, "b"); err == nil || !strings.Contains(err.Error(), "Four.") {
		t.Errorf("got %v", err)
	}
	if same, err := Strip(task, carried, "c"); err != nil || same.UserScenario.Instructions.Plain != "One. Two. Three." {
		t.Errorf("%v, %v", same, err)
	}
}
