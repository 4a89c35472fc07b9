package models

import (
	"maps"
	"math/rand/v2"
	"slices"

	"taste/rules"
	"taste/tau"
)

// hintsOf shuffles the gold calls and takes ⌈0.3·n⌉ of the n arguments of each
// away, at random. The user's calls are among them.
func hintsOf(t *tau.Task, draw *rand.Rand) []callDoc {
	if t.EvaluationCriteria == nil {
		return nil
	}
	var out []callDoc
	for i := range t.EvaluationCriteria.Actions {
		a := t.EvaluationCriteria.Actions[i]
		names := slices.Sorted(maps.Keys(a.Arguments))
		draw.Shuffle(len(names), func(i, k int) { names[i], names[k] = names[k], names[i] })
		a.Arguments = maps.Clone(a.Arguments)
		for _, name := range names[:rules.Hidden(len(names))] {
			delete(a.Arguments, name)
		}
		out = append(out, docOf(&a))
	}
	draw.Shuffle(len(out), func(i, k int) { out[i], out[k] = out[k], out[i] })
	return out
}
