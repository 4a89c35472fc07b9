package eval_test

import (
	"path/filepath"
	"testing"

	"taste/domain/airline"
	"taste/env"
	"taste/eval"
	"taste/internal/shared"
	"taste/tau"
)

func airlinePack(tb testing.TB) *env.Pack {
	tb.Helper()
	dir := shared.Dir(tb)
	pack, err := env.LoadPack(filepath.Join(dir, "packs", "tau2-airline"), env.Registry{"airline": airline.Native})
	if err != nil {
		tb.Fatal(err)
	}
	return pack
}

// goldTargets prepares the pack's tasks.
func goldTargets(b *testing.B) []*eval.Target {
	b.Helper()
	pack := airlinePack(b)
	tasks, err := pack.Tasks("default")
	if err != nil {
		b.Fatal(err)
	}
	var targets []*eval.Target
	for i := range tasks {
		t, err := eval.NewTarget(pack.Domain, &tasks[i])
		if err != nil {
			b.Fatal(err)
		}
		targets = append(targets, t)
	}
	return targets
}

// benchTasks resets, replays gold with apply and compares with the target; the
// metric counts whole tasks.
func benchTasks(b *testing.B, apply func(*env.Environment, *tau.Action)) {
	targets := goldTargets(b)
	b.ResetTimer()
	for i := range b.N {
		t := targets[i%len(targets)]
		e := t.Start()
		for a := range t.Task.EvaluationCriteria.Actions {
			apply(e, &t.Task.EvaluationCriteria.Actions[a])
		}
		if !t.Reached(e) {
			b.Fatalf("task %s: gold does not reach its own target", t.Task.ID)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "tasks/s")
}

// BenchmarkResetGoldCompare replays gold as scoring does, without answers.
func BenchmarkResetGoldCompare(b *testing.B) {
	benchTasks(b, func(e *env.Environment, a *tau.Action) { e.Apply(a) })
}

// BenchmarkResetGoldAnswersCompare spells every answer out, as a conversation
// needs it.
func BenchmarkResetGoldAnswersCompare(b *testing.B) {
	benchTasks(b, func(e *env.Environment, a *tau.Action) { e.CallOrdered(a.Owner(), a.Name, a.Args()) })
}

func BenchmarkHash(b *testing.B) {
	e := airlinePack(b).Domain.Environment()
	e.Hash()
	b.ResetTimer()
	for range b.N {
		e.Hash()
	}
}
