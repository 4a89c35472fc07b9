package toolseq_test

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"taste/internal/shared"
	"taste/toolseq"
	"taste/toolseq/internal/toy"
)

func TestDistanceByHand(t *testing.T) {
	c := toolseq.NewCosts(toy.Vocab())
	for _, tc := range []struct {
		name string
		a, b []int
		want int
	}{
		{"both empty", nil, nil, 0},
		{"one empty", []int{toy.Book, toy.Bags}, nil, 200},
		{"same", []int{toy.Book, toy.Bags}, []int{toy.Book, toy.Bags}, 0},
		{"same type and group", []int{toy.Direct}, []int{toy.OneStop}, 33},
		{"same type", []int{toy.Direct}, []int{toy.Record}, 66},
		{"another type", []int{toy.Direct}, []int{toy.Book}, 100},
		{"generic is read", []int{toy.Calculate}, []int{toy.Record}, 66},
		{"generic is not write", []int{toy.HandOff}, []int{toy.Cancel}, 100},
		{"one inserted", []int{toy.Record, toy.Cancel}, []int{toy.Record, toy.Status, toy.Cancel}, 100},
		{"swapped", []int{toy.Record, toy.Profile}, []int{toy.Profile, toy.Record}, 66},
	} {
		if got := c.Distance(tc.a, tc.b); got != tc.want {
			t.Errorf("%s: distance %d, want %d", tc.name, got, tc.want)
		}
	}
}

// recursive is the definition of the edit distance, without any table.
func recursive(c toolseq.Costs, a, b []int) int {
	if len(a) == 0 || len(b) == 0 {
		return toolseq.Unit * (len(a) + len(b))
	}
	return min(
		recursive(c, a[1:], b[1:])+c.Substitution(a[0], b[0]),
		recursive(c, a[1:], b)+toolseq.Unit,
		recursive(c, a, b[1:])+toolseq.Unit,
	)
}

func sequences(shortest, longest int) *rapid.Generator[[]int] {
	return rapid.SliceOfN(rapid.IntRange(0, 13), shortest, longest)
}

func TestDistanceFollowsDefinition(t *testing.T) {
	c := toolseq.NewCosts(toy.Vocab())
	rapid.Check(t, func(t *rapid.T) {
		a, b := sequences(0, 6).Draw(t, "a"), sequences(0, 6).Draw(t, "b")
		if got, want := c.Distance(a, b), recursive(c, a, b); got != want {
			t.Fatalf("distance %d, want %d", got, want)
		}
	})
}

// Up to fifteen tools the matrix is computed eight pairs at a time, beyond that
// pair by pair.
func TestDistanceMatrixEqualsDistances(t *testing.T) {
	v := toy.Vocab()
	c := toolseq.NewCosts(v)
	rapid.Check(t, func(t *rapid.T) {
		longest := rapid.SampledFrom([]int{3, 15, 17}).Draw(t, "longest")
		seqs := rapid.SliceOfN(sequences(0, longest), 0, 21).Draw(t, "seqs")
		m, err := toolseq.DistanceMatrix(context.Background(), v, seqs, rapid.IntRange(1, 3).Draw(t, "workers"))
		if err != nil {
			t.Fatal(err)
		}
		for i := range seqs {
			for j := range seqs {
				if got, want := m.At(i, j), c.Distance(seqs[i], seqs[j]); got != want {
					t.Fatalf("distance of %v and %v is %d, want %d", seqs[i], seqs[j], got, want)
				}
			}
		}
	})
}

func TestDistanceMatrixRefuses(t *testing.T) {
	v := toy.Vocab()
	for name, seqs := range map[string][][]int{
		"unknown tool": {{0}, {14}},
		"negative":     {{-1}},
		"too long":     {slices.Repeat([]int{1}, 656)},
	} {
		if _, err := toolseq.DistanceMatrix(context.Background(), v, seqs, 1); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := toolseq.DistanceMatrix(ctx, v, [][]int{{1}, {2}}, 1); err == nil {
		t.Error("cancelled: no error")
	}
}

// wedBench is the reference input of the distance matrix.
type wedBench struct {
	Tools     []string
	Type      []toolseq.Type
	Sequences [][]int
}

func readBench(tb testing.TB) (toolseq.Vocab, [][]int) {
	tb.Helper()
	b, err := os.ReadFile(filepath.Join(shared.Dir(tb), "bench", "wed-2000.json"))
	if err != nil {
		tb.Skip("the reference input is missing: ", err)
	}
	var in wedBench
	if err := json.Unmarshal(b, &in); err != nil {
		tb.Fatal(err)
	}
	return toolseq.Vocab{Names: in.Tools, Types: in.Type}, in.Sequences
}

func TestDistanceMatrixMatchesReference(t *testing.T) {
	v, seqs := readBench(t)
	m, err := toolseq.DistanceMatrix(context.Background(), v, seqs, 2)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0
	flat := make([]byte, 0, 4*len(m.D))
	for _, d := range m.D {
		sum += int(d)
		flat = binary.LittleEndian.AppendUint32(flat, uint32(d))
	}
	if sum != 3_420_388_854 {
		t.Errorf("sum is %d, want 3420388854", sum)
	}
	const want = "d49a8ba3af501bd3ac920eb43878d81c02e0593d681fcc1675d734ec28402e70"
	if got := sha256.Sum256(flat); hex.EncodeToString(got[:]) != want {
		t.Errorf("SHA-256 is %x, want %s", got, want)
	}
}

func BenchmarkDistanceMatrix(b *testing.B) {
	v, seqs := readBench(b)
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprint("workers=", workers), func(b *testing.B) {
			for b.Loop() {
				if _, err := toolseq.DistanceMatrix(context.Background(), v, seqs, workers); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("scalar", func(b *testing.B) {
		c := toolseq.NewCosts(v)
		for b.Loop() {
			for i := range seqs {
				for j := range i {
					c.Distance(seqs[i], seqs[j])
				}
			}
		}
	})
}

// A ruler agrees with the distances whatever its targets become.
func TestRulerEqualsDistances(t *testing.T) {
	v := toy.Vocab()
	c := toolseq.NewCosts(v)
	rapid.Check(t, func(t *rapid.T) {
		longest := rapid.SampledFrom([]int{15, 17}).Draw(t, "longest")
		targets := rapid.SliceOfN(sequences(0, longest), 1, 19).Draw(t, "targets")
		r := toolseq.NewRuler(v, targets)
		for range 5 {
			i := rapid.IntRange(0, len(targets)-1).Draw(t, "i")
			targets[i] = sequences(0, longest).Draw(t, "target")
			r.Set(i, targets[i])
			seq := sequences(0, longest).Draw(t, "seq")
			for k, got := range r.Measure(nil, seq) {
				if want := c.Distance(seq, targets[k]); got != want {
					t.Fatalf("distance of %v and %v is %d, want %d", seq, targets[k], got, want)
				}
			}
		}
	})
}
