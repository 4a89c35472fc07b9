package selectset

import (
	"math"

	"taste/toolseq"
)

const (
	longestGram  = 6
	entropyGrams = 4
)

// index is what never changes of a pool: the n-grams of each sequence as numbers.
type index struct {
	vocab toolseq.Vocab
	seqs  [][]int
	grams [][longestGram + 1][]int32 // by sequence and n: numbers of its n-grams
	kinds [longestGram + 1]int       // number of different n-grams in the pool
	write []int                      // WRITE calls by sequence
	tools [][]int                    // different tools by sequence; mark m is one, too, behind those of the vocabulary

	longest int // calls of the longest sequence
}

func newIndex(v toolseq.Vocab, seqs [][]int) *index {
	x := &index{
		vocab: v, seqs: seqs, grams: make([][longestGram + 1][]int32, len(seqs)),
		write: make([]int, len(seqs)), tools: make([][]int, len(seqs)),
	}
	for n := 1; n <= longestGram; n++ {
		x.number(n)
	}
	for i, s := range seqs {
		x.longest = max(x.longest, len(s))
		used := make([]bool, v.Len())
		for _, t := range s {
			if v.Types[t] == toolseq.Write {
				x.write[i]++
			}
			if !used[t] {
				used[t] = true
				x.tools[i] = append(x.tools[i], t)
			}
		}
	}
	return x
}

// mark adds the marks of each sequence to its tools.
func (x *index) mark(marks func(seq []int) []int) {
	for i, s := range x.seqs {
		for _, m := range marks(s) {
			x.tools[i] = append(x.tools[i], x.vocab.Len()+m)
		}
	}
}

func (x *index) number(n int) {
	numbers := map[[longestGram]uint8]int32{}
	for i, s := range x.seqs {
		for j := 0; j+n <= len(s); j++ {
			var g [longestGram]uint8
			for k, t := range s[j : j+n] {
				g[k] = uint8(t)
			}
			id, ok := numbers[g]
			if !ok {
				id = int32(len(numbers))
				numbers[g] = id
			}
			x.grams[i][n] = append(x.grams[i][n], id)
		}
	}
	x.kinds[n] = len(numbers)
}

// tally keeps the figures of a selection up to date as members come and go.
type tally struct {
	*index
	goal    Goal
	needs   []int // by tool, marks behind: least number of members with it
	caps    []int // by length: largest number of members
	most    int   // largest number of members with any one WRITE tool
	k       int   // size of the whole selection
	members int
	calls   int
	writes  int
	with    []int // members that contain each tool or have each mark
	lengths []int // members of each length
	counts  [longestGram + 1][]int32
	unique  [longestGram + 1]int
	total   [longestGram + 1]int
	cLogC   [entropyGrams + 1]int64 // Σ c·log2 c over n-grams, in units of 1/logScale
	cLog    []int64                 // c·log2 c by c, in units of 1/logScale
}

// logScale makes c·log2 c whole numbers, so that adding and taking away leaves no
// residue.
const logScale = 1 << 30

func newTally(x *index, goal Goal, k int) *tally {
	t := &tally{
		index: x, goal: goal, caps: whole(goal.Lengths, k), k: k, most: k,
		with: make([]int, x.vocab.Len()+len(goal.Marked)), lengths: make([]int, x.longest+1), cLog: logTable(k * x.longest),
	}
	t.needs = make([]int, len(t.with))
	copy(t.needs, whole(goal.Shares, k))
	copy(t.needs[x.vocab.Len():], whole(goal.Marked, k))
	if goal.MostWrites > 0 {
		t.most = int(goal.MostWrites * float64(k))
	}
	for n := range t.counts {
		t.counts[n] = make([]int32, x.kinds[n])
	}
	return t
}

// logTable holds c·log2 c for c from 0 to n, in units of 1/logScale.
func logTable(n int) []int64 {
	table := make([]int64, n+1)
	for c := 1; c <= n; c++ {
		table[c] = int64(math.Round(float64(c) * math.Log2(float64(c)) * logScale))
	}
	return table
}

// add counts sequence i in (sign 1) or out (sign −1).
func (t *tally) add(i, sign int) {
	t.members += sign
	t.lengths[len(t.seqs[i])] += sign
	t.calls += sign * len(t.seqs[i])
	t.writes += sign * t.write[i]
	for _, tool := range t.tools[i] {
		t.with[tool] += sign
	}
	for n := 1; n <= longestGram; n++ {
		ids := t.grams[i][n]
		t.total[n] += sign * len(ids)
		for _, id := range ids {
			t.bump(n, id, int32(sign))
		}
	}
}

func (t *tally) bump(n int, id, sign int32) {
	before := t.counts[n][id]
	after := before + sign
	t.counts[n][id] = after
	if before == 0 {
		t.unique[n]++
	}
	if after == 0 {
		t.unique[n]--
	}
	if n <= entropyGrams {
		t.cLogC[n] += t.cLog[after] - t.cLog[before]
	}
}

// measures are the figures of the present members, with the summed distance of
// all pairs in hundredths. They agree with [toolseq.Measure].
func (t *tally) measures(pairSum int64) measures {
	m := measures{
		length: float64(t.calls) / float64(max(1, t.members)),
		grams3: t.unique[3],
	}
	if reads := t.calls - t.writes; reads > 0 {
		m.writeRead = float64(t.writes) / float64(reads)
	}
	if t.members > 1 {
		m.wed = float64(pairSum) / float64(t.members*(t.members-1)/2) / toolseq.Unit
	}
	for n := 2; n <= longestGram; n++ {
		if t.total[n] > 0 {
			m.ttr += float64(t.unique[n]) / float64(t.total[n]) / (longestGram - 1)
		}
	}
	bits := math.Log2(float64(t.vocab.Len()))
	for n := 1; n <= entropyGrams; n++ {
		if total := float64(t.total[n]); total > 0 && bits > 0 {
			h := math.Log2(total) - float64(t.cLogC[n])/logScale/total
			m.entropy += h / (float64(n) * bits) / entropyGrams
		}
	}
	for tool, need := range t.needs {
		if lack := need - t.with[tool]; lack > 0 {
			m.missing += float64(lack) / float64(need)
		}
	}
	for tool, n := range t.with[:t.vocab.Len()] {
		if over := n - t.most; over > 0 && t.vocab.Types[tool] == toolseq.Write {
			m.crowded += float64(over) / float64(t.k)
		}
	}
	for length, n := range t.lengths {
		if over := n - capOf(t.caps, length); over > 0 {
			m.crowded += float64(over) / float64(t.k)
		}
	}
	return m
}
