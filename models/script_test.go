package models_test

import (
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"taste/contract"
	"taste/domain/airline"
	"taste/domain/retail"
	"taste/domain/telecom"
	"taste/env"
	"taste/gates"
	"taste/llm"
	"taste/llm/scripted"
	"taste/models"
	"taste/phrase"
	"taste/prompts"
	"taste/role"
	"taste/rules"
	"taste/synth"
	"taste/tau"
)

// kits are the built-in domains with what their rules roles work from.
func kitOf(t testing.TB, open func(uint64) (*env.Domain, error), contractFile []byte, phrases [][]byte) models.Kit {
	t.Helper()
	d, err := open(1)
	if err != nil {
		t.Fatal(err)
	}
	c, err := contract.Load(contractFile)
	if err != nil {
		t.Fatal(err)
	}
	b, err := phrase.Load(append([][]byte{phrase.Common}, phrases...)...)
	if err != nil {
		t.Fatal(err)
	}
	return models.Kit{Domain: d, Contract: c, Book: b}
}

func airlineKit(t testing.TB) models.Kit {
	return kitOf(t, airline.Builtin, airline.Contract(), airline.Phrases())
}

func retailKit(t testing.TB) models.Kit {
	return kitOf(t, retail.Builtin, retail.Contract(), retail.Phrases())
}

func telecomKit(t testing.TB) models.Kit {
	return kitOf(t, telecom.Builtin, telecom.Contract(), telecom.Phrases())
}

// byRules is a model that the rules play.
func byRules(t testing.TB, kits ...models.Kit) llm.Model {
	t.Helper()
	f, err := models.RulesScript(kits...)
	if err != nil {
		t.Fatal(err)
	}
	return scripted.Model("mock/rules", f)
}

var sequences = map[string][][]string{
	"airline": {
		{"get_user_details", "get_reservation_details", "update_reservation_baggages"},
		{"get_user_details", "search_direct_flight", "book_reservation"},
		{"get_user_details", "get_reservation_details", "cancel_reservation", "get_reservation_details", "update_reservation_passengers"},
		{"get_reservation_details", "get_flight_status"},
	},
	"telecom": {
		{"toggle_airplane_mode", "reseat_sim_card"},
		{"resume_line", "reboot_device"},
	},
	"retail": {
		{"find_user_id_by_email", "get_order_details", "cancel_pending_order"},
		{"find_user_id_by_name_zip", "get_order_details", "get_product_details", "exchange_delivered_order_items"},
	},
}

// Every role played through the prompts: tasks of models, checked as they are in
// a run, and made harder.
func TestPipelineByScript(t *testing.T) {
	for _, k := range []models.Kit{airlineKit(t), retailKit(t), telecomKit(t)} {
		t.Run(k.Domain.Name, func(t *testing.T) {
			var made []synth.Sound
			in := pipeline(t, k, byRules(t, k))
			for _, s := range sequences[k.Domain.Name] {
				in.Choices = append(in.Choices, synth.Choice{Sequence: s})
			}
			out, err := synth.Instantiate(t.Context(), in)
			if err != nil {
				t.Fatal(err)
			}
			if len(out) != len(in.Choices) {
				t.Errorf("made %d of %d tasks: %+v", len(out), len(in.Choices), in.Ledger.(*memory).outcomes)
			}
			for _, m := range out {
				made = append(made, synth.Sound{Task: m.Task, Adds: m.Meta.Adds})
			}
			evolve(t, k, in, made)
		})
	}
}

// A reviewer behind prompts finds what it finds by itself, also where gold is made
// with two sides coupled: there the customer's payment has a line resumed.
func TestReviewerByScript(t *testing.T) {
	k := telecomKit(t)
	seeds, err := telecom.Seeds()
	if err != nil {
		t.Fatal(err)
	}
	r, err := models.NewReviewer(models.Base{Model: byRules(t, k), Domain: k.Domain, Contract: k.Contract})
	if err != nil {
		t.Fatal(err)
	}
	for i := range seeds {
		for _, by := range []role.Reviewer{rules.NewReviewer(k.Domain, k.Contract, k.Book), r} {
			found, err := by.Review(t.Context(), &seeds[i])
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range found {
				if f.Severity == role.Critical {
					t.Errorf("%s by %T: %s: %s", seeds[i].ID, by, f.Rule, f.Evidence)
				}
			}
		}
	}
}

