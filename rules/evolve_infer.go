package rules

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"taste/contract"
	"taste/phrase"
	"taste/pyjson"
	"taste/sim"
	"taste/tau"
)

// foreign makes the plot of a task whose prose is not the phrase book's: what
// the customer wants is inferred from gold, call by call. why is set where a
// call cannot be explained, or where gold changes nothing.
func (a *Author) foreign(t *tau.Task) (p *plot, why string, err error) {
	if t.EvaluationCriteria == nil {
		return nil, "nothing is asked for", nil
	}
	p = &plot{a: a, task: t, draw: rand.New(rand.NewPCG(0, 6)), named: map[string]bool{}, live: liveGold(t)}
	if err := p.replay(); err != nil {
		return nil, err.Error(), nil
	}
	if p.customer = CustomerOf(a.contract, p.moments[0].env, t, nil); p.customer == "" {
		return nil, "neither scenario nor gold names exactly one customer", nil
	}
	if p.moments[0].env.Equal(p.moments[len(p.moments)-1].env) {
		return nil, "gold changes nothing, so that an agent that does nothing succeeds", nil
	}
	brief := phrase.Brief{Facts: p.introduction()}
	var wishes []Wanted
	for i := range t.EvaluationCriteria.Actions {
		act := &t.EvaluationCriteria.Actions[i]
		if !acts(a.contract, act.Name) {
			continue
		}
		want, ok := p.explain(act, &p.moments[len(wishes)])
		if !ok {
			return nil, fmt.Sprintf("gold action %d (%s) cannot be explained: %s", i, act.Name, p.near.why(act.Name)), nil
		}
		main, details := want.Wish.Split(want.Slots)
		wishes, brief.Items = append(wishes, want), append(brief.Items, itemOf(main, details))
		p.moments[len(wishes)].calls[len(wishes)-1].Ask = want.Slots
	}
	if p, why, err = a.plotOf(t, brief, wishes); p != nil {
		p.foreign = true
	}
	return p, why, err
}

// strange makes the plot of a foreign task that may be added to, going by its
// prose.
func (a *Author) strange(t *tau.Task) (p *plot, why string, err error) {
	if p, why, err = a.foreign(t); p == nil || err != nil {
		return nil, why, err
	}
	p.prose = readProse(a.contract, t.UserScenario)
	if why = p.prose.shut; why == "" {
		p.barElsewhere()
		why = p.prose.all(a.contract.Evolution.Forbidden)
	}
	if why != "" {
		return nil, why, nil
	}
	return p, "", nil
}

// introduction lists the facts of the first way in which the customer can be
// identified.
func (p *plot) introduction() []phrase.Act {
	for _, w := range p.a.contract.Customer.Identify {
		if in, err := p.a.introduce(w, p.moments[0].env, p.customer, ""); err == nil {
			return in.facts
		}
	}
	return nil
}

// explain finds a wish that the policy grants and that leads to the call.
func (p *plot) explain(call *tau.Action, m *moment) (Wanted, bool) {
	p.near = miss{}
	for _, w := range p.a.contract.Wishes {
		if w.Does != call.Name {
			continue
		}
		s := p.scope(m, w, map[string]any{})
		if p.infer(s, call, 0) {
			return Wanted{Wish: w, Slots: s.Ask}, true
		}
	}
	return Wanted{}, false
}

// infer fills the slots from number i on.
func (p *plot) infer(s *contract.Scope, call *tau.Action, i int) bool {
	if i == len(s.Wish.Slots) {
		return p.leads(s, call)
	}
	slot := &s.Wish.Slots[i]
	for _, v := range p.inferable(s, call, slot) {
		s.Ask[slot.Name] = v
		s.Forget()
		if p.infer(s, call, i+1) {
			return true
		}
	}
	delete(s.Ask, slot.Name)
	s.Forget()
	return false
}

// inferable lists what the customer may have said for a slot.
func (p *plot) inferable(s *contract.Scope, call *tau.Action, slot *contract.Slot) []any {
	from := []*contract.Expr{p.a.contract.Evolution.Inferred[s.Wish.Name][slot.Name]}
	if from[0] == nil {
		if kind := p.a.contract.Records[slot.Kind]; kind != nil {
			return OwnKeys(p.a.contract, p.moments[0].env, kind, p.customer)
		}
		from = []*contract.Expr{slot.Prefer, slot.From}
	}
	s.Args = call.Arguments
	defer func() { s.Args = nil }()
	var out []any
	for _, e := range from {
		if e == nil {
			continue
		}
		if v, err := s.Eval(e); err == nil {
			l, _ := v.([]any)
			out = append(out, l...)
		}
	}
	return distinct(out, 40)
}

