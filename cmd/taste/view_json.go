package main

import (
	"taste/chat"
	"taste/results"
	"taste/view"
)

// viewLine is what machines read of a simulation.
type viewLine struct {
	Event       string          `json:"event"`
	File        string          `json:"file"`
	Agent       string          `json:"agent"`
	User        string          `json:"user"`
	ID          string          `json:"id"`
	Task        string          `json:"task"`
	Trial       *int            `json:"trial"`
	Termination string          `json:"termination"`
	Turns       int             `json:"turns"`
	Calls       int             `json:"calls"`
	Recorded    *float64        `json:"recorded"`
	Score       *simulationLine `json:"score,omitempty"` // of today
	Messages    []chat.Message  `json:"messages,omitempty"`
}

func (a *app) viewLines(f *viewFlags, v *viewable, scored []results.Scored) error {
	file, info := &scoredFile{path: v.path}, &v.results.Info
	for i := range scored {
		s := &scored[i]
		sim := s.Simulation
		l := viewLine{
			Event: "simulation", File: v.path, Agent: info.AgentName(), User: info.User.Name(), ID: sim.ID, Task: sim.TaskID, Trial: sim.Trial,
			Termination: sim.Termination, Recorded: s.Recorded,
		}
		l.Turns, l.Calls = view.Count(sim.Messages)
		if s.Score != nil {
			score := file.line(s)
			l.Score = &score
		}
		if f.selects() && !f.list {
			l.Messages = sim.Messages
		}
		if err := printLine(a.out, l); err != nil {
			return err
		}
	}
	return nil
}
