package players

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"taste/internal/hint"
	"taste/phrase"
	"taste/results"
	"taste/rules"
	"taste/sim"
	"taste/tau"
)

// flawedPrefix stands before a technique in the specification of the agent
// that lacks its skill.
const flawedPrefix = "flawed/"

// AgentSpecs lists what ParseAgent understands, for people.
func AgentSpecs() []string {
	return append(rules.AgentNames(), flawedPrefix+"TECHNIQUE", modelSpec, "gold", "human", "http://…", goldPrefix+modelSpec, goldPrefix+"human", goldPrefix+"http://…", soloPrefix+"AGENT")
}

// UserSpecs lists what ParseUser understands, for people.
func UserSpecs() []string { return []string{modelSpec, "rules", "human", "dummy", "http://…"} }

// OwnWords tells whether an agent that serves a user speaks as it likes, and not in the
// phrase book's sentences, which are all that the rules user understands.
func OwnWords(spec string) bool {
	spec = strings.TrimPrefix(spec, goldPrefix)
	return isModel(spec) || isURL(spec) || spec == "human"
}

// ParseAgent makes the agents that a specification stands for: one of
// AgentSpecs. args are further arguments of theirs, by name: only models and remote
// ones take any.
//
//   - A name of rules.AgentNames, or flawed/ and the technique whose skill the
//     agent lacks: a reference agent.
//   - PROVIDER/MODEL, or http://HOST/v1#MODEL: a language model.
//   - gold: goes through the gold actions and asks the user for the user's.
//   - human: somebody at the terminal. http://… and https://…: a program there.
//   - gold/ before a model or either of these: it is told the gold actions.
//   - solo/ before any but flawed/ ones: it works on the task's ticket, without a
//     user; reference agents on tickets in the phrase book's words.
func ParseAgent(spec string, args map[string]any, d Deps) (Agents, error) {
	a, err := parseAgent(spec, args, d)
	if err != nil {
		return nil, err
	}
	return a, nil
}

func parseAgent(spec string, args map[string]any, d Deps) (*agents, error) {
	switch {
	case isModel(spec):
		return modelAgents(spec, args, d)
	case isURL(spec):
		return remoteAgents(spec, args, d)
	}
	inner, isGold := strings.CutPrefix(spec, goldPrefix)
	alone, isSolo := strings.CutPrefix(spec, soloPrefix)
	switch {
	case spec == "gold":
		return &agents{info: named(spec), make: withUser(d.Book), fits: hasGold}, noArgs("agent", spec, args)
	case spec == "human":
		return humanAgents(args, d)
	case isGold && (inner == "human" || isURL(inner) || isModel(inner)):
		a, err := parseAgent(inner, args, d)
		if err != nil {
			return nil, err
		}
		return toldGold(a), nil
	case isSolo:
		return parseSolo(alone, args, d)
	}
	return referenceAgents(spec, args, d)
}

// parseSolo makes agents that work without a user.
func parseSolo(spec string, args map[string]any, d Deps) (*agents, error) {
	if spec == "gold" || spec == "oracle" {
		a := &agents{info: named(spec), make: groundTruth(true), fits: hasGold}
		return soloAgents(a, d.Domain), noArgs("agent", soloPrefix+spec, args)
	}
	if spec != "noop" && slices.Contains(rules.AgentNames(), spec) {
		a, err := referenceAgents(spec, args, d)
		if err != nil {
			return nil, err
		}
		return soloAgents(onTickets(a, d.Book), d.Domain), nil
	}
	base := strings.TrimPrefix(spec, goldPrefix)
	if base != "noop" && base != "human" && !isURL(base) && !isModel(base) {
		return nil, hint.Add(fmt.Errorf("make agent: %q cannot work without a user", spec), "these can: gold, %s, human, %s, http://…", strings.Join(rules.AgentNames(), ", "), modelSpec)
	}
	a, err := parseAgent(spec, args, d)
	if err != nil {
		return nil, err
	}
	return soloAgents(a, d.Domain), nil
}

// onTickets makes reference agents work on tickets in the phrase book's words.
func onTickets(inner *agents, b *phrase.Book) *agents {
	out := *inner
	out.make = func(t *tau.Task) sim.NewAgent { return rules.Alone(inner.make(t), b) }
	out.fits = func(t *tau.Task) error {
		if _, unread := phrase.ReadTicket(b, *t.Ticket); len(unread) > 0 {
			return fmt.Errorf("ticket: %w: %q", rules.ErrUnreadable, unread[0])
		}
		return nil
	}
	return &out
}

