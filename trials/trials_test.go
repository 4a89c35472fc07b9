package trials_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"taste/chat"
	"taste/domain/mock/mocktest"
	"taste/env"
	"taste/env/native/nativetest"
	"taste/players"
	"taste/results"
	"taste/sim"
	"taste/tau"
	"taste/trials"
)

// chores is a small domain: a list of things to do, and a user with a
// notification to dismiss.
func chores(t testing.TB) *env.Domain {
	t.Helper()
	return mocktest.Chores(t, env.Domain{Pack: "chores", Semantics: "tau2", Policy: "Be kind."})
}

// things are tasks of that domain: each wants one thing put on the list.
func things(n int) []tau.Task {
	out := make([]tau.Task, n)
	for i := range out {
		title := fmt.Sprintf("Thing %d", i)
		out[i] = tau.Task{
			ID: fmt.Sprint("t", i), UserScenario: tau.UserScenario{Instructions: tau.Instructions{Plain: title}},
			EvaluationCriteria: &tau.EvaluationCriteria{
				Actions: []tau.Action{
					{ActionID: "a", Name: "create_task", Arguments: map[string]any{"user_id": "ann", "title": title}},
					{ActionID: "b", Requestor: chat.User, Name: "dismiss_notification", Arguments: map[string]any{"notification_id": "n1"}},
				},
				CommunicateInfo: []string{"done"}, RewardBasis: tau.DefaultBasis(),
			},
		}
	}
	return out
}

// cast are agents or users of a test.
type cast struct {
	info players.Info
	fits func(*tau.Task) error
	next func(ctx context.Context, t *tau.Task, seed uint64, history []chat.Message) (chat.Message, error)
}

func (c *cast) Info() players.Info { return c.info }

func (c *cast) Fits(t *tau.Task) error {
	if c.fits == nil {
		return nil
	}
	return c.fits(t)
}

type player struct {
	*cast
	task *tau.Task
	seed uint64
}

func (p *player) Next(ctx context.Context, history []chat.Message) (chat.Message, error) {
	return p.next(ctx, p.task, p.seed, history)
}

type agents struct{ cast }

func (a *agents) New(_ context.Context, t *tau.Task, s sim.AgentStart) (sim.Agent, error) {
	return &player{&a.cast, t, s.Seed}, nil
}

type users struct{ cast }

func (u *users) New(_ context.Context, t *tau.Task, s sim.UserStart) (sim.User, error) {
	return &player{&u.cast, t, s.Seed}, nil
}

func named(name string) players.Info {
	return players.Info{Party: results.Party{Implementation: name}, Fingerprint: name}
}

// wavering agents do what a task wants, and with every third seed something else.
func wavering() *agents {
	return &agents{cast{info: named("wavering"), next: func(_ context.Context, t *tau.Task, seed uint64, history []chat.Message) (chat.Message, error) {
		if history[len(history)-1].Role == chat.Tool {
			return chat.Text("", "It is done. "+sim.Stop), nil
		}
		title := t.UserScenario.Instructions.Plain
		if seed%3 == 0 {
			title += "?"
		}
		return chat.Calls("", chat.ToolCall{ID: "c", Name: "create_task", Arguments: map[string]any{"user_id": "ann", "title": title}}), nil
	}}}
}

// tidy users look at their notifications, dismiss them and say what they want.
func tidy() *users {
	return &users{cast{info: named("tidy"), next: func(_ context.Context, t *tau.Task, _ uint64, history []chat.Message) (chat.Message, error) {
		switch len(history) {
		case 1:
			return chat.Calls("", chat.ToolCall{ID: "l", Name: "check_notifications"}), nil
		case 3:
			return chat.Calls("", chat.ToolCall{ID: "d", Name: "dismiss_notification", Arguments: map[string]any{"notification_id": "n1"}}), nil
		}
		return chat.Text("", "Please add: "+t.UserScenario.Instructions.Plain), nil
	}}}
}

// still is a clock that stands.
func still() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }

// bench is what most tests evaluate.
type bench struct {
	trials.System
	trials.Settings
	trials.Runner
	dir string
}

func newBench(t testing.TB, tasks, repeats int) *bench {
	return &bench{
		System:   trials.System{Name: "wavering", Domain: chores(t), Agents: wavering(), Users: tidy(), Tasks: things(tasks)},
		Settings: trials.Settings{Program: "test", Trials: repeats, Seed: 7, Limits: sim.Limits{Steps: 50, Errors: 10}, Compat: true},
		Runner:   trials.Runner{Workers: 1, Now: still}, dir: filepath.Join(t.TempDir(), "run"),
	}
}

// run evaluates, and returns the results file with what ended the work.
func (b *bench) run(t testing.TB) (string, error) {
	t.Helper()
	l := b.open(t)
	ran := b.Run(context.Background(), []*trials.Log{l})
	if _, _, err := b.Finish(context.Background(), l); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	return read(t, filepath.Join(b.dir, trials.ResultsFile)), ran
}

