package trials

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"taste/pyjson"
	"taste/results"
	"taste/tau"
)

// ReadPlan reads the plan of a directory. An error wraps fs.ErrNotExist where there
// is none.
func ReadPlan(dir string) (*Plan, error) {
	data, err := os.ReadFile(filepath.Join(dir, PlanFile))
	if err != nil {
		return nil, fmt.Errorf("read plan: %w", err)
	}
	var p Plan
	if err := json.Unmarshal(data, &p); err != nil {
		return nil, fmt.Errorf("read plan %s: %w", filepath.Join(dir, PlanFile), err)
	}
	return &p, nil
}

// Peek reads the simulations that a directory's journal has so far, in the order
// in which they ended, without holding the directory: an evaluation may be under
// way there. Of a simulation that was made again the last counts. The tasks have
// ids alone.
func Peek(dir string) (*results.Results, error) {
	p, err := ReadPlan(dir)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, JournalFile)
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read journal: %w", err)
	}
	r := &results.Results{Info: results.Info{
		GitCommit: p.Program, NumTrials: p.Trials, MaxSteps: p.Steps, MaxErrors: p.Errors, DomainName: p.Domain.Name,
		Agent: p.Agent.recorded(), User: p.User.recorded(),
	}}
	place := map[string]int{} // of simulations by id
	lines := bytes.Split(data, []byte("\n"))
	for n, line := range lines[:len(lines)-1] { // what follows the last end of a line is being written
		s, err := readLine(line)
		if err != nil {
			return nil, fmt.Errorf("read journal %s: line %d: %w", path, n+1, err)
		}
		if at, again := place[s.ID]; again {
			r.Simulations[at] = s
			continue
		}
		place[s.ID] = len(r.Simulations)
		r.Simulations = append(r.Simulations, s)
		if r.Task(s.TaskID) == nil {
			r.Tasks = append(r.Tasks, tau.Task{ID: s.TaskID})
		}
	}
	return r, nil
}

func (p *Party) recorded() results.Party {
	return results.Party{Implementation: p.Implementation, LLM: p.LLM, LLMArgs: p.LLMArgs}
}

func readLine(line []byte) (results.Simulation, error) {
	v, err := pyjson.Decode(line)
	if err != nil {
		return results.Simulation{}, err
	}
	return results.ReadSimulation(v, "")
}
