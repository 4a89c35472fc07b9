package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/spf13/pflag"

	"taste/llm/connect"
	"taste/prompts"
	"taste/run"
)

// makingRoles are the roles of a generation.
var makingRoles = []string{"judge", "author", "reviewer", "verifier", "user", "evolver"}

// castFlags say who plays the roles of a generation.
type castFlags struct {
	modelFlags
	players map[string]*string // by role
	judges  []string
	audit   float64
}

const defaultAudit = .1

func (f *castFlags) add(fs *pflag.FlagSet) {
	f.modelFlags.add(fs)
	f.players = map[string]*string{}
	for role, what := range map[string]string{
		"judge": "which tool sequences are plausible; rules+MODEL has rules settle what is certain", "author": "what the tasks are", "reviewer": "whether a competent agent can solve a task",
		"verifier": "the agent that tries a task with hints", "user": "its customer", "evolver": "what makes tasks hard",
	} {
		f.players[role] = fs.String(role, "", "who says or plays "+what+": rules or MODEL")
	}
	fs.StringSliceVar(&f.judges, "judges", nil, "several MODELs, or rules, that review tasks together, in the place of --reviewer")
	fs.Float64Var(&f.audit, "audit", defaultAudit, "with --judge rules+MODEL: share of the certain cases about which the model is asked all the same")
}

// modelFlags say how models are reached, and which one plays where nothing else
// is said.
type modelFlags struct {
	file   string
	llm    string
	budget float64
	replay string
	given  func(flag string) bool
}

// ownCalls is --replay without a value.
const ownCalls = "."

func (f *modelFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.file, "models", "", "YAML file that says which models play what and how they are reached, see docs/llm.md")
	fs.StringVar(&f.llm, "llm", "", "MODEL that plays every role for which no other is given, as openai/NAME, anthropic/NAME, google/NAME or http://HOST/v1#NAME")
	fs.Float64Var(&f.budget, "budget", 0, "dollars that calls of models may cost in all (default no cap)")
	fs.StringVar(&f.replay, "replay", "", "make no call: take all answers from the calls that a run kept, this one or --replay=RUN")
	fs.Lookup("replay").NoOptDefVal = ownCalls
	f.given = fs.Changed
}

// config puts the file and the flags together, these before that.
func (f *modelFlags) config() (*connect.Config, error) {
	c, err := readModels(f.file)
	if err != nil {
		return nil, err
	}
	if f.llm != "" {
		c.LLM = f.llm
	}
	if f.given("budget") {
		if err := connect.CheckCap("--budget", f.budget); err != nil {
			return nil, usage(err, "--budget 20 stops before the call that could take more")
		}
		c.Budget.Dollars = f.budget
	}
	return c, usage(c.Check(), "`--help` lists the flags, docs/llm.md describes --models")
}

// flags names one of these flags that was given, "" if none was.
func (f *castFlags) flags() string {
	for _, name := range slices.Concat(makingRoles, []string{"models", "llm", "budget", "replay", "judges", "audit"}) {
		if f.given(name) {
			return name
		}
	}
	return ""
}

// cast puts file and flags together, for a run that was made with there, where
// they do not say otherwise; nil there: rules play what is not given.
func (f *castFlags) cast(there *run.Cast) (*cast, error) {
	c, err := f.config()
	if err != nil {
		return nil, err
	}
	for role, flag := range f.players {
		if *flag != "" {
			*player(c, role) = *flag
		}
	}
	if f.given("judges") {
		c.Judges = f.judges
	}
	out := &cast{config: c, audit: f.audit}
	if there != nil {
		if err := out.take(there, f.given("audit")); err != nil {
			return nil, err
		}
	}
	return out, out.check()
}

// player is where a configuration has the player of a role.
func player(c *connect.Config, role string) *string {
	return map[string]*string{
		"judge": &c.Judge, "author": &c.Author, "reviewer": &c.Reviewer, "verifier": &c.Verifier, "user": &c.User, "evolver": &c.Evolver,
		"agent": &c.Agent, "nl_judge": &c.NLJudge,
	}[role]
}

// cast is who plays the roles of a generation.
type cast struct {
	config  *connect.Config
	audit   float64
	players map[string]connect.Player // by role
}

// take completes a cast by what a run was made with.
func (c *cast) take(there *run.Cast, audit bool) error {
	for _, role := range makingRoles {
		if c.config.Player(role) == "" {
			*player(c.config, role) = there.Player(role)
		}
	}
	if c.config.Judges == nil {
		c.config.Judges = there.Judges
	}
	if !audit {
		c.audit = there.Audit
	}
	if c.config.Roles != nil || !isZero(c.config.Options) {
		return nil
	}
	data, err := yaml.Marshal(there.Options)
	if err == nil {
		err = yaml.Unmarshal(data, &c.config.Roles)
	}
	return err
}

