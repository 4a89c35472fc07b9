package synth_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"taste/contract"
	"taste/domain/airline"
	"taste/role"
	"taste/rules"
	"taste/run"
	"taste/synth"
	"taste/toolseq"
)

// How many verdicts a sampler has to buy of a language model, measured with
// models that a script plays: go test -v -run CallsToAcceptance ./synth -curve
var curve = flag.Bool("curve", false, "measure the whole table of judge calls, with five seeds")

// A scripted model reads the policy otherwise than the contract's judge: by the
// contract with some rules changed. Whatever it makes of a sequence, in one case
// of twenty it says the contrary, always of the same sequences.
type scripted struct {
	name  string
	edits []string // old and new texts of the contract
}

const begin = "\nsequence:\n"

var scriptedModels = []scripted{
	{"A", []string{
		begin, begin + "  - {id: names_are_known, rule: after, tools: [update_reservation_passengers], any: [get_user_details], why: whose names}\n",
		"profile_once, rule: times, most: 1", "profile_once, rule: times, most: 2",
		"few_loose_reads, rule: loose, most: 8", "few_loose_reads, rule: loose, most: 5",
	}},
	{"B", []string{
		begin, begin + "  - {id: names_are_known, rule: after, tools: [update_reservation_passengers], any: [get_user_details], why: whose names}\n" +
			"  - {id: status_first, rule: after, tools: [cancel_reservation], any: [get_flight_status], why: was it flown}\n",
		"profile_once, rule: times, most: 1", "profile_once, rule: times, most: 2",
		"few_loose_reads, rule: loose, most: 8", "few_loose_reads, rule: loose, most: 6",
	}},
	{"C", []string{
		begin, begin + "  - {id: membership_first, rule: after, tools: [update_reservation_baggages], any: [get_user_details], why: how many bags are free}\n",
		"{id: change_is_kept, rule: spares, tools: [cancel_reservation], for: [update_reservation_baggages, update_reservation_passengers]", "{id: change_is_kept, rule: spares, tools: [cancel_reservation], for: [update_reservation_passengers]",
		"few_loose_reads, rule: loose, most: 8", "few_loose_reads, rule: loose, most: 6",
	}},
}

// The sampler's parameters were chosen with A and B, under other seeds, not with C.
const slip = .05

// scene is the airline with a scripted model.
type scene struct {
	vocab toolseq.Vocab
	seeds [][]int
	rules *contract.Contract
	reads *contract.Contract // as the model reads it
}

func newScene(t *testing.T, m scripted) *scene {
	t.Helper()
	d, err := airline.Builtin(1)
	if err != nil {
		t.Fatal(err)
	}
	tasks, err := airline.Seeds()
	if err != nil {
		t.Fatal(err)
	}
	s := &scene{}
	if s.vocab, err = synth.Vocabulary(d.Tools); err != nil {
		t.Fatal(err)
	}
	for i := range tasks {
		seq, err := synth.Numbers(s.vocab, run.GoldSequence(&tasks[i]))
		if err != nil {
			t.Fatal(err)
		}
		s.seeds = append(s.seeds, seq)
	}
	text := string(airline.Contract())
	if s.rules, err = contract.Load([]byte(text)); err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(m.edits); i += 2 {
		if strings.Count(text, m.edits[i]) != 1 {
			t.Fatalf("the contract has %q not once", m.edits[i])
		}
		text = strings.Replace(text, m.edits[i], m.edits[i+1], 1)
	}
	if s.reads, err = contract.Load([]byte(text)); err != nil {
		t.Fatal(err)
	}
	return s
}

// model is the scripted model as a judge; the seed says of which sequences it
// says the contrary.
type model struct {
	*contract.Contract
	seed uint64
}

