package gates_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"taste/gates"
	"taste/tau"
)

// perClass is how many faults of a class are put into the tasks of a domain.
const perClass = 20

// TestScriptedFaults puts faults of each class into public tasks and looks for
// them.
func TestScriptedFaults(t *testing.T) {
	for _, name := range []string{"airline", "retail"} {
		p := publicDomain(t, name)
		base := p.untouched(t)
		for _, class := range gates.Classes {
			faulty := p.inject(t, class, perClass, 1)
			now := p.faults(t, faulty)
			found, fresh := 0, 0
			for i, c := range faulty {
				is, isNew := false, false
				for _, f := range now[i] {
					if f.Class == class && f.Kind != gates.NotChecked {
						is = true
						isNew = isNew || !slices.ContainsFunc(base[c.task.ID], func(g gates.Fault) bool { return g.Class == f.Class && g.Rule == f.Rule })
					}
				}
				if is {
					found++
				}
				if isNew {
					fresh++
				}
				if os.Getenv("LINT_SHOW") != "" && !is {
					fmt.Printf("%s %s %s: %s\n", name, c.task.ID, class, c.script)
				}
			}
			t.Logf("%-8s %-22s injected %d found %d new %d", name, class, len(faulty), found, fresh)
		}
	}
}

// untouched lists the faults of the tasks as they are, by task.
func (p *public) untouched(t *testing.T) map[string][]gates.Fault {
	t.Helper()
	var list []injected
	for _, raw := range p.files["tasks_verified.json"] {
		list = append(list, injected{"", p.victim(t, raw, nil).Task})
	}
	out := map[string][]gates.Fault{}
	for i, f := range p.faults(t, list) {
		out[list[i].task.ID] = f
	}
	return out
}

type injected struct {
	script string
	task   *tau.Task
}

// inject makes n faulty tasks of a class, one script after the other.
func (p *public) inject(t *testing.T, class gates.Class, n int, seed uint64) []injected {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, uint64(len(class))))
	var use []script
	for _, s := range scripts {
		if s.class == class && (s.domain == "" || s.domain == p.name) {
			use = append(use, s)
		}
	}
	files := p.files["tasks_verified.json"]
	next := map[string][]int{}
	for _, s := range use {
		next[s.name] = rng.Perm(len(files))
	}
	var out []injected
	for len(out) < n && len(use) > 0 {
		s := use[0]
		use = use[1:]
		for len(next[s.name]) > 0 {
			i := next[s.name][0]
			next[s.name] = next[s.name][1:]
			v := p.victim(t, files[i], rng)
			if v.customer() != "" && s.apply(v) {
				out = append(out, injected{s.name, v.Task})
				use = append(use, s)
				break
			}
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
		i, _ := strconv.Atoi(f.Task)
		out[i] = append(out[i], f)
	}
	return out
}
