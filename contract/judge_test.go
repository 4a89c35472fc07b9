package contract_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"taste/contract"
	"taste/internal/shared"
)

type label struct {
	ID       string   `json:"id"`
	Sequence []string `json:"sequence"`
	A, B     struct {
		Plausible bool `json:"plausible"`
	}
}

func labels(t *testing.T, domain string) []label {
	t.Helper()
	f, err := os.Open(filepath.Join(shared.Dir(t), "labels", domain+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []label
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		var l label
		if err := json.Unmarshal(sc.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		out = append(out, l)
	}
	return out
}

// kappa is Cohen's chance-corrected agreement of two yes/no readers.
func kappa(a, b []bool) float64 {
	n, both, ya, yb := float64(len(a)), 0.0, 0.0, 0.0
	for i := range a {
		if a[i] == b[i] {
			both++
		}
		if a[i] {
			ya++
		}
		if b[i] {
			yb++
		}
	}
	chance := ya/n*yb/n + (1-ya/n)*(1-yb/n)
	return (both/n - chance) / (1 - chance)
}

// TestJudgeAgainstReaders holds the judge to two readings of the same
// sequences that were made apart from it.
func TestJudgeAgainstReaders(t *testing.T) {
	for _, domain := range labelled {
		t.Run(domain, func(t *testing.T) { judgeAgainstReaders(t, load(t, domain), labels(t, domain)) })
	}
}

func judgeAgainstReaders(t *testing.T, c *contract.Contract, list []label) {
	var tp, fp, fn int
	var mine, as, bs []bool
	for _, l := range list {
		v := c.Judge(l.Sequence)
		mine, as, bs = append(mine, v.Plausible), append(as, l.A.Plausible), append(bs, l.B.Plausible)
		if l.A.Plausible != l.B.Plausible {
			continue
		}
		switch {
		case v.Plausible && l.A.Plausible:
			tp++
		case v.Plausible:
			fp++
			t.Logf("accepted against both: %s %v", l.ID, l.Sequence)
		case l.A.Plausible:
			fn++
			t.Logf("rejected against both: %s %v: %s", l.ID, l.Sequence, v.Why())
		}
		if !v.Plausible && len(v.Faults) == 0 {
			t.Errorf("%s: rejected without an index", l.ID)
		}
	}
	precision, recall := float64(tp)/float64(tp+fp), float64(tp)/float64(tp+fn)
	t.Logf("precision %.3f recall %.3f kappa A %.3f B %.3f", precision, recall, kappa(mine, as), kappa(mine, bs))
	if precision < .95 || recall < .90 {
		t.Errorf("precision %.3f (want .95), recall %.3f (want .90)", precision, recall)
	}
}

// TestJudgeOfLongSequences: beyond the longest conversation the verdict is known.
func TestJudgeOfLongSequences(t *testing.T) {
	c := load(t, "airline")
	long := slices.Repeat([]string{"calculate"}, contract.MaxCalls+1)
	if v := c.Judge(long); v.Plausible || !slices.Equal(v.Bad(), []int{contract.MaxCalls}) || v.Why() != "200: no conversation has more than 200 calls" {
		t.Errorf("%+v", v)
	}
	if v := c.Judge(long[1:]); slices.ContainsFunc(v.Faults, func(f contract.Fault) bool { return f.Rule == "length" }) {
		t.Errorf("%+v", v.Faults)
	}
}