func (m model) Judge(_ context.Context, sequence []string) (role.Verdict, error) {
	v := m.Contract.Judge(sequence)
	h := fnv.New64a()
	fmt.Fprint(h, m.seed, sequence)
	r := rand.New(toolseq.Stream(h.Sum64(), "slip", 0))
	switch {
	case r.Float64() >= slip || len(sequence) == 0:
		return role.Verdict{Plausible: v.Plausible, Bad: v.Bad()}, nil
	case v.Plausible:
		return role.Verdict{Bad: []int{r.IntN(len(sequence))}}, nil
	}
	return role.Verdict{Plausible: true}, nil
}

// way is one way to train.
type way struct {
	name     string
	params   toolseq.Params
	screen   bool // rules+MODEL: the contract settles what it is certain of
	seeds    bool // the domain's own tasks are judged first
	inFlight int
}

// ways are what is compared. The first is the method to the letter, the second
// the same sampler as all others with every verdict bought.
func ways() []way {
	paper, best := toolseq.PaperParams(), toolseq.NoisyParams()
	return []way{
		{"published method", paper, false, true, 1},
		{"MODEL", best, false, true, 1},
		{"MODEL, 8 in flight", best, false, true, 8},
		{"MODEL, 32 in flight", best, false, true, 32},
		{"rules+MODEL", best, true, true, 1},
		{"rules+MODEL, 8 in flight", best, true, true, 8},
		{"rules+MODEL, 32 in flight", best, true, true, 32},
		{"rules+MODEL, the sampler for rules", toolseq.BestParams(), true, true, 1},
		{"MODEL, no seed tasks", best, false, false, 1},
		{"rules+MODEL, no seed tasks", best, true, false, 1},
	}
}

// learning is what a training came to: the acceptance after so many calls, and at
// the end.
type learning struct {
	after map[int]float64
	kappa float64 // agreement of rules and model on what was judged
	free  float64 // verdicts that were not bought
}

// measured says after how many calls acceptance is measured.
func measured(calls int) bool { return calls%20 == 0 && (calls <= 1000 || calls%100 == 0) }

var errPaid = errors.New("the budget is spent")

// learn trains on a budget of calls.
func (s *scene) learn(t *testing.T, w way, seed uint64, budget int) learning {
	t.Helper()
	m := model{s.reads, seed}
	out := learning{after: map[int]float64{}}
	calls := 0
	var tr *toolseq.Trainer
	teacher := toolseq.Sure(func(seq []int) toolseq.Verdict { return s.ask(m, seq) })
	teacher.InFlight = w.inFlight
	if w.screen {
		screen := rules.NewScreen(s.rules, m, 0)
		teacher.Certain = func(seq []int) (toolseq.Verdict, bool) {
			v, ok := screen.Certain(synth.Names(s.vocab, seq))
			return toolseq.Verdict{Plausible: v.Plausible, Bad: v.Bad}, ok
		}
	}
	teacher.Learnt = func(j toolseq.Judgement) error {
		if j.Certain {
			return nil
		}
		if calls++; measured(calls) {
			out.after[calls] = s.acceptance(t, tr, m)
		}
		if calls == budget {
			return errPaid
		}
		return nil
	}
	tr, err := toolseq.NewTrainer(s.vocab, w.params, seed, teacher)
	if err == nil && w.seeds {
		err = tr.IngestSeeds(t.Context(), s.seeds)
	}
	if err == nil {
		err = tr.Run(t.Context(), 3*budget)
	}
	if !errors.Is(err, errPaid) {
		t.Fatalf("%s: %v after %d calls", w.name, err, calls)
	}
	out.kappa, out.free = s.agreement(tr.Judgements()), float64(tr.Counts().Certain)
	return out
}

func (s *scene) ask(m model, seq []int) toolseq.Verdict {
	v, _ := m.Judge(context.Background(), synth.Names(s.vocab, seq))
	return toolseq.Verdict{Plausible: v.Plausible, Bad: v.Bad}
}

