package kmedoids

import (
	"math"
	"math/bits"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

type algorithm func(Distances, Options) (Result, error)

func algorithms() map[string]algorithm {
	return map[string]algorithm{"alternate": Alternate, "fasterpam": FasterPAM}
}

// line places items on a line.
func line(places ...int) Distances {
	d := Distances{N: len(places), D: make([]uint16, len(places)*len(places))}
	for i, a := range places {
		for j, b := range places {
			d.D[i*d.N+j] = uint16(max(a-b, b-a))
		}
	}
	return d
}

// loss is what a set of medoids costs, by definition.
func loss(d Distances, medoids []int) int64 {
	sum := int64(0)
	for i := range d.N {
		best := uint16(math.MaxUint16)
		for _, m := range medoids {
			best = min(best, d.row(m)[i])
		}
		sum += int64(best)
	}
	return sum
}

func TestTwoGroupsOnALine(t *testing.T) {
	for name, cluster := range algorithms() {
		res, err := cluster(line(0, 1, 2, 100, 101, 102), Options{K: 2, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		medoids := slices.Sorted(slices.Values(res.Medoids))
		if res.Loss != 4 || !slices.Equal(medoids, []int{1, 4}) {
			t.Errorf("%s: %+v", name, res)
		}
		if res.Assign[0] != res.Assign[2] || res.Assign[0] == res.Assign[3] {
			t.Errorf("%s: assignment %v", name, res.Assign)
		}
	}
}

func TestFrozenMedoidTakesPart(t *testing.T) {
	for name, cluster := range algorithms() {
		// The frozen item 2 is a poor medoid; the free one serves the other group.
		res, err := cluster(line(0, 1, 5, 100, 101, 102), Options{K: 2, Seed: 1, Frozen: []int{2}})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(res.Medoids, []int{2, 4}) || res.Loss != 5+4+1+1 {
			t.Errorf("%s: %+v", name, res)
		}
	}
}

// drawProblem makes a random symmetric matrix; equal distances are common.
func drawProblem(t *rapid.T, most int) (Distances, Options) {
	n := rapid.IntRange(1, most).Draw(t, "n")
	d := Distances{N: n, D: make([]uint16, n*n)}
	largest := rapid.SampledFrom([]int{2, 10, 1500}).Draw(t, "largest")
	for i := range n {
		for j := range i {
			x := uint16(rapid.IntRange(0, largest).Draw(t, "x"))
			d.D[i*n+j], d.D[j*n+i] = x, x
		}
	}
	o := Options{K: rapid.IntRange(1, n).Draw(t, "k"), Seed: rapid.Uint64().Draw(t, "seed"), RandomStart: rapid.Bool().Draw(t, "random"), Starts: rapid.IntRange(0, 3).Draw(t, "starts")}
	for i := range n {
		if len(o.Frozen) < o.K && rapid.IntRange(0, 4).Draw(t, "freeze") == 0 {
			o.Frozen = append(o.Frozen, i)
		}
	}
	return d, o
}

func TestResultsAreClusterings(t *testing.T) {
	for name, cluster := range algorithms() {
		rapid.Check(t, func(t *rapid.T) {
			d, o := drawProblem(t, 12)
			res, err := cluster(d, o)
			if err != nil {
				t.Fatal(err)
			}
			distinct := slices.Compact(slices.Sorted(slices.Values(res.Medoids)))
			if len(res.Medoids) != o.K || len(distinct) != o.K {
				t.Fatalf("%s: medoids %v, want %d different ones", name, res.Medoids, o.K)
			}
			if !slices.Equal(res.Medoids[:len(o.Frozen)], o.Frozen) {
				t.Fatalf("%s: medoids %v do not begin with the frozen %v", name, res.Medoids, o.Frozen)
			}
			sum := int64(0)
			for i, p := range res.Assign {
				sum += int64(d.row(res.Medoids[p])[i])
			}
			if want := loss(d, res.Medoids); res.Loss != want || sum != want {
				t.Fatalf("%s: loss %d, assigned %d, want %d", name, res.Loss, sum, want)
			}
			for p, m := range res.Medoids {
				if res.Assign[m] != p {
					t.Fatalf("%s: medoid %d is not its own", name, m)
				}
			}
			o.Workers = rapid.IntRange(1, 4).Draw(t, "workers")
			again, err := cluster(d, o)
			if err != nil || !reflect.DeepEqual(res, again) {
				t.Fatalf("%s: a second run with %d workers differs: %v", name, o.Workers, err)
			}
		})
	}
}

// FasterPAM ends where no exchange of a free medoid for another item helps.
func TestFasterPAMIsLocallyBest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, o := drawProblem(t, 10)
		res, err := FasterPAM(d, o)
		if err != nil {
			t.Fatal(err)
		}
		for p := len(o.Frozen); p < o.K; p++ {
			for i := range d.N {
				if slices.Contains(res.Medoids, i) {
					continue
				}
				swapped := slices.Clone(res.Medoids)
				swapped[p] = i
				if l := loss(d, swapped); l < res.Loss {
					t.Fatalf("%d for %d has loss %d, below %d", i, res.Medoids[p], l, res.Loss)
				}
			}
		}
	})
}

