package toolseq_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"taste/toolseq"
	"taste/toolseq/internal/toy"
)

// slow is a teacher whose verdicts take a while, each time another.
func slow(inFlight int, seed uint64) toolseq.Teacher {
	var mu sync.Mutex
	r := rand.New(rand.NewPCG(seed, 0))
	return toolseq.Teacher{InFlight: inFlight, Judge: func(_ context.Context, seq []int) (toolseq.Verdict, error) {
		mu.Lock()
		pause := time.Duration(r.IntN(1000)) * time.Millisecond
		mu.Unlock()
		time.Sleep(pause)
		return toy.Judge(seq), nil
	}}
}

func trainWith(t *testing.T, teacher toolseq.Teacher, attempts int) *toolseq.Trainer {
	t.Helper()
	tr, err := toolseq.Train(t.Context(), toy.Vocab(), toolseq.BestParams(), 1, teacher, toy.Seeds(), attempts)
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// Whatever order the answers come in, a training is the same; with one verdict in
// flight it is that of a judge who answers at once.
func TestOrderOfAnswersChangesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		if got, want := marshal(t, trainWith(t, slow(1, 1), 400)), marshal(t, train(t, toolseq.BestParams(), 1, 400)); got != want {
			t.Error("one in flight: another training")
		}
		for _, w := range []int{2, 8, 32} {
			first, second := trainWith(t, slow(w, 1), 400), trainWith(t, slow(w, 2), 400)
			if marshal(t, first) != marshal(t, second) {
				t.Errorf("%d in flight: two trainings differ", w)
			}
			for i, j := range first.Judgements()[1:] {
				if before := first.Judgements()[i]; j.Attempt < before.Attempt {
					t.Fatalf("%d in flight: attempt %d learnt after %d", w, j.Attempt, before.Attempt)
				}
			}
		}
	})
}

// Verdicts of equal length take as many rounds as there are verdicts for those in
// flight: the judge is never idle.
func TestInFlightIsUsed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const w, pause = 8, time.Second
		var now, most atomic.Int64
		teacher := toolseq.Teacher{InFlight: w, Judge: func(_ context.Context, seq []int) (toolseq.Verdict, error) {
			most.Store(max(most.Load(), now.Add(1)))
			time.Sleep(pause)
			now.Add(-1)
			return toy.Judge(seq), nil
		}}
		began := time.Now()
		tr, err := toolseq.Train(t.Context(), toy.Vocab(), toolseq.BestParams(), 1, teacher, nil, 400)
		if err != nil {
			t.Fatal(err)
		}
		c := tr.Counts()
		if calls := c.Plausible + c.Implausible; time.Since(began) != time.Duration((calls+w-1)/w)*pause || most.Load() != w {
			t.Errorf("%d calls, %d at a time, took %v", calls, most.Load(), time.Since(began))
		}
	})
}

// unsure answers what breaks the rule of three in a row without the judge.
func unsure(seq []int) (toolseq.Verdict, bool) {
	v := toy.Judge(seq)
	return v, strings.Contains(v.Reason, "three times")
}

// What is certain costs no call, and takes no place among those in flight.
func TestCertainVerdictsAreFree(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		teacher := slow(8, 1)
		judge, calls := teacher.Judge, atomic.Int64{}
		teacher.Judge = func(ctx context.Context, seq []int) (toolseq.Verdict, error) {
			calls.Add(1)
			if _, certain := unsure(seq); certain {
				t.Errorf("the judge is asked about %v", seq)
			}
			return judge(ctx, seq)
		}
		teacher.Certain = unsure
		tr := trainWith(t, teacher, 400)
		c := tr.Counts()
		if c.Certain < 20 || int(calls.Load()) != len(tr.Judgements())-c.Certain {
			t.Errorf("%d calls, %+v", calls.Load(), c)
		}
		all := toolseq.Sure(toy.Judge)
		all.Certain = func(seq []int) (toolseq.Verdict, bool) { return toy.Judge(seq), true }
		all.InFlight = 32
		if got, want := trainWith(t, all, 400).Model(), train(t, toolseq.BestParams(), 1, 400).Model(); marshal(t, got) != marshal(t, want) {
			t.Error("with certain verdicts alone, those in flight matter")
		}
	})
}

// A training that its judge broke off goes on, here or from its state, to the end
// of one that nothing befell.
func TestBrokenOffWithVerdictsInFlight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		want := marshal(t, trainWith(t, slow(8, 1), 300))
		for _, fatal := range []int64{20, 40, 150} {
			teacher := slow(8, 3)
			judge, calls := teacher.Judge, atomic.Int64{}
			errGone := errors.New("gone")
			teacher.Judge = func(ctx context.Context, seq []int) (toolseq.Verdict, error) {
				if calls.Add(1) == fatal {
					return toolseq.Verdict{}, errGone
				}
				return judge(ctx, seq)
			}
			tr, err := toolseq.NewTrainer(toy.Vocab(), toolseq.BestParams(), 1, teacher)
			if err != nil {
				t.Fatal(err)
			}
			if err := tr.IngestSeeds(t.Context(), toy.Seeds()); err != nil {
				t.Fatal(err)
			}
			if err := tr.Run(t.Context(), 300); !errors.Is(err, errGone) || !strings.Contains(err.Error(), "attempt") {
				t.Fatalf("error is %v", err)
			}
			back, err := toolseq.ResumeTrainer([]byte(marshal(t, tr)), slow(8, 4))
			if err != nil {
				t.Fatal(err)
			}
			for name, again := range map[string]*toolseq.Trainer{"here": tr, "from its state": back} {
				if err := again.Run(t.Context(), 300); err != nil {
					t.Fatal(err)
				}
				if marshal(t, again) != want {
					t.Errorf("broken off at call %d and continued %s: another end", fatal, name)
				}
			}
		}
	})
}

// Learnt hears of every judgement in order, and may end the training.
func TestLearntIsTold(t *testing.T) {
	var heard []toolseq.Judgement
	errEnough := errors.New("enough")
	teacher := toolseq.Sure(toy.Judge)
	teacher.InFlight = 8
	teacher.Learnt = func(j toolseq.Judgement) error {
		if heard = append(heard, j); len(heard) == 100 {
			return errEnough
		}
		return nil
	}
	tr, err := toolseq.Train(t.Context(), toy.Vocab(), toolseq.BestParams(), 1, teacher, toy.Seeds(), 400)
	if !errors.Is(err, errEnough) || len(heard) != 100 {
		t.Fatalf("%d heard, error is %v", len(heard), err)
	}
	if fmt.Sprint(tr.Judgements()) != fmt.Sprint(heard) {
		t.Error("other judgements were told of")
	}
	if _, err := json.Marshal(tr); err != nil {
		t.Error(err)
	}
}
