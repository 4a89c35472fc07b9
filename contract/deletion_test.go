package contract_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"cel.dev/cel-go/common/types/ref"
	"github.com/goccy/go-yaml"

	"taste/chat"
	"taste/contract"
	"taste/domain/airline"
	"taste/domain/retail"
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
	About []string                    `yaml:"about"`
	User  string                      `yaml:"user"`
	Prose string                      `yaml:"prose"` // instead of the wishes' words
	Mute  bool                        `yaml:"mute"`  // the customer does not say who calls
	Way   int                         `yaml:"way"`   // in which the customer says it
	Wants []map[string]any            `yaml:"wants"`
	Gold  []map[string]map[string]any `yaml:"gold"`
	Tell  []string                    `yaml:"tell"`
	Says  []string                    `yaml:"says"`
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
		Extra: map[string]any{"learnt": []any{}, "served": []any{}},
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
	m.env.Apply(&a)
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
	r, err := gates.New(b.domain, c, b.book).Check(task, &gates.Claims{})
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

// TestCorpusVerdicts holds the roles to what is written beside each case.
func TestCorpusVerdicts(t *testing.T) {
	if testing.Short() {
		t.Skip("loads the contract once for every rule: run without -short")
	}
	for _, domain := range domains {
		t.Run(domain, func(t *testing.T) { corpusVerdicts(t, domain) })
	}
}

func corpusVerdicts(t *testing.T, domain string) {
	c, b := load(t, domain), newBench(t, domain)
	for _, k := range cases[judged](t, domain, "sequences.yaml") {
		if got := faults(c.Judge(k.Sequence)); !slices.Equal(got, k.Says) {
			t.Errorf("about %v: judge says %q, want %q", k.About, got, k.Says)
		}
	}
	for _, k := range cases[checked](t, domain, "tasks.yaml") {
		says, text := b.verdict(c, b.task(t, c, k))
		if !slices.Equal(says, k.Says) {
			found, _, _ := strings.Cut(text, "\nmutants\n")
			t.Errorf("about %v: says %q, want %q\n%s", k.About, says, k.Says, found)
		}
	}
}

func faults(v contract.Verdict) []string {
	out := []string{}
	for _, f := range v.Faults {
		out = append(out, fmt.Sprintf("%d %s", f.Index, f.Rule))
	}
	return out
}

// TestDeletion deletes each rule of the contract in turn from its text and
// loads it again: some role's verdict on a case about the rule must change.
func TestDeletion(t *testing.T) {
	if testing.Short() {
		t.Skip("loads the contract once for every rule: run without -short")
	}
	for _, domain := range domains {
		t.Run(domain, func(t *testing.T) { deletion(t, domain) })
	}
}

func deletion(t *testing.T, domain string) {
	whole, b := load(t, domain), newBench(t, domain)
	data := []byte(policyText(t, contractPath(domain)))
	var all []trial
	add := func(about []string, verdict func(*contract.Contract) string) {
		all = append(all, trial{about, verdict, sync.OnceValue(func() string { return verdict(whole) })})
	}
	for _, k := range cases[judged](t, domain, "sequences.yaml") {
		add(k.About, func(c *contract.Contract) string { return fmt.Sprint(faults(c.Judge(k.Sequence))) })
	}
	for _, k := range cases[checked](t, domain, "tasks.yaml") {
		task := b.task(t, whole, k)
		add(k.About, func(c *contract.Contract) string {
			_, text := b.verdict(c, task)
			return text
		})
	}
	for _, id := range ruleIDs(whole) {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			cut, err := contract.Load(without(t, data, id))
			if err != nil {
				return // other rules speak of it: without it the file is refused
			}
			subject, _, _ := strings.Cut(id, "#")
			about := slices.DeleteFunc(slices.Clone(all), func(k trial) bool { return !slices.Contains(k.about, subject) })
			if !slices.ContainsFunc(about, func(k trial) bool { return k.whole() != k.verdict(cut) }) {
				t.Errorf("deleting it changes no verdict on its %d cases", len(about))
			}
		})
	}
}

// trial is a case ready to be tried under a contract.
type trial struct {
	about   []string
	verdict func(*contract.Contract) string
	whole   func() string // the verdict under the whole contract
}

// TestEveryFunctionIsUsed finds functions of the contract that nothing calls.
func TestEveryFunctionIsUsed(t *testing.T) {
	if testing.Short() {
		t.Skip("loads the contract once for every rule: run without -short")
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

// without deletes a rule from the text of a contract.
func without(t *testing.T, data []byte, id string) []byte {
	t.Helper()
	var file map[string]any
	if err := yaml.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	kind, rest, _ := strings.Cut(id, ".")
	switch kind {
	case "protocol":
		delete(file["protocol"].(map[string]any), rest)
	case "customer":
		cutPart(t, file["customer"].(map[string]any), rest)
	case "wish":
		name, part, _ := strings.Cut(rest, ".")
		if part == "" {
			file["wishes"] = drop(file["wishes"], "name", name)
			break
		}
		cutPart(t, find(file["wishes"], "name", name), part)
	case "tool":
		cutTool(file["tools"].(map[string]any), rest)
	default:
		file["sequence"] = drop(file["sequence"], "id", id)
		file["policy"] = drop(file["policy"], "id", id)
	}
	out, err := yaml.Marshal(file)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func drop(list any, key, value string) any {
	return slices.DeleteFunc(list.([]any), func(e any) bool { return e.(map[string]any)[key] == value })
}

func find(list any, key, value string) map[string]any {
	for _, e := range list.([]any) {
		if m := e.(map[string]any); m[key] == value {
			return m
		}
	}
	return nil
}

func cutPart(t *testing.T, of map[string]any, part string) {
	t.Helper()
	name, at, numbered := strings.Cut(part, "#")
	if !numbered {
		delete(of, name)
		return
	}
	i, err := strconv.Atoi(at)
	if err != nil {
		t.Fatal(err)
	}
	of[name] = slices.Delete(slices.Clone(of[name].([]any)), i, i+1)
}

func cutTool(tools map[string]any, rest string) {
	name, path, inner := strings.Cut(rest, ".")
	if !inner {
		delete(tools, name)
		return
	}
	args := tools[name].(map[string]any)["args"].(map[string]any)
	if arg, ok := strings.CutSuffix(path, ".idle"); ok {
		delete(args[arg].(map[string]any), "idle")
		return
	}
	delete(args, path)
}
