package view

import (
	"fmt"

	"taste/results"
)

// List shows simulations, one a line, with the rewards of today, or the recorded
// ones.
func (p *Page) List(title string, r *results.Results, scored []results.Scored) {
	p.block("", plain, fmt.Sprintf("%s: %s, agent %s, user %s: %s of %s", title, r.Info.DomainName, r.Info.AgentName(), r.Info.User.Name(),
		plural(len(r.Simulations), "simulation"), plural(len(r.Tasks), "task")), bold, 0)
	p.blank()
	today := len(scored) > 0 && scored[0].Score != nil
	head := "trial\trecorded\tended\tturns\tcalls\ttask" // tasks last: their ids may be long
	if today {
		head = "trial\tcompat\tstrict\tended\tturns\tcalls\ttask"
	}
	p.table(head, len(scored), func(i int) (string, ink) {
		s := &scored[i]
		rewards, of := reward(s.Recorded), inkOf(s.Recorded)
		if today {
			rewards, of = compatReward(s.Score)+"\t"+reward(s.Score.Strict), inkOf(s.Score.Strict)
		}
		turns, calls := Count(s.Simulation.Messages)
		return fmt.Sprintf("%s\t%s\t%s\t%d\t%d\t%s", Trial(s.Simulation), rewards, safe(s.Simulation.Termination), turns, calls, safe(s.Simulation.TaskID)), of
	}, nil)
	p.blank()
}
