package rules

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"taste/env"
	"taste/role"
	"taste/tau"
	"taste/toolseq"
)

// samplers are those that accepted has taught, by tools and seed.
var samplers sync.Map

// accepted draws n different sequences that the judge accepts from a sampler
// that the judge taught.
func accepted(t testing.TB, a *Author, seed uint64, n int) [][]string {
	t.Helper()
	var v toolseq.Vocab
	for _, s := range a.domain.Tools {
		ty, err := toolseq.ParseType(strings.ToLower(string(s.Type)))
		if err != nil {
			t.Fatal(err)
		}
		v.Names, v.Types = append(v.Names, s.Name), append(v.Types, ty)
	}
	names := func(seq []int) []string {
		out := make([]string, len(seq))
		for i, x := range seq {
			out[i] = v.Names[x]
		}
		return out
	}
	judge := func(seq []int) toolseq.Verdict {
		x := a.contract.Judge(names(seq))
		return toolseq.Verdict{Plausible: x.Plausible, Bad: x.Bad(), Reason: x.Why()}
	}
	train, _ := samplers.LoadOrStore(fmt.Sprint(v.Names, seed), sync.OnceValues(func() (*toolseq.Trainer, error) {
		return toolseq.Train(context.Background(), v, toolseq.BestParams(), seed, toolseq.Sure(judge), nil, 3000)
	}))
	trained, err := train.(func() (*toolseq.Trainer, error))()
	if err != nil {
		t.Fatal(err)
	}
	seqs, err := toolseq.Pool(trained.Model().Freeze(1.5), n, seed, func(s []int) bool { return !judge(s).Plausible })
	if err != nil {
		t.Fatal(err)
	}
	out := make([][]string, len(seqs))
	for i, s := range seqs {
		out[i] = names(s)
	}
	return out
}

// golds are what stands in gold of accepted sequences, each once.
func golds(a *Author, accepted [][]string) [][]string {
	var out [][]string
	seen := map[string]bool{}
	for _, s := range accepted {
		s = slices.DeleteFunc(s, func(tool string) bool { return !a.contract.InGold(tool) })
		if k := strings.Join(s, " "); !seen[k] {
			out, seen[k] = append(out, s), true
		}
	}
	return out
}