func evolve(t *testing.T, k models.Kit, in synth.InstantiateInput, made []synth.Sound) {
	t.Helper()
	evolver, err := models.NewEvolver(models.Base{Model: byRules(t, k), Domain: k.Domain})
	if err != nil {
		t.Fatal(err)
	}
	log := in.Ledger.(*memory)
	hard, err := synth.Evolve(t.Context(), synth.EvolveInput{
		Tasks: made, Evolver: evolver, Reviewer: in.Reviewer, Gate: in.Gate, Verifier: in.Verifier, Ledger: log,
		Settings: synth.EvolveSettings{Rounds: 2}, Workers: 2, Observer: quiet{},
	})
	if err != nil {
		t.Fatal(err)
	}
	levels := map[role.Level]int{}
	for i, h := range hard {
		levels[h.Level]++
		if h.Outcome.Failed != "" {
			t.Errorf("%s is emitted although it failed: %s: %s", h.Task.ID, h.Outcome.Failed, h.Outcome.Reason)
		}
		if !sameGold(&h.Task, &made[i].Task) {
			t.Errorf("%s: gold changed", h.Task.ID)
		}
	}
	for _, a := range log.attempts {
		t.Logf("%s %s round %d: %s %s", a.Task, a.Level, a.Round, a.Failed, a.Reason)
	}
	if levels[role.Full] == 0 {
		t.Errorf("levels %v: %+v", levels, log.attempts)
	}
}

func sameGold(a, b *tau.Task) bool {
	x, errX := json.Marshal(a.EvaluationCriteria.Actions)
	y, errY := json.Marshal(b.EvaluationCriteria.Actions)
	return errX == nil && errY == nil && string(x) == string(y)
}

// pipeline is the third stage with a model in every role.
func pipeline(t *testing.T, k models.Kit, m llm.Model) synth.InstantiateInput {
	t.Helper()
	base := models.Base{Model: m, Domain: k.Domain, Contract: k.Contract}
	author, err := models.NewAuthor(base)
	if err != nil {
		t.Fatal(err)
	}
	reviewer, err := models.NewReviewer(base)
	if err != nil {
		t.Fatal(err)
	}
	verifier, err := models.NewVerifier(base, models.User(base))
	if err != nil {
		t.Fatal(err)
	}
	gate, err := gates.New(k.Domain, k.Contract, k.Book).Foreign()
	if err != nil {
		t.Fatal(err)
	}
	return synth.InstantiateInput{
		Prefix: k.Domain.Name, Author: author, Reviewer: reviewer, Gate: gate, Verifier: verifier, Ledger: &memory{},
		Seed: 7, Settings: synth.InstantiateSettings{Tries: 3, Repairs: 1, Candidates: 1}, Workers: 2, Observer: quiet{},
	}
}

// memory remembers nothing but what became of attempts.
type memory struct {
	outcomes []synth.Outcome
	attempts []synth.EvolveAttempt
}

func (*memory) Recall(string) (json.RawMessage, bool) { return nil, false }

func (*memory) Keep(string, json.RawMessage) error { return nil }

func (m *memory) Record(o synth.Outcome) error {
	m.outcomes = append(m.outcomes, o)
	return nil
}

func (m *memory) Log(a synth.EvolveAttempt) error {
	m.attempts = append(m.attempts, a)
	return nil
}

type quiet struct{}

func (quiet) Begin(string, int) {}
func (quiet) Advance(int)       {}
func (quiet) End(string)        {}

