package rules

import (
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
	if p.device, p.customer = DeviceOf(a.contract, a.domain.Environment(), t); p.customer == "" {
		p.customer = CustomerOf(a.contract, p.moments[0].env, t, nil)
	}
	if p.customer == "" {
		return nil, "neither scenario nor gold names exactly one customer", nil
	}
	if why := p.idle(); why != "" {
		return nil, why, nil
	}
	brief, wishes, why := p.wanted()
	if why != "" {
		return nil, why, nil
	}
	if p, why, err = a.plotOf(t, brief, wishes); p != nil {
		p.foreign = true
	}
	return p, why, err
}

// idle says why an agent earns the reward that does none of what is asked for, ""
// if it does not.
func (p *plot) idle() string {
	switch {
	case !p.moments[0].env.Equal(p.moments[len(p.moments)-1].env):
		return ""
	case p.live && p.handsOff():
		return "gold hands over and changes nothing, so that an agent that hands over at once succeeds"
	}
	return "gold changes nothing, so that an agent that does nothing succeeds"
}

// wanted infers from gold what the customer wants, and what she is told of it: wishes,
// call by call, and behind them troubles, for the calls that repair faults. why names
// a call that nothing explains.
func (p *plot) wanted() (brief phrase.Brief, wishes []Wanted, why string) {
	c := p.a.contract
	troubles, repairs := p.troubles()
	moment := 0
	for i := range p.task.EvaluationCriteria.Actions {
		act := &p.task.EvaluationCriteria.Actions[i]
		if !acts(c, act.Name) {
			continue
		}
		moment++
		if slices.Contains(repairs, i) {
			continue
		}
		want, ok := p.explain(act, &p.moments[moment-1])
		if !ok {
			return brief, nil, fmt.Sprintf("gold action %d (%s) cannot be explained: %s", i, act.Name, p.near.why(act.Name))
		}
		main, details := want.Wish.Split(want.Slots)
		wishes, brief.Items = append(wishes, want), append(brief.Items, itemOf(main, details))
		p.moments[moment].calls[moment-1].Ask = want.Slots
	}
	for _, want := range troubles {
		wishes, brief.Items = append(wishes, want), append(brief.Items, p.complains(want))
	}
	brief.Facts = p.introduction()
	return brief, wishes, ""
}

// strange makes the plot of a foreign task that may be added to, going by its
// prose.
func (a *Author) strange(t *tau.Task) (p *plot, why string, err error) {
	if p, why, err = a.foreign(t); p == nil || err != nil {
		return nil, why, err
	}
	p.prose = readProse(a.contract, t.UserScenario)
	if p.prose.shut == "" {
		p.barElsewhere()
		p.prose.shut = p.prose.all(a.contract.Evolution.Forbidden)
	}
	switch {
	case p.prose.shut == "" || p.calledAbout() >= 0 && p.prose.settled == "":
		return p, "", nil
	case p.calledAbout() >= 0:
		return nil, p.prose.settled, nil
	}
	return nil, p.prose.shut, nil
}

// leadsOver is the act that leads over to the trouble that prose of others is about.
const leadsOver = "called_about"

