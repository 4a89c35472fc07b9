package synth_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"taste/role"
	"taste/synth"
	"taste/toolseq"
)

func settings() synth.SampleSettings {
	s := synth.DefaultSampleSettings()
	s.Attempts, s.Probe = 300, 50
	return s
}

func sample(t *testing.T, judge *judge) *synth.Sampled {
	t.Helper()
	out, err := synth.Sample(t.Context(), synth.SampleInput{
		Vocab: vocab(), Seeds: [][]int{{0, 2}, {1, 3, 4}, {2, 0}}, Judge: judge,
		Seed: 7, Settings: settings(), Observer: silent{},
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestSampleLearns(t *testing.T) {
	out := sample(t, judging(plausible))
	c := out.Counts
	if c.SeedPlausible != 2 || c.SeedImplausible != 1 || c.Attempts != 300 || c.Plausible+c.Implausible+c.Duplicates != 300 {
		t.Errorf("counts %+v", c)
	}
	uniform := settings()
	uniform.Sampler = synth.Uniform
	base, err := synth.Sample(t.Context(), synth.SampleInput{Vocab: vocab(), Judge: judging(plausible), Seed: 7, Settings: uniform, Observer: silent{}})
	if err != nil {
		t.Fatal(err)
	}
	if out.Acceptance.Low <= base.Acceptance.High {
		t.Errorf("trained %+v is no better than uniform %+v", out.Acceptance, base.Acceptance)
	}
}

func TestSampleEndsWithItsJudge(t *testing.T) {
	broken, asked := errors.New("judge is out"), 0
	j := judging(func(seq []string) (role.Verdict, error) {
		if asked++; asked > 20 {
			return role.Verdict{}, broken
		}
		return plausible(seq)
	})
	_, err := synth.Sample(t.Context(), synth.SampleInput{Vocab: vocab(), Judge: j, Settings: settings(), Observer: silent{}})
	if !errors.Is(err, broken) || asked != 21 || len(j.recorded) != 20 {
		t.Errorf("got %v after %d questions, %d verdicts recorded", err, asked, len(j.recorded))
	}
}

// The interval of 8 in 10 is from 0.490 to 0.943 in the tables.
func TestAcceptanceInterval(t *testing.T) {
	a := synth.NewAcceptance(10, 8)
	if math.Abs(a.Low-0.490) > 5e-4 || math.Abs(a.High-0.943) > 5e-4 || a.Share != 0.8 {
		t.Errorf("got %+v", a)
	}
	if a := synth.NewAcceptance(0, 0); a.Low != 0 || a.High != 1 {
		t.Errorf("of none: %+v", a)
	}
}

func input(t *testing.T, judge *judge) synth.SelectInput {
	return synth.SelectInput{
		Model: sample(t, judging(plausible)).Model, Judge: judge, Seed: 7, Method: synth.Paper, Tasks: 8, Sample: settings(),
		Settings: synth.SelectSettings{Pool: 60, Rounds: 2}, Workers: 2, Observer: silent{},
	}
}

func choose(t *testing.T, in synth.SelectInput) (synth.Selector, *synth.Selection) {
	t.Helper()
	s, err := synth.NewSelector(in, nil)
	if err != nil {
		t.Fatal(err)
	}
	out, err := s.Select(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return s, out
}

func TestSelectTakesPlausibleMembersOfTheirClusters(t *testing.T) {
	_, out := choose(t, input(t, judging(plausible)))
	if len(out.Choices) != 8 || len(out.Dropped) != 0 || out.Coverage.UniqueSequences != 8 {
		t.Fatalf("%d choices, dropped %v, %d different", len(out.Choices), out.Dropped, out.Coverage.UniqueSequences)
	}
	for i, c := range out.Choices {
		if v, _ := plausible(c.Sequence); !v.Plausible || c.Cluster != i {
			t.Errorf("choice %d: %+v is %v", i, c, v)
		}
		for _, m := range out.Pool {
			v, _ := plausible(m.Sequence)
			if m.Cluster == c.Cluster && m.Round == c.Round && m.Distance < c.Distance && v.Plausible {
				t.Errorf("choice %d: %v is nearer to the medoid than %v", i, m.Sequence, c.Sequence)
			}
		}
	}
}

func TestSelectDropsWhatHasNoPlausibleMember(t *testing.T) {
	never := judging(func([]string) (role.Verdict, error) { return role.Verdict{}, nil })
	_, out := choose(t, input(t, never))
	if len(out.Choices) != 0 || len(out.Dropped) != 8 || len(out.Rounds) != 3 {
		t.Errorf("%d choices, dropped %v, %d rounds", len(out.Choices), out.Dropped, len(out.Rounds))
	}
}

// Only short sequences are accepted, so that some clusters need a further pool:
// accepted choices stay as they are.
func TestSelectDrawsFurtherPools(t *testing.T) {
	picky := judging(func(seq []string) (role.Verdict, error) {
		v, err := plausible(seq)
		v.Plausible = v.Plausible && len(seq) < 7
		return v, err
	})
	_, out := choose(t, input(t, picky))
	if out.Rounds[0].Unusable == 0 || len(out.Rounds) < 2 {
		t.Fatalf("rounds %+v: want an unusable cluster in the first", out.Rounds)
	}
	from := map[int]int{}
	for _, c := range out.Choices {
		from[c.Round]++
	}
	first := out.Rounds[0]
	if from[0] != first.Medoids+first.Replaced || len(out.Choices) != 8-len(out.Dropped) {
		t.Errorf("choices by round %v, rounds %+v, dropped %v", from, out.Rounds, out.Dropped)
	}
}

// Tools that a trained sampler lost are grafted in; the pool of any other sampler
// stays what it draws.
func TestGraftsAreForTheTrainedSampler(t *testing.T) {
	lost := sample(t, judging(func(seq []string) (role.Verdict, error) {
		v, err := plausible(seq)
		v.Plausible = v.Plausible && !slices.Contains(seq, "set_a")
		for i, tool := range seq {
			if tool == "set_a" {
				v.Bad = append(v.Bad, i)
			}
		}
		return v, err
	})).Model
	for sampler, want := range map[synth.Sampler]bool{synth.Trained: true, synth.Uniform: false, synth.Seeds: false} {
		j := judging(plausible)
		in := input(t, j)
		in.Model, in.Method, in.Sample.Sampler = lost, synth.Best, sampler
		_, out := choose(t, in)
		grafts := 0
		for _, from := range j.recorded {
			if from.Stage == "graft" {
				grafts++
			}
		}
		if grafts > 0 != want || out.Rounds[0].Grafts > 0 != want {
			t.Errorf("%s: %d grafts asked for, %d taken", sampler, grafts, out.Rounds[0].Grafts)
		}
	}
}

// How many verdicts are in flight changes nothing but training: the same
// verdicts are recorded in the same order, and no more is asked.
func TestSelectionSideBySide(t *testing.T) {
	for _, method := range []synth.Method{synth.Paper, synth.Best} {
		one, many := judging(plausible), judging(plausible)
		in := input(t, one)
		in.Method = method
		_, first := choose(t, in)
		in.Judge, in.Sample.InFlight = many, 16
		_, second := choose(t, in)
		if diff := cmp.Diff(first, second); diff != "" {
			t.Errorf("%s: %s", method, diff)
		}
		if diff := cmp.Diff(one.recorded, many.recorded); diff != "" {
			t.Errorf("%s: recorded %s", method, diff)
		}
		if len(one.asked) != len(many.asked) {
			t.Errorf("%s: %d sequences asked about, and %d", method, len(one.asked), len(many.asked))
		}
	}
}

// A selection that is taken up from its files goes on as the first would have.
func TestNextGoesOnAfterResuming(t *testing.T) {
	in := input(t, judging(plausible))
	_, out := choose(t, in)
	sequences := func() (all []string) {
		s, err := synth.NewSelector(in, out)
		if err != nil {
			t.Fatal(err)
		}
		at := out.Choices[3]
		for range 15 {
			next, ok, err := s.Next(t.Context(), at)
			if err != nil || !ok {
				t.Fatal(ok, err)
			}
			all = append(all, strings.Join(next.Sequence, " "))
			at = next
		}
		return all
	}
	first := sequences()
	if diff := cmp.Diff(first, sequences()); diff != "" {
		t.Error(diff)
	}
	seen := map[string]bool{}
	for _, c := range out.Choices {
		seen[strings.Join(c.Sequence, " ")] = true
	}
	for _, s := range first {
		if seen[s] {
			t.Errorf("%s was chosen before", s)
		}
		seen[s] = true
	}
}

func TestNumbersAndNames(t *testing.T) {
	names := []string{"get_a", "end", "set_b"}
	seq, err := synth.Numbers(vocab(), names)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(names, synth.Names(vocab(), seq)); diff != "" {
		t.Error(diff)
	}
	if _, err := synth.Numbers(vocab(), []string{"end", "fly"}); err == nil || !strings.Contains(err.Error(), `position 1: unknown tool "fly"`) {
		t.Errorf("got %v", err)
	}
}

// Where the judge is asked about what is chosen alone, all that is chosen is
// plausible all the same, with far fewer questions; a poor pool is judged whole in
// the end.
func TestLazySelection(t *testing.T) {
	picky := func(seq []string) (role.Verdict, error) {
		v, err := plausible(seq)
		v.Plausible = v.Plausible && chance("picky", seq) < 60
		return v, err
	}
	for name, tc := range map[string]struct {
		judge func([]string) (role.Verdict, error)
		most  int // questions
		less  bool
	}{
		"a good pool": {plausible, 20, false},
		"a fair pool": {picky, 40, false},
		"a poor pool": {func(seq []string) (role.Verdict, error) {
			v, err := plausible(seq)
			v.Plausible = v.Plausible && len(seq) < 5
			return v, err
		}, 120, true},
	} {
		j := judging(tc.judge)
		in := input(t, j)
		in.Method, in.Settings.Lazy, in.Sample.InFlight, in.Sample.Sampler = synth.Best, true, 4, synth.Uniform
		_, out := choose(t, in)
		s, err := synth.NewSelector(in, out)
		if err != nil {
			t.Fatal(err)
		}
		if len(j.asked) > tc.most || (len(out.Choices) < in.Tasks) != tc.less {
			t.Errorf("%s: %d questions for %d choices of %d", name, len(j.asked), len(out.Choices), in.Tasks)
		}
		at := out.Choices[0]
		for range 5 {
			next, ok, err := s.Next(t.Context(), at)
			if err != nil {
				t.Fatal(err)
			}
			if !ok {
				break
			}
			out.Choices, at = append(out.Choices, next), next
		}
		for _, c := range out.Choices {
			if v, _ := tc.judge(c.Sequence); !v.Plausible {
				t.Errorf("%s: %v was chosen", name, c.Sequence)
			}
		}
	}
}

// Training ends once the judge accepts enough, never before it can be told.
func TestSampleStopsWhereItIsGoodEnough(t *testing.T) {
	run := func(at float64) toolseq.Counts {
		s := settings()
		s.Attempts, s.Probe, s.StopAt = 3000, 0, at
		out, err := synth.Sample(t.Context(), synth.SampleInput{Vocab: vocab(), Judge: judging(plausible), Seed: 7, Settings: s, Observer: silent{}})
		if err != nil {
			t.Fatal(err)
		}
		return out.Counts
	}
	soon, later, never := run(.3), run(.7), run(0)
	if soon.Attempts < 200 || soon.Attempts >= later.Attempts || later.Attempts >= 3000 || never.Attempts != 3000 {
		t.Errorf("%d attempts until .3, %d until .7, %d in all", soon.Attempts, later.Attempts, never.Attempts)
	}
}
