package main

import (
	"io"

	"taste/eval"
	"taste/results"
	"taste/tau"
)

// simulationLine is what machines read of one simulation.
type simulationLine struct {
	Event       string      `json:"event"`
	File        string      `json:"file"`
	ID          string      `json:"id"`
	Task        string      `json:"task"`
	Trial       *int        `json:"trial"`
	Termination string      `json:"termination"`
	Recorded    *float64    `json:"recorded"`
	Compat      compatLine  `json:"compat"`
	Strict      strictLine  `json:"strict"`
	Checks      []checkLine `json:"checks"`
	Differs     []string    `json:"differs"`
	Changed     []string    `json:"changed"`
	Drift       []string    `json:"drift"`
}

type compatLine struct {
	Reward   *float64 `json:"reward"`
	Unscored string   `json:"unscored,omitempty"` // why there is no reward
}

type strictLine struct {
	Reward *float64 `json:"reward"`
	Reason string   `json:"reason,omitempty"`
	Detail string   `json:"detail,omitempty"`
	Goal   string   `json:"goal,omitempty"`
}

type checkLine struct {
	Kind     tau.RewardType `json:"kind"`
	InBasis  bool           `json:"in_basis"`
	Compat   *float64       `json:"compat"`
	Strict   eval.Status    `json:"strict"`
	Evidence []string       `json:"evidence"`
	Why      string         `json:"why,omitempty"`
}

// resultLine is what machines read of one file.
type resultLine struct {
	Event string    `json:"event"`
	File  string    `json:"file"`
	Same  bool      `json:"same"` // everything is as recorded
	Drift driftLine `json:"drift"`
	*results.Summary
}

type driftLine struct {
	TaskSet string     `json:"task_set"`
	Policy  bool       `json:"policy"`
	Tasks   []taskLine `json:"tasks"`
	Unknown []string   `json:"unknown"`
}

type taskLine struct {
	Task   string   `json:"task"`
	Fields []string `json:"fields"`
}

func (x *scoredFile) json(out io.Writer) error {
	for i := range x.scored {
		if err := printLine(out, x.line(&x.scored[i])); err != nil {
			return err
		}
	}
	d := driftLine{x.drift.TaskSet, x.drift.Policy, []taskLine{}, orNone(x.drift.Unknown)}
	for _, t := range x.drift.Tasks {
		d.Tasks = append(d.Tasks, taskLine(t))
	}
	return printLine(out, resultLine{"result", x.path, x.same(), d, x.Summary})
}

func (x *scoredFile) line(s *results.Scored) simulationLine {
	l := simulationLine{
		Event: "simulation", File: x.path, ID: s.Simulation.ID, Task: s.Simulation.TaskID, Trial: s.Simulation.Trial, Termination: s.Simulation.Termination,
		Recorded: s.Recorded, Strict: strictLine{s.Score.Strict, s.Score.Reason, s.Score.Detail, s.Score.Goal}, Checks: []checkLine{},
		Differs: orNone(s.Score.Differs), Changed: orNone(s.Changed), Drift: orNone(s.Score.Drift),
	}
	if r, ok := s.Score.CompatReward(); ok {
		l.Compat.Reward = &r
	} else {
		l.Compat.Unscored = s.Score.CompatOpen()
	}
	for _, c := range s.Score.Checks {
		l.Checks = append(l.Checks, checkLine{c.Kind, c.InBasis, c.Compat, c.Strict, orNone(c.Evidence), c.Why})
	}
	return l
}

// orNone makes a missing list an empty one.
func orNone(l []string) []string {
	if l == nil {
		return []string{}
	}
	return l
}
