package eval_test

import (
	"path/filepath"
	"testing"

	"taste/domain/airline"
	"taste/domain/mock"
	"taste/domain/retail"
	"taste/domain/telecom"
	"taste/env"
	"taste/eval"
	"taste/internal/shared"
	"taste/tau"
)

var natives = env.Registry{"airline": airline.Native, "mock": mock.Native, "retail": retail.Native, "telecom": telecom.Native}

func loadPack(tb testing.TB, domain string) *env.Pack {
	tb.Helper()
	dir := shared.Dir(tb)
	pack, err := env.LoadPack(filepath.Join(dir, "packs", "tau2-"+domain), natives)
	if err != nil {
		tb.Fatal(err)
	}
	return pack
}

// goldTargets prepares the pack's tasks.
func goldTargets(b *testing.B, domain string) []*eval.Target {
	b.Helper()
	pack := loadPack(b, domain)
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

var benched = []string{"airline", "retail"}

// benchTasks resets, replays gold with apply and compares with the target, in
// each domain; the metric counts whole tasks.
func benchTasks(b *testing.B, apply func(*env.Environment, *tau.Action)) {
	for _, domain := range benched {
		b.Run(domain, func(b *testing.B) { benchDomain(b, domain, apply) })
	}
}

func benchDomain(b *testing.B, domain string, apply func(*env.Environment, *tau.Action)) {
	targets := goldTargets(b, domain)
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
	for _, domain := range benched {
		b.Run(domain, func(b *testing.B) {
			e := loadPack(b, domain).Domain.Environment()
			e.Hash()
			b.ResetTimer()
			for range b.N {
				e.Hash()
			}
		})
	}
}
