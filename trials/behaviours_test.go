package trials_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"taste/chat"
	"taste/llm"
	"taste/results"
	"taste/run"
	"taste/sim"
	"taste/stats"
	"taste/tau"
	"taste/trials"
)

// Each test here holds one row of the list of behaviours that a trusted harness
// gets right, by its number there.

func TestRow22KilledAtAnyByte(t *testing.T) {
	b := newBench(t, 2, 2)
	want, err := b.run(t)
	if err != nil {
		t.Fatal(err)
	}
	journal := []byte(read(t, filepath.Join(b.dir, trials.JournalFile)))
	plan := read(t, filepath.Join(b.dir, trials.PlanFile))
	r := rand.New(rand.NewPCG(1, 2))
	cuts := []int{0, 1, len(journal) - 1, len(journal)}
	for i, c := range journal {
		if c == '\n' {
			cuts = append(cuts, i, i+1)
		}
	}
	for range 12 {
		cuts = append(cuts, r.IntN(len(journal)))
	}
	for _, cut := range cuts {
		b.dir = filepath.Join(t.TempDir(), "run")
		lay(t, b.dir, plan, journal[:cut])
		l := b.open(t)
		if _, made, _ := l.Count(); made != bytes.Count(journal[:cut], []byte("\n")) {
			t.Errorf("cut at %d: %d simulations are left", cut, made)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		if got, err := b.run(t); err != nil || got != want {
			t.Errorf("cut at %d: the results differ (%v)", cut, err)
		}
	}
	// Damage elsewhere is told by its line.
	for name, damaged := range map[string][]byte{
		"line 2:":              bytes.Replace(journal, []byte("\n{"), []byte("\n["), 1),
		"occurs twice":         append(bytes.Clone(journal), journal...),
		"task t9":              bytes.ReplaceAll(journal, []byte(`"task_id": "t1"`), []byte(`"task_id": "t9"`)),
		"another seed":         bytes.Replace(journal, []byte(`"seed": `), []byte(`"seed": 1`), 1),
		"has no trial or seed": bytes.Replace(journal, []byte(`"trial": 0`), []byte(`"trial": null`), 1),
	} {
		b.dir = filepath.Join(t.TempDir(), "run")
		lay(t, b.dir, plan, damaged)
		if _, err := trials.Open(b.dir, b.System, b.Settings); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("want %q, got %v", name, err)
		}
	}
}

// lay makes a directory as a crash might leave it.
func lay(t *testing.T, dir, plan string, journal []byte) {
	t.Helper()
	err := errors.Join(os.MkdirAll(dir, 0o777), os.WriteFile(filepath.Join(dir, trials.PlanFile), []byte(plan), 0o666),
		os.WriteFile(filepath.Join(dir, trials.JournalFile), journal, 0o666))
	if err != nil {
		t.Fatal(err)
	}
}

func TestRow23StrictResume(t *testing.T) {
	b := newBench(t, 2, 2)
	if _, err := b.run(t); err != nil {
		t.Fatal(err)
	}
	model := "provider/other"
	for difference, change := range map[string]func(*bench){
		"agent.llm_args.temperature": func(b *bench) { b.Agents.(*agents).info.LLMArgs = object(t, `{"temperature": 0.5}`) },
		"agent.llm:":                 func(b *bench) { b.Agents.(*agents).info.LLM = &model },
		"agent.fingerprint":          func(b *bench) { b.Agents.(*agents).info.Fingerprint = "another prompt" },
		"user.implementation":        func(b *bench) { b.Users.(*users).info.Implementation = "other" },
		"tasks.t1":                   func(b *bench) { b.Tasks[1].EvaluationCriteria.CommunicateInfo = []string{"54"} },
		"tasks.t2: nothing there":    func(b *bench) { b.Tasks = things(3) },
		"tasks.t0":                   func(b *bench) { b.Tasks = b.Tasks[1:] },
		"task_order":                 func(b *bench) { b.Tasks[0], b.Tasks[1] = b.Tasks[1], b.Tasks[0] },
		"seed: 7 there, 8 here":      func(b *bench) { b.Seed = 8 },
		"max_steps":                  func(b *bench) { b.Limits.Steps = 51 },
		"max_errors":                 func(b *bench) { b.Limits.Errors = 9 },
		"timeout":                    func(b *bench) { b.Limits.Time = time.Minute },
		"protocol":                   func(b *bench) { b.Compat = false },
		"enforce":                    func(b *bench) { b.Enforce = true },
		"nl_judge":                   func(b *bench) { b.Settings.Judge = "other" },
		"num_trials: 2 there":        func(b *bench) { b.Trials = 1 },
		"domain.policy":              func(b *bench) { d := *b.Domain; d.Policy = "Be stern."; b.Domain = &d },
		"domain.tools":               func(b *bench) { d := *b.Domain; d.Tools = d.Tools[1:]; b.Domain = &d },
		"program":                    func(b *bench) { b.Program = "test 2" },
	} {
		other := newBench(t, 2, 2)
		other.dir = b.dir
		change(other)
		_, err := trials.Open(other.dir, other.System, other.Settings)
		var d *run.DifferentError
		if !errors.As(err, &d) || !strings.Contains(strings.Join(d.Differences, "; "), difference) {
			t.Errorf("%s: %v", difference, err)
		}
	}
	made := 0
	b.Trials, b.Observer = 4, observer(func(*trials.Outcome) { made++ })
	if _, err := b.run(t); err != nil || made != 4 {
		t.Fatalf("2 → 4 trials: %d simulations made, %v", made, err)
	}
	r := b.load(t)
	if p := passes(t, r, stats.Planned); len(p.Pass) != 4 || p.Pass[3].Value == nil || r.Info.NumTrials != 4 || p.Evaluated != 8 {
		t.Errorf("pass^1..4: %+v", p)
	}
}

