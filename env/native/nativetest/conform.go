package nativetest

import (
	"math/rand/v2"
	"sync"
	"testing"

	"taste/env"
)

// Change makes some call that may change an environment, or fails to.
type Change func(r *rand.Rand, e *env.Environment)

// EqualAgreesWithHash compares states that random changes lead to: equal by
// structure exactly where the hashes are, and different exactly where Diff says
// so.
func EqualAgreesWithHash(t *testing.T, e *env.Environment, change Change) {
	t.Helper()
	r := rand.New(rand.NewPCG(5, 6))
	var states []*env.Environment
	for range 60 {
		c := e.Clone()
		for range r.IntN(4) {
			change(r, c)
		}
		states = append(states, c)
	}
	equal := 0
	for i, a := range states {
		for _, b := range states[:i] {
			same := a.Hash() == b.Hash()
			if a.Equal(b) != same || b.Equal(a) != same || (len(a.Diff(b)) == 0) != same {
				t.Fatalf("Equal %v, hash equal %v, diff %v", a.Equal(b), same, a.Diff(b))
			}
			if same {
				equal++
			}
		}
	}
	if equal < 20 || equal > len(states)*len(states)/4 {
		t.Errorf("%d pairs are equal: the test shows little", equal)
	}
}

// Isolation runs many environments in one frozen state at once: each ends in the
// state that it ends in alone.
func Isolation(t *testing.T, base *env.Environment, change Change) {
	t.Helper()
	base.Freeze()
	run := func(seed uint64) string {
		e := base.Clone()
		r := rand.New(rand.NewPCG(seed, 0))
		for range 6 {
			change(r, e)
			for _, table := range e.Tables() {
				for key := range e.Records(table) {
					e.RecordJSON(table, key)
				}
			}
		}
		return e.Hash()
	}
	var alone [64]string
	for i := range alone {
		alone[i] = run(uint64(i))
	}
	var wg sync.WaitGroup
	for i := range alone {
		wg.Go(func() {
			if got := run(uint64(i)); got != alone[i] {
				t.Errorf("run %d ends in %s, alone in %s", i, got, alone[i])
			}
		})
	}
	wg.Wait()
}
