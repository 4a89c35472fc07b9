package gates_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"taste/gates"
	"taste/tau"
)

// faultsOfAClass is how many faults of a class are put into the tasks of a
// domain by one set of scripts.
const faultsOfAClass = 10

// TestScriptedFaults puts faults of each class into public tasks and counts how
// many are found as what they are. The second set of scripts was written after
// the lints.
func TestScriptedFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("validates hundreds of tasks: run without -short")
	}
	domains := []*public{publicDomain(t, "airline"), publicDomain(t, "retail")}
	all, found := 0, 0
	for _, class := range gates.Classes {
		n, hits := 0, 0
		for _, p := range domains {
			for k, set := range [][]script{scripts, more} {
				faulty := p.inject(t, set, class, faultsOfAClass, uint64(k+1))
				missed := p.missed(t, class, faulty)
				n, hits = n+len(faulty), hits+len(faulty)-len(missed)
				t.Logf("%s: %s, set %d: %d of %d; missed %q", class, p.name, k+1, len(faulty)-len(missed), len(faulty), missed)
			}
		}
		if all, found = all+n, found+hits; hits*3 < n*2 {
			t.Errorf("%s: %d of %d faults are found, want two in three", class, hits, n)
		}
	}
	if found*10 < all*9 {
		t.Errorf("%d of %d faults are found, want nine in ten", found, all)
	}
}

// TestFewVerifiedTasksAreUnsolvable: tasks that people have corrected are called
// unsolvable in one case of twenty at most. Each of these was read: bags are
// charged that are free; a new item is not available (twice); a pending order is
// exchanged; a gift card does not cover the difference.
func TestFewVerifiedTasksAreUnsolvable(t *testing.T) {
	if testing.Short() {
		t.Skip("validates all public tasks")
	}
	want := map[string][]string{"airline": {"33"}, "retail": {"18", "64", "91", "105"}}
	for _, name := range []string{"airline", "retail"} {
		p := publicDomain(t, name)
		list := p.untouched(t)
		var got []string
		warnings := 0
		for i, faults := range p.faults(t, list) {
			if slices.ContainsFunc(faults, func(f gates.Fault) bool { return f.Kind == gates.Unsolvable }) {
				got = append(got, list[i].task.ID)
			}
			if slices.ContainsFunc(faults, func(f gates.Fault) bool { return f.Kind == gates.Warning }) {
				warnings++
			}
		}
		if !slices.Equal(got, want[name]) {
			t.Errorf("%s: unsolvable are %v, want %v", name, got, want[name])
		}
		if warnings*2 > len(list) {
			t.Errorf("%s: %d of %d tasks have warnings", name, warnings, len(list))
		}
	}
}

// injected is a task with a fault.
type injected struct {
	script string
	task   *tau.Task
}

// untouched are the verified tasks as they are.
func (p *public) untouched(t *testing.T) []injected {
	t.Helper()
	var out []injected
	for _, raw := range p.verified {
		out = append(out, injected{task: p.victim(t, raw, nil).Task})
	}
	return out
}

// inject makes up to n tasks with a fault of a class, one script after the
// other.
func (p *public) inject(t *testing.T, set []script, class gates.Class, n int, seed uint64) []injected {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, uint64(len(class))))
	var use []script
	next := map[string][]int{}
	for _, s := range set {
		if s.class == class && (s.domain == "" || s.domain == p.name) {
			use = append(use, s)
			next[s.name] = rng.Perm(len(p.verified))
		}
	}
	var out []injected
	for len(out) < n && len(use) > 0 {
		s := use[0]
		use = use[1:]
		for _, i := range next[s.name] {
			next[s.name] = next[s.name][1:]
			v := p.victim(t, p.verified[i], rng)
			if v.customer() != "" && s.apply(v) {
				out = append(out, injected{s.name, v.Task})
				use = append(use, s)
				break
			}
		}
	}
	return out
}

// missed lists the faults that are not found as faults of their class.
func (p *public) missed(t *testing.T, class gates.Class, list []injected) []string {
	t.Helper()
	var out []string
	for i, faults := range p.faults(t, list) {
		if !slices.ContainsFunc(faults, func(f gates.Fault) bool { return f.Class == class && f.Kind != gates.NotChecked }) {
			out = append(out, list[i].task.ID+" "+list[i].script)
		}
	}
	return out
}

// faults validates tasks in one go and lists the faults of each.
func (p *public) faults(t *testing.T, list []injected) [][]gates.Fault {
	t.Helper()
	tasks := make([]tau.Task, len(list))
	for i := range list {
		tasks[i] = *list[i].task
		tasks[i].ID = fmt.Sprint(i)
	}
	found, err := gates.Validate(context.Background(), tasks, p.domain, p.contract, nil, nil)
	must(t, err)
	out := make([][]gates.Fault, len(list))
	for _, f := range found {
		i, err := strconv.Atoi(f.Task)
		must(t, err)
		out[i] = append(out[i], f)
	}
	return out
}