// introduction lists the facts of the first way in which the customer can be
// identified, and those that say which device is hers.
func (p *plot) introduction() []phrase.Act {
	var out []phrase.Act
	for _, w := range p.a.contract.Customer.Identify {
		if in, err := p.a.introduce(w, p.moments[0].env, p.customer, p.device); err == nil {
			out = in.facts
			break
		}
	}
	if p.device == "" {
		return out
	}
	s := p.scope(&p.moments[0], nil, nil)
	Acquaint(s, p.moments[0].env, p.customer, p.device)
	facts, err := s.DeviceFacts()
	if err != nil {
		return out
	}
	for _, f := range facts {
		if act := (phrase.Act{Name: f.Act, Slots: f.Slots}); !among(out, act) {
			out = append(out, act)
		}
	}
	return out
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
	other := otherArgs(p.a.contract, call, r.args)
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
func otherArgs(c *contract.Contract, call *tau.Action, args map[string]any) []string {
	all := maps.Clone(args)
	maps.Copy(all, call.Arguments)
	var out []string
	for _, name := range sortedKeys(all) {
		if a := c.Tools[call.Name].Args[name]; a != nil && a.Source == "free" {
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

// append words, behind the instructions of a task whose prose stays as it is, what
// becomes of the trouble that it is about, and then new wishes, so that no answer is
// given away.
func (e *Evolver) append(t *tau.Task, p *plot, chosen []pick, draw *rand.Rand) (out tau.UserScenario, err error) {
	said := p.appended(chosen)
	for range wordings {
		var text []string
		for _, a := range said {
			s, err := e.author.book.Render(a, phrase.Second, draw)
			if err != nil {
				return out, err
			}
			text = append(text, s)
		}
		out = behind(t.UserScenario, strings.Join(text, " "))
		if err = spoilt(phrase.Scenario{TaskInstructions: strings.Join(text, " ")}, t.EvaluationCriteria.CommunicateInfo); err == nil {
			return out, nil
		}
	}
	return out, err
}

// appended lists what is said beyond the prose; it tells each pick its item.
func (p *plot) appended(chosen []pick) []phrase.Act {
	var twists, wishes []phrase.Act
	n := len(p.brief.Items)
	for k := range chosen {
		c := &chosen[k]
		if c.New == nil {
			c.item, twists = c.At, append(twists, *c.Twist)
			continue
		}
		c.item, n = n, n+1
		wishes = slices.Concat(wishes, []phrase.Act{c.New.Wish}, c.New.Details, c.New.Twists)
	}
	if len(twists) > 0 {
		twists = append([]phrase.Act{phrase.New(leadsOver)}, twists...)
	}
	return append(twists, wishes...)
}

// behindProse tells the place of a pick's sentences among what stands behind the prose:
// of the trouble that it is about first, if anything is said of it, then of new wishes.
func (p *plot) behindProse(chosen []pick) func(pick) int {
	led := 0
	if slices.ContainsFunc(chosen, func(c pick) bool { return c.Twist != nil }) {
		led = 1
	}
	return func(c pick) int {
		if c.Twist != nil {
			return 0
		}
		return c.item - len(p.brief.Items) + led
	}
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
	if s.over() < len(s.call) || s.prose.shut != "" {
		return nil
	}
	return slices.Repeat([]int{s.over()}, perTechnique)
}

// user makes the customer of a task: one that reads the scenario, or, where its
// prose is not the book's, one that is told what gold says it wants.
func (p *proof) user(t *tau.Task) (sim.NewUser, error) {
	book := p.e.author.book
	brief, unread := phrase.Read(book, scenarioText(t.UserScenario))
	if len(unread) == 0 {
		return Customer(book), nil
	}
	wants, err := p.inferred()
	if err != nil {
		return nil, err
	}
	items := slices.Clone(wants.brief.Items)
	if i := wants.calledAbout(); i >= 0 {
		items[i].Twists = p.e.led(t.UserScenario)
	}
	return told(book, phrase.Brief{Facts: wants.brief.Facts, Items: append(items, brief.Items...)}), nil
}

// infer is what gold says that the customer of a task in words of others wants.
func (e *Evolver) infer(t *tau.Task) (*plot, error) {
	p, why, err := e.author.foreign(t)
	if err == nil && p == nil {
		err = fmt.Errorf("%w: %s", ErrUnreadable, why)
	}
	return p, err
}

// led lists the twists that stand behind the act which leads over to the trouble that
// prose of others is about.
func (e *Evolver) led(s tau.UserScenario) []phrase.Act {
	var out []phrase.Act
	acts, _ := e.author.book.Parse(scenarioText(s).TaskInstructions, phrase.Second)
	i := slices.IndexFunc(acts, func(a phrase.Act) bool { return a.Name == leadsOver })
	for _, a := range acts[i+1:] {
		if i < 0 || e.author.book.Spec(a.Name).Role != phrase.Twist {
			break
		}
		out = append(out, a)
	}
	return out
}
