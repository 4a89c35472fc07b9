package gates_test

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"taste/gates"
	"taste/pyjson"
	"taste/tau"
)

func checkForeign(tb testing.TB, t *tau.Task, claims *gates.Claims) *gates.Result {
	tb.Helper()
	f, err := openForeign()
	must(tb, err)
	r, err := f.Check(t, claims)
	must(tb, err)
	return r
}

// openForeign makes the gates of the kit.
var openForeign = sync.OnceValues(func() (*gates.Foreign, error) {
	k, err := openKit()
	if err != nil {
		return nil, err
	}
	return gates.New(k.domain, k.contract, k.book).Foreign()
})

const moreBags = "You want to have 4 checked bags on reservation RRR111 and pay with your card ending in 5151."

// Prose that the book cannot read leaves what needs reading to a conversation;
// everything else is tried.
func TestForeignProse(t *testing.T) {
	k := newKit(t)
	task := told(moreBags, read("RRR111"), bags("RRR111", "credit_card_2220001"))
	r := checkForeign(t, task, &gates.Claims{})
	expect(t, r)
	if len(r.Unchecked) > 0 || !slices.Equal(rulesOf(r.Left), []string{gates.Readable}) || len(r.Mutants) < 20 {
		t.Errorf("unchecked %v, left %v, %d mutants", r.Unchecked, r.Left, len(r.Mutants))
	}
	// The gates of the book's own words take nothing of it.
	if r := check(t, k, task); len(r.Unchecked) == 0 || len(r.Left) > 0 {
		t.Errorf("the other gates: unchecked %v, left %v", r.Unchecked, r.Left)
	}
}

// What the book can read is held to all gates.
func TestForeignGatesReadTheBooksWords(t *testing.T) {
	k := newKit(t)
	task := bagsAndTotal(t, k)
	r := checkForeign(t, task, &gates.Claims{})
	expect(t, r)
	if len(r.Unchecked)+len(r.Left) > 0 {
		t.Errorf("unchecked %v, left %v", r.Unchecked, r.Left)
	}
	task.EvaluationCriteria.CommunicateInfo = nil
	expect(t, checkForeign(t, task, &gates.Claims{}), gates.Told)
}

// Each fault of a task in free prose is a failure of its own gate.
func TestForeignFaults(t *testing.T) {
	k := newKit(t)
	records := func(table, key string, rec *pyjson.Object) *tau.InitialState {
		return &tau.InitialState{InitializationData: &tau.InitializationData{AgentData: pyjson.NewObject(table, pyjson.NewObject(key, rec))}}
	}
	for name, c := range map[string]struct {
		change func(*tau.Task)
		claims gates.Claims
		want   string
		says   string
	}{
		"wrong type": {change: func(t *tau.Task) { t.EvaluationCriteria.Actions[1].Arguments["nonfree_baggages"] = "2" }, want: gates.Typed, says: "nonfree_baggages"},
		"changed record": {
			change: func(t *tau.Task) {
				t.InitialState = records("users", "rob_plain_1002", pyjson.NewObject("membership", "gold"))
			},
			claims: gates.Claims{Adds: []string{"users/rob_plain_1002"}}, want: gates.Extended, says: "users.rob_plain_1002.membership",
		},
		"cut list": {
			change: func(t *tau.Task) {
				t.InitialState = records("users", "sue_silver_1003", pyjson.NewObject("reservations", []any{}))
			},
			claims: gates.Claims{Adds: []string{"users/sue_silver_1003"}}, want: gates.Extended, says: "users.sue_silver_1003.reservations[0]",
		},
		"dangling": {
			change: func(t *tau.Task) {
				list, _ := k.domain.Environment().RecordJSON("users", "rob_plain_1002").Get("reservations")
				t.InitialState = records("users", "rob_plain_1002", pyjson.NewObject("reservations", append(slices.Clone(list.([]any)), "NOSUCH")))
			},
			claims: gates.Claims{Adds: []string{"users/rob_plain_1002"}}, want: gates.Referenced, says: "NOSUCH",
		},
		"nobody": {change: func(t *tau.Task) { *t.UserScenario.Instructions.Structured.KnownInfo = "You know nothing." }, want: gates.Identify},
		"strange id": {
			change: func(t *tau.Task) { t.UserScenario.Instructions.Structured.TaskInstructions = "Leave QQQ999 alone." },
			want:   gates.Known, says: "QQQ999",
		},
		"wrong name": {change: func(t *tau.Task) {
			*t.UserScenario.Instructions.Structured.KnownInfo = "You are Rob Silver. Your user id is rob_plain_1002."
		}, want: gates.Name, says: "Rob Silver"},
		"policy":     {change: func(t *tau.Task) { t.EvaluationCriteria.Actions[1].Arguments["total_baggages"] = int64(0) }, want: "bags", says: ""},
		"nothing":    {change: func(t *tau.Task) { t.EvaluationCriteria.Actions = t.EvaluationCriteria.Actions[:1] }, want: gates.NothingLost},
		"literal":    {change: func(t *tau.Task) { t.EvaluationCriteria.CommunicateInfo = []string{"5151"} }, want: gates.Literal, says: "5151"},
		"gold fails": {change: func(t *tau.Task) { t.EvaluationCriteria.Actions[1].Arguments["reservation_id"] = "QQQ999" }, want: gates.GoldRuns},
	} {
		t.Run(name, func(t *testing.T) {
			task := told(moreBags, read("RRR111"), bags("RRR111", "credit_card_2220001"))
			c.change(task)
			r := checkForeign(t, task, &c.claims)
			i := slices.IndexFunc(r.Failures, func(f gates.Finding) bool {
				return (f.Rule == c.want || strings.HasPrefix(f.Rule, c.want)) && strings.Contains(f.Evidence, c.says)
			})
			if i < 0 {
				t.Errorf("failures %v, want %s with %q", r.Failures, c.want, c.says)
			}
		})
	}
}

// Of customers who may say what is not so, what they say is a reason to read the
// task, and no more.
func TestForeignUntrue(t *testing.T) {
	task := told(moreBags+" Your date of birth is 1990-05-05.", read("RRR111"), bags("RRR111", "credit_card_2220001"))
	if r := checkForeign(t, task, &gates.Claims{}); !slices.Contains(rulesOf(r.Failures), gates.Name) {
		t.Errorf("failures %v", r.Failures)
	}
	r := checkForeign(t, task, &gates.Claims{Untrue: true})
	expect(t, r)
	if !slices.Contains(rulesOf(r.Warnings), gates.Name) {
		t.Errorf("warnings %v", r.Warnings)
	}
}
