package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spf13/pflag"

	"taste/llm"
	"taste/llm/cache"
	playing "taste/llm/scripted"
	"taste/models"
	"taste/run"
)

// clocked watches stages and the calls of models made in them, by the clock of
// a bubble, in which computing takes no time.
type clocked struct {
	mu     sync.Mutex
	stages []*clockedStage
}

type clockedStage struct {
	name  string
	began time.Time
	took  time.Duration
	calls int
	chain map[string]int // calls by what waits for one another: all about a task
	round time.Time      // when the latest choices went to the judge
}

func (c *clocked) Begin(stage string, _ int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stages = append(c.stages, &clockedStage{name: stage, began: time.Now(), chain: map[string]int{}})
}

func (c *clocked) Advance(int) {}

func (c *clocked) End(string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.stages[len(c.stages)-1]
	s.took = time.Since(s.began)
}

// note counts a call. About a sequence nothing waits for another call, but what is
// chosen in the place of what the judge turned down.
func (c *clocked) note(l llm.Label) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.stages) == 0 {
		return
	}
	s := c.stages[len(c.stages)-1]
	s.calls++
	switch task, _, _ := strings.Cut(l.Item, ","); {
	case l.Role != "judge":
		s.chain[task]++
	case s.name == "select" && !s.round.Equal(time.Now()):
		s.round = time.Now()
		s.chain[s.name]++
	}
}

// least is how long a stage takes at least with calls of a length, so many at a
// time: for all of them, or for the longest chain.
func (s *clockedStage) least(call time.Duration, width int) time.Duration {
	longest := 1
	for _, n := range s.chain {
		longest = max(longest, n)
	}
	rounds := (s.calls + width - 1) / width
	return time.Duration(max(rounds, longest)) * call
}

// Each stage takes no more than a tenth longer than its calls must: these are
// made as many at a time as may be, unless one waits for another.
func TestModelsAreKeptBusy(t *testing.T) {
	if testing.Short() {
		t.Skip("makes a whole run")
	}
	const call = 200 * time.Millisecond
	var f startFlags
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	f.add(fs)
	tasks := *modelTasks * 6 // of a run of 2 or so nothing is kept busy
	err := fs.Parse([]string{
		"--llm", "openai/m", "--judge", "rules+openai/m", "--tasks", fmt.Sprint(tasks), "--attempts", "400", "--probe", "64", "--pool", fmt.Sprint(160 + 4*tasks),
	})
	if err != nil {
		t.Fatal(err)
	}
	o, err := (&app{}).order("airline", &f)
	if err != nil {
		t.Fatal(err)
	}
	m, err := manifest(o.source, o.settings, o.cast)
	if err != nil {
		t.Fatal(err)
	}
	book, err := o.source.book()
	if err != nil {
		t.Fatal(err)
	}
	play, err := models.RulesScript(models.Kit{Domain: o.source.Domain, Contract: o.source.Contract, Book: book})
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		dir, err := run.Create(filepath.Join(t.TempDir(), "run"), m)
		if err != nil {
			t.Fatal(err)
		}
		store, err := cache.Open(filepath.Join(dir.Path(), run.CallsFile))
		if err != nil {
			t.Fatal(err)
		}
		watch := &clocked{}
		slow := playing.Delayed(play, call)
		watched := func(ctx context.Context, r *llm.Request) (*llm.Response, error) {
			watch.note(r.Label)
			return slow(ctx, r)
		}
		model := store.Model(llm.NewLimiter(llm.Limits{}, time.Now).Limit(playing.Model("openai/m", watched)))
		s, err := over(dir, m, o.source, o.cast, &line{store: store, model: func(string, string) (llm.Model, error) { return model, nil }})
		if err != nil {
			t.Fatal(err)
		}
		s.Workers, s.Observer = talksAtOnce, watch
		if err := s.close(allStages(t.Context(), s)); err != nil {
			t.Fatal(err)
		}
		for _, s := range watch.stages {
			if s.calls == 0 {
				continue
			}
			least := s.least(call, defaultInFlight)
			t.Logf("%-12s %5d calls, %v, at least %v", s.name, s.calls, s.took, least)
			if s.took > least+least/10 {
				t.Errorf("%s: %d calls take %v, which %v would do for", s.name, s.calls, s.took, least)
			}
		}
	})
}

// allStages does all four stages.
func allStages(ctx context.Context, s *stages) error {
	if _, err := s.Sample(ctx); err != nil {
		return err
	}
	if _, err := s.Select(ctx); err != nil {
		return err
	}
	makers, err := s.makers()
	if err != nil {
		return err
	}
	if _, err := s.Instantiate(ctx, makers); err != nil {
		return err
	}
	_, err = s.Evolve(ctx, makers)
	return err
}