// observer watches what ends.
type observer func(*trials.Outcome)

func (observer) Began(int, string, int)             {}
func (o observer) Ended(_ int, out *trials.Outcome) { o(out) }

func passes(t *testing.T, r *results.Results, c stats.Convention) stats.Passes {
	t.Helper()
	var ids []string
	for i := range r.Tasks {
		ids = append(ids, r.Tasks[i].ID)
	}
	var made []stats.Trial
	for i := range r.Simulations {
		s := &r.Simulations[i]
		made = append(made, stats.Trial{Task: s.TaskID, Number: *s.Trial, Reward: s.Reward(), Fault: s.Termination == "infrastructure_error"})
	}
	table, err := stats.NewTable(ids, r.Info.NumTrials, made)
	if err != nil {
		t.Fatal(err)
	}
	return table.PassHat(c, 1)
}

func TestRow24RetryClasses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		down := true
		b := newBench(t, 4, 1)
		b.Limits.Time = time.Minute
		inner := b.Agents.(*agents).next
		b.Agents.(*agents).next = func(ctx context.Context, task *tau.Task, seed uint64, history []chat.Message) (chat.Message, error) {
			switch {
			case task.ID == "t0": // hangs
				<-ctx.Done()
				return chat.Message{}, ctx.Err()
			case task.ID == "t1":
				return chat.Message{}, fmt.Errorf("refused: %w", sim.ErrTooLong)
			case task.ID == "t2" && down:
				return chat.Message{}, errors.New("connection reset")
			}
			return inner(ctx, task, seed, history)
		}
		begin := time.Now()
		if _, err := b.run(t); err != nil {
			t.Fatal(err)
		}
		if waited := time.Since(begin); waited != time.Minute {
			t.Errorf("a hang took %v of a minute", waited)
		}
		if got := endings(b.load(t)); got != "t0 timeout 0, t1 context_window_exceeded 0, t2 infrastructure_error –, t3 agent_stop 1" {
			t.Errorf("ended as %s", got)
		}
		if p := passes(t, b.load(t), stats.Planned); p.Planned != 4 || p.Evaluated != 3 || p.Missing != 1 {
			t.Errorf("counted as %+v", p)
		}
		down = false
		var again []string
		b.Observer = observer(func(o *trials.Outcome) { again = append(again, o.Task) })
		if _, err := b.run(t); err != nil || strings.Join(again, " ") != "t2" {
			t.Errorf("made again: %q, %v", again, err)
		}
		if got := endings(b.load(t)); !strings.Contains(got, "t2 agent_stop 1") {
			t.Errorf("then ended as %s", got)
		}
	})
}

// endings spells how simulations ended.
func endings(r *results.Results) string {
	var out []string
	for i := range r.Simulations {
		s := &r.Simulations[i]
		reward := "–"
		if f := s.Reward(); f != nil {
			reward = fmt.Sprint(*f)
		}
		out = append(out, s.TaskID+" "+s.Termination+" "+reward)
	}
	return strings.Join(out, ", ")
}