// How much is done side by side changes nothing.
func TestPipelineIsTheSameForAllWorkers(t *testing.T) {
	k := airlineKit(t)
	var first []byte
	for _, workers := range []int{1, 4} {
		in := pipeline(t, k, byRules(t, k))
		in.Workers = workers
		for _, s := range sequences["airline"][:3] {
			in.Choices = append(in.Choices, synth.Choice{Sequence: s})
		}
		out, err := synth.Instantiate(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		var tasks []tau.Task
		for _, m := range out {
			tasks = append(tasks, m.Task)
		}
		got := tau.AppendTasks(nil, tasks)
		if first == nil {
			first = got
		}
		if len(tasks) == 0 || string(got) != string(first) {
			t.Errorf("with %d workers other tasks are made", workers)
		}
	}
}

// spoilt spoils the answers to one prompt.
type spoilt struct {
	llm.Model
	role  string
	spoil func(answer string) string

	mu    sync.Mutex
	asked map[string][]string // first messages, by prompt
}

func (m *spoilt) Call(ctx context.Context, r *llm.Request) (*llm.Response, error) {
	name, _ := prompts.RoleOf(r.System)
	res, err := m.Model.Call(ctx, r)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.asked == nil {
		m.asked = map[string][]string{}
	}
	if len(r.Messages) > 0 {
		m.asked[name] = append(m.asked[name], r.Messages[0].Text)
	}
	if err == nil && name == m.role {
		res.Message.Text = m.spoil(res.Message.Text)
	}
	return res, err
}

// A model's word alone makes no task valid: each fault is found by the check that
// is there for it, goes back in its words, and the repaired task passes.
func TestFaultsGoBackToTheAuthor(t *testing.T) {
	k := airlineKit(t)
	userID := regexp.MustCompile(`[a-z]+_[a-z]+_[0-9]{4}`)
	for name, c := range map[string]struct {
		role   string
		spoil  func(string) string
		failed synth.Check
		told   string
	}{
		"nobody calls": {"author-scenario", func(s string) string {
			var a models.ScenarioAnswer
			if json.Unmarshal([]byte(s), &a) != nil {
				return s
			}
			a.KnownInfo = userID.ReplaceAllString(a.KnownInfo, "somebody")
			return spellJSON(a)
		}, synth.CheckGates, gates.Identify},
		"gold fails": {"author-scenario", func(s string) string {
			return strings.ReplaceAll(s, `"nonfree_baggages":`, `"nonfree_baggages":9`)
		}, synth.CheckGates, "gates: "},
		"the customer wants nothing": {"author-scenario", func(s string) string {
			var a models.ScenarioAnswer
			if json.Unmarshal([]byte(s), &a) != nil {
				return s
			}
			a.ReasonForCall, a.TaskInstructions = "You are bored and feel like a chat.", "You want nothing in particular."
			return spellJSON(a)
		}, synth.CheckVerifier, "verifier: "},
	} {
		t.Run(name, func(t *testing.T) {
			m := &spoilt{Model: byRules(t, k), role: c.role, spoil: c.spoil}
			in := pipeline(t, k, m)
			in.Choices = []synth.Choice{{Sequence: sequences["airline"][0]}}
			out, err := synth.Instantiate(t.Context(), in)
			if err != nil {
				t.Fatal(err)
			}
			log := in.Ledger.(*memory).outcomes
			if len(out) != 1 || log[0].Failed != c.failed || out[0].Outcome.Attempt != 1 {
				t.Errorf("became %+v", log)
			}
			if repairs := m.asked["author-repair"]; len(repairs) != 1 || !strings.Contains(repairs[0], c.told) {
				t.Errorf("told %q, want %q", repairs, c.told)
			}
		})
	}
}

func spellJSON(v any) string {
	out, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(out)
}

// What is none of the program's prompts the rules do not play.
func TestScriptRefuses(t *testing.T) {
	m := byRules(t, airlineKit(t))
	for _, r := range []*llm.Request{
		{System: "You are a poet."},
		{System: "Role: poet (v1)\n\nWrite."},
		{System: "Role: judge (v1)\n\nof another domain"},
	} {
		if _, err := m.Call(t.Context(), r); llm.ClassOf(err) != llm.BadRequest {
			t.Errorf("%q: %v", r.System, err)
		}
	}
}

func TestScriptJudges(t *testing.T) {
	k := airlineKit(t)
	j, err := models.NewJudge(models.Base{Model: byRules(t, retailKit(t), k), Domain: k.Domain})
	if err != nil {
		t.Fatal(err)
	}
	good, err := j.Judge(t.Context(), sequences["airline"][0])
	if err != nil || !good.Plausible {
		t.Errorf("got %+v, %v", good, err)
	}
	bad, err := j.Judge(t.Context(), []string{"transfer_to_human_agents", "get_user_details"})
	if err != nil || bad.Plausible || !slices.Contains(bad.Bad, 0) || strings.TrimSpace(bad.Why) == "" {
		t.Errorf("got %+v, %v", bad, err)
	}
}