// ParseUser makes the users that a specification stands for, one of UserSpecs: a
// language model, as for ParseAgent; rules, which acts on the phrase book's sentences; human, somebody at the
// terminal; http://… and https://…, a program there; dummy, no user at all, for
// agents that work alone.
func ParseUser(spec string, args map[string]any, d Deps) (Users, error) {
	u, err := parseUser(spec, args, d)
	if err != nil {
		return nil, err
	}
	if u.info.Implementation != soloUser && d.Domain.UserGuidelines != "" {
		u.info.Guidelines = &d.Domain.UserGuidelines
	}
	return u, nil
}

func parseUser(spec string, args map[string]any, d Deps) (*users, error) {
	switch {
	case isModel(spec):
		return modelUsers(spec, args, d)
	case isURL(spec):
		return remoteUsers(spec, args, d)
	}
	if !slices.Contains(UserSpecs(), spec) && spec != soloUser {
		return nil, unknown("user", spec, UserSpecs())
	}
	if err := noArgs("user", spec, args); err != nil {
		return nil, err
	}
	switch spec {
	case "human":
		return humanUsers(d)
	case "rules":
		return rulesUsers(d)
	}
	return noUsers(), nil
}

// Pair says why agents and users cannot be played together: agents that work
// alone go with dummy users, and others do not.
func Pair(a Agents, u Users) error {
	agent, user := a.Info(), u.Info()
	alone, nobody := agent.Solo, user.Solo
	switch {
	case alone && !nobody:
		return hint.Add(fmt.Errorf("the agent works without a user, but the user is %s", user.Name()), "say --user dummy, or leave %s away before the agent", soloPrefix)
	case nobody && !alone:
		return hint.Add(fmt.Errorf("the agent %s needs a user, and dummy is none", agent.Name()), "say %s before the agent, or choose another user", soloPrefix)
	}
	return nil
}

// unknown refuses a specification.
func unknown(side, spec string, known []string) error {
	return hint.Add(fmt.Errorf("make %s: no %s is called %q", side, side, spec), "there are %s", strings.Join(known, ", "))
}

// noArgs refuses arguments of a party that takes none.
func noArgs(side, spec string, args map[string]any) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("make %s: %s takes no arguments, but %s is given", side, spec, strings.Join(slices.Sorted(maps.Keys(args)), ", "))
}

// referenceAgents makes the agents that need no model.
func referenceAgents(spec string, args map[string]any, d Deps) (*agents, error) {
	name := spec
	if technique, ok := strings.CutPrefix(spec, flawedPrefix); ok {
		if name = rules.FlawedName(technique); name == "" {
			return nil, hint.Add(fmt.Errorf("make agent: there is no technique %q", technique), "there are %s", strings.Join(rules.Techniques(), ", "))
		}
	}
	if !slices.Contains(rules.AgentNames(), name) {
		return nil, unknown("agent", spec, AgentSpecs())
	}
	if err := noArgs("agent", spec, args); err != nil {
		return nil, err
	}
	if name == "oracle" {
		return &agents{info: named(name), make: func(t *tau.Task) sim.NewAgent { return rules.Oracle(t, d.Book) }}, nil
	}
	if name != "noop" && (d.Contract == nil || d.Book == nil) {
		return nil, lacksRules("agent", spec, d)
	}
	made, err := rules.AgentByName(name, d.Contract, d.Book, nil)
	if err != nil {
		return nil, err
	}
	info := named(name)
	if name != "noop" {
		info.Fingerprint = fingerprint(name, d.Knowledge)
	}
	return &agents{info: info, make: func(*tau.Task) sim.NewAgent { return made }}, nil
}

// rulesUsers makes users that act on the phrase book's sentences.
func rulesUsers(d Deps) (*users, error) {
	if d.Book == nil {
		return nil, lacksRules("user", "rules", d)
	}
	info := named("rules")
	info.Fingerprint = fingerprint("rules", d.Knowledge)
	made := rules.Customer(d.Book)
	return &users{info: info, make: func(*tau.Task) sim.NewUser { return made }, fits: readable(made)}, nil
}

func lacksRules(side, spec string, d Deps) error {
	return hint.Add(fmt.Errorf("make %s: %s works from a contract and a phrase book, which domain %s does not have", side, spec, d.Domain.Name),
		"give them by --contract and --phrases, or choose another %s", side)
}

// named describes a party that its name says all about.
func named(name string) Info {
	return Info{Party: results.Party{Implementation: name}, Fingerprint: fingerprint(name)}
}

// fingerprint sums up what a party's conduct depends on.
func fingerprint(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:])
}
