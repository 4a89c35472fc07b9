package gates_test

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"taste/chat"
	"taste/contract"
	"taste/domain/airline"
	"taste/env"
	"taste/eval"
	"taste/gates"
	"taste/internal/shared"
	"taste/phrase"
	"taste/pyjson"
	"taste/tau"
)

// kit is the small airline of the contract's own tests, with contract and book.
type kit struct {
	domain   *env.Domain
	contract *contract.Contract
	book     *phrase.Book
}

func newKit(tb testing.TB) kit {
	tb.Helper()
	k, err := openKit()
	must(tb, err)
	return k
}

var openKit = sync.OnceValues(func() (k kit, err error) {
	builtin, err := airline.Builtin(1)
	if err != nil {
		return k, err
	}
	data, err := os.ReadFile("../contract/testdata/deletion/airline/db.json")
	if err != nil {
		return k, err
	}
	db, err := pyjson.Decode(data)
	if err != nil {
		return k, err
	}
	state, err := airline.Native.Load(db, nil)
	if err != nil {
		return k, err
	}
	if k.domain, err = env.NewDomain(env.Domain{Name: "airline", Tools: builtin.Tools}, state); err != nil {
		return k, err
	}
	if k.contract, err = contract.Load(airline.Contract()); err != nil {
		return k, err
	}
	k.book, err = phrase.Load(append([][]byte{phrase.Common}, airline.Phrases()...)...)
	return k, err
})

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// words renders acts as a scenario's sentences.
func (k kit) words(tb testing.TB, acts ...phrase.Act) string {
	tb.Helper()
	var out []string
	for _, a := range acts {
		s, err := k.book.Render(a, phrase.Second, rand.New(rand.NewPCG(1, 1)))
		must(tb, err)
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

// task makes a task of Ann Gold's from its wishes, gold and literals.
func (k kit) task(tb testing.TB, wishes []phrase.Act, gold []tau.Action, tell ...string) *tau.Task {
	tb.Helper()
	known := k.words(tb, phrase.New("user_id", "user_id", "ann_gold_1001"))
	return &tau.Task{
		ID: "t", UserScenario: tau.UserScenario{Instructions: tau.Instructions{Structured: &tau.StructuredInstructions{
			Domain: "airline", ReasonForCall: k.words(tb, wishes...), KnownInfo: &known,
		}}},
		EvaluationCriteria: &tau.EvaluationCriteria{Actions: gold, CommunicateInfo: tell, RewardBasis: tau.DefaultBasis()},
	}
}

func call(name string, pairs ...any) tau.Action {
	args := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		args[pairs[i].(string)] = pairs[i+1]
	}
	return tau.Action{ActionID: name, Requestor: chat.Assistant, Name: name, Arguments: args}
}

func check(tb testing.TB, k kit, t *tau.Task) *gates.Result {
	tb.Helper()
	r, err := gates.New(k.domain, k.contract, k.book).Check(t, &gates.Claims{})
	must(tb, err)
	return r
}

func rulesOf(list []gates.Finding) []string {
	out := []string{}
	for _, f := range list {
		if !slices.Contains(out, f.Rule) {
			out = append(out, f.Rule)
		}
	}
	return out
}

func expect(t *testing.T, r *gates.Result, want ...string) {
	t.Helper()
	if got := rulesOf(r.Failures); !slices.Equal(got, want) {
		t.Errorf("failures %q, want %q: %v", got, want, r.Failures)
	}
}

// bagsAndTotal is a sound task: one change and one question.
func bagsAndTotal(tb testing.TB, k kit) *tau.Task {
	return k.task(tb,
		[]phrase.Act{
			phrase.New("add_bags", "booking", "AAA222", "extra", 2), phrase.New("pay", "pay", "7447"),
			phrase.New("ask_paid", "booking", "AAA111"), phrase.New("order"),
		},
		[]tau.Action{
			call("get_reservation_details", "reservation_id", "AAA222"),
			call("update_reservation_baggages", "reservation_id", "AAA222", "total_baggages", int64(3), "nonfree_baggages", int64(0), "payment_id", "credit_card_1110001"),
			call("get_reservation_details", "reservation_id", "AAA111"),
		},
		"318")
}

func TestSoundTaskPasses(t *testing.T) {
	k := newKit(t)
	r := check(t, k, bagsAndTotal(t, k))
	expect(t, r)
	if len(r.Unchecked) > 0 {
		t.Errorf("unchecked: %v", r.Unchecked)
	}
	n := map[string]int{}
	for _, m := range r.Mutants {
		n[m.Kind]++
	}
	// Replaced: nine other reservations less one, eight other totals, eight
	// other numbers of paid bags; the payment has no effect where none is paid.
	if n[gates.Drop] != 1 || n[gates.Replace] != 8+8+8 || n[gates.AddBefore] < 20 || n[gates.AddAfter] < 20 {
		t.Errorf("mutants %v", n)
	}
}

// TestMutantsByFullScoring scores every mutant as a whole conversation, the
// way an evaluation does, instead of comparing states on the way.
func TestMutantsByFullScoring(t *testing.T) {
	k := newKit(t)
	task := bagsAndTotal(t, k)
	for _, m := range check(t, k, task).Mutants {
		if r := play(t, k, task, m.Actions, "318"); r != 0 {
			t.Errorf("%s %s earns %v", m.Kind, m.Detail, r)
		}
	}
	var gold []gates.Step
	for _, a := range task.EvaluationCriteria.Actions {
		gold = append(gold, gates.Step{Name: a.Name, Arguments: a.Arguments})
	}
	if r := play(t, k, task, gold, "It was $318 in all."); r != 1 {
		t.Errorf("gold earns %v", r)
	}
}

// play makes a conversation of calls and a closing text and scores it.
func play(t *testing.T, k kit, task *tau.Task, steps []gates.Step, text string) float64 {
	t.Helper()
	e := k.domain.Environment()
	must(t, e.SetState(task.InitialState))
	var messages []chat.Message
	for _, s := range steps {
		c := chat.ToolCall{ID: s.Name, Name: s.Name, Arguments: s.Arguments}
		res := e.Do(&c)
		messages = append(messages, chat.Calls(chat.Assistant, c), chat.Answer(&c, res.Content, res.Error))
	}
	info, err := eval.Compat(k.domain, task, &eval.Conversation{Termination: "user_stop", Messages: append(messages, chat.Text(chat.Assistant, text))})
	must(t, err)
	return info.Reward
}

func TestUngatedTasks(t *testing.T) {
	k := newKit(t)
	t.Run("nothing to do", func(t *testing.T) {
		task := k.task(t, nil, []tau.Action{call("get_user_details", "user_id", "ann_gold_1001")})
		expect(t, check(t, k, task), gates.NothingLost)
	})
	t.Run("empty gate", func(t *testing.T) {
		task := k.task(t, nil, []tau.Action{call("get_user_details", "user_id", "ann_gold_1001")})
		task.EvaluationCriteria.RewardBasis = []tau.RewardType{tau.Communicate}
		expect(t, check(t, k, task), gates.NotEmpty)
	})
	t.Run("silent agent", func(t *testing.T) {
		task := bagsAndTotal(t, k)
		task.EvaluationCriteria.RewardBasis = []tau.RewardType{tau.DB}
		expect(t, check(t, k, task), gates.SilentLost)
	})
	t.Run("failing gold", func(t *testing.T) {
		task := k.task(t, []phrase.Act{phrase.New("cancel", "booking", "AAA888", "reason", "plans")}, []tau.Action{call("cancel_reservation", "reservation_id", "ZZZ999")})
		expect(t, check(t, k, task), gates.GoldRuns, gates.Derived)
	})
	t.Run("write without effect on the end", func(t *testing.T) {
		named := func(name string) tau.Action {
			return call("update_reservation_passengers", "reservation_id", "AAA333", "passengers",
				[]any{map[string]any{"first_name": name, "last_name": "Gold", "dob": "1980-01-02"}})
		}
		task := k.task(t, nil, []tau.Action{named("Anna"), named("Hannah")})
		if r := check(t, k, task); !slices.Contains(rulesOf(r.Failures), "mutant.drop") {
			t.Errorf("failures %v", r.Failures)
		}
	})
	t.Run("write that changes nothing", func(t *testing.T) {
		task := k.task(t, nil, []tau.Action{call("update_reservation_passengers", "reservation_id", "AAA333", "passengers",
			[]any{map[string]any{"first_name": "Ann", "last_name": "Gold", "dob": "1980-01-02"}})})
		if r := check(t, k, task); !slices.Contains(rulesOf(r.Failures), gates.NoChange) {
			t.Errorf("failures %v", r.Failures)
		}
	})
}

func TestFreeOrder(t *testing.T) {
	k := newKit(t)
	gold := []tau.Action{
		call("update_reservation_baggages", "reservation_id", "RRR111", "total_baggages", int64(3), "nonfree_baggages", int64(1), "payment_id", "gift_card_2220003"),
		call("send_certificate", "user_id", "rob_plain_1002", "amount", int64(50)),
		call("send_certificate", "user_id", "rob_plain_1002", "amount", int64(100)),
	}
	prose := func(text string) *tau.Task {
		task := k.task(t, nil, gold)
		*task.UserScenario.Instructions.Structured.KnownInfo = text
		return task
	}
	r := check(t, k, prose("I am rob_plain_1002 and want this and that."))
	if !slices.Contains(rulesOf(r.Unchecked), gates.FreeOrder) {
		t.Errorf("prose that cannot be read: unchecked %v", r.Unchecked)
	}
	wishes := []phrase.Act{phrase.New("compensation", "booking", "AAA555", "cause", "cancelled"), phrase.New("compensation", "booking", "AAA999", "cause", "cancelled")}
	free := k.task(t, wishes, []tau.Action{
		call("get_flight_status", "flight_number", "HAT004", "date", "2024-05-14"),
		call("send_certificate", "user_id", "ann_gold_1001", "amount", int64(100)), call("send_certificate", "user_id", "ann_gold_1001", "amount", int64(200)),
	})
	if r := check(t, k, free); !slices.Contains(rulesOf(r.Failures), gates.FreeOrder) {
		t.Errorf("no order stated: failures %v", r.Failures)
	}
	stated := k.task(t, append(wishes, phrase.New("order")), free.EvaluationCriteria.Actions)
	if r := check(t, k, stated); slices.Contains(rulesOf(r.Failures), gates.FreeOrder) {
		t.Errorf("order stated: failures %v", r.Failures)
	}
}

// TestExtraWishIsNotFulfilled: what a customer insists on has no gold action,
// and granting it costs the reward; without insistence gold lacks an action.
func TestExtraWishIsNotFulfilled(t *testing.T) {
	k := newKit(t)
	extra := phrase.New("cancel", "booking", "AAA111", "reason", "plans")
	task := bagsAndTotal(t, k)
	task.UserScenario.Instructions.Structured.ReasonForCall += " " + k.words(t, extra, phrase.New("insist"))
	r := check(t, k, task)
	expect(t, r)
	granted := slices.IndexFunc(r.Mutants, func(m gates.Mutant) bool { return m.Kind == gates.Grant })
	if granted < 0 || len(r.Mutants[granted].Actions) != 2 || r.Mutants[granted].Actions[1].Name != "cancel_reservation" {
		t.Errorf("no mutant grants the extra wish: %v", r.Mutants)
	}
	task = bagsAndTotal(t, k)
	task.UserScenario.Instructions.Structured.ReasonForCall += " " + k.words(t, extra)
	expect(t, check(t, k, task), gates.Derived)
}

func TestLiterals(t *testing.T) {
	k := newKit(t)
	for _, c := range []struct {
		name string
		info []string
		want string
	}{
		{"comma", []string{"1,318"}, gates.GoldEarns},
		{"short", []string{"31"}, gates.Chance},
		{"in the scenario", []string{"AAA111"}, gates.Literal},
		{"within another", []string{"318", "13187"}, gates.Distinct},
		{"said twice", []string{"318", "318"}, gates.Distinct},
		{"not asked for", []string{"318", "999"}, gates.Told},
		{"missing", nil, gates.Told},
	} {
		t.Run(c.name, func(t *testing.T) {
			task := bagsAndTotal(t, k)
			task.EvaluationCriteria.CommunicateInfo = c.info
			if r := check(t, k, task); !slices.Contains(rulesOf(r.Failures), c.want) {
				t.Errorf("failures %v, want %s", r.Failures, c.want)
			}
		})
	}
}

func TestScenarioAgainstDatabase(t *testing.T) {
	k := newKit(t)
	for _, c := range []struct{ text, want string }{
		{"Your confirmation number is ZZZ999.", gates.Known},
		{"You also fly on HAT999.", gates.Known},
		{"Your gift card is gift_card_7777777.", gates.Known},
		{"You fly on 2024-02-30.", gates.Known},
		{"You fly on February 31.", gates.Known},
		{"You are Ann Silver.", gates.Name},
		{"You are Ann Gold, of AAA111, and your certificate is certificate_1110004.", ""},
		{"You leave on the 15th of May at 3PM, on COVID19 terms.", ""},
	} {
		task := bagsAndTotal(t, k)
		task.UserScenario.Instructions.Structured.TaskInstructions = c.text
		r := check(t, k, task)
		if c.want == "" && len(r.Failures) > 0 || c.want != "" && !slices.Contains(rulesOf(r.Failures), c.want) {
			t.Errorf("%q: failures %v, want %q", c.text, r.Failures, c.want)
		}
	}
}

func TestAdditions(t *testing.T) {
	k := newKit(t)
	task := bagsAndTotal(t, k)
	old := k.domain.Environment().RecordJSON("reservations", "AAA111")
	added := pyjson.NewObject()
	for key, v := range old.All() {
		added.Set(key, v)
	}
	added.Set("reservation_id", "NEW111")
	task.InitialState = &tau.InitialState{InitializationData: &tau.InitializationData{
		AgentData: pyjson.NewObject("reservations", pyjson.NewObject("NEW111", added)),
	}}
	g := gates.New(k.domain, k.contract, k.book)
	for _, c := range []struct {
		adds []string
		want int
		says string
	}{
		{[]string{"reservations/NEW111"}, 1, "does not list it"},
		{nil, 2, "not declared"},
		{[]string{"reservations/NEW111", "reservations/GONE11"}, 2, "not there"},
	} {
		r, err := g.Check(task, &gates.Claims{Adds: c.adds})
		must(t, err)
		n := 0
		said := false
		for _, f := range r.Failures {
			if f.Rule == gates.Additive {
				n++
				said = said || strings.Contains(f.Evidence, c.says)
			}
		}
		if n != c.want || !said {
			t.Errorf("declared %v: %d findings, want %d with %q: %v", c.adds, n, c.want, c.says, r.Failures)
		}
	}
}

func packAirline(tb testing.TB) (dir string, k kit) {
	tb.Helper()
	pack, dir := packOf(tb, "airline", airline.Native)
	k = newKit(tb)
	k.domain = pack.Domain
	return dir, k
}

// packOf is the public pack of a domain, and the folder that it is in.
func packOf(tb testing.TB, domain string, native env.Native) (*env.Pack, string) {
	tb.Helper()
	dir := filepath.Join(shared.Dir(tb), "packs", "tau2-"+domain)
	p, err := env.LoadPack(dir, env.Registry{env.Key(domain, "tau2"): native})
	must(tb, err)
	return p, dir
}

// TestValidateForeignTasks looks at two public task files. The findings were
// checked by hand: refusals that an idle agent passes, literals that are said
// by chance, and two corrections that made a task wrong: bags charged although
// they are free, and a wrong birth date.
func TestValidateForeignTasks(t *testing.T) {
	dir, k := packAirline(t)
	for _, c := range []struct {
		file  string
		kinds map[gates.Kind]int
		has   []string
	}{
		{"tasks.json", map[gates.Kind]int{gates.Ungated: 24, gates.Wording: 2}, []string{"32 mutant.replace", "3 said_by_chance", "14 said_by_chance", "32 open_choice", "44 open_choice"}},
		{"tasks_verified.json", map[gates.Kind]int{gates.Unsolvable: 1, gates.Ungated: 24, gates.Wording: 3}, []string{"33 bags_priced", "35 near_record", "14 said_by_chance"}},
	} {
		tasks, err := tau.LoadTasks(filepath.Join(dir, c.file))
		must(t, err)
		faults, err := gates.Validate(context.Background(), tasks, k.domain, k.contract, k.book, nil)
		must(t, err)
		n := map[gates.Kind]int{}
		var all []string
		for _, f := range faults {
			n[f.Kind] += 1 + f.More
			all = append(all, f.Task+" "+f.Rule)
		}
		for _, kind := range []gates.Kind{gates.Unsolvable, gates.Ungated, gates.Wording} {
			if n[kind] != c.kinds[kind] {
				t.Errorf("%s: %d %s, want %d", c.file, n[kind], kind, c.kinds[kind])
			}
		}
		for _, want := range c.has {
			if !slices.Contains(all, want) {
				t.Errorf("%s: finding %q is missing", c.file, want)
			}
		}
	}
}

// TestValidateWithoutContract: what needs a contract is not checked, and said
// to be.
func TestValidateWithoutContract(t *testing.T) {
	k := newKit(t)
	faults, err := gates.Validate(context.Background(), []tau.Task{*bagsAndTotal(t, k)}, k.domain, nil, nil, nil)
	must(t, err)
	var open []string
	for _, f := range faults {
		if f.Kind != gates.NotChecked {
			t.Errorf("%v", f)
		}
		open = append(open, f.Rule)
	}
	for _, want := range []string{gates.Readable, "mutant.replace", "mutant.add_after", gates.Known, "policy"} {
		if !slices.Contains(open, want) {
			t.Errorf("not checked are %q, want %s among them", open, want)
		}
	}
}

func BenchmarkCheck(b *testing.B) {
	k := newKit(b)
	task := bagsAndTotal(b, k)
	g := gates.New(k.domain, k.contract, k.book)
	n := 0
	for b.Loop() {
		r, err := g.Check(task, &gates.Claims{})
		must(b, err)
		n = len(r.Mutants)
	}
	b.ReportMetric(float64(n), "mutants")
}
