package synth_test

import (
	"slices"
	"strings"
	"testing"

	"taste/synth"
	"taste/toolseq"
)

// changes keeps what gold has where reads are free.
func changes(tool string) bool { return !strings.HasPrefix(tool, "get_") }

// checkStripped holds a choice to how it came about: sampled whole and judged
// plausible, of which gold is what is kept.
func checkStripped(t *testing.T, c synth.Choice) {
	t.Helper()
	whole := c.Sampled
	if whole == nil {
		whole = c.Sequence
	}
	if v, _ := plausible(whole); !v.Plausible {
		t.Errorf("%v was judged implausible", whole)
	}
	kept := slices.DeleteFunc(slices.Clone(whole), func(tool string) bool { return !changes(tool) })
	if len(kept) == 0 || !slices.Equal(kept, c.Sequence) {
		t.Errorf("of %v gold has %v, want %v", whole, c.Sequence, kept)
	}
}

// Where gold keeps changes alone, sequences are sampled and judged whole, told
// apart, measured and chosen by their changes.
func TestSelectByGold(t *testing.T) {
	for _, method := range []synth.Method{synth.Paper, synth.Best} {
		in := input(t, judging(plausible))
		in.Method, in.Gold = method, changes
		_, out := choose(t, in)
		if len(out.Choices) != in.Tasks || out.Coverage.UniqueSequences != in.Tasks {
			t.Fatalf("%s: %d choices, %d different", method, len(out.Choices), out.Coverage.UniqueSequences)
		}
		var seqs [][]int
		seen, sampled := map[string]bool{}, 0
		for _, c := range out.Choices {
			checkStripped(t, c)
			seen[strings.Join(c.Sequence, " ")] = true
			seq, err := synth.Numbers(vocab(), c.Sequence)
			if err != nil {
				t.Fatal(err)
			}
			if seqs = append(seqs, seq); c.Sampled != nil {
				sampled++
			}
		}
		if want, err := toolseq.Measure(vocab(), seqs); err != nil || want.Length != out.Coverage.Length || sampled == 0 {
			t.Errorf("%s: mean length %v, want that of gold, %v (%v); %d of the choices have reads", method, out.Coverage.Length, want.Length, err, sampled)
		}
		s, err := synth.NewSelector(in, out)
		if err != nil {
			t.Fatal(err)
		}
		at := out.Choices[2]
		for range 5 {
			next, ok, err := s.Next(t.Context(), at)
			if err != nil || !ok {
				t.Fatal(ok, err)
			}
			checkStripped(t, next)
			if k := strings.Join(next.Sequence, " "); seen[k] {
				t.Errorf("%s: %s was chosen before", method, k)
			}
			seen[strings.Join(next.Sequence, " ")] = true
			at = next
		}
	}
}

// Tools that gold lacks need no share of the tasks.
func TestNoGraftsOfWhatGoldLacks(t *testing.T) {
	in := input(t, judging(plausible))
	in.Method, in.Gold = synth.Best, func(tool string) bool { return tool == "set_b" || tool == "end" }
	_, out := choose(t, in)
	for _, s := range out.Shortfalls {
		if strings.Contains(s, "get_") || strings.Contains(s, "set_a") {
			t.Error(s)
		}
	}
}
