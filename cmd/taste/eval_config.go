package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/spf13/pflag"

	"taste/llm/connect"
	"taste/pyjson"
	"taste/sim"
	"taste/trials"
)

// evalConfig is what `taste eval` makes: every agent with every user on every set
// of tasks. Files of a matrix spell its fields as the flags are spelt.
type evalConfig struct {
	Tasks       []taskSource `yaml:"tasks"`
	Agents      []partySpec  `yaml:"agents"`
	Users       []partySpec  `yaml:"users"`
	Trials      int          `yaml:"num_trials"`
	Seed        uint64       `yaml:"seed"`
	Steps       int          `yaml:"max_steps"`
	Errors      int          `yaml:"max_errors"`
	ErrorsInRow int          `yaml:"max_errors_in_row"`
	Timeout     float64      `yaml:"timeout"`
	Protocol    string       `yaml:"protocol"`
	Enforce     bool         `yaml:"enforce_communication_protocol"`
	Judge       string       `yaml:"nl_judge"`
	Models      string       `yaml:"models"` // file of models; "": none
	Replay      string       `yaml:"-"`      // directory or file of kept calls that answer; "": models do
	DryRun      bool         `yaml:"-"`      // nothing is played: what models would take is estimated
	Concurrency int          `yaml:"max_concurrency"`
	SaveTo      string       `yaml:"save_to"`
	Budget      budget       `yaml:"budget"`
}

// taskSource says where a set of tasks comes from.
type taskSource struct {
	Path      string   `yaml:"path"` // a run directory, a task file, or a set of the pack
	Pack      string   `yaml:"pack"`
	WorldSeed *uint64  `yaml:"world_seed"`
	Domain    string   `yaml:"domain"`
	Contract  string   `yaml:"contract"`
	Phrases   []string `yaml:"phrases"`
	Policy    string   `yaml:"policy"`          // name of one of the domain's; "": its first
	Split     *string  `yaml:"task_split_name"` // nil: base, where there is one
	IDs       []string `yaml:"task_ids"`
	Num       *int     `yaml:"num_tasks"` // nil: all
}

// partySpec names an agent or a user, with arguments.
type partySpec struct {
	Spec string         `yaml:"spec"`
	Args map[string]any `yaml:"args"`
}

// budget are the caps of a run; 0 is none, and can be given nowhere.
type budget struct {
	Simulations int     `yaml:"simulations"`
	ToolCalls   int     `yaml:"tool_calls"`
	Tokens      int64   `yaml:"tokens"`
	Dollars     float64 `yaml:"dollars"`
	Minutes     float64 `yaml:"minutes"`
}

// defaultSeed and the other defaults are τ²-bench's.
const (
	defaultSeed        = 300
	defaultConcurrency = 3
)

func defaultConfig() evalConfig {
	return evalConfig{Trials: 1, Seed: defaultSeed, Steps: 200, Errors: 10, Protocol: "compat", Concurrency: defaultConcurrency}
}

// evalFlags are those of `taste eval`.
type evalFlags struct {
	evalConfig
	source    taskSource
	worldSeed uint64
	num       int
	split     string
	agents    []string
	users     []string
	agentArgs string
	userArgs  string
	file      string
	machine   bool
	given     func(string) bool
}

func (f *evalFlags) add(fs *pflag.FlagSet) {
	f.evalConfig = defaultConfig()
	fs.StringArrayVar(&f.agents, "agent", nil, "who serves the customer; several times to compare")
	fs.StringArrayVar(&f.users, "user", []string{"rules"}, "who plays the customer; several times to compare")
	fs.StringVar(&f.agentArgs, "agent-args", "", "further arguments of the agent, a JSON object")
	fs.StringVar(&f.userArgs, "user-args", "", "further arguments of the user, a JSON object")
	fs.StringVar(&f.source.Pack, "pack", "", "folder of domain data that the tasks belong to")
	seedVar(fs, &f.worldSeed, "world-seed", "seed of the built-in world that the tasks belong to, where nothing beside them says so")
	fs.StringVar(&f.source.Domain, "domain", "", "domain of the tasks (default: that of their run, their pack or the tasks themselves)")
	fs.StringVar(&f.source.Contract, "contract", "", "contract file in the place of the domain's own")
	fs.StringSliceVar(&f.source.Phrases, "phrases", nil, "files of a phrase book in the place of the domain's own")
	fs.StringVar(&f.source.Policy, "policy", "", "policy of that name, of those that the domain has beside its first (workflow, for instance); solo/ agents get its form for them")
	fs.StringVar(&f.split, "task-split-name", "", "split of the tasks (default: base, where there are splits with that)")
	fs.StringSliceVar(&f.source.IDs, "task-ids", nil, "play these tasks alone")
	fs.IntVar(&f.num, "num-tasks", 0, "play the first N tasks alone")
	fs.IntVar(&f.Trials, "num-trials", f.Trials, "simulations of each task")
	f.addLimits(fs)
	fs.StringVar(&f.SaveTo, "save-to", "", "directory of the run, which takes up what is there (default: evals/DOMAIN-AGENT-USER-SEED)")
	fs.StringVar(&f.file, "config", "", "YAML file of a matrix, in the place of TASKS and the other flags")
	fs.BoolVar(&f.machine, "json", false, "print one JSON object a simulation and one a system")
	f.given = fs.Changed
}

