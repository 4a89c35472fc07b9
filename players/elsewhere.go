package players

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"taste/internal/hint"
	"taste/pyjson"
	"taste/remote"
	"taste/sim"
	"taste/tau"
)

// errNoTerminal says that a person cannot play.
var errNoTerminal = errors.New("there is no terminal for a person to play at")

// human describes somebody at the terminal.
func human() Info {
	info := named("human")
	info.Serial = true
	return info
}

func humanAgents(args map[string]any, d Deps) (*agents, error) {
	if d.Terminal == nil {
		return nil, fmt.Errorf("make agent: %w", errNoTerminal)
	}
	return &agents{info: human(), make: func(*tau.Task) sim.NewAgent { return d.Terminal.Agent }}, noArgs("agent", "human", args)
}

func humanUsers(d Deps) (*users, error) {
	if d.Terminal == nil {
		return nil, fmt.Errorf("make user: %w", errNoTerminal)
	}
	return &users{info: human(), make: func(*tau.Task) sim.NewUser { return d.Terminal.User }}, nil
}

func isURL(spec string) bool {
	return strings.HasPrefix(spec, "http://") || strings.HasPrefix(spec, "https://")
}

func remoteAgents(spec string, args map[string]any, d Deps) (*agents, error) {
	c, info, err := program(spec, args, d)
	if err != nil {
		return nil, fmt.Errorf("make agent: %w", err)
	}
	return &agents{info: info, make: func(t *tau.Task) sim.NewAgent {
		return func(ctx context.Context, s sim.AgentStart) (sim.Agent, error) { return c.Agent(ctx, t.ID, s) }
	}}, nil
}

func remoteUsers(spec string, args map[string]any, d Deps) (*users, error) {
	c, info, err := program(spec, args, d)
	if err != nil {
		return nil, fmt.Errorf("make user: %w", err)
	}
	return &users{info: info, make: func(t *tau.Task) sim.NewUser {
		return func(ctx context.Context, s sim.UserStart) (sim.User, error) { return c.User(ctx, t.ID, s) }
	}}, nil
}

// program makes the client of an address. A password in it is kept out of what
// is recorded.
func program(spec string, args map[string]any, d Deps) (*remote.Client, Info, error) {
	u, err := url.Parse(spec)
	if err != nil || u.Host == "" {
		return nil, Info{}, hint.Add(errors.New("this is no address of a program"), "write http://HOST:PORT, or https://…")
	}
	c := &remote.Client{URL: spec, HTTP: d.HTTP, Session: d.Session}
	info := Info{}
	u.User = nil
	info.Implementation = u.String()
	known := ""
	if len(args) > 0 {
		v, err := pyjson.FromGo(args)
		if err != nil {
			return nil, info, fmt.Errorf("arguments of %s: %w", u, err)
		}
		c.Args, _ = v.(*pyjson.Object)
		info.LLMArgs, known = c.Args, pyjson.Dumps(v)
	}
	info.Fingerprint = fingerprint("remote", u.String(), known)
	return c, info, nil
}
