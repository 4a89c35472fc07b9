package results_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"strings"
	"testing"

	"taste/eval"
	"taste/results"
)

// another is a second run on the first's tasks, with other rewards.
func another(t *testing.T, change func(r *results.Results)) (first, second *results.Results) {
	t.Helper()
	first, _ = chores(t)
	second, _ = chores(t)
	change(second)
	return first, second
}

func TestCompare(t *testing.T) {
	a, b := another(t, func(r *results.Results) {
		r.Simulations[1].RewardInfo = r.Simulations[0].RewardInfo
		r.Simulations = r.Simulations[:2]
	})
	c, err := results.Compare(a, b, 1)
	if err != nil {
		t.Fatal(err)
	}
	// The third trial of the first run is a fault: no pair.
	if p := c.Pairs; p.Both != 1 || p.Second != 1 || p.First+p.None != 0 || p.P != 1 {
		t.Errorf("%+v", p)
	}
	pair := c.Tasks[0]
	if pair.First != (results.Tally{Evaluated: 2, Successes: 1}) || pair.Second != (results.Tally{Evaluated: 2, Successes: 2}) {
		t.Errorf("%+v", pair)
	}
	if d := c.Difference; d.Mean != 0.5 || d.Clusters != 1 || d.SE != nil || c.Detectable != nil {
		t.Errorf("%+v", d)
	}
}

func TestCompareOnlyTheSameTasks(t *testing.T) {
	a, b := another(t, func(r *results.Results) {
		r.Tasks[0].UserScenario.Instructions.Plain = "y"
	})
	if _, err := results.Compare(a, b, 1); !errors.Is(err, results.ErrNothingCommon) {
		t.Errorf("another task of the same id: %v", err)
	}
	extra := a.Tasks[0]
	extra.ID = "extra"
	b.Tasks = append(b.Tasks, a.Tasks[0])
	b.Tasks[0].ID = "renamed"
	a.Tasks = append(a.Tasks, extra)
	for i := range b.Simulations {
		b.Simulations[i].TaskID = "renamed"
	}
	c, err := results.Compare(a, b, 1)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Join(c.OnlyFirst, "") != "extra" || strings.Join(c.OnlySecond, "") != "renamed" || len(c.Tasks) != 1 || c.Difference != nil {
		t.Errorf("%+v", c)
	}
	b.Simulations[0].Trial = b.Simulations[1].Trial
	if _, err := results.Compare(a, b, 1); err == nil {
		t.Error("a trial twice is compared")
	}
}

func TestPublicRunsCompareWithThemselves(t *testing.T) {
	r := load(t, file(t, "mock"))
	c, err := results.Compare(r, r, 1)
	if err != nil || len(c.Tasks) != 10 || c.Pairs.Both != 20 || c.Pairs.None != 20 || c.Difference.Mean != 0 || c.Difference.Low != nil || c.Detectable != nil {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestCSV(t *testing.T) {
	r, _ := chores(t)
	one := 1.0
	scored := []results.Scored{{Score: &eval.Score{Strict: &one}}, {Score: &eval.Score{Reason: eval.NotJudged}}, {}}
	var out bytes.Buffer
	if err := results.WriteCSV(&out, r, scored); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&out).ReadAll()
	if err != nil || len(rows) != 4 || len(rows[1]) != len(rows[0]) {
		t.Fatalf("%q, %v", rows, err)
	}
	for i, want := range map[int]string{0: "mock", 1: "a", 3: "finish", 4: "0", 7: "user_stop", 8: "1.0", 9: "1.0", 10: "", 18: "1", 19: "2"} {
		if rows[1][i] != want {
			t.Errorf("%s is %q, want %q", rows[0][i], rows[1][i], want)
		}
	}
	if rows[2][9] != "" || rows[2][10] != "not_judged" || rows[3][9] != "" {
		t.Errorf("without a strict reward: %q, %q", rows[2], rows[3])
	}
	if rows[3][8] != "" || rows[3][7] != "infrastructure_error" {
		t.Errorf("without a reward: %q", rows[3])
	}
}

func TestSummary(t *testing.T) {
	r, d := chores(t)
	s, err := results.Summarize(r, rescore(t, &results.Rescorer{Domain: d}, r), 1)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Open) != 2 || s.Open[0] != (results.Count{What: "infrastructure_error", Count: 1}) || s.Open[1].What != "not_judged" || s.Detectable != nil {
		t.Errorf("%+v", s)
	}
	if b := s.ByTask[0]; b.Made != 3 || b.Strict != (results.Tally{Evaluated: 1}) || b.Compat.Evaluated != 1 {
		t.Errorf("%+v", b)
	}
	if s.Strict.Missing != 3 || len(s.Compat) != 3 || s.Changed != 0 {
		t.Errorf("%+v", s)
	}
}
