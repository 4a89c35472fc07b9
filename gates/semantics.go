package gates

import (
	"strings"

	"taste/eval"
)

// semantics fails a task whose target rests on a known fault of the reference's
// tools: whoever corrects the fault would score it otherwise.
func (w *walk) semantics() {
	if w.g.strict == w.g.domain {
		return
	}
	strict, err := eval.NewTarget(w.g.strict, w.task)
	if err != nil {
		w.fail(Semantics, "under strict semantics: %v", err)
		return
	}
	if !w.databaseCounts() {
		if r, err := w.rewardBy(strict, w.goldSteps(), made(strict.Start(), w.goldWrites()), w.answers()); err != nil || !earned(r) {
			w.fail(Semantics, "under strict semantics gold earns %v %s", r, orNone(err))
		}
		return
	}
	if gold := strict.Gold(); !w.target.Reached(gold) {
		w.fail(Semantics, "gold ends in another state under strict semantics: %s", strings.Join(w.target.Diff(gold), "; "))
	}
}
