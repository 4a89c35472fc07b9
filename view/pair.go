package view

import (
	"fmt"

	"taste/results"
)

// Pair shows the same trial of two runs from where they part.
func (p *Page) Pair(names [2]string, runs [2]*results.Results, pair *results.TrialPair) {
	p.rule(fmt.Sprintf("task %s, trial %d: first %s, second %s", pair.Task, pair.Trial, reward(pair.First), reward(pair.Second)))
	if t := runs[0].Task(pair.Task); t != nil {
		p.Task(t)
	}
	if pair.Same > 0 {
		p.line(fmt.Sprintf("the first %s are the same", plural(pair.Same, "message")), faint)
	}
	for i, which := range []string{"first", "second"} {
		s := pair.Of[i]
		p.blank()
		p.line(fmt.Sprintf("%s: %s", which, safe(names[i])), bold)
		p.messages(s.Messages, pair.Same)
		p.ending(&runs[i].Info, s)
		p.recorded(&results.Scored{Simulation: s, Recorded: s.Reward()})
	}
	p.blank()
}
