package players

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"taste/internal/hint"
	"taste/llm"
	"taste/models"
	"taste/prompts"
	"taste/pyjson"
	"taste/results"
	"taste/sim"
	"taste/tau"
)

// Names of parties that language models play, as τ²-bench has them.
const (
	modelAgent = "llm_agent"
	goldAgent  = "llm_agent_gt" // told the gold actions
	modelUser  = "user_simulator"
)

// isModel tells the specification of a model, PROVIDER/MODEL or a server's
// address with the model behind #, from others.
func isModel(spec string) bool {
	if isURL(spec) {
		return strings.Contains(spec, "#")
	}
	prefix, _, ok := strings.Cut(spec, "/")
	return ok && !slices.Contains([]string{flawedPrefix, goldPrefix, soloPrefix}, prefix+"/")
}

func modelAgents(spec string, args map[string]any, d Deps) (*agents, error) {
	b, info, err := seat("agent", spec, args, d)
	if err != nil {
		return nil, fmt.Errorf("make agent: %w", err)
	}
	info.Implementation = modelAgent
	made := models.Agent(*b)
	return &agents{info: info, make: func(*tau.Task) sim.NewAgent { return made }}, nil
}

func modelUsers(spec string, args map[string]any, d Deps) (*users, error) {
	b, info, err := seat("user", spec, args, d)
	if err != nil {
		return nil, fmt.Errorf("make user: %w", err)
	}
	info.Implementation = modelUser
	made := models.User(*b)
	return &users{info: info, make: func(*tau.Task) sim.NewUser { return made }}, nil
}

// seat makes what a model plays a side with, and describes it.
func seat(side, spec string, args map[string]any, d Deps) (*models.Base, Info, error) {
	if d.Model == nil {
		return nil, Info{}, hint.Add(fmt.Errorf("%q names a language model, and none can be called here", spec), "there are %s", strings.Join(rulesSpecs(side), ", "))
	}
	m, err := d.Model(spec, side)
	if err != nil {
		return nil, Info{}, err
	}
	p, err := prompts.Builtin().Get(side)
	if err != nil {
		return nil, Info{}, err
	}
	all := map[string]any{}
	if o, ok := m.(interface{ Options() map[string]any }); ok {
		maps.Copy(all, o.Options())
	}
	maps.Copy(all, args)
	known, err := pyjson.FromGo(all)
	if err != nil {
		return nil, Info{}, fmt.Errorf("arguments of %s: %w", spec, err)
	}
	name := m.Name()
	info := Info{Party: results.Party{LLM: &name}, Fingerprint: fingerprint("model", name, pyjson.Dumps(known), p.Sum)}
	info.LLMArgs, _ = known.(*pyjson.Object)
	b := &models.Base{Model: m}
	if d.Price != nil {
		b.Price = func(u llm.Usage) *float64 { return d.Price(name, u) }
	}
	if len(args) > 0 {
		b.Model, err = withArgs(m, args)
	}
	return b, info, err
}

// rulesSpecs lists what needs no model.
func rulesSpecs(side string) []string {
	all := AgentSpecs()
	if side == "user" {
		all = UserSpecs()
	}
	return slices.DeleteFunc(all, func(s string) bool { return s == modelSpec || s == goldPrefix+modelSpec })
}

// modelSpec stands for the specifications of models in lists for people.
const modelSpec = "PROVIDER/MODEL"

// argued is a model with further arguments of its requests.
type argued struct {
	llm.Model
	args llm.Request // of which the set fields count
}

// withArgs adds arguments to all requests: those that all providers share by their
// names, others as fields of the provider's own.
func withArgs(m llm.Model, args map[string]any) (llm.Model, error) {
	a := &argued{Model: m, args: llm.Request{Extra: map[string]any{}}}
	for _, name := range slices.Sorted(maps.Keys(args)) {
		if err := a.set(name, args[name]); err != nil {
			return nil, fmt.Errorf("argument %s: %w", name, err)
		}
	}
	return a, nil
}

func (a *argued) set(name string, v any) error {
	number, isNumber := float(v)
	text, isText := v.(string)
	switch name {
	case "temperature", "top_p":
		if !isNumber {
			return errors.New("it is a number")
		}
		if name == "top_p" {
			a.args.TopP = &number
		} else {
			a.args.Temperature = &number
		}
	case "max_tokens":
		if a.args.MaxTokens = int(number); !isNumber || number < 1 || number != float64(a.args.MaxTokens) {
			return errors.New("it is a whole number above 0")
		}
	case "effort", "reasoning_effort":
		if a.args.Effort = text; !isText {
			return errors.New("it is a word")
		}
	case "seed":
		return errors.New("the seed of a run gives each conversation its own: see --seed")
	default:
		a.args.Extra[name] = v
	}
	return nil
}

// float reads a number of JSON or YAML.
func float(v any) (float64, bool) {
	switch n := v.(type) {
	case float64:
		return n, true
	case int64:
		return float64(n), true
	case uint64:
		return float64(n), true
	case int:
		return float64(n), true
	}
	return 0, false
}

// Call implements llm.Model.
func (a *argued) Call(ctx context.Context, r *llm.Request) (*llm.Response, error) {
	own := *r
	if a.args.Temperature != nil {
		own.Temperature = a.args.Temperature
	}
	if a.args.TopP != nil {
		own.TopP = a.args.TopP
	}
	if a.args.MaxTokens > 0 {
		own.MaxTokens = a.args.MaxTokens
	}
	if a.args.Effort != "" {
		own.Effort = a.args.Effort
	}
	if len(a.args.Extra) > 0 {
		own.Extra = maps.Clone(own.Extra)
		if own.Extra == nil {
			own.Extra = map[string]any{}
		}
		maps.Copy(own.Extra, a.args.Extra)
	}
	return a.Model.Call(ctx, &own)
}
