package rules

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"taste/internal/shared"
	"taste/phrase"
	"taste/role"
	"taste/tau"
)

// foreignWords is a task in words of somebody else.
func foreignWords(t tau.Task, text string) tau.Task {
	t.UserScenario = tau.UserScenario{Instructions: tau.Instructions{Structured: &tau.StructuredInstructions{
		Domain: "telecom", ReasonForCall: "Thy telephone is a dead weight in thy pocket.", TaskInstructions: text,
	}}}
	return t
}

// TestTroublesOfOthersAreInferred: whatever the words, the customer and her phone are
// known by the setup of the task, and her trouble by what gold repairs.
func TestTroublesOfOthersAreInferred(t *testing.T) {
	w := worldOf(t, "telecom", false)
	e := NewEvolver(w.domain, w.contract, w.book)
	for i, want := range map[int]string{
		0: "no_service", 1: "no_mms", 2: "pause slow_data", 3: "no_service", 5: "no_mms", 10: "pause roaming_off no_service bill_due",
		8: "gold hands over and changes nothing",
	} {
		own := drafted(t, w, troubled[i], 1)
		if own == nil {
			continue
		}
		task := foreignWords(*own, "Thou desirest it whole again.")
		p, why, err := e.author.foreign(&task)
		if err != nil {
			t.Fatal(err)
		}
		if p == nil {
			if !strings.HasPrefix(why, want) {
				t.Errorf("%v: %s", troubled[i], why)
			}
			continue
		}
		var got []string
		for _, x := range p.wishes {
			got = append(got, x.Wish.Name)
		}
		if p.customer == "" || p.device == "" || !alike(got, strings.Fields(want)) {
			t.Errorf("%v: %s with %s wants %v, want %s", troubled[i], p.customer, p.device, got, want)
		}
	}
}

// alike tells whether two lists hold the same, in any order.
func alike(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// TestTroublesOfOthersAreMadeHarder: only how the customer goes about her trouble is
// added, behind words that stay, and is proven by the task's own reward.
func TestTroublesOfOthersAreMadeHarder(t *testing.T) {
	w := worldOf(t, "telecom", false)
	e := NewEvolver(w.domain, w.contract, w.book)
	for _, i := range []int{0, 2, 3, 6} {
		own := drafted(t, w, troubled[i], 1)
		if own == nil {
			continue
		}
		task := foreignWords(*own, "Thou desirest it whole again.")
		x, ok := evolve(t, e, &task)
		if !ok {
			t.Errorf("%v: stays as it is", troubled[i])
			continue
		}
		checkAppended(t, e, &task, &x)
	}
}

// checkAppended: gold, start and words of a task are as they were, each trap has
// sentences behind them, and without these the trap is gone.
func checkAppended(t *testing.T, e *Evolver, before *tau.Task, x *role.Evolved) {
	t.Helper()
	if !reflect.DeepEqual(x.Task.EvaluationCriteria, before.EvaluationCriteria) || !reflect.DeepEqual(x.Task.InitialState, before.InitialState) {
		t.Errorf("%s: gold or start changed", before.ID)
	}
	old := strings.TrimSpace(before.UserScenario.Instructions.Structured.TaskInstructions)
	added, kept := strings.CutPrefix(x.Task.UserScenario.Instructions.Structured.TaskInstructions, old)
	if !kept {
		t.Errorf("%s: %q is gone", before.ID, old)
	}
	for _, tr := range x.Techniques {
		if !slices.Contains([]string{ConditionalEscalation, FactualMisrepresentation, InformationWithholding}, tr.Technique) || len(tr.Sentences) != 1 ||
			!strings.Contains(added, tr.Sentences[0]) {
			t.Errorf("%s: %s by %q in %q", before.ID, tr.Technique, tr.Sentences, added)
			continue
		}
		bare, err := Strip(&x.Task, x.Techniques, tr.Technique)
		if err != nil {
			t.Fatal(err)
		}
		if left := e.led(bare.UserScenario); len(left) != len(x.Techniques)-1 {
			t.Errorf("%s: without %s there is %v", before.ID, tr.Technique, left)
		}
	}
}

// behindTrouble makes a task of a sequence in which a fault stands, and which is such
// as the test needs.
func behindTrouble(t *testing.T, w testWorld, fault string, such func(*tau.Task) bool, seq ...string) *tau.Task {
	t.Helper()
	a := NewAuthor(w.domain, w.contract, w.book)
	for seed := range uint64(50) {
		d, err := a.Draft(t.Context(), "t", seq, seed)
		if err != nil || !slices.Contains(d.Meta.Faults, fault) {
			continue
		}
		task, err := a.Tell(t.Context(), d, seed)
		if err != nil {
			t.Fatal(err)
		}
		if such(&task) {
			return &task
		}
	}
	t.Fatalf("%v: no such task in which %s stands", seq, fault)
	return nil
}

// bought is the amount of data that gold buys, as customers say it; "" if none.
func bought(task *tau.Task) string {
	for _, a := range task.EvaluationCriteria.Actions {
		if v, ok := a.Arguments["gb_amount"]; ok {
			return strings.TrimSuffix(fmt.Sprint(v), ".0")
		}
	}
	return ""
}

// TestProseThatSettlesItsTrouble: where the words say how the customer goes about her
// trouble, nothing is added that might deny it.
func TestProseThatSettlesItsTrouble(t *testing.T) {
	w := worldOf(t, "telecom", false)
	const guess = "0.5" // what an agent that does not ask takes for granted
	own := behindTrouble(t, w, "used_up", func(task *tau.Task) bool { return bought(task) != guess }, "refuel_data", "toggle_airplane_mode")
	buy := "Thou wilt buy " + bought(own) + " GB if it takes that."
	for _, x := range []struct {
		text, why string
		want      []string
	}{
		{buy, "", []string{ConditionalEscalation, FactualMisrepresentation, InformationWithholding}},
		{"Thou wilt buy what it takes.", "", []string{ConditionalEscalation, FactualMisrepresentation}},
		{buy + " Thy data are used up.", "", []string{ConditionalEscalation, InformationWithholding}},
		{buy + " You only share information when asked.", "", []string{ConditionalEscalation}},
		{buy + " Accept nothing else.", "", []string{ConditionalEscalation, FactualMisrepresentation, InformationWithholding}},
		{buy + " Never ask for a manager.", "it says how the customer goes about it: “Never ask for a manager.”", nil},
		{buy + " Be reactive.", "it says how the customer goes about it: “Be reactive.”", nil},
	} {
		e := NewEvolver(w.domain, w.contract, w.book)
		task := foreignWords(*own, x.text)
		d, err := e.Devise(t.Context(), &task, 1)
		if err != nil {
			t.Fatal(err)
		}
		traps, err := snares(d)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]bool{}
		for _, s := range traps {
			got[s.Technique] = true
		}
		if names := sortedKeys(got); d.Why != x.why || !slices.Equal(names, x.want) {
			t.Errorf("%q: %v, want %v (%s)", x.text, names, x.want, d.Why)
		}
	}
}

