package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"taste/contract"
	"taste/env"
	"taste/person"
	"taste/phrase"
	"taste/players"
	"taste/tau"
)

// arena is a set of tasks with the world that they are played in.
type arena struct {
	label    string
	domain   *env.Domain
	contract *contract.Contract // nil: the domain has none
	book     *phrase.Book       // nil: the domain has none
	sum      string             // of contract and phrase book
	tasks    []tau.Task
	seat     *person.Terminal
	session  string // other than that of any other run
	models   *evalModels
}

// deps are what parties are made from.
func (x *arena) deps() players.Deps {
	return players.Deps{
		Domain: x.domain, Contract: x.contract, Book: x.book, Knowledge: x.sum, Terminal: x.seat, Session: x.session,
		Model: x.models.model, Price: x.models.price,
	}
}

// arena reads a set of tasks and its world.
func (a *app) arena(s *taskSource) (*arena, error) {
	o, tasks, err := s.tasks()
	if err != nil {
		return nil, err
	}
	x, err := a.evalWorld(s, o, tasks)
	if err != nil {
		return nil, err
	}
	if s.Policy != "" {
		if x.domain, err = x.domain.WithPolicy(s.Policy); err != nil {
			return nil, inputError{err}
		}
	}
	x.label = s.Path
	if a.seat == nil {
		a.seat = person.NewTerminal(a.in, a.log)
	}
	x.seat, x.session = a.seat, strconv.FormatInt(a.now().UnixNano(), 36)+"-"
	if x.tasks, err = s.choose(o, tasks); err != nil {
		return nil, err
	}
	return x, nil
}

// tasks reads all tasks of a source: of a path, else of the pack's set of that
// name.
func (s *taskSource) tasks() (*origin, []tau.Task, error) {
	if _, err := os.Stat(s.Path); err == nil || s.Pack == "" {
		o, err := findOrigin(s.Path)
		if err != nil {
			return nil, nil, err
		}
		tasks, err := o.tasks()
		return o, tasks, err
	}
	p, err := loadPack(s.Pack)
	if err != nil {
		return nil, nil, err
	}
	if !slices.Contains(p.TaskSets(), s.Path) {
		return nil, nil, usage(fmt.Errorf("eval %s: no such file or folder, nor a task set of %s", s.Path, s.Pack), "task sets of the pack: %s", strings.Join(p.TaskSets(), ", "))
	}
	head, err := readPackHead(s.Pack)
	if err != nil {
		return nil, nil, err
	}
	tasks, err := p.Tasks(s.Path)
	return &origin{dir: s.Pack, file: s.Path, pack: head}, tasks, err
}

// evalWorld finds the world of tasks as validate does, and takes packs whose
// domain has no contract, too.
func (a *app) evalWorld(s *taskSource, o *origin, tasks []tau.Task) (*arena, error) {
	v := &validateFlags{domain: s.Domain, source: sourceFlags{
		pack: s.Pack, contract: s.Contract, phrases: s.Phrases, worldSeed: 1, given: func(flag string) bool { return flag == "world-seed" && s.WorldSeed != nil },
	}}
	if s.WorldSeed != nil {
		v.source.worldSeed = *s.WorldSeed
	}
	if v.source.pack == "" && o.pack != nil {
		v.source.pack = o.dir
	}
	if v.source.pack != "" {
		head, err := readPackHead(v.source.pack)
		if err != nil {
			return nil, err
		}
		if _, err := findBuiltin(head.domain()); err != nil {
			return bareArena(v.source)
		}
	}
	src, err := a.world(v, o, tasks)
	if err != nil {
		return nil, err
	}
	if err := fits(src, o, tasks); err != nil {
		return nil, err
	}
	return src.arena()
}

// arena is the world of a domain that has a contract.
func (s *source) arena() (*arena, error) {
	book, err := s.book()
	if err != nil {
		return nil, err
	}
	return &arena{domain: s.Domain, contract: s.Contract, book: book, sum: digest(bytes.Join(append([][]byte{s.rules}, s.Phrases...), []byte{0}))}, nil
}

// bareArena is the world of a pack whose domain has no contract.
func bareArena(f sourceFlags) (*arena, error) {
	if f.contract != "" || len(f.phrases) > 0 {
		return nil, usage(errors.New("eval: --contract and --phrases stand in the place of a domain's own, and this one has none"), "leave them out")
	}
	p, err := loadPack(f.pack)
	if err != nil {
		return nil, err
	}
	return &arena{domain: p.Domain}, nil
}

// choose keeps the tasks that are asked for.
func (s *taskSource) choose(o *origin, tasks []tau.Task) ([]tau.Task, error) {
	if s.Split != nil {
		var err error
		if tasks, err = o.split(*s.Split, s.Pack, tasks); err != nil {
			return nil, err
		}
	} else if base, err := o.split("base", s.Pack, tasks); err == nil {
		tasks = base
	}
	if len(s.IDs) > 0 {
		known, asked := map[string]bool{}, map[string]bool{}
		for i := range tasks {
			known[tasks[i].ID] = true
		}
		for _, id := range s.IDs {
			if asked[id] {
				return nil, usage(fmt.Errorf("eval %s: task %q is asked for twice", s.Path, id), "--num-trials says how often each task is played")
			}
			asked[id] = true
			if !known[id] {
				return nil, usage(fmt.Errorf("eval %s: no task %q among %s", s.Path, id, plural(len(tasks), "task")), "--task-ids takes ids as they stand in the file, --task-split-name the split")
			}
		}
		tasks = slices.DeleteFunc(slices.Clone(tasks), func(t tau.Task) bool { return !slices.Contains(s.IDs, t.ID) })
	}
	if s.Num != nil {
		if *s.Num < 1 {
			return nil, usage(fmt.Errorf("eval %s: num-tasks %d: want 1 at least", s.Path, *s.Num), "leave it out to play all")
		}
		tasks = tasks[:min(*s.Num, len(tasks))]
	}
	if len(tasks) == 0 {
		return nil, usage(fmt.Errorf("eval %s: no tasks", s.Path), "give a file that has some")
	}
	return tasks, nil
}

func agentSpecs() []string { return players.AgentSpecs() }
