package retail

import (
	"regexp"
	"strings"
	"testing"

	"taste/domain/builtin/builtintest"
	"taste/env"
	"taste/tau"
)

func TestGoldOfSeedTasksRuns(t *testing.T) { built.EachSeed(t, builtintest.GoldRuns) }

func TestSilenceFailsSeedTasks(t *testing.T) {
	builtintest.SilenceFails(t, built.Of(t, 1), built.Seeds(t))
}

func TestScenariosDoNotGiveTheAnswer(t *testing.T) {
	builtintest.ScenariosKeepAnswers(t, built.Seeds(t))
}

func TestSeedTasksCoverTheTools(t *testing.T) {
	count, sequences := map[string]int{}, map[string]bool{}
	longest := 0
	tasks := built.Seeds(t)
	for _, task := range tasks {
		actions := task.EvaluationCriteria.Actions
		longest = max(longest, len(actions))
		var names []string
		for i, a := range actions {
			count[a.Name]++
			names = append(names, a.Name)
			if i >= 2 && a.Name == actions[i-1].Name && a.Name == actions[i-2].Name {
				t.Errorf("%s: %s three times in a row", task.ID, a.Name)
			}
			if a.Name == "transfer_to_human_agents" && i < len(actions)-1 {
				t.Errorf("%s goes on after the hand-off", task.ID)
			}
			if a.Name == "modify_pending_order_items" && len(a.Arguments["item_ids"].([]any)) > 1 {
				t.Errorf("%s depends on how several items of a pending order are changed", task.ID)
			}
		}
		sequences[strings.Join(names, " ")] = true
		if len(names) < 3 || !strings.HasPrefix(names[0], "find_user_id_by_") {
			t.Errorf("%s has the sequence %v", task.ID, names)
		}
	}
	for _, spec := range built.Of(t, 1).Tools {
		if count[spec.Name] < 2 {
			t.Errorf("%d seed tasks call %s", count[spec.Name], spec.Name)
		}
	}
	if len(tasks) < 30 || longest != 12 || len(sequences) < 25 {
		t.Errorf("%d tasks of %d sequences, the longest has %d calls", len(tasks), len(sequences), longest)
	}
}

var (
	fullNames = regexp.MustCompile(`\bYou are ([A-Z][a-z]+) ([A-Z][a-z]+)[,.]`)
	emails    = regexp.MustCompile(`\b[\w.]+@example\.com\b`)
	zipCodes  = regexp.MustCompile(`ZIP code of your home address is (\d{5})`)
	orderIDs  = regexp.MustCompile(`#W\d{7}`)
	cards     = regexp.MustCompile(`ending in (\d{4})`)
	itemIDs   = regexp.MustCompile(`\b\d{10}\b`)
)

// TestScenariosAgreeWithTheRecords looks up everything that a scenario names.
func TestScenariosAgreeWithTheRecords(t *testing.T) {
	built.EachSeed(t, func(t *testing.T, d *env.Domain, task *tau.Task) {
		e, text := d.Environment(), builtintest.Scenario(task)
		u := customer(e, text)
		if u == nil {
			t.Fatalf("nobody is the customer of: %s", text)
		}
		email, zip := emails.FindAllString(text, -1), zipCodes.FindStringSubmatch(text)
		if len(email) == 0 && zip == nil {
			t.Error("the customer cannot be found")
		}
		for _, m := range email {
			if m != u["email"] {
				t.Errorf("email %s, in the profile %v", m, u["email"])
			}
		}
		if zip != nil && zip[1] != u["address"].(map[string]any)["zip"] {
			t.Errorf("ZIP code %s, in the profile %v", zip[1], u["address"])
		}
		for _, id := range orderIDs.FindAllString(text, -1) {
			if o := e.Record("orders", id); o == nil || o["user_id"] != u["user_id"] && !strings.Contains(text, "her order "+id) {
				t.Errorf("order %s does not belong to %v", id, u["user_id"])
			}
		}
		for _, m := range cards.FindAllStringSubmatch(text, -1) {
			if !holds(u, m[1]) {
				t.Errorf("%v has no card ending in %s", u["user_id"], m[1])
			}
		}
		for _, id := range itemIDs.FindAllString(text, -1) {
			if !sold(e, id) {
				t.Errorf("there is no item %s", id)
			}
		}
	})
}

// customer returns the profile of the one whom the scenario names.
func customer(e *env.Environment, text string) map[string]any {
	m := fullNames.FindStringSubmatch(text)
	for _, k := range e.Keys("users") {
		u := e.Record("users", k)
		if name := u["name"].(map[string]any); m != nil && name["first_name"] == m[1] && name["last_name"] == m[2] {
			return u
		}
	}
	return nil
}

// holds says whether a customer has a card with these last four digits.
func holds(user map[string]any, four string) bool {
	for _, m := range user["payment_methods"].(map[string]any) {
		if m.(map[string]any)["last_four"] == four {
			return true
		}
	}
	return false
}

// sold says whether some product has the item.
func sold(e *env.Environment, item string) bool {
	for _, k := range e.Keys("products") {
		if _, ok := e.Record("products", k)["variants"].(map[string]any)[item]; ok {
			return true
		}
	}
	return false
}