// TestUpstreamsTroublesAreMadeHarder takes some of the public tasks: all of them but
// those that anybody solves who hands over at once.
func TestUpstreamsTroublesAreMadeHarder(t *testing.T) {
	a := authorOf(t, "telecom", true)
	data, err := os.ReadFile(filepath.Join(shared.Dir(t), "packs", "tau2-telecom", "tasks.json"))
	if err != nil {
		t.Fatal(err)
	}
	tasks, err := tau.ParseTasks("tasks.json", data)
	if err != nil {
		t.Fatal(err)
	}
	e := NewEvolver(a.domain, a.contract, a.book)
	harder := 0
	for i := 0; i < len(tasks); i += 97 {
		p, why, err := a.plot(&tasks[i])
		if err != nil {
			t.Fatal(err)
		}
		if p == nil {
			if off := tasks[i].EvaluationCriteria.Actions[0].Name == a.contract.Protocol.Handoff; !off {
				t.Errorf("%s: %s", tasks[i].ID, why)
			}
			continue
		}
		if _, unread := phrase.Read(a.book, scenarioText(tasks[i].UserScenario)); len(unread) == 0 {
			t.Errorf("%s: its words are taken for the book's", tasks[i].ID)
		}
		x, ok := evolve(t, e, &tasks[i])
		if !ok {
			t.Errorf("%s: stays as it is", tasks[i].ID)
			continue
		}
		harder++
		checkAppended(t, e, &tasks[i], &x)
	}
	if harder < 20 {
		t.Errorf("%d tasks are harder", harder)
	}
}

// TestTroublesAreHeldToTheirWords: gold repairs what the customer complains of as she
// wants it, and in the end her phone shows what she goes by.
func TestTroublesAreHeldToTheirWords(t *testing.T) {
	w := worldOf(t, "telecom", false)
	own := behindTrouble(t, w, "used_up", func(task *tau.Task) bool { return bought(task) == "2" }, "refuel_data", "toggle_airplane_mode")
	r := NewReviewer(w.domain, w.contract, w.book)
	for _, c := range []struct{ old, new, rule string }{
		{"", "", ""},
		{"two gigabytes", "one gigabyte", TroubleMend},
		{"“(Excellent)”", "“(Poor)”", TroubleShows},
	} {
		task := *own
		text := *own.UserScenario.Instructions.Structured
		all := strings.ReplaceAll(text.ReasonForCall+"\n"+text.TaskInstructions, c.old, c.new)
		if c.old != "" && all == text.ReasonForCall+"\n"+text.TaskInstructions {
			t.Fatalf("%q does not stand in %s", c.old, all)
		}
		text.ReasonForCall, text.TaskInstructions, _ = strings.Cut(all, "\n")
		task.UserScenario.Instructions.Structured = &text
		found, err := r.Review(t.Context(), &task)
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.ContainsFunc(found, func(f role.Finding) bool { return f.Severity == role.Critical }); got != (c.rule != "") ||
			c.rule != "" && !slices.ContainsFunc(found, func(f role.Finding) bool { return f.Rule == c.rule }) {
			t.Errorf("%q for %q: %v, want %s", c.new, c.old, found, c.rule)
		}
	}
}
