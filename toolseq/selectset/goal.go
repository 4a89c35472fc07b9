// Package selectset chooses, from a pool of plausible tool sequences, the K that
// together cover the most: far apart, rich in n-grams, with every tool in use.
package selectset

import (
	"fmt"
	"math"

	"taste/toolseq"
)

// Goal says what a selection should reach. The first group are limits, the
// second group measures of coverage with the least value that will do; the
// metrics are those of [toolseq.Coverage]. A zero leaves the item out of account.
type Goal struct {
	// MaxLength bounds the mean length.
	MaxLength float64 `json:"max_length"`
	// MinWriteRead bounds the pooled ratio of WRITE to other calls from below.
	MinWriteRead float64 `json:"min_write_read"`
	// Shares[t] is the least share of sequences that contain tool t.
	Shares []float64 `json:"shares"`
	// Marked[m] is the least share of sequences with mark m, see [Options].
	Marked []float64 `json:"marked,omitempty"`
	// MostWrites is the largest share of sequences that contain any one WRITE tool,
	// so that no single change runs through the whole set.
	MostWrites float64 `json:"most_writes"`
	// Lengths[l] is the largest share of sequences of l calls, from 0 up; a length
	// beyond the list has no limit. It keeps a selection from buying distance with
	// nothing but very long and very short sequences.
	Lengths []float64 `json:"lengths"`

	WED     float64 `json:"wed"`
	TTR     float64 `json:"ttr"`
	Entropy float64 `json:"entropy_norm"`
	Grams3  int     `json:"unique_3grams"`
}

// PaperGoal is what the widest of the method's published sets reaches, the airline's
// 50, with every tool in a tenth of the sequences and the lengths near the
// method's law. That law has a mean of 10.3; the published sets have 11.4
// (airline) and 10.7 (retail) calls a task, and tasks that are given up later
// leave the mean a little room.
func PaperGoal(v toolseq.Vocab) Goal {
	g := Goal{MaxLength: 10.8, MinWriteRead: .31, WED: 8.42, TTR: .78, Entropy: .77, Grams3: 333}
	for range v.Names {
		g.Shares = append(g.Shares, .1)
	}
	g.Lengths = LengthCaps(toolseq.PaperLength(), 1.5)
	return g
}

// ChangesGoal is what the published set reaches whose gold keeps changes alone, the
// telecom's 114 of 6.5 calls a task, with the lengths spread evenly: no law says how
// long the changes within a sequence are.
func ChangesGoal(v toolseq.Vocab) Goal {
	g := Goal{MaxLength: 6.8, WED: 5.5, TTR: .71, Entropy: .6, Grams3: 365, Shares: make([]float64, v.Len())}
	for range toolseq.PaperLength().Max + 1 {
		g.Lengths = append(g.Lengths, 1./8)
	}
	return g
}

// LengthCaps allows every length the given multiple of its share under the law.
func LengthCaps(law toolseq.LengthLaw, factor float64) []float64 {
	shares := make([]float64, law.Min, law.Max+1)
	for _, p := range law.Probabilities() {
		shares = append(shares, factor*p)
	}
	return shares
}

// How the parts of the score weigh. A shortfall costs so much more than any
// surplus earns that limits are met first wherever the pool allows.
const (
	shortfallWeight = 25
	wedWeight       = 1
	richWeight      = 0.5 // each of TTR, entropy and 3-grams
)

// measures are the figures that a score is made of.
type measures struct {
	length, writeRead float64
	wed, ttr, entropy float64
	grams3            int
	missing           float64 // sum over tools and marks of the lacking part of their share
	crowded           float64 // share of members beyond what lengths and WRITE tools allow
}

// score is the objective: the sum of the measures in units of their goals,
// weighed, less every relative shortfall times shortfallWeight.
func (g Goal) score(m measures) float64 {
	s := -shortfallWeight * (m.missing + m.crowded)
	if g.MaxLength > 0 {
		s -= shortfallWeight * max(0, m.length/g.MaxLength-1)
	}
	if g.MinWriteRead > 0 {
		s -= shortfallWeight * max(0, 1-m.writeRead/g.MinWriteRead)
	}
	s += part(m.wed, g.WED, wedWeight)
	s += part(m.ttr, g.TTR, richWeight)
	s += part(m.entropy, g.Entropy, richWeight)
	return s + part(float64(m.grams3), float64(g.Grams3), richWeight)
}

func part(x, goal, weight float64) float64 {
	if goal <= 0 {
		return 0
	}
	return weight*x/goal - shortfallWeight*max(0, 1-x/goal)
}

// whole turns shares into whole numbers of k sequences, rounded up.
func whole(shares []float64, k int) []int {
	n := make([]int, len(shares))
	for t, s := range shares {
		n[t] = int(math.Ceil(s*float64(k) - 1e-9))
	}
	return n
}

func capOf(caps []int, length int) int {
	if length < len(caps) {
		return caps[length]
	}
	return math.MaxInt
}

// Shortfalls lists in words what a set with the given coverage lacks of the goal;
// the lengths are not looked at.
func (g Goal) Shortfalls(v toolseq.Vocab, c toolseq.Coverage) []string {
	var out []string
	low := func(name string, x, goal float64) {
		if goal > 0 && x < goal-1e-9 {
			out = append(out, fmt.Sprintf("%s is %.3f, wanted %.3f", name, x, goal))
		}
	}
	if g.MaxLength > 0 && c.Length > g.MaxLength+1e-9 {
		out = append(out, fmt.Sprintf("mean length is %.3f, wanted at most %.3f", c.Length, g.MaxLength))
	}
	low("W/R", c.WriteRead, g.MinWriteRead)
	low("WED", c.WED, g.WED)
	low("mean TTR", c.TTR, g.TTR)
	low("H avg norm", c.EntropyNorm, g.Entropy)
	low("unique 3-grams", float64(c.Unique[3]), float64(g.Grams3))
	for t, s := range g.Shares {
		low("share of "+v.Names[t], c.Share[t], s)
	}
	return out
}
