package toolseq

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func small() Vocab {
	return Vocab{Names: []string{"get_a", "set_b", "c"}, Types: []Type{Read, Write, Generic}}
}

// drawGated makes a model whose gates were fitted to random verdicts.
func drawGated(t *rapid.T) *Model {
	p := BestParams()
	p.N = rapid.IntRange(1, 4).Draw(t, "n")
	p.Gates.MinSplit, p.Gates.MinGain = 1, 0
	m, err := NewModel(small(), p)
	if err != nil {
		t.Fatal(err)
	}
	e := newEvidence(small())
	for range rapid.IntRange(1, 30).Draw(t, "judged") {
		seq := drawSeq(t)
		v := Verdict{Plausible: rapid.Bool().Draw(t, "plausible")}
		if !v.Plausible {
			v.Bad = []int{rapid.IntRange(0, len(seq)-1).Draw(t, "bad")}
		}
		if err := m.Ingest(seq, v); err != nil {
			t.Fatal(err)
		}
		e.add(seq, v)
	}
	m.gates = e.fit(p.Gates)
	return m
}

func drawSeq(t *rapid.T) []int {
	return rapid.SliceOfN(rapid.IntRange(0, 2), 1, 12).Draw(t, "seq")
}

// Sampling by rejection is exact only if a folded gate leads every state with its
// context to the value of the whole gate, and no leaf has more weight than its
// top.
func TestFoldedGatesAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawGated(t)
		g := newGated(m, 1)
		f := newFolder(m, 1)
		seq := drawSeq(t)
		w := newWalk(m)
		for i, tool := range seq {
			left := len(seq) - 1 - i
			w.regs[g.left()] = int16(left)
			known := g.bounds(w.ctx, min(left, ends-1))
			for u := range g.tools {
				top := f.fold(u, 0, &known)
				got, want := f.forks()[top].walk(f.forks(), &w.regs), float32(math.Exp(m.logGate(u, &w.regs)))
				if math.Abs(float64(got.weight/want-1)) > 1e-5 || int(got.tool) != u || got.weight > f.nodes[top].weight {
					t.Fatalf("after %v with %d left, tool %d: %v, want weight %v of at most %v", seq[:i], left, u,
						got, want, f.nodes[top].weight)
				}
			}
			w.push(tool)
		}
	})
}

// answer tells a question's answer from the calls themselves.
func answer(q Question, prefix []int, t, left int) bool {
	count := func(tool int) (n int) {
		for _, x := range prefix {
			if x == tool {
				n++
			}
		}
		return n
	}
	last := func(tool int) int {
		for i := len(prefix) - 1; i >= 0; i-- {
			if prefix[i] == tool {
				return i
			}
		}
		return -1
	}
	switch q.Ask {
	case AskUsed:
		return count(q.Arg) > 0
	case AskSince:
		return last(q.Arg) > last(t)
	case AskMore:
		return count(q.Arg) > count(t)
	case AskLeft:
		return left <= q.Arg
	}
	reads := 0
	for i := len(prefix) - 1; i >= 0 && prefix[i] != 1; i-- {
		reads++
	}
	return reads > q.Arg
}

func TestQuestionsMeanWhatTheySay(t *testing.T) {
	l := layout(small().Len())
	rapid.Check(t, func(t *rapid.T) {
		prefix, left := drawSeq(t), rapid.IntRange(0, 9).Draw(t, "left")
		var r registers
		l.start(&r)
		for i, tool := range prefix {
			l.push(&r, i, tool, readsKept(small().Types[tool]))
		}
		r[l.left()] = int16(left)
		for _, q := range l.questions() {
			for tool := range int(l) {
				a, b, err := l.compile(q, tool)
				if err != nil {
					t.Fatal(err)
				}
				if got, want := r[a] > r[b], answer(q, prefix, tool, left); got != want {
					t.Fatalf("%+v of tool %d after %v with %d left: %v, want %v", q, tool, prefix, left, got, want)
				}
			}
		}
	})
}

// Tool c is fine only at the end and set_b only after get_a: the gates find it.
func TestGatesFindTheRule(t *testing.T) {
	e := newEvidence(small())
	for _, j := range []struct {
		seq []int
		bad []int
	}{
		{[]int{0, 1, 2}, nil},
		{[]int{0, 0, 2}, nil},
		{[]int{0, 1, 1}, nil},
		{[]int{2, 0, 1}, []int{0}},
		{[]int{0, 2, 0}, []int{1}},
		{[]int{2, 0, 2}, []int{0}},
		{[]int{1, 0, 0}, []int{0}},
		{[]int{1, 0, 2}, []int{0}},
		{[]int{2, 1, 0}, []int{0, 1}},
	} {
		e.add(j.seq, Verdict{Plausible: j.bad == nil, Bad: j.bad})
	}
	p := *BestParams().Gates
	p.MinSplit, p.MinGain = 1, 0.1
	gates := e.fit(&p)
	l := layout(small().Len())
	value := func(t, left int, prefix ...int) float64 {
		var r registers
		l.start(&r)
		for i, tool := range prefix {
			l.push(&r, i, tool, readsKept(small().Types[tool]))
		}
		r[l.left()] = int16(left)
		return gates[t][gates[t].leaf(&r)].value
	}
	for name, pair := range map[string][2]float64{
		"c at the end and before": {value(2, 0, 0, 1), value(2, 1, 0, 1)},
		"set_b after get_a":       {value(1, 1, 0), value(1, 1, 2)},
	} {
		if pair[0] < .6 || pair[1] > .2 {
			t.Errorf("%s: %.2f and %.2f", name, pair[0], pair[1])
		}
	}
}

// A node's value is its share of good calls, mixed with the value above.
func TestGateValues(t *testing.T) {
	p := GateParams{Prior: 1, Before: .5, After: .25}
	l := layout(3)
	g := gate{{tally: Tally{Good: 2, Bad: 1, Before: 2, After: 4}}}
	if err := g.split(0, Question{AskLeft, 0}, l, 0); err != nil {
		t.Fatal(err)
	}
	g[1].tally, g[2].tally = Tally{Bad: 1, Before: 2, After: 4}, Tally{Good: 2}
	g.settle(&p)
	root := (2 + 1 + 1 + .5) / (2 + 1 + 1 + 1 + 1.)
	for n, want := range []float64{root, (1 + 1 + root) / (1 + 1 + 1 + 1), (2 + root) / 3} {
		if math.Abs(g[n].value-want) > 1e-12 {
			t.Errorf("node %d has %v, want %v", n, g[n].value, want)
		}
	}
}

// The columns of an alias table add up to the weights it was made of.
func TestAliasTablesKeepTheWeights(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		weights := rapid.SliceOfN(rapid.Float64Range(1e-9, 10), 1, 50).Draw(t, "weights")
		slots := make([]slot, len(weights))
		fillAlias(slots, weights)
		got, total := make([]float64, len(weights)), 0.0
		for i, w := range weights {
			kept := float64(slots[i].threshold) / (1<<32 - 1)
			got[slots[i].own] += kept / float64(len(weights))
			got[slots[i].alias] += (1 - kept) / float64(len(weights))
			total += w
		}
		for i, w := range weights {
			if math.Abs(got[i]-w/total) > 1e-8 {
				t.Fatalf("index %d has %v, want %v", i, got[i], w/total)
			}
		}
	})
}
