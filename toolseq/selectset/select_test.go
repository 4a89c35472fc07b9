package selectset

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"taste/kmedoids"
	"taste/toolseq"
	"taste/toolseq/internal/toy"
)

// pool draws plausible sequences from a model trained on the toy airline.
func pool(tb testing.TB, p toolseq.Params, n int) [][]int {
	tb.Helper()
	tr, err := toolseq.Train(context.Background(), toy.Vocab(), p, 1, toolseq.Sure(toy.Judge), toy.Seeds(), min(2*n, 3000))
	if err != nil {
		tb.Fatal(err)
	}
	implausible := func(seq []int) bool { return !toy.Judge(seq).Plausible }
	pool, err := toolseq.Pool(tr.Model().Freeze(1.5), n, 1, implausible)
	if err != nil {
		tb.Fatal(err)
	}
	return pool
}

func goal() Goal {
	g := PaperGoal(toy.Vocab())
	g.Shares[toy.HandOff] = .04
	return g
}

func TestSelectReachesTheGoal(t *testing.T) {
	v, members := toy.Vocab(), pool(t, toolseq.BestParams(), 2000)
	res, err := Select(context.Background(), v, members, Options{K: 50, Goal: goal(), Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Shortfalls) > 0 {
		t.Errorf("the goal is not reached: %v", res.Shortfalls)
	}
	if res.Coverage.UniqueSequences != 50 {
		t.Errorf("%d different sequences, want 50", res.Coverage.UniqueSequences)
	}
	lengths := make([]int, 16)
	for _, s := range res.Seqs {
		lengths[len(s)]++
	}
	for l, n := range lengths {
		if most := whole(goal().Lengths, 50)[l]; n > most {
			t.Errorf("%d sequences of %d calls, at most %d are allowed", n, l, most)
		}
	}
}

// The selection covers more than the method's medoids of the same pool do.
func TestSelectBeatsMedoids(t *testing.T) {
	v, members := toy.Vocab(), pool(t, toolseq.PaperParams(), 1000)
	m, err := toolseq.DistanceMatrix(context.Background(), v, members, 2)
	if err != nil {
		t.Fatal(err)
	}
	k, err := kmedoids.Alternate(kmedoids.Distances(m), kmedoids.Options{K: 50, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	res, err := Select(context.Background(), v, members, Options{K: 50, Goal: goal(), Seed: 1, Start: k.Medoids})
	if err != nil {
		t.Fatal(err)
	}
	var medoids [][]int
	for _, i := range k.Medoids {
		medoids = append(medoids, members[i])
	}
	theirs, err := toolseq.Measure(v, medoids)
	if err != nil {
		t.Fatal(err)
	}
	ours := res.Coverage
	t.Logf("WED %.2f / %.2f, TTR %.2f / %.2f, H %.2f / %.2f, 3-grams %d / %d", ours.WED, theirs.WED,
		ours.TTR, theirs.TTR, ours.EntropyNorm, theirs.EntropyNorm, ours.Unique[3], theirs.Unique[3])
	if ours.WED <= theirs.WED || ours.TTR <= theirs.TTR || ours.EntropyNorm <= theirs.EntropyNorm || ours.Unique[3] <= theirs.Unique[3] {
		t.Error("the medoids cover more")
	}
}

// On pools small enough to try every selection the search finds the best one.
func TestSelectFindsTheBestOfAll(t *testing.T) {
	v := toy.Vocab()
	rapid.Check(t, func(t *rapid.T) {
		members := drawPool(t, 5, 4, 6)
		slices.SortFunc(members, slices.Compare[[]int])
		members = slices.CompactFunc(members, slices.Equal[[]int])
		k := min(3, len(members))
		g := Goal{MaxLength: 4, WED: 3, TTR: .9, Entropy: .5, Grams3: 8}
		res, err := Select(context.Background(), v, members, Options{K: k, Goal: g, Seed: 1, Proposals: 1000})
		if err != nil {
			t.Fatal(err)
		}
		best := math.Inf(-1)
		for set := range 1 << len(members) {
			if chosen := subset(members, set); len(chosen) == k {
				best = max(best, scoreOf(t, v, g, chosen))
			}
		}
		if got := scoreOf(t, v, g, res.Seqs); got < best-1e-9 {
			t.Fatalf("score %v, the best is %v", got, best)
		}
	})
}

func subset(all [][]int, set int) [][]int {
	var out [][]int
	for i, s := range all {
		if set>>i&1 == 1 {
			out = append(out, s)
		}
	}
	return out
}

func scoreOf(t *rapid.T, v toolseq.Vocab, g Goal, seqs [][]int) float64 {
	c, err := toolseq.Measure(v, seqs)
	if err != nil {
		t.Fatal(err)
	}
	return g.score(measures{
		length: c.Length, writeRead: c.WriteRead, wed: c.WED, ttr: c.TTR, entropy: c.EntropyNorm, grams3: c.Unique[3],
	})
}

func TestSelectIsDeterministic(t *testing.T) {
	v, members := toy.Vocab(), pool(t, toolseq.PaperParams(), 300)
	o := Options{K: 20, Goal: goal(), Seed: 7, Proposals: 5000}
	first, err := Select(context.Background(), v, members, o)
	if err != nil {
		t.Fatal(err)
	}
	second, err := Select(context.Background(), v, members, o)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(first, second) {
		t.Error("two runs with the same seed differ")
	}
}

func TestSelectKeepsFixedAndReplacesRejected(t *testing.T) {
	v, members := toy.Vocab(), pool(t, toolseq.PaperParams(), 300)
	fixed := [][]int{members[0], members[1], {toy.HandOff}}
	asked := map[string]int{}
	ok := func(_ context.Context, items []int) ([]bool, error) {
		out := make([]bool, len(items))
		for i, item := range items {
			asked[fmt.Sprint(members[item])]++
			out[i] = members[item][0] != toy.Record
		}
		return out, nil
	}
	res, err := Select(context.Background(), v, members, Options{
		K: 20, Goal: goal(), Seed: 7, Proposals: 5000, Fixed: fixed, OK: ok,
	})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(res.Seqs[:3], fixed) || len(res.Seqs) != 20 || len(res.Members) != 17 {
		t.Errorf("%d members, the first three %v", len(res.Seqs), res.Seqs[:3])
	}
	for i, m := range res.Members {
		if seq := members[m]; seq[0] == toy.Record || !slices.Equal(seq, res.Seqs[3+i]) {
			t.Errorf("member %d is %v: rejected, or not item %d of the pool", i, seq, m)
		}
	}
	for _, r := range res.Rejected {
		if members[r][0] != toy.Record {
			t.Errorf("item %d counts as rejected and is %v", r, members[r])
		}
	}
	for seq, n := range asked {
		if n > 1 {
			t.Errorf("asked %d times about %s", n, seq)
		}
	}
	if len(res.Rejected) == 0 || res.Coverage.UniqueSequences != 20 {
		t.Errorf("%d rejected, %d different sequences", len(res.Rejected), res.Coverage.UniqueSequences)
	}
}

func TestSelectRefuses(t *testing.T) {
	v := toy.Vocab()
	members := [][]int{{1}, {2}, {1}}
	never := func(_ context.Context, items []int) ([]bool, error) { return make([]bool, len(items)), nil }
	for name, o := range map[string]Options{
		"no K":             {},
		"copies":           {K: 3},
		"too many fixed":   {K: 1, Fixed: [][]int{{1}, {2}}},
		"short shares":     {K: 1, Goal: Goal{Shares: []float64{1}}},
		"unknown start":    {K: 1, Start: []int{3}},
		"unknown tool":     {K: 1, Fixed: [][]int{{14}}},
		"all are rejected": {K: 1, OK: never},
	} {
		if res, err := Select(context.Background(), v, members, o); err == nil {
			t.Errorf("%s: no error but %v", name, res.Seqs)
		}
	}
	if _, err := Select(context.Background(), v, members, Options{K: 1, OK: never}); !errors.Is(err, ErrUsedUp) {
		t.Errorf("all are rejected: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Select(ctx, v, members, Options{K: 1}); err == nil {
		t.Error("cancelled: no error")
	}
}

func BenchmarkSelect(b *testing.B) {
	v := toy.Vocab()
	for _, n := range []int{2000, 10000} {
		members := pool(b, toolseq.BestParams(), n)
		b.Run(fmt.Sprint("pool=", n), func(b *testing.B) {
			var res Result
			for b.Loop() {
				var err error
				if res, err = Select(context.Background(), v, members, Options{K: 50, Goal: goal(), Seed: 1}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(res.Coverage.WED, "WED")
			b.ReportMetric(res.Coverage.TTR, "TTR")
			b.ReportMetric(float64(res.Coverage.Unique[3]), "3-grams")
		})
	}
}

// Marks are wanted like tools, and where no set has them all, the nearest is taken.
func TestMarks(t *testing.T) {
	v, members := toy.Vocab(), pool(t, toolseq.BestParams(), 1000)
	short := func(seq []int) []int {
		if len(seq) <= 3 {
			return []int{0}
		}
		return nil
	}
	marked := func(seqs [][]int) int {
		n := 0
		for _, s := range seqs {
			n += len(short(s))
		}
		return n
	}
	o := Options{K: 20, Goal: goal(), Seed: 1}
	plain, err := Select(context.Background(), v, members, o)
	if err != nil {
		t.Fatal(err)
	}
	o.Goal.Lengths, o.Goal.Marked, o.Marks = nil, []float64{.3}, short
	res, err := Select(context.Background(), v, members, o)
	if err != nil {
		t.Fatal(err)
	}
	if n := marked(res.Seqs); n < 6 || marked(plain.Seqs) >= 6 {
		t.Errorf("%d of 20 have the mark, want 6 or more, and fewer unasked: %d", n, marked(plain.Seqs))
	}
}
