package toolseq

import "math"

// Longest n-grams that the coverage metrics look at.
const maxGram = 6

// Coverage describes how much of the space of tool sequences a set covers. All
// sequences count, empty ones included. N-grams are sliding, unpadded and pooled
// over the set.
type Coverage struct {
	Sequences int     `json:"sequences"`
	Calls     int     `json:"calls"`
	Length    float64 `json:"length"` // calls per sequence
	// WriteRead is #WRITE / (#READ + #GENERIC) over all calls; 0 without reads.
	WriteRead float64 `json:"write_read"`
	// WED is the mean weighted edit distance over all unordered pairs.
	WED float64 `json:"wed_intra"`
	// Entropy[n] is that of the pooled n-grams in bits, n = 1..4; entry 0 is unused.
	Entropy [5]float64 `json:"entropy"`
	// EntropyNorm is the mean over n = 1..4 of Entropy[n] / (n·log2 |V|).
	EntropyNorm float64 `json:"entropy_norm"`
	// UniqueSequences counts distinct sequences.
	UniqueSequences int `json:"unique_sequences"`
	// Unique[n] counts distinct n-grams and Total[n] all of them, n = 1..6.
	Unique [maxGram + 1]int `json:"unique"`
	Total  [maxGram + 1]int `json:"total"`
	// TTR is the mean over n = 2..6 of Unique[n] / Total[n] (type-token ratio).
	TTR float64 `json:"ttr"`
	// Share[t] is the share of sequences that contain tool t.
	Share []float64 `json:"share"`
}

// Measure computes the coverage of a set, entropies normalised by the size of the
// vocabulary. An n for which there are no n-grams adds 0 to the means.
func Measure(v Vocab, seqs [][]int) (Coverage, error) {
	return MeasureOver(v, seqs, v.Len())
}

// MeasureOver is Measure with another |V| to normalise the entropies by: the
// published retail figures count calls of all 16 tools but normalise by 15.
func MeasureOver(v Vocab, seqs [][]int, size int) (Coverage, error) {
	c := Coverage{Sequences: len(seqs), Share: make([]float64, v.Len())}
	for _, s := range seqs {
		if err := v.check(s); err != nil {
			return Coverage{}, err
		}
	}
	if len(seqs) == 0 {
		return c, nil
	}
	c.countCalls(v, seqs)
	c.countGrams(seqs)
	if size > 1 {
		for n := 1; n < len(c.Entropy); n++ {
			c.EntropyNorm += c.Entropy[n] / (float64(n) * math.Log2(float64(size))) / 4
		}
	}
	c.WED = meanDistance(v, seqs)
	return c, nil
}

func (c *Coverage) countCalls(v Vocab, seqs [][]int) {
	writes := 0
	distinct := make(map[string]bool, len(seqs))
	for _, s := range seqs {
		distinct[key(s)] = true
		c.Calls += len(s)
		used := make([]bool, v.Len())
		for _, t := range s {
			if v.Types[t] == Write {
				writes++
			}
			if !used[t] {
				used[t] = true
				c.Share[t]++
			}
		}
	}
	for t := range c.Share {
		c.Share[t] /= float64(len(seqs))
	}
	c.UniqueSequences = len(distinct)
	c.Length = float64(c.Calls) / float64(len(seqs))
	if reads := c.Calls - writes; reads > 0 {
		c.WriteRead = float64(writes) / float64(reads)
	}
}

func (c *Coverage) countGrams(seqs [][]int) {
	for n := 1; n <= maxGram; n++ {
		counts, order := grams(seqs, n)
		c.Unique[n] = len(counts)
		for _, g := range order {
			c.Total[n] += counts[g]
		}
		if n < len(c.Entropy) {
			c.Entropy[n] = entropy(counts, order, c.Total[n])
		}
		if n >= 2 && c.Total[n] > 0 {
			c.TTR += float64(c.Unique[n]) / float64(c.Total[n]) / (maxGram - 1)
		}
	}
}

// grams counts the n-grams of a set, with the order of first appearance.
func grams(seqs [][]int, n int) (counts map[string]int, order []string) {
	counts = map[string]int{}
	for _, s := range seqs {
		k := key(s)
		for i := 0; i+n <= len(k); i++ {
			g := k[i : i+n]
			if counts[g] == 0 {
				order = append(order, g)
			}
			counts[g]++
		}
	}
	return counts, order
}

// entropy is −Σ p·log2 p in bits, summed in a fixed order.
func entropy(counts map[string]int, order []string, total int) float64 {
	h := 0.0
	for _, g := range order {
		p := float64(counts[g]) / float64(total)
		h -= p * math.Log2(p)
	}
	return h
}

// meanDistance is the mean over unordered pairs, in units of one insertion.
func meanDistance(v Vocab, seqs [][]int) float64 {
	if len(seqs) < 2 {
		return 0
	}
	ruler, sum := NewRuler(v, seqs), 0
	var row []int
	for _, s := range seqs {
		row = ruler.Measure(row[:0], s)
		for _, d := range row {
			sum += d
		}
	}
	pairs := len(seqs) * (len(seqs) - 1) / 2
	return float64(sum) / 2 / float64(pairs) / Unit
}
