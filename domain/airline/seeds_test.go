package airline

import (
	"regexp"
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
	count := map[string]int{}
	longest := 0
	tasks := built.Seeds(t)
	for _, task := range tasks {
		actions := task.EvaluationCriteria.Actions
		longest = max(longest, len(actions))
		for i, a := range actions {
			count[a.Name]++
			if i >= 2 && a.Name == actions[i-1].Name && a.Name == actions[i-2].Name {
				t.Errorf("%s: %s three times in a row", task.ID, a.Name)
			}
			if a.Name == "transfer_to_human_agents" && i < len(actions)-1 {
				t.Errorf("%s goes on after the hand-off", task.ID)
			}
		}
	}
	for _, spec := range built.Of(t, 1).Tools {
		if count[spec.Name] == 0 {
			t.Errorf("no seed task calls %s", spec.Name)
		}
	}
	if len(tasks) < 30 || longest != 12 {
		t.Errorf("%d tasks, the longest has %d calls", len(tasks), longest)
	}
}

var (
	userIDs        = regexp.MustCompile(`\b[a-z]+_[a-z]+_\d{4}\b`)
	reservationIDs = regexp.MustCompile(`\b[A-Z][A-Z0-9]{5}\b`)
	paymentIDs     = regexp.MustCompile(`\b(?:credit_card|gift_card|certificate)_\d+\b`)
	fullNames      = regexp.MustCompile(`\bYou are ([A-Z][a-z]+) ([A-Z][a-z]+), and your user id is`)
)

// TestScenariosAgreeWithTheRecords looks up everything that a scenario names.
func TestScenariosAgreeWithTheRecords(t *testing.T) {
	built.EachSeed(t, func(t *testing.T, d *env.Domain, task *tau.Task) {
		e, text := d.Environment(), builtintest.Scenario(task)
		user := userIDs.FindString(text)
		profile := e.Record("users", user)
		if profile == nil {
			t.Fatalf("user %q does not exist", user)
		}
		name := profile["name"].(map[string]any)
		if m := fullNames.FindStringSubmatch(text); m == nil || m[1] != name["first_name"] || m[2] != name["last_name"] {
			t.Errorf("name in the scenario %q, in the profile %v", m, name)
		}
		for _, id := range reservationIDs.FindAllString(text, -1) {
			if r := e.Record("reservations", id); r == nil || r["user_id"] != user {
				t.Errorf("reservation %s does not belong to %s", id, user)
			}
		}
		for _, id := range paymentIDs.FindAllString(text, -1) {
			if _, ok := profile["payment_methods"].(map[string]any)[id]; !ok {
				t.Errorf("%s has no %s", user, id)
			}
		}
	})
}

// TestSeedRoutesBelongToTheAnchors: nonstop flights on the routes that gold
// searches are the anchors' alone, so that "the earlier flight" is the same one
// in every world.
func TestSeedRoutesBelongToTheAnchors(t *testing.T) {
	built.EachSeed(t, func(t *testing.T, d *env.Domain, task *tau.Task) {
		e := d.Environment()
		for _, a := range task.EvaluationCriteria.Actions {
			if a.Name != "search_direct_flight" {
				continue
			}
			for _, k := range e.Keys("flights") {
				f := e.Record("flights", k)
				if f["origin"] == a.Arguments["origin"] && f["destination"] == a.Arguments["destination"] && k >= "KES100" {
					t.Errorf("%s: %s flies there too", a.ActionID, k)
				}
			}
		}
	})
}
