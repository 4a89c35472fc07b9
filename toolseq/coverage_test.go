package toolseq_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"taste/internal/shared"
	"taste/toolseq"
	"taste/toolseq/internal/toy"
)

func TestCoverageByHand(t *testing.T) {
	v := toolseq.Vocab{Names: []string{"get_a", "set_a", "note"}, Types: []toolseq.Type{toolseq.Read, toolseq.Write, toolseq.Generic}}
	c, err := toolseq.Measure(v, [][]int{{0, 1, 0, 1}, {0, 2}, {}})
	if err != nil {
		t.Fatal(err)
	}
	// Pooled 1-grams: get_a 3, set_a 2, note 1. Pooled 2-grams: 01 01 10 02.
	h1 := -(3./6*math.Log2(3./6) + 2./6*math.Log2(2./6) + 1./6*math.Log2(1./6))
	for _, x := range []struct {
		name      string
		got, want float64
	}{
		{"length", c.Length, 2},
		{"W/R", c.WriteRead, 2. / 4},
		{"H1", c.Entropy[1], h1},
		{"H2", c.Entropy[2], 1.5},
		{"H3", c.Entropy[3], 1},
		{"H4", c.Entropy[4], 0},
		{"H norm", c.EntropyNorm, (h1 + 1.5/2 + 1./3) / math.Log2(3) / 4},
		{"TTR", c.TTR, (3./4 + 1 + 1) / 5},
		// 0101 to 02: two deletions and 0→2 within READ; 0101 and 02 to nothing.
		{"WED", c.WED, (2.66 + 4 + 2) / 3},
		{"share of note", c.Share[2], 1. / 3},
		{"unique 2-grams", float64(c.Unique[2]), 3},
		{"total 2-grams", float64(c.Total[2]), 4},
		{"unique sequences", float64(c.UniqueSequences), 3},
	} {
		if math.Abs(x.got-x.want) > 1e-12 {
			t.Errorf("%s is %v, want %v", x.name, x.got, x.want)
		}
	}
}

func TestCoverageOfNothing(t *testing.T) {
	for _, seqs := range [][][]int{nil, {{}}, {{}, {}}} {
		c, err := toolseq.Measure(toy.Vocab(), seqs)
		if err != nil || c.Length != 0 || c.WED != 0 || c.TTR != 0 || c.EntropyNorm != 0 || c.WriteRead != 0 {
			t.Errorf("%d empty sequences: %+v, %v", len(seqs), c, err)
		}
	}
	if _, err := toolseq.Measure(toy.Vocab(), [][]int{{14}}); err == nil {
		t.Error("unknown tool: no error")
	}
}

// goldColumn is what the published coverage table says of one task set.
type goldColumn struct {
	pack, file, split string
	size              int // |V|
	figures           string
}

// The τBV columns of the coverage table, to the digits printed there.
var goldColumns = []goldColumn{
	{
		pack: "tau2-airline", file: "tasks_verified.json", size: 14,
		figures: "2.84 .53 3.76 2.60 3.42 3.69 3.63 .42 30 20 24 23 18 14 .37",
	},
	{
		pack: "tau2-retail", file: "tasks_verified.json", size: 15,
		figures: "4.82 .47 4.89 3.23 4.64 5.29 5.87 .56 75 65 92 105 103 86 .39",
	},
	{
		pack: "tau2-telecom", file: "tasks.json", split: "base", size: 43,
		figures: "4.53 - 4.32 3.86 5.17 5.90 6.05 .46 94 57 86 93 80 60 .38",
	},
}

func TestCoverageMatchesPublishedTable(t *testing.T) {
	for _, g := range goldColumns {
		t.Run(g.pack, func(t *testing.T) {
			v := readVocab(t, g)
			c, err := toolseq.MeasureOver(v, readGold(t, g, v), g.size)
			if err != nil {
				t.Fatal(err)
			}
			if got := figures(c, g); got != g.figures {
				t.Errorf("\n got %s\nwant %s", got, g.figures)
			}
		})
	}
}

func figures(c toolseq.Coverage, g goldColumn) string {
	two := func(x float64) string {
		s := fmt.Sprintf("%.2f", x)
		if s[0] == '0' {
			return s[1:]
		}
		return s
	}
	writeRead := two(c.WriteRead)
	if g.split != "" {
		writeRead = "-" // the table gives none for telecom
	}
	return fmt.Sprintf("%s %s %s %s %s %s %s %s %d %d %d %d %d %d %s",
		two(c.Length), writeRead, two(c.WED), two(c.Entropy[1]), two(c.Entropy[2]), two(c.Entropy[3]), two(c.Entropy[4]),
		two(c.EntropyNorm), c.UniqueSequences, c.Unique[2], c.Unique[3], c.Unique[4], c.Unique[5], c.Unique[6], two(c.TTR))
}

func readJSON(t *testing.T, g goldColumn, name string, into any) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(shared.Dir(t), "packs", g.pack, name))
	if err != nil {
		t.Skip("the pack is missing: ", err)
	}
	if err := json.Unmarshal(b, into); err != nil {
		t.Fatal(err)
	}
}

func readVocab(t *testing.T, g goldColumn) toolseq.Vocab {
	t.Helper()
	var tools []struct {
		Name string
		Type toolseq.Type
	}
	readJSON(t, g, "tools.json", &tools)
	var v toolseq.Vocab
	for _, tool := range tools {
		v.Names, v.Types = append(v.Names, tool.Name), append(v.Types, tool.Type)
	}
	return v
}

func readGold(t *testing.T, g goldColumn, v toolseq.Vocab) [][]int {
	t.Helper()
	var tasks []struct {
		ID       string
		Criteria struct {
			Actions []struct{ Name string }
		} `json:"evaluation_criteria"`
	}
	readJSON(t, g, g.file, &tasks)
	splits := map[string][]string{}
	if g.split != "" {
		readJSON(t, g, "splits.json", &splits)
	}
	var seqs [][]int
	for _, task := range tasks {
		if g.split != "" && !slices.Contains(splits[g.split], task.ID) {
			continue
		}
		seq := []int{}
		for _, a := range task.Criteria.Actions {
			tool, ok := v.Index(a.Name)
			if !ok {
				t.Fatalf("task %s calls %s, which is no tool", task.ID, a.Name)
			}
			seq = append(seq, tool)
		}
		seqs = append(seqs, seq)
	}
	return seqs
}
