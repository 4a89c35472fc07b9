package results

import (
	"errors"
	"fmt"

	"taste/chat"
	"taste/pyjson"
	"taste/tau"
)

// Error says what is wrong with a results file and where.
type Error struct {
	File string
	Path string // of the field; "" if the file itself is broken
	Err  error
}

func (e *Error) Error() string {
	if e.Path == "" {
		return e.File + ": " + e.Err.Error()
	}
	return e.File + ": " + e.Path + ": " + e.Err.Error()
}

func (e *Error) Unwrap() error { return e.Err }

// fault turns an error of a reader into one that names the file.
func fault(file string, err error) error {
	var f *chat.FieldError
	if errors.As(err, &f) {
		return &Error{file, f.Path, errors.New(f.Msg)}
	}
	return &Error{file, "", err}
}

// Parse reads the content of a results file of the one-file layout; name stands
// in errors, which are *Error.
func Parse(name string, data []byte) (*Results, error) {
	o, err := pyjson.DecodeObject(pyjson.CutBOM(data))
	if err != nil {
		return nil, &Error{name, "", fmt.Errorf("read JSON: %w", err)}
	}
	return read(name, o)
}

func read(name string, o *pyjson.Object) (*Results, error) {
	r := chat.NewReader(o, "")
	out := &Results{Timestamp: r.OptString("timestamp"), raw: o}
	out.Info = readInfo(r)
	r.NeedList("tasks")
	out.Tasks = chat.ReadList(r, "tasks", readTask)
	out.Simulations = chat.ReadList(r, "simulations", ReadSimulation)
	if err := r.Err(); err != nil {
		return nil, fault(name, err)
	}
	return out, out.check(name)
}

// check holds what belongs together: every simulation is of a task that is
// there, and ids of tasks are unique.
func (r *Results) check(name string) error {
	known := make(map[string]bool, len(r.Tasks))
	for i := range r.Tasks {
		if id := r.Tasks[i].ID; known[id] {
			return &Error{name, fmt.Sprintf("tasks[%d].id", i), fmt.Errorf("task %s occurs twice", id)}
		}
		known[r.Tasks[i].ID] = true
	}
	for i := range r.Simulations {
		if id := r.Simulations[i].TaskID; !known[id] {
			return &Error{name, fmt.Sprintf("simulations[%d].task_id", i), fmt.Errorf("there is no task %s", id)}
		}
	}
	return nil
}

func readTask(v any, path string) (tau.Task, error) {
	t, err := tau.ReadTask(v)
	return t, below(path, err)
}

// below puts a path before that of an error.
func below(path string, err error) error {
	var f *chat.FieldError
	if errors.As(err, &f) {
		return &chat.FieldError{Path: chat.Join(path, f.Path), Msg: f.Msg}
	}
	return err
}

func readInfo(parent *chat.Reader) Info {
	r := chat.NewReader(orEmpty(parent.NeedObject("info")), "info")
	i := Info{
		GitCommit: r.StringOr("git_commit", ""), NumTrials: r.Int("num_trials"), MaxSteps: r.Int("max_steps"), MaxErrors: r.Int("max_errors"),
		User: readParty(r, "user_info"), Agent: readParty(r, "agent_info"), Seed: r.OptInt("seed"), raw: r.Obj,
	}
	e := chat.NewReader(orEmpty(r.NeedObject("environment_info")), r.At("environment_info"))
	i.DomainName, i.Policy, i.environment = e.String("domain_name"), e.StringOr("policy", ""), e.Obj
	parent.Adopt(r.Err())
	parent.Adopt(e.Err())
	return i
}

func readParty(parent *chat.Reader, key string) Party {
	r := chat.NewReader(orEmpty(parent.NeedObject(key)), parent.At(key))
	p := Party{
		Implementation: r.String("implementation"), LLM: r.OptString("llm"), LLMArgs: r.Object("llm_args"),
		Guidelines: r.OptString("global_simulation_guidelines"), raw: r.Obj,
	}
	parent.Adopt(r.Err())
	return p
}

// ReadSimulation reads a simulation from its JSON value standing at path.
func ReadSimulation(v any, path string) (Simulation, error) {
	r := chat.NewReader(v, path)
	s := Simulation{
		ID: r.String("id"), TaskID: r.String("task_id"), Timestamp: r.OptString("timestamp"),
		StartTime: r.String("start_time"), EndTime: r.String("end_time"), Termination: r.String("termination_reason"),
		AgentCost: r.OptFloat("agent_cost"), UserCost: r.OptFloat("user_cost"), RewardInfo: r.Object("reward_info"),
		Messages: chat.ReadList(r, "messages", chat.ReadMessage), Trial: r.OptInt("trial"), Seed: r.OptInt("seed"),
		Mode: r.StringOr("mode", HalfDuplex), Info: r.Object("info"), raw: r.Obj,
	}
	if d := r.OptFloat("duration"); d != nil {
		s.Duration = *d
	}
	if s.RewardInfo != nil {
		i := chat.NewReader(s.RewardInfo, r.At("reward_info"))
		i.OptFloat("reward")
		r.Adopt(i.Err())
	}
	return s, r.Err()
}
