package stats

import (
	"encoding/json"
	"errors"
	"math"
	"math/bits"
	"testing"

	"pgregory.net/rapid"
)

func reward(r float64) *float64 { return &r }

func table(t *testing.T, tasks []string, trials int, made ...Trial) *Table {
	t.Helper()
	out, err := NewTable(tasks, trials, made)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// almost compares, nil as NaN.
func almost(p *float64, want float64) bool {
	if p == nil {
		return math.IsNaN(want)
	}
	return math.Abs(*p-want) < 1e-12
}

func TestRow01HonestDenominator(t *testing.T) {
	made := []Trial{{Task: "A", Number: 0, Reward: reward(1)}}
	for i := range 4 {
		if i > 0 {
			made = append(made, Trial{Task: "A", Number: i, Fault: true})
		}
		made = append(made, Trial{Task: "B", Number: i, Fault: true, Reward: reward(0)})
	}
	tab := table(t, []string{"A", "B"}, 4, made...)
	p := tab.PassHat(Planned, 1)
	if p.Planned != 8 || p.Evaluated != 1 || p.Missing != 7 || p.Tasks != 2 {
		t.Errorf("%+v", p)
	}
	if k := p.Pass[0]; !almost(k.Value, 0.125) || !almost(k.Worst, 0.125) || !almost(k.Best, 1) {
		t.Errorf("pass^1 %v in [%v, %v]", *k.Value, *k.Worst, *k.Best)
	}
	if k := p.Pass[3]; !almost(k.Value, 0) || !almost(k.Best, 1) {
		t.Errorf("pass^4 %+v", k)
	}
	// The same trials by the conventions of the reference harnesses.
	if p := tab.PassHat(V1, 1); !almost(p.Pass[0].Value, 0.125) || p.Pass[0].Worst != nil || p.Tasks != 2 {
		t.Errorf("v1 %+v", p)
	}
	if p := tab.PassHat(V2, 1); !almost(p.Pass[0].Value, 1) || p.Pass[1].Value != nil || p.Tasks != 1 {
		t.Errorf("v2 %+v", p)
	}
}

func TestRow02PassHatK(t *testing.T) {
	for k, want := range []float64{math.NaN(), 0.5, 1.0 / 6, 0, 0, math.NaN()} {
		if p, ok := PassHat(4, 2, k); ok == math.IsNaN(want) || ok && math.Abs(p-want) > 1e-12 {
			t.Errorf("pass^%d is %v, %v, want %v", k, p, ok, want)
		}
	}
	for _, made := range [][]Trial{
		{{Task: "a"}, {Task: "a", Reward: reward(1)}},
		{{Task: "a", Number: 3}, {Task: "a", Number: 1}, {Task: "a", Number: 3}},
	} {
		if _, err := NewTable([]string{"a"}, 4, made); !errors.Is(err, ErrDuplicate) {
			t.Errorf("%+v: %v", made, err)
		}
	}
	halves := table(t, []string{"a"}, 2, Trial{Task: "a", Reward: reward(0.5)}, Trial{Task: "a", Number: 1, Reward: reward(0.5)})
	if p := halves.PassHat(Planned, 1); !almost(p.Pass[0].Value, 0) || p.Evaluated != 2 || p.Missing != 0 {
		t.Errorf("two halves: %+v", p)
	}
	if !Success(1-1e-7) || Success(0.999) || Success(1.1) {
		t.Error("what a success is")
	}
	// Where k exceeds the trials of a task, the figure is null, not 0.
	one := table(t, []string{"a", "b"}, 2, Trial{Task: "a", Reward: reward(1)}, Trial{Task: "b", Reward: reward(1)}, Trial{Task: "b", Number: 1, Reward: reward(1)})
	data, err := json.Marshal(one.PassHat(V2, 1).Pass[1])
	if err != nil || string(data) != `{"k":2,"value":null,"se":null,"low":null,"high":null}` {
		t.Errorf("%s, %v", data, err)
	}
}

// TestPassHatCountsDraws compares with the share of all draws of k trials that
// are successes throughout.
func TestPassHatCountsDraws(t *testing.T) {
	for n := 1; n <= 9; n++ {
		for c := 0; c <= n; c++ {
			for k := 1; k <= n; k++ {
				all, good := 0, 0
				for set := range uint(1) << n {
					if bits.OnesCount(set) == k {
						all++
						if set>>c == 0 { // the first c trials are the successes
							good++
						}
					}
				}
				if p, ok := PassHat(n, c, k); !ok || math.Abs(p-float64(good)/float64(all)) > 1e-12 {
					t.Fatalf("pass^%d of %d in %d: %v, %v, want %d/%d", k, c, n, p, ok, good, all)
				}
			}
		}
	}
}

func TestTablesRefuseStrangers(t *testing.T) {
	if _, err := NewTable([]string{"a"}, 1, []Trial{{Task: "b"}}); !errors.Is(err, ErrStranger) {
		t.Errorf("unknown task: %v", err)
	}
	if _, err := NewTable([]string{"a"}, 1, []Trial{{Task: "a", Number: -1}}); !errors.Is(err, ErrNegative) {
		t.Errorf("negative trial: %v", err)
	}
	if p := table(t, []string{"a"}, 1, Trial{Task: "a", Number: 2, Reward: reward(1)}).PassHat(Planned, 1); p.Planned != 3 || len(p.Pass) != 3 {
		t.Errorf("more than planned: %+v", p)
	}
	if p := table(t, nil, 4).PassHat(Planned, 1); p.Planned != 0 || p.Pass[0].Value != nil {
		t.Errorf("no task: %+v", p)
	}
}

// TestBoundsHold scores what is missing in any way: pass^k stays within.
func TestBoundsHold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		trials := rapid.IntRange(1, 5).Draw(t, "trials")
		ids := []string{"a", "b", "c", "d"}[:rapid.IntRange(1, 4).Draw(t, "tasks")]
		var made, full []Trial
		for _, id := range ids {
			for i := range trials {
				tr := Trial{Task: id, Number: i, Reward: reward(float64(rapid.IntRange(0, 1).Draw(t, "reward")))}
				full = append(full, tr)
				switch rapid.IntRange(0, 3).Draw(t, "kept") {
				case 0:
				case 1:
					made = append(made, Trial{Task: id, Number: i})
				case 2:
					made = append(made, Trial{Task: id, Number: i, Reward: tr.Reward, Fault: true})
				default:
					made = append(made, tr)
				}
			}
		}
		some, err1 := NewTable(ids, trials, made)
		all, err2 := NewTable(ids, trials, full)
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		p, q := some.PassHat(Planned, 1), all.PassHat(Planned, 1)
		for k := range p.Pass {
			if v := *q.Pass[k].Value; v < *p.Pass[k].Worst-1e-12 || v > *p.Pass[k].Best+1e-12 {
				t.Fatalf("pass^%d %v outside [%v, %v]", k+1, v, *p.Pass[k].Worst, *p.Pass[k].Best)
			}
		}
		if q.Missing != 0 || *q.Pass[0].Worst != *q.Pass[0].Best {
			t.Fatalf("nothing missing: %+v", q)
		}
	})
}