func (b *bench) open(t testing.TB) *trials.Log {
	t.Helper()
	l, err := trials.Open(b.dir, b.System, b.Settings)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func read(t testing.TB, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// load reads the results of a bench.
func (b *bench) load(t testing.TB) *results.Results {
	t.Helper()
	r, err := results.Load(b.dir)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestResultsSayWhatWasMade(t *testing.T) {
	b := newBench(t, 3, 4)
	if _, err := b.run(t); err != nil {
		t.Fatal(err)
	}
	r := b.load(t)
	if r.Info.NumTrials != 4 || *r.Info.Seed != 7 || r.Info.Agent.Implementation != "wavering" || r.Info.Policy != "Be kind." || *r.Timestamp != "2026-01-02T03:04:05.000000" {
		t.Errorf("info %+v at %s", r.Info, *r.Timestamp)
	}
	seeds, ids, rewards := map[int]bool{}, map[string]bool{}, map[float64]int{}
	for i, s := range r.Simulations {
		if s.TaskID != fmt.Sprint("t", i/4) || *s.Trial != i%4 || s.Termination != "agent_stop" || len(s.Messages) != 9 {
			t.Errorf("simulation %d: task %s, trial %d, %s, %d messages", i, s.TaskID, *s.Trial, s.Termination, len(s.Messages))
		}
		want := 1.0
		if *s.Seed%3 == 0 {
			want = 0
		}
		if *s.Reward() != want {
			t.Errorf("simulation %d: reward %v", i, *s.Reward())
		}
		seeds[*s.Seed], ids[s.ID] = true, true
		rewards[*s.Reward()]++
	}
	if len(seeds) != 12 || len(ids) != 12 || rewards[0] == 0 || rewards[1] == 0 {
		t.Errorf("%d seeds, %d ids, rewards %v", len(seeds), len(ids), rewards)
	}
}

func TestTasksThatCannotBePlayedAreRefused(t *testing.T) {
	b := newBench(t, 3, 1)
	b.Agents.(*agents).fits = func(task *tau.Task) error {
		if task.ID == "t1" {
			return fmt.Errorf("%w: too dull", players.ErrUnfit)
		}
		return nil
	}
	if _, err := trials.Open(b.dir, b.System, b.Settings); !errors.Is(err, players.ErrUnfit) || !strings.Contains(err.Error(), "1 of 3") {
		t.Errorf("unfit: %v", err)
	}
	b = newBench(t, 2, 1)
	b.Tasks[1].InitialState = &tau.InitialState{InitializationActions: []tau.EnvCall{{EnvType: chat.Assistant, FuncName: "no_such"}}}
	if _, err := trials.Open(b.dir, b.System, b.Settings); !errors.Is(err, trials.ErrTask) || !strings.Contains(err.Error(), "task t1") {
		t.Errorf("initial state: %v", err)
	}
	b.Tasks[1] = b.Tasks[0]
	if _, err := trials.Open(b.dir, b.System, b.Settings); !errors.Is(err, trials.ErrTask) || !strings.Contains(err.Error(), "twice") {
		t.Errorf("twice: %v", err)
	}
	if _, err := os.Stat(b.dir); err == nil {
		t.Error("a directory was made for it")
	}
}

func TestBudgets(t *testing.T) {
	for name, c := range map[string]struct {
		budget trials.Budget
		made   int
		says   string
	}{
		"simulations":    {trials.Budget{Simulations: 5}, 5, "5 simulations"},
		"tool calls":     {trials.Budget{ToolCalls: 7}, 3, "9 tool calls"},
		"enough for all": {trials.Budget{Simulations: 13, ToolCalls: 37, Time: time.Hour}, 12, ""},
	} {
		b := newBench(t, 3, 4)
		b.Budget = c.budget
		_, err := b.run(t)
		if got := len(b.load(t).Simulations); got != c.made || (err == nil) != (c.says == "") {
			t.Errorf("%s: %d made, %v", name, got, err)
		}
		if c.says == "" {
			continue
		}
		if !errors.Is(err, trials.ErrBudget) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
		// The first trials of all tasks come before the second.
		if r := b.load(t); *r.Simulations[0].Trial != 0 || r.Simulations[len(r.Simulations)-1].TaskID != "t2" {
			t.Errorf("%s: not all tasks have a trial", name)
		}
		if _, err := b.run(t); !errors.Is(err, trials.ErrBudget) || len(b.load(t).Simulations) != c.made {
			t.Errorf("%s: what was made before does not count: %v", name, err)
		}
		b.Budget = trials.Budget{}
		if _, err := b.run(t); err != nil || len(b.load(t).Simulations) != 12 {
			t.Errorf("%s: without a cap: %v", name, err)
		}
	}
}

func TestBudgetOfMoney(t *testing.T) {
	b := newBench(t, 3, 4)
	inner := b.Agents.(*agents).next
	b.Agents.(*agents).next = func(ctx context.Context, task *tau.Task, seed uint64, history []chat.Message) (chat.Message, error) {
		m, err := inner(ctx, task, seed, history)
		m.Role = chat.Assistant
		o := m.JSON()
		o.Set("cost", 0.25)
		o.Set("usage", nativetest.Decode(t, `{"prompt_tokens": 100, "completion_tokens": 10}`))
		if err == nil {
			m, err = chat.ReadMessage(o, "")
		}
		return m, err
	}
	b.Budget = trials.Budget{Dollars: 1.5}
	if _, err := b.run(t); !errors.Is(err, trials.ErrBudget) || len(b.load(t).Simulations) != 3 {
		t.Errorf("1.50 at 0.50 a simulation: %d made, %v", len(b.load(t).Simulations), err)
	}
	if s := b.load(t).Simulations[0]; *s.AgentCost != 0.5 || s.UserCost != nil {
		t.Errorf("costs %v, %v", s.AgentCost, s.UserCost)
	}
	b.Budget = trials.Budget{Tokens: 1000}
	if _, err := b.run(t); !errors.Is(err, trials.ErrBudget) || len(b.load(t).Simulations) != 5 {
		t.Errorf("1000 at 220 a simulation: %d made, %v", len(b.load(t).Simulations), err)
	}
}

func TestOnlyOneProcessWorksOnADirectory(t *testing.T) {
	b := newBench(t, 1, 1)
	l := b.open(t)
	defer l.Close()
	if _, err := trials.Open(b.dir, b.System, b.Settings); err == nil {
		t.Error("a second one was let in")
	}
}
