package rules

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"taste/domain/airline"
	"taste/env"
	"taste/eval"
	"taste/phrase"
	"taste/sim"
	"taste/tau"
)

// retold is a seed task whose scenario says what a customer wants in speech
// acts, for the gold that the seed has.
type retold struct {
	seed  string
	user  string
	items []phrase.Item
	info  []string // communicate_info; nil: the seed's
	says  string   // what the careful agent says at some point
}

func wish(a phrase.Act, details ...phrase.Act) phrase.Item {
	return phrase.Item{Wish: a, Details: details}
}

func cancels(id, reason string) phrase.Item {
	return wish(phrase.New("cancel", "booking", id, "reason", reason))
}

func pays(ref string) phrase.Act { return phrase.New("pay", "pay", ref) }

func takes(via, pick string) phrase.Act { return phrase.New("choose", "via", via, "pick", pick) }

func travels(name, dob string) phrase.Act { return phrase.New("traveller", "name", name, "dob", dob) }

// errands are cases in which the policy decides each in its own way.
var errands = map[string]retold{
	"a booking of today": {seed: "01", user: "keiko_serrano_1186", items: []phrase.Item{cancels("H3VQ8T", "plans")}},
	"an insured illness": {seed: "03", user: "linh_pham_6648", items: []phrase.Item{cancels("B8XWE4", "illness")}},
	"a dropped flight":   {seed: "11", user: "ines_okafor_4021", says: "$200", items: []phrase.Item{wish(phrase.New("compensation", "booking", "Q7MB2X", "cause", "cancelled"))}},
	"bags beyond the allowance": {
		seed: "22", user: "samir_rahman_8450", says: "$50",
		items: []phrase.Item{wish(phrase.New("add_bags", "booking", "W6JCM3", "extra", 2), pays("credit_card_6081573"))},
	},
	"no ground, then a question": {
		seed: "02", user: "rohan_iyer_1559", says: "24 hours",
		items: []phrase.Item{cancels("M5KD2R", "plans"), wish(phrase.New("ask_paid", "booking", "M5KD2R"))},
	},
	"a trip that has begun": {
		seed: "04", user: "desmond_baptiste_2973", says: "A COLLEAGUE TAKES OVER",
		items: []phrase.Item{wish(phrase.New("fix_dob", "booking", "C9FJ3W", "who", "Camille Baptiste", "dob", "2009-01-17")), cancels("Z2RNA6", "plans")},
	},
	"a later flight": {
		seed: "05", user: "elif_demir_9402",
		items: []phrase.Item{wish(phrase.New("move", "booking", "J6PYT2", "part", "trip", "date", "2024-05-24"), takes("direct", "earliest"), pays("gift_card_8205536"))},
	},
	"a booking paid in two ways": {
		seed: "07", user: "samir_rahman_8450", info: []string{}, says: "$388",
		items: []phrase.Item{wish(phrase.New("book", "origin", "PHL", "destination", "LAS", "date", "2024-05-22", "cabin", "economy"), takes("direct", "earliest"),
			travels("Samir Rahman", "1987-12-28"), travels("Laila Rahman", "1990-10-10"), phrase.New("bags", "count", 3), phrase.New("insurance", "insurance", "no"),
			phrase.New("pay_split", "first", "certificate_7206819", "rest", "credit_card_6081573"))},
	},
	"a delay after the change": {
		seed: "12", user: "astrid_dahl_4786",
		items: []phrase.Item{
			wish(phrase.New("move", "booking", "X5BTE8", "part", "trip", "date", "2024-05-16"),
				phrase.New("over_delay", "reason", "delay"), takes("direct", "earliest"), pays("credit_card_5026674")),
			wish(phrase.New("compensation", "booking", "X5BTE8", "cause", "delayed")),
		},
	},
	"a delay without right": {
		seed: "13", user: "hugo_fontaine_5573", says: "$433",
		items: []phrase.Item{wish(phrase.New("compensation", "booking", "G2WKM7", "cause", "delayed")), wish(phrase.New("ask_balance"))},
	},
	"refund and goodwill": {
		seed: "20", user: "keiko_serrano_1186",
		items: []phrase.Item{cancels("Y7FBQ2", "airline"), wish(phrase.New("compensation", "booking", "Y7FBQ2", "cause", "cancelled"))},
	},
	"beyond the desk": {
		seed: "31", user: "bashir_haddad_5094", says: "A COLLEAGUE TAKES OVER",
		items: []phrase.Item{wish(phrase.New("add_bags", "booking", "C7WQJ5", "extra", 1), pays("credit_card_1093358")), wish(phrase.New("outside", "topic", "lost_item"))},
	},
}

