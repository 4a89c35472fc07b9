package contract_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"cel.dev/cel-go/common/types/ref"
	"github.com/goccy/go-yaml"

	"taste/chat"
	"taste/contract"
	"taste/domain/airline"
	"taste/domain/retail"
	"taste/domain/telecom"
	"taste/env"
	"taste/gates"
	"taste/phrase"
	"taste/pyjson"
	"taste/rules"
	"taste/tau"
)

// judged is one case for the judge.
type judged struct {
	About    []string `yaml:"about"`
	Sequence []string `yaml:"sequence"`
	Says     []string `yaml:"says"`
}

// checked is one case for reviewer and gates: a customer's wishes, and gold
// actions where they are not what the wishes lead to.
type checked struct {
	About  []string                    `yaml:"about"`
	User   string                      `yaml:"user"`
	Prose  string                      `yaml:"prose"` // instead of the wishes' words
	Mute   bool                        `yaml:"mute"`  // the customer does not say who calls
	Way    int                         `yaml:"way"`   // in which the customer says it
	Wants  []map[string]any            `yaml:"wants"`
	Gold   []map[string]map[string]any `yaml:"gold"`
	Tell   []string                    `yaml:"tell"`
	Says   []string                    `yaml:"says"`
	Broken `yaml:",inline"`
}

func cases[T any](t *testing.T, domain, name string) []T {
	t.Helper()
	var out []T
	if err := yaml.UnmarshalWithOptions([]byte(corpus(t, domain, name)), &out, yaml.Strict()); err != nil {
		t.Fatal(err)
	}
	return out
}

// corpus reads a file of a domain's corpus.
func corpus(t *testing.T, domain, name string) string {
	t.Helper()
	return policyText(t, filepath.Join("testdata", "deletion", domain, name))
}

// trade is what the cases of a domain need of its folder.
type trade struct {
	native  env.Native
	builtin func(uint64) (*env.Domain, error)
	phrases func() [][]byte
	look    func(*maker, *contract.Wish, map[string]any) // makes the reads of a wish that its arguments do not need
}

var trades = map[string]trade{
	"airline": {airline.Native, airline.Builtin, airline.Phrases, statusOfFirst},
	"retail":  {retail.Native, retail.Builtin, retail.Phrases, nil},
	"telecom": {telecom.Native, telecom.Builtin, telecom.Phrases, nil},
}

// bench is the small world of a domain that the cases play in.
type bench struct {
	trade
	domain *env.Domain
	book   *phrase.Book
}

func newBench(t *testing.T, domain string) bench {
	t.Helper()
	of := trades[domain]
	world, err := of.builtin(1)
	if err != nil {
		t.Fatal(err)
	}
	db, err := pyjson.Decode([]byte(corpus(t, domain, "db.json")))
	if err != nil {
		t.Fatal(err)
	}
	state, err := of.native.Load(db, nil)
	if err != nil {
		t.Fatal(err)
	}
	d, err := env.NewDomain(env.Domain{Name: domain, Tools: world.Tools}, state)
	if err != nil {
		t.Fatal(err)
	}
	b, err := phrase.Load(append([][]byte{phrase.Common}, of.phrases()...)...)
	if err != nil {
		t.Fatal(err)
	}
	return bench{of, d, b}
}

// task makes the case's task with a contract.
func (b bench) task(t *testing.T, c *contract.Contract, k checked) *tau.Task {
	t.Helper()
	m := &maker{t: t, c: c, b: b, env: b.domain.Environment(), user: k.User, actions: []tau.Action{}}
	if k.Device != "" {
		return m.broken(k)
	}
	for _, want := range k.Wants {
		m.want(want)
	}
	if k.Gold != nil {
		m.actions, m.env = []tau.Action{}, b.domain.Environment()
		for _, g := range k.Gold {
			for name, args := range g {
				m.act(name, plain(args).(map[string]any))
			}
		}
	}
	if k.Tell != nil {
		m.told = k.Tell
	}
	if k.Prose != "" {
		m.said = []string{k.Prose}
	}
	known := ""
	if !k.Mute {
		known = m.facts(k.Way)
	}
	return &tau.Task{
		ID: k.About[0],
		UserScenario: tau.UserScenario{Instructions: tau.Instructions{Structured: &tau.StructuredInstructions{
			Domain: b.domain.Name, ReasonForCall: strings.Join(m.said, " "), KnownInfo: &known, TaskInstructions: m.say(phrase.New("order")),
		}}},
		EvaluationCriteria: &tau.EvaluationCriteria{Actions: m.actions, CommunicateInfo: m.told, RewardBasis: tau.DefaultBasis()},
	}
}

// plain gives numbers the types that task files have.
func plain(v any) any {
	o, err := pyjson.FromGo(v)
	if err != nil {
		return v
	}
	return pyjson.Plain(o)
}

// maker works out what wishes lead to, one after the other.
type maker struct {
	t       *testing.T
	c       *contract.Contract
	b       bench
	env     *env.Environment
	user    string
	calls   []contract.Call
	actions []tau.Action
	told    []string
	said    []string
	device  string // "": there is none
	live    bool   // calls are made with the two sides coupled
}

