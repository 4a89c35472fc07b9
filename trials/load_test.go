package trials_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"taste/chat"
	"taste/domain/airline"
	"taste/env"
	"taste/internal/shared"
	"taste/sim"
	"taste/tau"
	"taste/trials"
)

// rounds is how often a user of a script speaks: 20 turns with 10 calls between.
const rounds = 10

// flights is a bench over an airline: conversations of 20 turns with 10 calls, the
// gold actions among them, which are scored.
func flights(t testing.TB, d *env.Domain, task tau.Task, repeats int) *bench {
	t.Helper()
	calls := make([]chat.ToolCall, 0, rounds)
	for i, a := range task.EvaluationCriteria.Actions {
		calls = append(calls, chat.ToolCall{ID: fmt.Sprint("g", i), Name: a.Name, Arguments: a.Arguments})
	}
	for i := len(calls); i < rounds; i++ {
		calls = append(calls, chat.ToolCall{ID: fmt.Sprint("r", i), Name: "list_all_airports", Arguments: map[string]any{}})
	}
	task.EvaluationCriteria.CommunicateInfo = nil
	b := newBench(t, 1, repeats)
	b.Domain, b.Tasks = d, []tau.Task{task}
	b.Agents = &agents{cast{info: named("script"), next: func(_ context.Context, _ *tau.Task, _ uint64, history []chat.Message) (chat.Message, error) {
		said := 0
		for i := range history {
			if history[i].Role == chat.User {
				said++
			}
		}
		if history[len(history)-1].Role == chat.User {
			return chat.Calls("", calls[said-1]), nil
		}
		if said == rounds {
			return chat.Text("", "That is all then. "+sim.Stop), nil
		}
		return chat.Text("", fmt.Sprintf("I have looked into that, and here is what I have found for request %d.", said)), nil
	}}}
	b.Users = &users{cast{info: named("script"), next: func(context.Context, *tau.Task, uint64, []chat.Message) (chat.Message, error) {
		return chat.Text("", "Thank you. There is one more thing that I would like you to see to for me."), nil
	}}}
	return b
}

// longest is the task with the most gold actions that a script has room for.
func longest(t testing.TB, tasks []tau.Task) tau.Task {
	t.Helper()
	var best *tau.Task
	for i := range tasks {
		c := tasks[i].EvaluationCriteria
		if len(c.Actions) <= rounds && (best == nil || len(c.Actions) > len(best.EvaluationCriteria.Actions)) {
			best = &tasks[i]
		}
	}
	if best == nil {
		t.Fatal("no task")
	}
	return *best
}

func builtinFlights(t testing.TB, repeats int) *bench {
	t.Helper()
	d, err := airline.Builtin(1)
	if err != nil {
		t.Fatal(err)
	}
	tasks, err := airline.Seeds()
	if err != nil {
		t.Fatal(err)
	}
	return flights(t, d, longest(t, tasks), repeats)
}

// processor is the time that the process has worked so far.
func processor(t testing.TB) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// reference is what τ²-bench takes for a conversation of this kind, scored.
const reference = 1260 * time.Millisecond

// A simulation with its scoring and its line in the journal takes less than a
// thousandth of the reference's time.
func TestOverhead(t *testing.T) {
	const batch = 200
	b := builtinFlights(t, batch)
	var took []time.Duration
	for range 3 {
		b.dir = filepath.Join(t.TempDir(), "run")
		l := b.open(t)
		begin := processor(t)
		if err := b.Run(context.Background(), []*trials.Log{l}); err != nil {
			t.Fatal(err)
		}
		took = append(took, (processor(t)-begin)/batch)
		r := l.Results()
		if s := &r.Simulations[batch-1]; *s.Reward() != 1 || len(s.Messages) != 1+4*rounds {
			t.Fatalf("reward %v, %d messages", *s.Reward(), len(s.Messages))
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
	best := slices.Min(took)
	t.Logf("%v of the processor a simulation, a %.0fth of the reference's", best, float64(reference)/float64(best))
	if raceDetector || testing.Short() {
		t.Skip("a figure of a whole, unwatched program only")
	}
	if best*1000 > reference {
		t.Errorf("%v a simulation: more than a thousandth of %v", best, reference)
	}
}

// Each operation is a simulation of 20 turns and 10 calls with its scoring and its
// line in the journal.
func BenchmarkSimulation(b *testing.B) {
	run := func(b *testing.B, x *bench) {
		l := x.open(b)
		b.ResetTimer()
		if err := x.Run(context.Background(), []*trials.Log{l}); err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		if err := l.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("builtin", func(b *testing.B) { run(b, builtinFlights(b, b.N)) })
	b.Run("pack", func(b *testing.B) {
		p, err := env.LoadPack(filepath.Join(shared.Dir(b), "packs", "tau2-airline"), env.Registry{env.Key("airline", "tau2"): airline.Native})
		if err != nil {
			b.Fatal(err)
		}
		tasks, err := p.Tasks("default")
		if err != nil {
			b.Fatal(err)
		}
		run(b, flights(b, p.Domain, longest(b, tasks), b.N))
	})
}

// A thousand simulations are under way at once, each behind its last call, then
// they end and are written: the process stays below 500 MB.
func TestLoad(t *testing.T) {
	if testing.Short() {
		t.Skip("holds a thousand conversations")
	}
	const crowd, bound = 1000, 500 << 20
	b := builtinFlights(t, crowd)
	b.Workers = crowd
	var barrier sync.WaitGroup
	barrier.Add(crowd)
	var once sync.Once
	var peak runtime.MemStats
	inner := b.Agents.(*agents).next
	b.Agents.(*agents).next = func(ctx context.Context, task *tau.Task, seed uint64, history []chat.Message) (chat.Message, error) {
		m, err := inner(ctx, task, seed, history)
		if len(m.ToolCalls) == 0 && len(history) > 4*rounds-1 {
			barrier.Done()
			barrier.Wait()
			once.Do(func() { runtime.ReadMemStats(&peak) })
		}
		return m, err
	}
	if _, err := b.run(t); err != nil {
		t.Fatal(err)
	}
	var end runtime.MemStats
	runtime.ReadMemStats(&end)
	t.Logf("%d MB from the system with all under way, %d MB in the end, of which %d MB of objects then; %s", peak.Sys>>20, end.Sys>>20, end.HeapAlloc>>20, resident())
	if peak.Sys > bound || end.Sys > bound {
		t.Errorf("more than %d MB", bound>>20)
	}
}

// resident is what the system says of the process's memory.
func resident() string {
	data, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return "no figure of the system's"
	}
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "VmHWM:") {
			return strings.TrimSpace(line)
		}
	}
	return "no figure of the system's"
}