// agreement is the share of the gold of n accepted sequences that an author makes a
// task of.
func agreement(t *testing.T, a *Author, seed uint64, n int) float64 {
	built := 0
	seqs := golds(a, accepted(t, a, seed, n))
	for i, s := range seqs {
		d, err := a.Draft(context.Background(), "x", s, seed+uint64(i))
		if errors.Is(err, role.ErrUnbuildable) {
			t.Logf("%v: %v", s, err)
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		built++
		checkDraft(t, a, d)
	}
	t.Logf("%d of %d accepted sequences have a task", built, len(seqs))
	return float64(built) / float64(len(seqs))
}

// checkDraft holds a draft to what every draft must be: its gold is the
// sequence, runs without an error, each call by whose it is, and leads to all that
// the task asserts, which is not so from the start.
func checkDraft(t *testing.T, a *Author, d *role.Draft) {
	t.Helper()
	var got []string
	e := a.domain.Environment()
	if err := e.SetState(d.Task.InitialState); err != nil {
		t.Fatal(err)
	}
	crit := d.Task.EvaluationCriteria
	if slices.Contains(crit.RewardBasis, tau.EnvAssertionReward) && holdAll(e, crit.EnvAssertions) && !slices.Contains(crit.RewardBasis, tau.ActionReward) {
		t.Errorf("%v: all that is asserted is so from the start", d.Meta.Sequence)
	}
	seen := map[string]bool{}
	for _, g := range crit.Actions {
		got = append(got, g.Name)
		if r := e.Call(g.Owner(), g.Name, g.Arguments); r.Error {
			t.Errorf("%v: %s(%v): %s", d.Meta.Sequence, g.Name, g.Arguments, r.Content)
		}
		key := read{g.Name, g.Arguments}.key()
		if spec := a.domain.Tool(g.Name); !spec.MutatesState && seen[key] {
			t.Errorf("%v: %s(%v) is read twice", d.Meta.Sequence, g.Name, g.Arguments)
		}
		seen[key] = true
	}
	if !slices.Equal(got, d.Meta.Sequence) {
		t.Errorf("gold %v is not the sequence %v", got, d.Meta.Sequence)
	}
	if !holdAll(e, crit.EnvAssertions) {
		t.Errorf("%v: gold does not lead to what is asserted", d.Meta.Sequence)
	}
	for i, x := range crit.CommunicateInfo {
		for j, y := range crit.CommunicateInfo {
			if i != j && strings.Contains(x, y) {
				t.Errorf("%v: %q says %q too", d.Meta.Sequence, x, y)
			}
		}
	}
}

// holdAll tells whether all assertions hold in a state.
func holdAll(e *env.Environment, list []tau.EnvAssertion) bool {
	return all(list, func(a tau.EnvAssertion) bool { ok, err := e.Clone().Assert(&a); return ok && err == nil })
}

func TestJudgeAndAuthorAgree(t *testing.T) {
	for _, c := range []struct {
		domain string
		pack   bool
		n      int
		want   float64
	}{
		{"airline", false, 60, .95},
		{"airline", true, 300, .95},
		{"retail", false, 60, .97},
		{"retail", true, 300, .97},
		{"telecom", false, 60, .98},
		{"telecom", true, 300, .98},
	} {
		t.Run(fmt.Sprintf("%s of pack %v", c.domain, c.pack), func(t *testing.T) {
			if testing.Short() {
				t.Skip("makes tasks one after the other: run without -short")
			}
			if got := agreement(t, authorOf(t, c.domain, c.pack), 7, c.n); got < c.want {
				t.Errorf("a task for %.3f of the accepted sequences, want %v", got, c.want)
			}
		})
	}
}

func TestDraftIsAFunctionOfItsSeed(t *testing.T) {
	a := builtinAuthor(t)
	seq := []string{"get_user_details", "get_reservation_details", "search_direct_flight", "update_reservation_flights"}
	first, err := a.Draft(context.Background(), "x", seq, 3)
	if err != nil {
		t.Fatal(err)
	}
	// Another author has nothing cached.
	again, err := builtinAuthor(t).Draft(context.Background(), "x", seq, 3)
	if err != nil {
		t.Fatal(err)
	}
	for i, g := range first.Task.EvaluationCriteria.Actions {
		other := again.Task.EvaluationCriteria.Actions[i]
		if (read{g.Name, g.Arguments}).key() != (read{other.Name, other.Arguments}).key() {
			t.Errorf("call %d: %v and %v", i, g.Arguments, other.Arguments)
		}
	}
}

func TestDraftRefuses(t *testing.T) {
	a := builtinAuthor(t)
	for _, seq := range [][]string{
		{"cancel_reservation"},       // implausible: no reservation was read
		{"transfer_to_human_agents"}, // nothing changes, nothing is told
	} {
		if _, err := a.Draft(context.Background(), "x", seq, 1); !errors.Is(err, role.ErrUnbuildable) {
			t.Errorf("%v: %v, want ErrUnbuildable", seq, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := a.Draft(ctx, "x", []string{"list_all_airports"}, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("after cancel: %v", err)
	}
}

// wishNames draws drafts until one is found and says which wishes it holds.
func wishNames(t *testing.T, a *Author, seq ...string) []string {
	t.Helper()
	d, err := a.Draft(context.Background(), "x", seq, 1)
	if err != nil {
		t.Fatal(err)
	}
	return d.Meta.Wishes
}

func TestPlanReadsSequencesAsWishes(t *testing.T) {
	a := builtinAuthor(t)
	got := wishNames(t, a, "get_reservation_details", "cancel_reservation")
	if !slices.Equal(got, []string{"cancel"}) {
		t.Errorf("read and cancel: %v", got)
	}
	// Without a search only the cabin can change.
	got = wishNames(t, a, "get_reservation_details", "update_reservation_flights")
	if !slices.Equal(got, []string{"recabin"}) {
		t.Errorf("change without a search: %v", got)
	}
	// A read that nothing needs is something that the customer asks.
	got = wishNames(t, a, "get_reservation_details", "cancel_reservation", "list_all_airports")
	if !slices.Equal(got, []string{"cancel", "ask_airport_code"}) {
		t.Errorf("a look-up after the change: %v", got)
	}
}

func TestAuthorFindsTripsThatEarnCertificates(t *testing.T) {
	a := builtinAuthor(t)
	for _, seq := range [][]string{
		{"get_reservation_details", "get_flight_status", "send_certificate"},
		{"get_reservation_details", "get_flight_status", "cancel_reservation", "send_certificate"},
		{"get_reservation_details", "get_flight_status", "update_reservation_baggages", "search_direct_flight", "update_reservation_flights", "send_certificate"},
	} {
		for seed := range uint64(4) {
			d, err := a.Draft(context.Background(), "x", seq, seed)
			if err != nil {
				t.Error(err)
				continue
			}
			checkDraft(t, a, d)
		}
	}
}

func TestTellKeepsAnswersOut(t *testing.T) {
	a := builtinAuthor(t)
	for seed := range uint64(20) {
		d, err := a.Draft(context.Background(), "x", []string{"list_all_airports", "get_reservation_details", "get_flight_status"}, seed)
		if err != nil {
			t.Fatal(err)
		}
		task, err := a.Tell(context.Background(), d, seed)
		if err != nil {
			t.Fatal(err)
		}
		in := task.UserScenario.Instructions.Structured
		text := strings.ToLower(strings.Join([]string{in.ReasonForCall, *in.KnownInfo, in.TaskInstructions}, " "))
		for _, answer := range task.EvaluationCriteria.CommunicateInfo {
			if strings.Contains(text, strings.ToLower(answer)) {
				t.Errorf("%q stands in %q", answer, text)
			}
		}
	}
}