// recorder remembers the reads that an expression makes.
type recorder struct {
	contract.Reader
	made []contract.Call
}

func (r *recorder) Read(tool string, args map[string]any) (ref.Val, error) {
	r.made = append(r.made, contract.Call{Name: tool, Args: args})
	return r.Reader.Read(tool, args)
}

func (m *maker) want(w map[string]any) {
	wish := m.c.Wish(fmt.Sprint(w["wish"]))
	if wish == nil {
		m.t.Fatalf("no wish %v", w["wish"])
	}
	ask := plain(w).(map[string]any)
	delete(ask, "wish")
	m.speak(wish, ask)
	r := &recorder{Reader: rules.Reader(m.env)}
	s := &contract.Scope{
		Contract: m.c, Reader: r, Wish: wish, Ask: ask, Customer: m.user, Calls: m.calls,
		Device: m.device, Extra: map[string]any{"learnt": []any{}, "served": []any{}},
	}
	if wish.Does == "" {
		if v, err := s.Eval(wish.Tells); err == nil {
			m.told = append(m.told, fmt.Sprint(v))
		}
		m.read(wish, r.made)
		return
	}
	args, err := rules.Arguments(s)
	if err != nil {
		return // the case spells its gold out
	}
	m.read(wish, r.made)
	if m.b.look != nil {
		m.b.look(m, wish, ask)
	}
	m.act(wish.Does, args)
}

// read makes the first read that a wish needs.
func (m *maker) read(wish *contract.Wish, made []contract.Call) {
	for _, read := range made {
		if slices.Contains(wish.Needs, read.Name) {
			m.act(read.Name, read.Args)
			return
		}
	}
}

// facts says in one of the contract's ways who the customer is.
func (m *maker) facts(way int) string {
	who := m.b.domain.Environment().Record(m.c.Customer.Table, m.user)
	s := &contract.Scope{Contract: m.c, Extra: map[string]any{"me": who}}
	if m.device != "" {
		s = m.at(nil, nil)
	}
	said, err := s.Facts(m.c.Customer.Identify[way])
	if err != nil {
		m.t.Fatal(err)
	}
	var out []string
	for _, f := range said {
		out = append(out, m.say(phrase.Act{Name: f.Act, Slots: f.Slots}))
	}
	return strings.Join(out, " ")
}

// statusOfFirst looks up the status of a flight where a wish needs that.
func statusOfFirst(m *maker, wish *contract.Wish, ask map[string]any) {
	if !slices.Contains(wish.Needs, "get_flight_status") {
		return
	}
	flights, _ := m.env.Record("reservations", fmt.Sprint(ask["booking"]))["flights"].([]any)
	f := flights[0].(map[string]any)
	m.act("get_flight_status", map[string]any{"flight_number": f["flight_number"], "date": f["date"]})
}

func (m *maker) act(name string, args map[string]any) {
	a := tau.Action{ActionID: fmt.Sprint(len(m.actions)), Requestor: chat.Assistant, Name: name, Arguments: args}
	m.calls = append(m.calls, rules.CallAt(m.c, m.env, name, args))
	m.env = m.env.Clone()
	if m.live {
		if m.c.OfUser(name) {
			a.Requestor = chat.User
		}
		m.env.Act(&a)
	} else {
		m.env.Apply(&a)
	}
	m.actions = append(m.actions, a)
}

func (m *maker) speak(wish *contract.Wish, ask map[string]any) {
	main, details := wish.Split(ask)
	for _, s := range append([]contract.Said{main}, details...) {
		m.said = append(m.said, m.say(phrase.Act{Name: s.Act, Slots: s.Slots}))
	}
}

func (m *maker) say(a phrase.Act) string {
	for k, v := range a.Slots {
		if n, ok := v.(int64); ok {
			a.Slots[k] = int(n)
		}
	}
	s, err := m.b.book.Render(a, phrase.Second, rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		m.t.Fatalf("say %v: %v", a, err)
	}
	return s
}

// verdict is all that reviewer, gates and validation have to say of a task: the
// rules, and the whole text. Mutants are part of the text.
func (b bench) verdict(c *contract.Contract, task *tau.Task) (says []string, text string) {
	add := func(rule, evidence string) {
		if !slices.Contains(says, rule) {
			says = append(says, rule)
		}
		text += rule + ": " + evidence + "\n"
	}
	found, err := rules.NewReviewer(b.domain, c, b.book).Review(context.Background(), task)
	if err != nil {
		return []string{err.Error()}, err.Error()
	}
	for _, f := range found {
		add(f.Rule, f.Evidence)
	}
	r, err := gates.New(b.domain, c, b.book).Check(task, b.claims(task))
	if err != nil {
		return []string{err.Error()}, err.Error()
	}
	for _, f := range append(r.Failures, r.Unchecked...) {
		add(f.Rule, f.Evidence)
	}
	text += "\nmutants\n"
	for _, m := range r.Mutants {
		text += m.Kind + " " + m.Detail + "\n"
	}
	slices.Sort(says)
	return says, text
}