// Alternate ends where no free medoid can be moved within its cluster.
func TestAlternateIsStable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, o := drawProblem(t, 12)
		res, err := Alternate(d, o)
		if err != nil {
			t.Fatal(err)
		}
		for p := len(o.Frozen); p < o.K; p++ {
			var members []int
			for i, q := range res.Assign {
				if q == p {
					members = append(members, i)
				}
			}
			for _, m := range members {
				if sumTo(d, members, m) < sumTo(d, members, res.Medoids[p]) {
					t.Fatalf("%d is more central than %d among %v", m, res.Medoids[p], members)
				}
			}
		}
	})
}

// From several starts FasterPAM finds the best medoids of all on small problems.
func TestFasterPAMFindsTheBestOfAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, o := drawProblem(t, 7)
		o.Frozen = nil
		best := int64(math.MaxInt64)
		for set := range uint(1) << d.N {
			if bits.OnesCount(set) != o.K {
				continue
			}
			var medoids []int
			for i := range d.N {
				if set>>i&1 == 1 {
					medoids = append(medoids, i)
				}
			}
			best = min(best, loss(d, medoids))
		}
		o.Starts, o.RandomStart = 300, true // 35 sets at most
		res, err := FasterPAM(d, o)
		if err != nil {
			t.Fatal(err)
		}
		if res.Loss != best {
			t.Fatalf("loss %d, the best is %d", res.Loss, best)
		}
	})
}

func TestIterationsAreBounded(t *testing.T) {
	d := line(0, 3, 4, 9, 11, 15, 22, 23, 40, 41, 47, 60)
	for name, cluster := range algorithms() {
		res, err := cluster(d, Options{K: 4, Seed: 3, MaxIterations: 1, RandomStart: true})
		if err != nil || res.Iterations != 1 {
			t.Errorf("%s: %d iterations, %v", name, res.Iterations, err)
		}
	}
}

func TestBadOptionsAreRefused(t *testing.T) {
	d := line(1, 2, 3)
	for name, tc := range map[string]struct {
		d Distances
		o Options
	}{
		"no K":             {d, Options{}},
		"K above items":    {d, Options{K: 4}},
		"frozen above K":   {d, Options{K: 1, Frozen: []int{0, 1}}},
		"frozen twice":     {d, Options{K: 2, Frozen: []int{1, 1}}},
		"frozen unknown":   {d, Options{K: 2, Frozen: []int{3}}},
		"matrix too short": {Distances{N: 3, D: d.D[:8]}, Options{K: 1}},
	} {
		for _, cluster := range algorithms() {
			if _, err := cluster(tc.d, tc.o); err == nil {
				t.Errorf("%s: no error", name)
			}
		}
	}
}
