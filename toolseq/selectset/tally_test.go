package selectset

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"taste/toolseq"
	"taste/toolseq/internal/toy"
)

func drawPool(t *rapid.T, longest, least, most int) [][]int {
	seq := rapid.SliceOfN(rapid.IntRange(0, 13), 0, longest)
	return rapid.SliceOfN(seq, least, most).Draw(t, "pool")
}

// After any coming and going the running figures are those of the members.
func TestTallyAgreesWithMeasure(t *testing.T) {
	v := toy.Vocab()
	rapid.Check(t, func(t *rapid.T) {
		pool := drawPool(t, 12, 1, 12)
		tally := newTally(newIndex(v, pool), PaperGoal(v), len(pool))
		in := make([]bool, len(pool))
		for _, i := range rapid.SliceOfN(rapid.IntRange(0, len(pool)-1), 1, 40).Draw(t, "moves") {
			in[i] = !in[i]
			if in[i] {
				tally.add(i, 1)
			} else {
				tally.add(i, -1)
			}
		}
		var members [][]int
		for i, s := range pool {
			if in[i] {
				members = append(members, s)
			}
		}
		want, err := toolseq.Measure(v, members)
		if err != nil {
			t.Fatal(err)
		}
		got := tally.measures(0)
		same(t, "length", got.length, want.Length)
		same(t, "TTR", got.ttr, want.TTR)
		same(t, "entropy", got.entropy, want.EntropyNorm)
		same(t, "3-grams", float64(got.grams3), float64(want.Unique[3]))
		same(t, "W/R", got.writeRead, want.WriteRead)
	})
}

func same(t *rapid.T, name string, got, want float64) {
	if math.Abs(got-want) > 1e-6 {
		t.Fatalf("%s is %v, want %v", name, got, want)
	}
}

func TestMissingAndCrowded(t *testing.T) {
	v := toy.Vocab()
	pool := [][]int{{toy.Record}, {toy.Direct}, {toy.Record, toy.Cancel}}
	goal := Goal{Shares: make([]float64, v.Len()), Lengths: []float64{0, 1. / 3}}
	goal.Shares[toy.Record], goal.Shares[toy.Book] = 1, 2./3
	tally := newTally(newIndex(v, pool), goal, 3)
	for i := range pool {
		tally.add(i, 1)
	}
	m := tally.measures(0)
	// Two of three have a record, wanted three; none has a booking, wanted two.
	if want := 1./3 + 1; math.Abs(m.missing-want) > 1e-12 {
		t.Errorf("missing is %v, want %v", m.missing, want)
	}
	// Two have one call, one may.
	if want := 1. / 3; math.Abs(m.crowded-want) > 1e-12 {
		t.Errorf("crowded is %v, want %v", m.crowded, want)
	}
}

// TestNoChangeInMostTasks: reads may stand in all sequences, a WRITE in its share.
func TestNoChangeInMostTasks(t *testing.T) {
	v := toy.Vocab()
	pool := [][]int{{toy.Record, toy.Cancel}, {toy.Record, toy.Cancel}, {toy.Record, toy.Cancel}, {toy.Record, toy.Bags}}
	tally := newTally(newIndex(v, pool), Goal{MostWrites: .5}, 4)
	for i := range pool {
		tally.add(i, 1)
	}
	if got := tally.measures(0).crowded; got != 1./4 {
		t.Errorf("crowded is %v, want 0.25: three of four are cancelled, two may", got)
	}
}