func isZero(o connect.Options) bool {
	return o.Temperature == nil && o.TopP == nil && o.MaxTokens == nil && o.Effort == "" && len(o.Extra) == 0
}

// check reads who plays what, and refuses players who do not understand each
// other.
func (c *cast) check() error {
	c.players = map[string]connect.Player{}
	for _, role := range makingRoles {
		p := connect.Player{Rules: true}
		if spec := c.config.Player(role); spec != "" {
			var err error
			if p, err = connect.ParsePlayer(spec); err != nil {
				return advised(fmt.Errorf("%s: %w", role, err), "`--help` shows who can play it")
			}
		}
		if p.Rules && p.Model != "" && role != "judge" {
			return usage(fmt.Errorf("%s: rules+%s: only a judge can be both", role, p.Model), "give rules or the model")
		}
		c.players[role] = p
	}
	if c.audit < 0 || c.audit > 1 {
		return usage(fmt.Errorf("--audit %v: want a share, 0 to 1", c.audit), "0.1 asks about one in ten of the certain cases")
	}
	return errors.Join(c.checkJudges(), c.checkPairs())
}

func (c *cast) checkJudges() error {
	if len(c.config.Judges) == 0 {
		return nil
	}
	if c.config.Reviewer != "" && c.config.Reviewer != run.Rules {
		return usage(errors.New("--judges review in the place of --reviewer"), "give one of the two")
	}
	for i, spec := range c.config.Judges {
		if slices.Contains(c.config.Judges[:i], spec) {
			return usage(fmt.Errorf("--judges: %s stands there twice", spec), "who judges twice agrees with itself")
		}
		if p, err := connect.ParsePlayer(spec); err != nil || p.Rules && p.Model != "" {
			return usage(errors.Join(fmt.Errorf("--judges: %s", spec), err), "name models, or rules")
		}
	}
	if len(c.config.Judges) < 2 {
		return usage(errors.New("--judges: one judge is no committee"), "name several, or give --reviewer")
	}
	return nil
}

// checkPairs refuses what cannot work: rules understand the phrase book's words,
// not those of a model.
func (c *cast) checkPairs() error {
	model := func(role string) bool { return c.players[role].Model != "" }
	for _, writer := range []string{"author", "evolver", "user"} {
		if !model(writer) {
			continue
		}
		for _, reader := range []string{"verifier", "user"} {
			if !model(reader) {
				return usage(fmt.Errorf("--%s %s with --%s rules: rules do not understand what a model writes", writer, c.players[writer].Model, reader),
					"give --%s a model too, or --llm, which plays every role that is not given", reader)
			}
		}
	}
	return nil
}

// used tells whether any role is played by a model.
func (c *cast) used() bool {
	for _, p := range c.players {
		if p.Model != "" {
			return true
		}
	}
	return slices.ContainsFunc(c.config.Judges, func(spec string) bool { return spec != run.Rules })
}

// writes tells whether a model writes tasks, which rules then cannot play.
func (c *cast) writes() bool {
	return c.players["author"].Model != "" || c.players["evolver"].Model != ""
}

// describe is what the manifest says of the cast; nil where rules play all.
func (c *cast) describe() *run.Cast {
	if !c.used() {
		return nil
	}
	out := &run.Cast{Roles: map[string]string{}, Judges: c.config.Judges, Options: map[string]map[string]any{}, Prompts: map[string]string{}}
	for role, p := range c.players {
		out.Roles[role] = run.Rules
		switch {
		case role == "reviewer" && len(c.config.Judges) > 0:
			delete(out.Roles, role)
			c.note(out, role)
		case p.Model != "":
			out.Roles[role] = c.config.Player(role)
			c.note(out, role)
		}
	}
	if p := c.players["judge"]; p.Rules && p.Model != "" {
		out.Audit = c.audit
	}
	return out
}

// note records what a model is asked with in a role.
func (c *cast) note(out *run.Cast, role string) {
	if asks := c.config.Asks(role); len(asks) > 0 {
		out.Options[role] = asks
	}
	for _, p := range prompts.Builtin().Newest() {
		if p.Name == role || strings.HasPrefix(p.Name, role+"-") {
			out.Prompts[p.ID()] = p.Sum
		}
	}
}
