package rules

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"taste/domain/airline"
	"taste/env"
	"taste/internal/shared"
	"taste/phrase"
	"taste/tau"
)

// runDomain is the domain that a run directory was made from.
func runDomain(t *testing.T, dir string) *env.Domain {
	t.Helper()
	var m struct {
		Domain struct {
			Pack      string  `json:"pack"`
			WorldSeed *uint64 `json:"world_seed"`
		} `json:"domain"`
	}
	data, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err == nil {
		err = json.Unmarshal(data, &m)
	}
	if err != nil {
		t.Fatal(err)
	}
	if m.Domain.WorldSeed != nil {
		d, err := airline.Builtin(*m.Domain.WorldSeed)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	pack, err := env.LoadPack(filepath.Join(shared.Dir(t), "packs", m.Domain.Pack), env.Registry{env.Key("airline", "tau2"): airline.Native})
	if err != nil {
		t.Fatal(err)
	}
	return pack.Domain
}

func runTasks(t *testing.T, dir string) []tau.Task {
	t.Helper()
	path := filepath.Join(dir, "tasks.json")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	tasks, err := tau.ParseTasks(path, data)
	if err != nil || len(tasks) == 0 {
		t.Fatalf("%d tasks, %v", len(tasks), err)
	}
	return tasks
}

// TestMeasuredRuns holds finished run directories, listed in TASTE_RUNS, to what
// their language and their agents have to show: no worn sentence, little overlap,
// a careful agent that earns every task with five seeds, a silent one that earns
// none with something to tell, and roles that know no more than they are told.
func TestMeasuredRuns(t *testing.T) {
	dirs := filepath.SplitList(os.Getenv("TASTE_RUNS"))
	if len(dirs) == 0 {
		t.Skip("set TASTE_RUNS to run directories")
	}
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			d, tasks := runDomain(t, dir), runTasks(t, dir)
			measureLanguage(t, tasks)
			measureAgents(t, d, tasks)
			measureHonesty(t, d, tasks)
		})
	}
}

func measureLanguage(t *testing.T, tasks []tau.Task) {
	var all []phrase.Scenario
	for i := range tasks {
		all = append(all, scenarioText(tasks[i].UserScenario))
	}
	sentence, n := phrase.MaskedSentenceMax(all)
	o := phrase.MedianOverlap(all)
	t.Logf("masked sentence in %d of %d: %q; median overlap %.3f of the union, %.3f of the smaller", n, len(tasks), sentence, o.Jaccard, o.Containment)
	if n > 3 || o.Jaccard > .15 {
		t.Errorf("want at most 3 and .15")
	}
}

func measureAgents(t *testing.T, d *env.Domain, tasks []tau.Task) {
	c, b := airlineTexts(t)
	earned, tells := 0, 0
	for i := range tasks {
		target := targetOf(t, d, &tasks[i])
		wins := 0
		for seed := range uint64(5) {
			if o := play(t, Play{Target: target, Agent: Careful(c, b), User: Customer(b), Seed: seed}); o.Reward == 1 {
				wins++
			} else {
				t.Errorf("task %s: careful with seed %d: %s", tasks[i].ID, seed, o.Why)
			}
		}
		earned += wins / 5
		if len(tasks[i].EvaluationCriteria.CommunicateInfo) > 0 {
			tells++
			if o := play(t, Play{Target: target, Agent: SilentOracle(&tasks[i]), User: Customer(b)}); o.Reward != 0 {
				t.Errorf("task %s: a silent agent earns %v", tasks[i].ID, o.Reward)
			}
		}
	}
	t.Logf("careful earns 1 on %d of %d; %d have something to tell", earned, len(tasks), tells)
}

func measureHonesty(t *testing.T, d *env.Domain, tasks []tau.Task) {
	c, b := airlineTexts(t)
	h := NewHonesty(d, c, b)
	all, carrying, verifier, careful, honest := 0, 0, 0, 0, 0
	for i := range tasks {
		deletions, err := h.Test(context.Background(), &tasks[i], 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range deletions {
			all++
			if !x.Carries {
				continue
			}
			carrying++
			verifier += count(!x.Verifier)
			careful += count(!x.Careful)
			honest += count(x.Honest())
			if !x.Honest() {
				t.Logf("task %s: verifier %v, careful %v without %s %q", tasks[i].ID, x.Verifier, x.Careful, x.Act, x.Sentence)
			}
		}
	}
	t.Logf("%d deletions, %d carry an argument or answer; verifier fails %d, careful %d, both %d (%.2f %%)",
		all, carrying, verifier, careful, honest, 100*float64(honest)/float64(carrying))
	if float64(honest) < .98*float64(carrying) {
		t.Errorf("want .98")
	}
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}