func TestRow24RefusedCredentialsStopTheRun(t *testing.T) {
	b := newBench(t, 5, 2)
	begun := 0
	b.Agents.(*agents).next = func(context.Context, *tau.Task, uint64, []chat.Message) (chat.Message, error) {
		begun++
		return chat.Message{}, fmt.Errorf("401: %w", sim.ErrHopeless)
	}
	if _, err := b.run(t); !errors.Is(err, sim.ErrHopeless) || begun != 1 {
		t.Errorf("%d simulations begun, %v", begun, err)
	}
	// Another system of the same matrix goes on.
	good := newBench(t, 2, 1)
	logs := []*trials.Log{b.open(t), good.open(t)}
	err := b.Run(context.Background(), logs)
	if _, made, _ := logs[1].Count(); made != 2 || !errors.Is(err, sim.ErrHopeless) {
		t.Errorf("%d made by the other, %v", made, err)
	}
	for _, l := range logs {
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
	b.Agents = wavering()
	if _, err := b.run(t); err != nil || len(b.load(t).Simulations) != 10 {
		t.Errorf("put right: %v", err)
	}
}

// A budget that models share ends the work as the runner's own does: no fault,
// and no other system goes on.
func TestSharedBudgetEndsTheWork(t *testing.T) {
	b, other := newBench(t, 5, 2), newBench(t, 5, 2)
	calls := 0
	inner := b.Agents.(*agents).next
	b.Agents.(*agents).next = func(ctx context.Context, task *tau.Task, seed uint64, history []chat.Message) (chat.Message, error) {
		if calls++; calls > 7 {
			return chat.Message{}, fmt.Errorf("%w: %w", sim.ErrHopeless, &llm.Error{Class: llm.OverBudget, Model: "test/m", Message: "of 5.00 dollars 5.00 are spent"})
		}
		return inner(ctx, task, seed, history)
	}
	logs := []*trials.Log{b.open(t), other.open(t)}
	err := b.Run(context.Background(), logs)
	if !errors.Is(err, trials.ErrBudget) || !strings.Contains(err.Error(), "of 5.00 dollars 5.00 are spent") {
		t.Errorf("got %v", err)
	}
	_, made, _ := logs[0].Count()
	if _, rest, _ := logs[1].Count(); calls != 8 || made == 0 || rest > made {
		t.Errorf("%d calls, %d simulations made, %d of the other system", calls, made, rest)
	}
	for _, l := range logs {
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestRow26And27OrderChangesNothing(t *testing.T) {
	one := newBench(t, 8, 8)
	want, err := one.run(t)
	if err != nil {
		t.Fatal(err)
	}
	many := newBench(t, 8, 8)
	many.Workers = 64
	got, err := many.run(t)
	if err != nil || got != want {
		t.Errorf("64 workers give other bytes than one (%v)", err)
	}
	other := newBench(t, 8, 8)
	other.Seed = 8
	if got, _ := other.run(t); got == want {
		t.Error("another seed gives the same bytes")
	}
	// Every simulation began with the notification unread and an empty list.
	for _, s := range many.load(t).Simulations {
		if !strings.Contains(s.Messages[2].Body(), "unread") || !strings.Contains(s.Messages[7].Body(), `"task_1"`) && !strings.Contains(s.Messages[7].Body(), `"task_2"`) {
			t.Fatalf("task %s, trial %d saw %q and %q", s.TaskID, *s.Trial, s.Messages[2].Body(), s.Messages[7].Body())
		}
	}
	// A simulation's seed depends on nothing but seed, task and trial.
	few := newBench(t, 3, 2)
	if _, err := few.run(t); err != nil {
		t.Fatal(err)
	}
	seeds := map[string]int{}
	for _, s := range one.load(t).Simulations {
		seeds[fmt.Sprint(s.TaskID, " ", *s.Trial)] = *s.Seed
	}
	for _, s := range few.load(t).Simulations {
		if seeds[fmt.Sprint(s.TaskID, " ", *s.Trial)] != *s.Seed {
			t.Errorf("task %s, trial %d has another seed beside fewer tasks", s.TaskID, *s.Trial)
		}
	}
}

// The waiting of 256 simulations for a provider that takes a second a message
// is four times that of one where 64 are under way.
func TestRow35BoundedByTheProvider(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, 64, 4)
		b.Workers, b.Now = 64, time.Now
		inner := b.Agents.(*agents).next
		b.Agents.(*agents).next = func(ctx context.Context, task *tau.Task, seed uint64, history []chat.Message) (chat.Message, error) {
			time.Sleep(time.Second)
			return inner(ctx, task, seed, history)
		}
		begin := time.Now()
		if _, err := b.run(t); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(begin); took != 8*time.Second { // two messages of each
			t.Errorf("took %v", took)
		}
	})
}

func TestBudgetOfTimeLosesWhatIsUnderWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, 6, 1)
		b.Workers, b.Now, b.Budget = 2, time.Now, trials.Budget{Time: 3500 * time.Millisecond}
		inner := b.Agents.(*agents).next
		b.Agents.(*agents).next = func(ctx context.Context, task *tau.Task, seed uint64, history []chat.Message) (chat.Message, error) {
			select {
			case <-time.After(time.Second):
			case <-ctx.Done():
				return chat.Message{}, ctx.Err()
			}
			return inner(ctx, task, seed, history)
		}
		if _, err := b.run(t); !errors.Is(err, trials.ErrBudget) || len(b.load(t).Simulations) != 2 {
			t.Errorf("%d made, %v", len(b.load(t).Simulations), err)
		}
	})
}