func (f *evalFlags) addLimits(fs *pflag.FlagSet) {
	fs.IntVar(&f.Steps, "max-steps", f.Steps, "steps of a simulation: messages, and rounds of answers of tools")
	fs.IntVar(&f.Errors, "max-errors", f.Errors, "failed tool calls of a simulation, in all")
	fs.IntVar(&f.ErrorsInRow, "max-errors-in-row", 0, "failed tool calls without a success between; 0: no limit")
	fs.Float64Var(&f.Timeout, "timeout", 0, "seconds that a simulation may take; 0: no limit")
	fs.Uint64Var(&f.Seed, "seed", f.Seed, "seed that those of all simulations follow from")
	fs.IntVar(&f.Concurrency, "max-concurrency", f.Concurrency, "simulations under way at once")
	fs.BoolVar(&f.Enforce, "enforce-communication-protocol", false, "end a simulation whose agent or user writes text beside calls")
	fs.StringVar(&f.Protocol, "protocol", f.Protocol, "compat: text beside calls reaches nobody, as in τ²-bench; strict: it is delivered, and empty messages are the party's failure")
	fs.StringVar(&f.Judge, "nl-judge", "", "model that decides on assertions in words; none leaves what rests on them unscored (default none)")
	fs.StringVar(&f.Models, "models", "", "YAML file that says which models play, and how they are reached")
	fs.StringVar(&f.Replay, "replay", "", "answer from the calls kept in this directory alone, without a network")
	fs.BoolVar(&f.DryRun, "dry-run", false, "say what calls of models will take and cost, without making one")
	fs.IntVar(&f.Budget.Simulations, "max-simulations", 0, "stop at so many simulations in all (default no cap)")
	fs.IntVar(&f.Budget.ToolCalls, "max-tool-calls", 0, "begin no more after so many tool calls in all (default no cap)")
	fs.Float64Var(&f.Budget.Minutes, "max-minutes", 0, "stop after so many minutes, what is under way is lost (default no cap)")
	fs.Int64Var(&f.Budget.Tokens, "max-tokens", 0, "begin no more after so many tokens of models in all (default no cap)")
	fs.Float64Var(&f.Budget.Dollars, "max-dollars", 0, "begin no more after models have cost so much in all (default no cap)")
}

// besideConfig are flags that go with a file of a matrix.
var besideConfig = []string{"config", "json", "num-trials", "max-concurrency", "save-to", "replay", "dry-run", "cpuprofile", "memprofile"}

// config puts flags and files together, all but a file of models.
func (f *evalFlags) config(fs *pflag.FlagSet, args []string) (*evalConfig, error) {
	if f.file != "" {
		return f.fromFile(fs, args)
	}
	if err := f.caps(); err != nil {
		return nil, err
	}
	if len(args) == 0 {
		return nil, usage(errors.New("eval: no tasks"), "name a run directory, a task file or a set of --pack, or give a matrix with --config")
	}
	if len(f.agents) == 0 && f.Models == "" {
		return nil, usage(errNoAgent, "--agent SPEC names one: %s", strings.Join(agentSpecs(), ", "))
	}
	c := f.evalConfig
	agentArgs, err := jsonArgs("agent-args", f.agentArgs)
	if err != nil {
		return nil, err
	}
	userArgs, err := jsonArgs("user-args", f.userArgs)
	if err != nil {
		return nil, err
	}
	for _, a := range f.agents {
		c.Agents = append(c.Agents, partySpec{a, agentArgs})
	}
	if c.Models != "" && !f.given("user") {
		f.users = nil
	}
	for _, u := range f.users {
		c.Users = append(c.Users, partySpec{u, userArgs})
	}
	if f.given("world-seed") {
		f.source.WorldSeed = &f.worldSeed
	}
	if f.given("num-tasks") {
		f.source.Num = &f.num
	}
	if f.given("task-split-name") {
		f.source.Split = &f.split
	}
	for _, path := range args {
		s := f.source
		s.Path = path
		c.Tasks = append(c.Tasks, s)
	}
	return &c, nil
}

func (f *evalFlags) fromFile(fs *pflag.FlagSet, args []string) (*evalConfig, error) {
	var wrong []string
	fs.Visit(func(flag *pflag.Flag) {
		if !slices.Contains(besideConfig, flag.Name) {
			wrong = append(wrong, "--"+flag.Name)
		}
	})
	if len(args) > 0 {
		wrong = append(wrong, strings.Join(args, " "))
	}
	if len(wrong) > 0 {
		return nil, usage(fmt.Errorf("eval: %s beside --config, which says that itself", strings.Join(wrong, ", ")), "put it into the file, or leave --config out")
	}
	data, err := os.ReadFile(f.file)
	if err != nil {
		return nil, usage(err, "--config names a YAML file; docs/eval.md describes it")
	}
	c := defaultConfig()
	if err := yaml.NewDecoder(bytes.NewReader(data), yaml.Strict()).Decode(&c); err != nil {
		return nil, usage(fmt.Errorf("read %s: %w", f.file, err), "docs/eval.md describes files of a matrix")
	}
	c.Replay, c.DryRun = f.Replay, f.DryRun
	for _, over := range []struct {
		flag string
		set  func()
	}{
		{"num-trials", func() { c.Trials = f.Trials }},
		{"max-concurrency", func() { c.Concurrency = f.Concurrency }},
		{"save-to", func() { c.SaveTo = f.SaveTo }},
	} {
		if f.given(over.flag) {
			over.set()
		}
	}
	return &c, nil
}

