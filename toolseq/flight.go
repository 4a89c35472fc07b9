package toolseq

import (
	"context"
	"sync"
)

// Verdicts may take long, so a training asks for several side by side. It draws
// an attempt as soon as fewer than [Teacher].InFlight verdicts of the judge are
// under way, from a model that has learnt, in order, of all attempts before the
// first of these. Which attempts those are follows from the verdicts alone: the
// result does not depend on which answer comes first.

// pending is a sequence that was drawn and whose verdict was not learnt yet.
type pending struct {
	Judgement
	answer chan reply // holds the one answer
}

type reply struct {
	verdict Verdict
	err     error
}

// behind is how many verdicts may be under way when an attempt is drawn.
func (t *Trainer) behind() int { return max(t.teacher.InFlight, 1) - 1 }

// wait puts a sequence into the queue. What is certain has its verdict at once.
func (t *Trainer) wait(p *pending) {
	if t.teacher.Certain != nil {
		p.Verdict, p.Certain = t.teacher.Certain(p.Seq)
	}
	if !p.Certain {
		t.asked++
	}
	t.seen[key(p.Seq)] = true
	t.pending = append(t.pending, p)
}

// flight calls work with a function that asks about a sequence. At its end no
// call of the judge is left.
func (t *Trainer) flight(ctx context.Context, work func(ask func(*pending)) error) error {
	ctx, cancel := context.WithCancel(ctx)
	var calls sync.WaitGroup
	defer calls.Wait()
	defer cancel()
	launch := func(p *pending) {
		if p.Certain {
			return
		}
		p.answer = make(chan reply, 1)
		calls.Go(func() {
			v, err := t.teacher.Judge(ctx, p.Seq)
			p.answer <- reply{v, err}
		})
	}
	for _, p := range t.pending {
		launch(p)
	}
	return work(func(p *pending) {
		t.wait(p)
		launch(p)
	})
}

// land learns from the first of the queue until the judge is asked about no more
// than the given number of sequences, and no certain verdict is first.
func (t *Trainer) land(most int) error {
	for len(t.pending) > 0 && (t.pending[0].Certain || t.asked > most) {
		p := t.pending[0]
		if !p.Certain {
			a := <-p.answer
			if a.err != nil {
				return a.err
			}
			p.Verdict = a.verdict
			t.asked--
		}
		t.pending = t.pending[1:]
		if err := t.learn(p.Judgement); err != nil {
			return err
		}
	}
	return nil
}
