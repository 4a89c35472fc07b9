package eval

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"taste/env"
	"taste/pyjson"
	"taste/tau"
)

// Replay settings.
type Replay struct {
	Domain  *env.Domain
	Tasks   func(file string) ([]tau.Task, error) // task set that a trace file refers to
	Workers int                                   // traces at once, at least 1
	Keep    int                                   // mismatches kept with their details, per file
}

// PackReplay replays traces of a pack's domain. A trace file refers to the
// task set whose name is in the file's name, else to the default set; set
// overrides that unless empty.
func PackReplay(p *env.Pack, set string) *Replay {
	cache := map[string][]tau.Task{}
	return &Replay{Domain: p.Domain, Workers: 1, Keep: 5, Tasks: func(file string) ([]tau.Task, error) {
		name := set
		if name == "" {
			name = setOf(p, file)
		}
		if tasks, ok := cache[name]; ok {
			return tasks, nil
		}
		tasks, err := p.Tasks(name)
		cache[name] = tasks
		return tasks, err
	}}
}

func setOf(p *env.Pack, file string) string {
	for _, s := range p.TaskSets() {
		if strings.Contains(filepath.Base(file), "-"+s) {
			return s
		}
	}
	return "default"
}

// FileReport says how one trace file fared.
type FileReport struct {
	File       string     `json:"file"`
	Traces     int        `json:"traces"`
	Calls      int        `json:"calls"`       // tool calls, environment calls, merges, target states and scores that were compared
	Inexact    int        `json:"inexact"`     // calls of which only flag and hash count
	Drawn      int        `json:"drawn"`       // calls after the reference drew a key at random: compared but for the key and the hash
	OtherStart int        `json:"other_start"` // traces that begin in another state: if all do, they are of another pack
	Mismatches int        `json:"mismatches"`
	First      []Mismatch `json:"first"` // the first ones, in file order
}

// Mismatch is one recorded fact that came out otherwise.
type Mismatch struct {
	Line     int    `json:"line"`    // in the file, from 1
	Trace    string `json:"trace"`   // id
	Call     int    `json:"call"`    // index of the call, -1 for the trace as a whole
	What     string `json:"what"`    // e.g. "content", "error", "hash", "reward_info"
	Request  string `json:"request"` // the call that was made
	Expected string `json:"expected"`
	Got      string `json:"got"`
}

func (m *Mismatch) String() string {
	at := "trace"
	if m.Call >= 0 {
		at = fmt.Sprintf("call %d", m.Call)
	}
	return fmt.Sprintf("line %d, %s, %s: %s differs\n  call     %s\n  expected %s\n  got      %s",
		m.Line, m.Trace, at, m.What, m.Request, m.Expected, m.Got)
}

// File replays one trace file. The result does not depend on Workers.
func (r *Replay) File(ctx context.Context, path string) (*FileReport, error) {
	tasks, err := r.Tasks(path)
	if err != nil {
		return nil, fmt.Errorf("replay %s: %w", path, err)
	}
	byID := make(map[string]*tau.Task, len(tasks))
	for i := range tasks {
		byID[tasks[i].ID] = &tasks[i]
	}
	results, err := r.run(ctx, path, byID)
	if err == nil && len(results) == 0 {
		err = fmt.Errorf("read traces %s: %w", path, ErrEmpty)
	}
	if err != nil {
		return nil, err
	}
	rep := &FileReport{File: path, Traces: len(results), First: []Mismatch{}}
	for _, p := range results {
		if slices.ContainsFunc(p.mismatches, func(m Mismatch) bool { return m.What == whatHash0 }) {
			rep.OtherStart++
		}
		rep.Calls += p.calls
		rep.Inexact += p.inexact
		rep.Drawn += p.drawn
		rep.Mismatches += len(p.mismatches)
		rep.First = append(rep.First, p.mismatches[:min(len(p.mismatches), r.Keep-len(rep.First))]...)
	}
	return rep, nil
}

// run replays the traces of a file at once and returns their players in file
// order.
func (r *Replay) run(ctx context.Context, path string, tasks map[string]*tau.Task) ([]*player, error) {
	var results []*player
	var mu sync.Mutex
	var failed error
	fail := func(err error) {
		mu.Lock()
		defer mu.Unlock()
		if failed == nil {
			failed = err
		}
	}
	work := make(chan *player, max(1, r.Workers))
	var wg sync.WaitGroup
	for range max(1, r.Workers) {
		wg.Go(func() {
			for p := range work {
				if err := p.play(); err != nil {
					fail(fmt.Errorf("replay %s: line %d: %w", path, p.trace.line, err))
				}
			}
		})
	}
	err := readTraces(path, func(t trace) error {
		p := &player{domain: r.Domain, tasks: tasks, trace: t}
		results = append(results, p)
		select {
		case work <- p:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	close(work)
	wg.Wait()
	if err == nil {
		err = failed
	}
	return results, err
}

// spell writes any recorded or computed value for a report.
func spell(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	return pyjson.Dumps(v)
}
