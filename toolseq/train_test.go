package toolseq_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"taste/toolseq"
	"taste/toolseq/internal/toy"
)

// methods are the two ways to train, by name.
func methods() map[string]toolseq.Params {
	return map[string]toolseq.Params{"paper": toolseq.PaperParams(), "best": toolseq.BestParams()}
}

func train(t testing.TB, p toolseq.Params, seed uint64, attempts int) *toolseq.Trainer {
	t.Helper()
	tr, err := toolseq.Train(context.Background(), toy.Vocab(), p, seed, toolseq.Sure(toy.Judge), toy.Seeds(), attempts)
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

func TestTrainingAddsUp(t *testing.T) {
	for name, p := range methods() {
		tr := train(t, p, 1, 500)
		c := tr.Counts()
		if c.Attempts != 500 || c.Attempts != c.Duplicates+c.Plausible+c.Implausible || tr.Model().K() != 500 {
			t.Errorf("%s: %+v at k = %d", name, c, tr.Model().K())
		}
		if c.Seeds != len(toy.Seeds()) || c.Seeds != c.SeedDuplicates+c.SeedPlausible+c.SeedImplausible {
			t.Errorf("%s: %+v", name, c)
		}
		if got, want := len(tr.Judgements()), c.Plausible+c.Implausible+c.SeedPlausible+c.SeedImplausible; got != want {
			t.Errorf("%s: %d judgements, want %d", name, got, want)
		}
	}
}

// A duplicate advances k, costs no judge call and updates nothing.
func TestDuplicates(t *testing.T) {
	p := toolseq.PaperParams()
	p.Length = toolseq.LengthLaw{Location: 1, Scale: 1, Min: 1, Max: 1} // three sequences in all
	calls := 0
	judge := func([]int) toolseq.Verdict { calls++; return toolseq.Verdict{Plausible: true} }
	tr, err := toolseq.Train(context.Background(), abc(), p, 1, toolseq.Sure(judge), [][]int{{0}, {0}}, 50)
	if err != nil {
		t.Fatal(err)
	}
	c := tr.Counts()
	if calls != 3 || c.Duplicates != 48 || c.Plausible != 2 || c.SeedDuplicates != 1 || tr.Model().K() != 50 {
		t.Errorf("%d calls, %+v, k = %d", calls, c, tr.Model().K())
	}
	near(t, "each once", tr.Model().Next(nil, 0, 1), []float64{1. / 3, 1. / 3, 1. / 3})
}

func TestUnexplainedVerdictsAreCounted(t *testing.T) {
	judge := func(seq []int) toolseq.Verdict { return toolseq.Verdict{Bad: []int{len(seq)}} }
	tr, err := toolseq.Train(context.Background(), abc(), toolseq.PaperParams(), 1, toolseq.Sure(judge), [][]int{{0}}, 20)
	if err != nil {
		t.Fatal(err)
	}
	if c := tr.Counts(); c.Unexplained != c.Implausible+c.SeedImplausible || c.Unexplained == 0 {
		t.Errorf("%+v", c)
	}
}

// Written, read back and continued at any moment, a training ends with the bytes
// of one that was never interrupted.
func TestResumedTrainingIsTheSame(t *testing.T) {
	for name, p := range methods() {
		want := marshal(t, train(t, p, 3, 350))
		for _, stop := range []int{0, 1, 100, 199, 349} {
			tr, err := toolseq.ResumeTrainer([]byte(marshal(t, train(t, p, 3, stop))), toolseq.Sure(toy.Judge))
			if err != nil {
				t.Fatal(err)
			}
			if err := tr.Run(context.Background(), 350); err != nil {
				t.Fatal(err)
			}
			if marshal(t, tr) != want {
				t.Errorf("%s, stopped at %d: another end", name, stop)
			}
		}
	}
}

func TestInterruptedTrainingIsWhole(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	calls := 0
	judge := func(seq []int) toolseq.Verdict {
		if calls++; calls == 60 {
			cancel()
		}
		return toy.Judge(seq)
	}
	tr, err := toolseq.Train(ctx, toy.Vocab(), toolseq.PaperParams(), 3, toolseq.Sure(judge), toy.Seeds(), 200)
	if err == nil || !strings.Contains(err.Error(), "attempt") {
		t.Fatalf("error is %v", err)
	}
	if err := tr.Run(context.Background(), 200); err != nil {
		t.Fatal(err)
	}
	if marshal(t, tr) != marshal(t, train(t, toolseq.PaperParams(), 3, 200)) {
		t.Error("continued after an interruption it ends differently")
	}
}

// A model alone, read back, samples as the one that was written.
func TestModelReadsBack(t *testing.T) {
	for name, p := range methods() {
		m := train(t, p, 2, 400).Model()
		text := marshal(t, m)
		var back toolseq.Model
		if err := json.Unmarshal([]byte(text), &back); err != nil {
			t.Fatal(err)
		}
		if marshal(t, &back) != text {
			t.Errorf("%s: other bytes the second time", name)
		}
		r, q := toolseq.Stream(1, "x", 0), toolseq.Stream(1, "x", 0)
		written, read := m.Freeze(1.5), back.Freeze(1.5)
		for range 100 {
			if a, b := written.Append(nil, r), read.Append(nil, q); !slices.Equal(a, b) {
				t.Fatalf("%s: %v and %v", name, a, b)
			}
		}
	}
}

func TestBrokenStatesAreRefused(t *testing.T) {
	good := marshal(t, train(t, toolseq.BestParams(), 2, 150))
	for name, change := range map[string][2]string{
		"no JSON":          {`{"model"`, `{"model`},
		"other parameters": {`"n":3`, `"n":0`},
		"short context":    {`"context":[-1,-1]`, `"context":[-1]`},
		"unknown tool":     {`"context":[-1,-1]`, `"context":[-1,14]`},
		"short counts":     {`"counts":[`, `"counts":[],"x":[`},
		"missing gates":    {`"gates":[{`, `"gates":[],"x":[{`},
		"unknown question": {`{"ask":"used"`, `{"ask":"liked"`},
		"too deep":         {`"depth":6`, `"depth":0`},
		"question alone":   {`"no":`, `"maybe":`},
		"unknown type":     {`"write"`, `"wrote"`},
		"judgement":        {`"judgements":[{"seq":[`, `"judgements":[{"seq":[99,`},
	} {
		bad := strings.Replace(good, change[0], change[1], 1)
		if bad == good {
			t.Errorf("%s: the state has no %s", name, change[0])
		}
		if _, err := toolseq.ResumeTrainer([]byte(bad), toolseq.Sure(toy.Judge)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestUnknownSeedIsRefused(t *testing.T) {
	_, err := toolseq.Train(context.Background(), toy.Vocab(), toolseq.PaperParams(), 1, toolseq.Sure(toy.Judge), [][]int{{0}, {14}}, 1)
	if err == nil || !strings.Contains(err.Error(), "seed 2") {
		t.Errorf("error is %v", err)
	}
}

// acceptance is the share of plausible ones among sequences not seen in training.
func acceptance(tb testing.TB, tr *toolseq.Trainer, n int) float64 {
	tb.Helper()
	seen := map[string]bool{}
	for _, j := range tr.Judgements() {
		seen[fmt.Sprint(j.Seq)] = true
	}
	pool, err := toolseq.Pool(tr.Model().Freeze(1.5), n, 1, func(s []int) bool { return seen[fmt.Sprint(s)] })
	if err != nil {
		tb.Fatal(err)
	}
	plausible := 0
	for _, s := range pool {
		if toy.Judge(s).Plausible {
			plausible++
		}
	}
	return float64(plausible) / float64(n)
}

// Training raises acceptance, and gates raise it further while the accepted
// sequences stay more varied.
func TestTrainingPays(t *testing.T) {
	untrained := acceptance(t, train(t, toolseq.PaperParams(), 1, 0), 500)
	paper, best := train(t, toolseq.PaperParams(), 1, 3000), train(t, toolseq.BestParams(), 1, 3000)
	p, b := acceptance(t, paper, 1000), acceptance(t, best, 1000)
	t.Logf("untrained %.3f, paper %.3f, best %.3f", untrained, p, b)
	if untrained > .1 || p < .8 || b < .95 {
		t.Errorf("acceptance: untrained %.3f, paper %.3f, best %.3f", untrained, p, b)
	}
	if hp, hb := variety(t, paper), variety(t, best); hb <= hp {
		t.Errorf("normalised entropy: paper %.3f, best %.3f", hp, hb)
	}
}

// A tool that is plausible but rarely, here the certificate and the hand-off, is
// not lost to early rejections.
func TestNoToolIsLost(t *testing.T) {
	implausible := func(s []int) bool { return !toy.Judge(s).Plausible }
	for seed := range uint64(4) {
		pool, err := toolseq.Pool(train(t, toolseq.BestParams(), seed, 3000).Model().Freeze(1.5), 500, 1, implausible)
		if err != nil {
			t.Fatal(err)
		}
		c, err := toolseq.Measure(toy.Vocab(), pool)
		if err != nil {
			t.Fatal(err)
		}
		for tool, share := range c.Share {
			if share < .04 {
				t.Errorf("seed %d: %s is in %.3f of the pool", seed, toy.Vocab().Names[tool], share)
			}
		}
	}
}

func variety(t *testing.T, tr *toolseq.Trainer) float64 {
	t.Helper()
	implausible := func(s []int) bool { return !toy.Judge(s).Plausible }
	pool, err := toolseq.Pool(tr.Model().Freeze(1.5), 300, 1, implausible)
	if err != nil {
		t.Fatal(err)
	}
	c, err := toolseq.Measure(toy.Vocab(), pool)
	if err != nil {
		t.Fatal(err)
	}
	return c.EntropyNorm
}

func BenchmarkTrain(b *testing.B) {
	for name, p := range methods() {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				train(b, p, 1, 3000)
			}
		})
	}
}
