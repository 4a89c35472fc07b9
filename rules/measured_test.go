package rules

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"taste/contract"
	"taste/domain/airline"
	"taste/domain/retail"
	"taste/domain/telecom"
	"taste/env"
	"taste/internal/shared"
	"taste/phrase"
	"taste/tau"
)

// material is what a run directory was made from.
type material struct {
	native   env.Native
	world    func(uint64) (*env.Domain, error)
	contract func() []byte
	phrases  func() [][]byte
}

var materials = map[string]material{
	"airline": {airline.Native, airline.Builtin, airline.Contract, airline.Phrases},
	"retail":  {retail.Native, retail.Builtin, retail.Contract, retail.Phrases},
	"telecom": {telecom.Native, telecom.Builtin, telecom.Contract, telecom.Phrases},
}

// measured is a run's domain with its contract and phrase book.
type measured struct {
	*env.Domain
	c *contract.Contract
	b *phrase.Book
}

// runDomain is the domain that a run directory was made from.
func runDomain(t *testing.T, dir string) measured {
	t.Helper()
	var m struct {
		Domain struct {
			Name      string  `json:"name"`
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
	from := materials[m.Domain.Name]
	out := measured{}
	if out.c, err = contract.Load(from.contract()); err != nil {
		t.Fatal(err)
	}
	if out.b, err = phrase.Load(append([][]byte{phrase.Common}, from.phrases()...)...); err != nil {
		t.Fatal(err)
	}
	if m.Domain.WorldSeed != nil {
		if out.Domain, err = from.world(*m.Domain.WorldSeed); err != nil {
			t.Fatal(err)
		}
		return out
	}
	pack, err := env.LoadPack(filepath.Join(shared.Dir(t), "packs", m.Domain.Pack), env.Registry{env.Key(m.Domain.Name, "tau2"): from.native})
	if err != nil {
		t.Fatal(err)
	}
	out.Domain = pack.Domain
	return out
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
	if worn := mostWorn(len(tasks)); n > worn || o.Jaccard > .15 {
		t.Errorf("want at most %d and .15", worn)
	}
}

// mostWorn is in how many tasks one masked sentence may stand: 3 of 50, 5 of 114.
func mostWorn(tasks int) int {
	if tasks > 50 {
		return 5
	}
	return 3
}

func measureAgents(t *testing.T, d measured, tasks []tau.Task) {
	c, b := d.c, d.b
	earned, tells := 0, 0
	for i := range tasks {
		target := targetOf(t, d.Domain, &tasks[i])
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
			if o := play(t, Play{Target: target, Agent: silentOracle(&tasks[i]), User: Customer(b)}); o.Reward != 0 {
				t.Errorf("task %s: a silent agent earns %v", tasks[i].ID, o.Reward)
			}
		}
	}
	t.Logf("careful earns 1 on %d of %d; %d have something to tell", earned, len(tasks), tells)
}

func measureHonesty(t *testing.T, d measured, tasks []tau.Task) {
	h := NewHonesty(d.Domain, d.c, d.b)
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