// jsonArgs reads an object of arguments.
func jsonArgs(flag, text string) (map[string]any, error) {
	if text == "" {
		return nil, nil
	}
	o, err := pyjson.DecodeObject([]byte(text))
	if err != nil {
		return nil, usage(fmt.Errorf("--%s: %w", flag, err), `give a JSON object: --%s '{"temperature": 0.0}'`, flag)
	}
	return pyjson.PlainMap(o), nil
}

// UnmarshalYAML holds a budget to what caps are.
func (b *budget) UnmarshalYAML(read func(any) error) error {
	type plain budget
	if err := read((*plain)(b)); err != nil {
		return err
	}
	return connect.CheckCaps(read, "simulations", "tool_calls", "tokens")
}

// caps holds the flags of the budget to what caps are.
func (f *evalFlags) caps() error {
	for _, c := range []struct {
		flag  string
		value float64
	}{
		{"max-simulations", float64(f.Budget.Simulations)},
		{"max-tool-calls", float64(f.Budget.ToolCalls)},
		{"max-minutes", f.Budget.Minutes},
		{"max-tokens", float64(f.Budget.Tokens)},
		{"max-dollars", f.Budget.Dollars},
	} {
		if !f.given(c.flag) {
			continue
		}
		if err := connect.CheckCap("--"+c.flag, c.value); err != nil {
			return usage(fmt.Errorf("eval: %w", err), "docs/eval.md tells what caps do")
		}
	}
	return nil
}

// UnmarshalYAML reads a party: its specification alone, or an object.
func (p *partySpec) UnmarshalYAML(read func(any) error) error {
	if read(&p.Spec) == nil {
		return nil
	}
	type plain partySpec
	return read((*plain)(p))
}

// UnmarshalYAML reads a set of tasks: its path alone, or an object.
func (t *taskSource) UnmarshalYAML(read func(any) error) error {
	if read(&t.Path) == nil {
		return nil
	}
	type plain taskSource
	return read((*plain)(t))
}

// longest is as many seconds as a limit of time may have, some thirty years.
const longest = 1_000_000_000

// check refuses numbers out of range before anything is read.
func (c *evalConfig) check() error {
	const advice = "`taste eval --help` lists the flags, docs/eval.md the keys of a file"
	for _, n := range []struct {
		name        string
		value       int
		least, most int
	}{
		{"num-trials", c.Trials, 1, 1000},
		{"max-steps", c.Steps, 1, 1_000_000},
		{"max-errors", c.Errors, 1, 1_000_000},
		{"max-errors-in-row", c.ErrorsInRow, 0, 1_000_000},
		{"max-concurrency", c.Concurrency, 1, 100_000},
	} {
		if n.value < n.least || n.value > n.most {
			return usage(fmt.Errorf("eval: %s %d: want %d to %d", n.name, n.value, n.least, n.most), advice)
		}
	}
	switch {
	case len(c.Tasks) == 0 || len(c.Agents) == 0:
		return usage(errors.New("eval: a matrix needs tasks and agents"), advice)
	case c.Seed > maxSeed:
		return usage(fmt.Errorf("eval: seed %d: want 0 to %d", c.Seed, uint64(maxSeed)), advice)
	case !(c.Timeout >= 0 && c.Timeout <= longest): // as NaN is not
		return usage(fmt.Errorf("eval: timeout %v: want seconds, 0 to %d", c.Timeout, longest), "leave it out for no limit")
	case c.Budget.Minutes > longest/60:
		return usage(fmt.Errorf("eval: a cap of %v minutes: want %d at most", c.Budget.Minutes, longest/60), "leave it out for no cap")
	case c.Protocol != "compat" && c.Protocol != "strict":
		return usage(fmt.Errorf("eval: protocol %q", c.Protocol), "want compat or strict")
	}
	return nil
}

// settings are what outcomes depend on.
func (c *evalConfig) settings() trials.Settings {
	return trials.Settings{
		Program: version, Trials: c.Trials, Seed: c.Seed, Compat: c.Protocol == "compat", Enforce: c.Enforce, Judge: c.Judge,
		Limits: sim.Limits{Steps: c.Steps, Errors: c.Errors, ErrorsInRow: c.ErrorsInRow, Time: seconds(c.Timeout)},
	}
}

func (b *budget) caps() trials.Budget {
	return trials.Budget{Simulations: b.Simulations, ToolCalls: b.ToolCalls, Tokens: b.Tokens, Dollars: b.Dollars, Time: seconds(b.Minutes * 60)}
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