func TestEstimate(t *testing.T) {
	e := NewEstimate([]float64{0, 1, 1, 0.5}, 1)
	// Mean 0.625; squared deviations sum to 0.6875; divided by 4·3.
	if e.Mean != 0.625 || !almost(e.SE, math.Sqrt(0.6875/12)) || *e.Low > 0.625 || *e.High < 0.625 {
		t.Errorf("%+v", e)
	}
	again := NewEstimate([]float64{0, 1, 1, 0.5}, 1)
	if *e.Low != *again.Low || *e.High != *again.High {
		t.Error("the same seed gives another interval")
	}
	if one := NewEstimate([]float64{1}, 1); one.SE != nil || one.Low != nil || one.Mean != 1 {
		t.Errorf("one task: %+v", one)
	}
}

// TestNoSpread: values that are all alike show no spread, which is not the same
// as certainty.
func TestNoSpread(t *testing.T) {
	e := NewEstimate([]float64{1.0 / 6, 1.0 / 6, 1.0 / 6}, 1)
	if e.Mean != 1.0/6 || !almost(e.SE, 0) || e.Low != nil || e.High != nil {
		t.Errorf("%+v", e)
	}
	if _, ok := Detectable(*e.SE); ok {
		t.Error("a difference can be told by an error of 0")
	}
}

// TestMissingIsNoSpread: standard error and interval are those of the evaluated
// trials, whatever is missing.
func TestMissingIsNoSpread(t *testing.T) {
	var made []Trial
	tasks := []string{"a", "b", "c", "d"}
	for i, id := range tasks {
		for n := range 3 { // of four
			made = append(made, Trial{Task: id, Number: n, Reward: reward(float64(i % 2))})
		}
	}
	some, all := table(t, tasks, 4, made...).PassHat(Planned, 1), table(t, tasks, 3, made...).PassHat(Planned, 1)
	for k := range 3 {
		a, b := some.Pass[k], all.Pass[k]
		if !almost(a.SE, *b.SE) || !almost(a.Low, *b.Low) || !almost(a.High, *b.High) {
			t.Errorf("pass^%d: %+v, without what is missing %+v", k+1, a, b)
		}
	}
	if k := some.Pass[0]; !almost(k.Value, 0.375) || !almost(k.Worst, 0.375) || !almost(k.Best, 0.625) {
		t.Errorf("pass^1: %+v", k)
	}
	if k := some.Pass[3]; k.Value == nil || k.SE != nil || k.Low != nil {
		t.Errorf("pass^4, which no task has the trials for: %+v", k)
	}
	for i := range made {
		made[i].Reward = reward(1)
	}
	if k := table(t, tasks, 4, made...).PassHat(Planned, 1).Pass[0]; !almost(k.Value, 0.75) || !almost(k.Best, 1) || k.Low != nil || !almost(k.SE, 0) {
		t.Errorf("all that was made solved: %+v", k)
	}
}

// TestIntervalsAgree: with many tasks the resampled interval is the normal one.
func TestIntervalsAgree(t *testing.T) {
	values := make([]float64, 400)
	for i := range values {
		values[i] = float64(i*i%7) / 6
	}
	e := NewEstimate(values, 3)
	if math.Abs(*e.Low-(e.Mean-z975**e.SE)) > 0.004 || math.Abs(*e.High-(e.Mean+z975**e.SE)) > 0.004 {
		t.Errorf("%v to %v around %v ± %v", *e.Low, *e.High, e.Mean, *e.SE)
	}
	if d, ok := Detectable(Unpaired(*e.SE)); !ok || math.Abs(d/(*e.SE)-2.8015852181*math.Sqrt2) > 1e-9 {
		t.Errorf("detectable %v", d)
	}
}
