package eval_test

import (
	"path/filepath"
	"testing"

	"taste/domain/airline"
	"taste/env"
	"taste/eval"
	"taste/internal/shared"
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

// BenchmarkResetGoldCompare resets an environment to a task's start, replays
// the gold actions with their answers and compares the end with the target;
// the metric counts whole tasks.
func BenchmarkResetGoldCompare(b *testing.B) {
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
	b.ResetTimer()
	for i := range b.N {
		t := targets[i%len(targets)]
		e := t.Start()
		for a := range t.Task.EvaluationCriteria.Actions {
			e.Apply(&t.Task.EvaluationCriteria.Actions[a])
		}
		if !t.Reached(e) {
			b.Fatalf("task %s: gold does not reach its own target", t.Task.ID)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "tasks/s")
}

func BenchmarkHash(b *testing.B) {
	e := airlinePack(b).Domain.Environment()
	e.Hash()
	b.ResetTimer()
	for range b.N {
		e.Hash()
	}
}