// acceptance is the share that the model accepts of 300 fresh sequences.
func (s *scene) acceptance(t *testing.T, tr *toolseq.Trainer, m model) float64 {
	t.Helper()
	const fresh = 300
	seen := map[string]bool{}
	for _, j := range tr.Judgements() {
		seen[fmt.Sprint(j.Seq)] = true
	}
	pool, err := toolseq.Pool(tr.Model().Freeze(1.5), fresh, m.seed, func(seq []int) bool { return seen[fmt.Sprint(seq)] })
	if err != nil {
		t.Fatal(err)
	}
	accepted := 0
	for _, seq := range pool {
		if s.ask(m, seq).Plausible {
			accepted++
		}
	}
	return float64(accepted) / fresh
}

// agreement is Cohen's kappa of the rules and the model over what was judged.
func (s *scene) agreement(judged []toolseq.Judgement) float64 {
	var both, a, b float64
	for _, j := range judged {
		rules := s.rules.Judge(synth.Names(s.vocab, j.Seq)).Plausible
		if rules == j.Plausible {
			both++
		}
		if rules {
			a++
		}
		if j.Plausible {
			b++
		}
	}
	n := float64(len(judged))
	chance := a/n*b/n + (1-a/n)*(1-b/n)
	return (both/n - chance) / (1 - chance)
}

// average trains with several seeds.
func (s *scene) average(t *testing.T, w way, seeds uint64, budget int) learning {
	mean := learning{after: map[int]float64{}}
	n := float64(seeds)
	for seed := uint64(1); seed <= seeds; seed++ {
		l := s.learn(t, w, seed, budget)
		for calls, a := range l.after {
			mean.after[calls] += a / n
		}
		mean.kappa += l.kappa / n
		mean.free += l.free / n
	}
	return mean
}

// to is after how many calls acceptance first is as wanted.
func (l *learning) to(goal float64) string {
	for _, calls := range slices.Sorted(maps.Keys(l.after)) {
		if l.after[calls] >= goal {
			return strconv.Itoa(calls)
		}
	}
	return "never"
}

// early is the mean acceptance over the measurements of the first calls.
func (l *learning) early(calls int) float64 {
	sum, n := 0.0, 0.0
	for at, a := range l.after {
		if at <= calls {
			sum, n = sum+a, n+1
		}
	}
	return sum / n
}

// TestCallsToAcceptance: with the rules in front of it a model is asked less often
// for a sampler as good, and what is in flight costs little of it. With -curve it
// prints the table of docs/llm-judge.md.
func TestCallsToAcceptance(t *testing.T) {
	seeds, budget := uint64(2), 300
	if *curve {
		seeds, budget = 5, 3000
	}
	for _, m := range scriptedModels {
		t.Run(m.name, func(t *testing.T) { callsToAcceptance(t, m, seeds, budget) })
	}
}

func callsToAcceptance(t *testing.T, m scripted, seeds uint64, budget int) {
	s := newScene(t, m)
	got := map[string]learning{}
	for _, w := range ways() {
		l := s.average(t, w, seeds, budget)
		got[w.name] = l
		t.Logf("| %s | %s | %s | %s |%s %.2f | %.0f |", m.name, w.name, l.to(.8), l.to(.87), l.row(budget), l.kappa, l.free)
	}
	all, screened, crowd := got["MODEL"], got["rules+MODEL"], got["rules+MODEL, 32 in flight"]
	if screened.early(200) < all.early(200)+.03 {
		t.Errorf("acceptance over the first 200 calls is %.3f with the rules in front, %.3f without", screened.early(200), all.early(200))
	}
	if crowd.after[budget] < screened.after[budget]-.06 {
		t.Errorf("acceptance after %d calls is %.3f with 32 in flight, %.3f one by one", budget, crowd.after[budget], screened.after[budget])
	}
	if *curve && (all.kappa < .6 || all.kappa > .8) {
		t.Errorf("the model agrees with the rules at a kappa of %.2f, want .6 to .8", all.kappa)
	}
}

// row is acceptance by calls, as cells of a table.
func (l *learning) row(budget int) string {
	var b strings.Builder
	for _, calls := range []int{60, 100, 140, 200, 300, 400, 600, 800, 1000, 1500, 2000, 3000} {
		if calls <= budget {
			fmt.Fprintf(&b, " %.1f |", 100*l.after[calls])
		}
	}
	return b.String()
}