func (p *plot) sole(s *contract.Scope) bool {
	if s.Wish.Sole == nil {
		return true
	}
	ok, err := s.Holds(s.Wish.Sole)
	return err == nil && ok
}

// leads tells whether a wish leads to a call that the policy allows; if not, it
// keeps why where nothing came nearer so far.
func (p *plot) leads(s *contract.Scope, call *tau.Action) bool {
	r, err := p.rule(s, "")
	if err != nil {
		return false
	}
	other := p.otherArgs(call, r.args)
	switch {
	case len(other) > 0:
		p.near.args(other)
	case r.rule != nil:
		p.near = miss{said: true, policy: r.rule.Why}
	case !p.sole(s):
		p.near = miss{said: true, policy: "what it asks for could be met in more than one way"}
	default:
		return true
	}
	return false
}

// otherArgs names the arguments in which a call differs, those aside that are
// free.
func (p *plot) otherArgs(call *tau.Action, args map[string]any) []string {
	all := maps.Clone(args)
	maps.Copy(all, call.Arguments)
	var out []string
	for _, name := range sortedKeys(all) {
		if a := p.a.contract.Tools[call.Name].Args[name]; a != nil && a.Source == "free" {
			continue
		}
		mine, has := args[name]
		its, wants := call.Arguments[name]
		x, err1 := pyjson.FromGo(mine)
		y, err2 := pyjson.FromGo(its)
		if has != wants || err1 != nil || err2 != nil || !pyjson.Equal(x, y) {
			out = append(out, name)
		}
	}
	return out
}

// miss is what came nearest to explaining a call.
type miss struct {
	said   bool
	policy string   // the call is the same, but for this
	other  []string // or differs in these arguments
}

// args keeps the arguments in which a call differs if none came nearer.
func (m *miss) args(other []string) {
	if !m.said || m.policy == "" && len(other) < len(m.other) {
		*m = miss{said: true, other: other}
	}
}

func (m *miss) why(tool string) string {
	switch {
	case m.policy != "":
		return m.policy
	case m.said:
		return "wishes lead to it with other " + strings.Join(m.other, ", ")
	}
	return "no wish of the contract leads to such a call of " + tool
}

// append words new wishes behind the instructions of a task whose prose stays as
// it is, so that no answer is given away.
func (e *Evolver) append(t *tau.Task, p *plot, chosen []pick, draw *rand.Rand) (out tau.UserScenario, err error) {
	for range wordings {
		var text []string
		n := len(p.brief.Items)
		for k := range chosen {
			c := &chosen[k]
			if c.New == nil {
				continue
			}
			c.item, n = n, n+1
			for _, a := range slices.Concat([]phrase.Act{c.New.Wish}, c.New.Details, c.New.Twists) {
				s, err := e.author.book.Render(a, phrase.Second, draw)
				if err != nil {
					return out, err
				}
				text = append(text, s)
			}
		}
		out = behind(t.UserScenario, strings.Join(text, " "))
		if err = spoilt(phrase.Scenario{TaskInstructions: strings.Join(text, " ")}, t.EvaluationCriteria.CommunicateInfo); err == nil {
			return out, nil
		}
	}
	return out, err
}

// behind adds text to a scenario's instructions.
func behind(s tau.UserScenario, text string) tau.UserScenario {
	if i := s.Instructions.Structured; i != nil {
		own := *i
		own.TaskInstructions = strings.TrimSpace(own.TaskInstructions + "\n\n" + text)
		s.Instructions.Structured = &own
	} else {
		s.Instructions.Plain = strings.TrimSpace(s.Instructions.Plain + "\n\n" + text)
	}
	return s
}

// places lists the items before which a new wish may be brought up, shuffled:
// behind prose of others only the end, several times.
func (s *trapper) places() []int {
	if !s.foreign {
		return shuffled(s.draw, upTo(s.over()))
	}
	if s.over() < len(s.call) {
		return nil
	}
	return slices.Repeat([]int{s.over()}, perTechnique)
}

// user makes the customer of a task: one that reads the scenario, or, where its
// prose is not the book's, one that is told what gold says it wants.
func (e *Evolver) user(t *tau.Task) (sim.NewUser, error) {
	brief, unread := phrase.Read(e.author.book, scenarioText(t.UserScenario))
	if len(unread) == 0 {
		return Customer(e.author.book), nil
	}
	p, why, err := e.author.foreign(t)
	if err != nil || p == nil {
		return nil, errors.Join(fmt.Errorf("%w: %s", ErrUnreadable, why), err)
	}
	return told(e.author.book, phrase.Brief{Facts: p.brief.Facts, Items: slices.Concat(p.brief.Items, brief.Items)}), nil
}