// retell makes the task.
func retell(t testing.TB, b *phrase.Book, e retold) *tau.Task {
	t.Helper()
	seeds, err := airline.Seeds()
	if err != nil {
		t.Fatal(err)
	}
	for _, task := range seeds {
		if !strings.HasSuffix(task.ID, "-"+e.seed) {
			continue
		}
		brief := phrase.Brief{Facts: []phrase.Act{phrase.New("user_id", "user_id", e.user)}, Items: e.items}
		s, err := phrase.Compose(b, brief, rand.New(rand.NewPCG(1, 2)), nil)
		if err != nil {
			t.Fatal(err)
		}
		task.UserScenario = scenario("airline", s)
		if e.info != nil {
			task.EvaluationCriteria.CommunicateInfo = e.info
		}
		return &task
	}
	t.Fatalf("no seed %s", e.seed)
	return nil
}

func play(t testing.TB, p Play) Outcome {
	t.Helper()
	o, err := p.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func targetOf(t testing.TB, d *env.Domain, task *tau.Task) *eval.Target {
	t.Helper()
	target, err := eval.NewTarget(d, task)
	if err != nil {
		t.Fatal(err)
	}
	return target
}

// transcript is what agent and user said and called, a line each.
func transcript(r sim.Result) string {
	var out strings.Builder
	for _, m := range r.Messages {
		for _, c := range m.ToolCalls {
			out.WriteString(m.Role + " calls " + c.Name + "\n")
		}
		if m.ToolCalls == nil && m.Role != "tool" {
			out.WriteString(m.Role + ": " + m.Body() + "\n")
		}
	}
	return out.String()
}

func TestCarefulServesAsThePolicySays(t *testing.T) {
	d, c, b := builtin(t)
	for name, e := range errands {
		task := retell(t, b, e)
		for seed := range uint64(5) {
			o := play(t, Play{Target: targetOf(t, d, task), Agent: Careful(c, b), User: Customer(b), Seed: seed})
			if o.Reward != 1 || o.Errors > 0 {
				t.Errorf("%s, seed %d: reward %v, %d errors: %s\n%s", name, seed, o.Reward, o.Errors, o.Why, transcript(o.Result))
			}
			if !strings.Contains(transcript(o.Result), e.says) {
				t.Errorf("%s, seed %d: nothing said of %s:\n%s", name, seed, e.says, transcript(o.Result))
			}
		}
	}
}

func TestReferenceAgents(t *testing.T) {
	d, _, b := builtin(t)
	for name, e := range errands {
		task := retell(t, b, e)
		tells := len(task.EvaluationCriteria.CommunicateInfo) > 0
		for agent, c := range map[string]struct {
			agent sim.NewAgent
			earns bool
		}{"noop": {Noop(), false}, "oracle": {Oracle(task, b), true}, "silent": {silentOracle(task), !tells}} {
			o := play(t, Play{Target: targetOf(t, d, task), Agent: c.agent, User: Customer(b)})
			if (o.Reward == 1) != c.earns || o.Termination != sim.AgentStop {
				t.Errorf("%s, %s: reward %v after %s: %s", name, agent, o.Reward, o.Termination, o.Why)
			}
		}
	}
}

// silentOracle makes the agent's gold calls without a word but the ending.
func silentOracle(t *tau.Task) sim.NewAgent {
	mute := *t.EvaluationCriteria
	mute.CommunicateInfo = nil
	return Oracle(&tau.Task{EvaluationCriteria: &mute}, nil)
}
