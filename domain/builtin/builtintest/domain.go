package builtintest

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"testing"

	"taste/chat"
	"taste/env"
	"taste/pyjson"
	"taste/tau"
)

// WorldSeeds are those of the worlds that tests look at.
var WorldSeeds = []uint64{1, 2, 77}

// Domain is a built-in domain by the functions that make it.
type Domain[DB any] struct {
	World  func(seed uint64) *DB
	Read   func(v any) (*DB, error) // of JSON
	State  func(*DB) env.State
	Domain func(worldSeed uint64) (*env.Domain, error)
	Tasks  func() ([]tau.Task, error)

	once   sync.Once
	worlds []*DB
}

// Of makes the domain over a world.
func (d *Domain[DB]) Of(t *testing.T, worldSeed uint64) *env.Domain {
	t.Helper()
	out, err := d.Domain(worldSeed)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Seeds reads the seed tasks.
func (d *Domain[DB]) Seeds(t *testing.T) []tau.Task {
	t.Helper()
	tasks, err := d.Tasks()
	if err != nil {
		t.Fatal(err)
	}
	return tasks
}

// EachWorld runs a test on several worlds, which it only reads: they are made once.
func (d *Domain[DB]) EachWorld(t *testing.T, test func(t *testing.T, db *DB)) {
	d.once.Do(func() {
		for _, seed := range WorldSeeds {
			d.worlds = append(d.worlds, d.World(seed))
		}
	})
	for i, db := range d.worlds {
		t.Run(fmt.Sprint("seed ", WorldSeeds[i]), func(t *testing.T) { test(t, db) })
	}
}

// EachSeed runs a test on every seed task over several worlds.
func (d *Domain[DB]) EachSeed(t *testing.T, test func(t *testing.T, of *env.Domain, task *tau.Task)) {
	tasks := d.Seeds(t)
	for _, seed := range WorldSeeds {
		of := d.Of(t, seed)
		for i := range tasks {
			t.Run(fmt.Sprintf("seed %d/%s", seed, tasks[i].ID), func(t *testing.T) { test(t, of, &tasks[i]) })
		}
	}
}

// Dump is the database of a world as files hold it.
func (d *Domain[DB]) Dump(db *DB) []byte {
	return pyjson.Append(nil, d.State(db).JSON(chat.Assistant), pyjson.UTF8)
}

// WorldFollowsSeed holds that a seed makes one world, and another seed another.
func (d *Domain[DB]) WorldFollowsSeed(t *testing.T) {
	one := d.Dump(d.World(1))
	if !bytes.Equal(one, d.Dump(d.World(1))) {
		t.Error("the same seed gave two different worlds")
	}
	if bytes.Equal(one, d.Dump(d.World(2))) {
		t.Error("two seeds gave the same world")
	}
}

// WorldComesBack holds that a world is the same once it is written and read again.
func (d *Domain[DB]) WorldComesBack(t *testing.T) {
	d.EachWorld(t, func(t *testing.T, db *DB) {
		want := d.Dump(db)
		v, err := pyjson.Decode(want)
		if err != nil {
			t.Fatal(err)
		}
		back, err := d.Read(v)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(want, d.Dump(back)) {
			t.Error("the world changes when it is written and read again")
		}
	})
}

// Same holds that an anchor is the same record in two places.
func Same(t *testing.T, key string, a, b *pyjson.Object) {
	t.Helper()
	if !pyjson.Equal(a, b) {
		t.Errorf("anchor %s differs between worlds", key)
	}
}

// Scenario is everything that the customer of a task is told.
func Scenario(task *tau.Task) string {
	s := task.UserScenario.Instructions.Structured
	parts := []string{s.ReasonForCall, s.TaskInstructions}
	for _, p := range []*string{s.KnownInfo, s.UnknownInfo} {
		if p != nil {
			parts = append(parts, *p)
		}
	}
	return strings.Join(parts, "\n")
}

// ScenariosKeepAnswers holds that no scenario has what the agent is to tell, and
// that this is a plain literal.
func ScenariosKeepAnswers(t *testing.T, tasks []tau.Task) {
	for _, task := range tasks {
		text := Scenario(&task)
		for _, info := range task.EvaluationCriteria.CommunicateInfo {
			if strings.Contains(text, info) || strings.Contains(info, ",") || len(info) < 3 {
				t.Errorf("%s: %q is in the scenario or is no plain literal", task.ID, info)
			}
		}
	}
}