// trial is a case ready to be tried under a contract.
type trial struct {
	about   []string
	says    []string // what roles should say under the whole contract
	verdict func(*contract.Contract) (says []string, text string)
	whole   func() ([]string, string) // the verdict under the whole contract
}

// trials are all cases of a domain, and its contract.
func trials(t *testing.T, domain string) (*contract.Contract, []trial) {
	t.Helper()
	whole, b := load(t, domain), newBench(t, domain)
	var all []trial
	add := func(about, says []string, verdict func(*contract.Contract) ([]string, string)) {
		all = append(all, trial{about, says, verdict, sync.OnceValues(func() ([]string, string) { return verdict(whole) })})
	}
	for _, k := range cases[judged](t, domain, "sequences.yaml") {
		add(k.About, k.Says, func(c *contract.Contract) ([]string, string) {
			says := faults(c.Judge(k.Sequence))
			return says, strings.Join(says, "\n")
		})
	}
	for _, k := range cases[checked](t, domain, "tasks.yaml") {
		task := b.task(t, whole, k)
		add(k.About, k.Says, func(c *contract.Contract) ([]string, string) { return b.verdict(c, task) })
	}
	return whole, all
}

// TestDeletion holds the roles to what is written beside each case, and deletes
// each rule of the contract in turn: some role's verdict on a case about the rule
// must change, or other rules speak of it, so that the contract is refused.
func TestDeletion(t *testing.T) {
	if testing.Short() {
		t.Skip("tries hundreds of cases, without each rule again: run without -short")
	}
	for _, domain := range domains {
		whole, all := trials(t, domain)
		t.Run(domain+"/verdicts", func(t *testing.T) {
			for _, k := range all {
				if says, text := k.whole(); !slices.Equal(says, k.says) {
					found, _, _ := strings.Cut(text, "\nmutants\n")
					t.Errorf("about %v: says %q, want %q\n%s", k.about, says, k.says, found)
				}
			}
		})
		for _, id := range ruleIDs(whole) {
			t.Run(domain+"/"+id, func(t *testing.T) {
				t.Parallel()
				deletion(t, whole, id, all)
			})
		}
	}
}

func deletion(t *testing.T, whole *contract.Contract, id string, all []trial) {
	cut, err := whole.Without(id)
	if err != nil {
		return // other rules speak of it
	}
	subject, _, _ := strings.Cut(id, "#")
	tried := 0
	for _, k := range all {
		if !slices.Contains(k.about, subject) {
			continue
		}
		tried++
		_, before := k.whole()
		if _, after := k.verdict(cut); before != after {
			return
		}
	}
	t.Errorf("deleting it changes no verdict on its %d cases", tried)
}

func faults(v contract.Verdict) []string {
	out := []string{}
	for _, f := range v.Faults {
		out = append(out, fmt.Sprintf("%d %s", f.Index, f.Rule))
	}
	return out
}

// TestEveryFunctionIsUsed finds functions of the contract that nothing calls.
func TestEveryFunctionIsUsed(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles every contract: run without -short")
	}
	for _, domain := range append(domains, toy) {
		text := policyText(t, contractPath(domain))
		for _, f := range load(t, domain).Functions {
			name, _, _ := strings.Cut(f.Def, "(")
			calls := regexp.MustCompile(`(^|[^A-Za-z0-9_.])` + name + `\(`)
			if len(calls.FindAllString(text, -1)) < 2 {
				t.Errorf("%s: nothing calls %s", domain, f.Def)
			}
		}
	}
}

// ruleIDs names everything in the contract that counts as a rule. Conditions of
// a wish are numbered behind "#"; cases are about any of them.
func ruleIDs(c *contract.Contract) []string {
	out := []string{"protocol.identify", "protocol.handoff"}
	for i := range c.Customer.Identify {
		out = append(out, fmt.Sprintf("customer.identify#%d", i))
	}
	for _, r := range c.Sequence {
		out = append(out, r.ID)
	}
	for _, r := range c.Policy {
		out = append(out, r.ID)
	}
	for _, f := range c.Faults {
		out = append(out, "fault."+f.Name)
	}
	for _, tr := range c.Troubles {
		out = append(out, "trouble."+tr.Name)
	}
	for _, w := range c.Wishes {
		id := "wish." + w.Name
		out = append(out, id)
		for i := range w.Where {
			out = append(out, fmt.Sprintf("%s.where#%d", id, i))
		}
		if w.Sole != nil {
			out = append(out, id+".sole")
		}
		if len(w.Needs) > 0 {
			out = append(out, id+".needs")
		}
	}
	for name, tool := range c.Tools {
		out = append(out, "tool."+name)
		for path, arg := range tool.Args {
			out = append(out, "tool."+name+"."+path)
			if arg.Idle != nil {
				out = append(out, "tool."+name+"."+path+".idle")
			}
		}
	}
	slices.Sort(out)
	return out
}
