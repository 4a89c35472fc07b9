package phrase

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// trade is what the tests know of a domain whose phrase book they try.
type trade struct {
	name   string
	folder string // "" is domain/NAME
	facts  []string
	wishes []string // and questions, frequent ones twice
	// details stand behind a wish as the domain's contract puts them.
	details map[string][]string
	// frequent acts need more wordings than others.
	frequent []string
	// hard draws the items of an evolved task with every technique in it: three
	// wishes of the customer's own and two that the policy refuses.
	hard func(act func(names ...string) Act) []Item
	// questions are a few acts that change nothing.
	questions []Act

	loading, plain, terse sync.Once
	loaded                *Book
	plainRun, terseRun    []Scenario
	terseBriefs           []Brief
}

var trades = []*trade{
	{
		name:  "airline",
		facts: []string{"self", "user_id"},
		wishes: []string{
			"cancel", "cancel", "move", "move", "recabin", "add_bags", "add_bags", "rename", "fix_dob", "swap_passenger", "book", "compensation",
			"ask_paid", "ask_flights_cost", "ask_paid_two", "ask_segment", "ask_balance", "ask_email", "ask_zip", "ask_status", "ask_status", "ask_fare",
			"ask_earliest", "ask_stopover", "ask_group_fare", "ask_airport_code",
		},
		details:  map[string][]string{"move": {"choose", "pay"}, "recabin": {"pay"}, "add_bags": {"pay"}, "book": {"choose", "traveller", "bags", "insurance", "pay"}},
		frequent: []string{"cancel", "move", "recabin", "add_bags", "choose", "pay", "ask_paid", "ask_status", "ask_fare", "user_id", "insurance"},
		hard: func(act func(...string) Act) []Item {
			return []Item{
				{Wish: act("move"), Details: []Act{act("choose"), act("pay")}, Twists: []Act{act("slip_date", "slip_pick"), New("withhold", "slot", "pay")}},
				{Wish: act("cancel", "rename"), Twists: []Act{New("with_yes")}},
				{Wish: act("add_bags"), Details: []Act{act("pay")}, Twists: []Act{act("mixup", "slip_extra"), New("supervisor")}},
				{Wish: act("cancel", "recabin", "compensation"), Twists: []Act{New("insist")}},
				{Wish: act("recabin"), Details: []Act{act("pay")}, Twists: []Act{act("claim_level", "claim_bags", "claim_fresh", "claim_insured", "claim_cabin")}},
			}
		},
		questions: []Act{New("ask_airport_code", "city", "Boston"), New("ask_status", "flight_number", "ABC123", "date", "2024-05-22"), New("ask_email")},
	},
	{
		name:  "retail",
		facts: []string{"my_name", "my_zip"},
		wishes: []string{
			"cancel_order", "cancel_order", "reship", "reship_home", "repay", "swap", "swap", "swap_pick", "swap_to", "exchange", "exchange", "exchange_pick",
			"exchange_to", "return_items", "return_items", "return_all", "relocate", "ask_order_total", "ask_item_paid", "ask_tracking", "ask_ship_zip",
			"ask_cheapest", "ask_dearest", "ask_cheapest_like", "ask_dearest_like", "ask_cheapest_no", "ask_dearest_no", "ask_item_price", "ask_product_no",
			"ask_email", "ask_zip", "ask_street", "ask_two_orders", "ask_two_items", "ask_share", "ask_gap", "ask_bulk", "ask_bulk_like", "ask_bulk_no", "ask_spread",
		},
		details: map[string][]string{
			"swap": {"pay"}, "swap_pick": {"pay"}, "swap_to": {"pay"}, "exchange": {"exchange_too", "pay"}, "exchange_pick": {"pay"}, "exchange_to": {"pay"},
			"return_items": {"return_too", "refund_into"}, "return_all": {"refund_into"},
		},
		frequent: []string{
			"cancel_order", "reship", "reship_home", "repay", "swap", "swap_pick", "exchange", "exchange_pick", "return_items", "return_all", "relocate",
			"pay", "ask_order_total", "ask_item_paid", "my_email",
		},
		hard: func(act func(...string) Act) []Item {
			return []Item{
				{Wish: act("swap"), Details: []Act{act("pay")}, Twists: []Act{act("slip_feature", "slip_item"), New("withhold", "slot", "pay")}},
				{Wish: act("cancel_order"), Twists: []Act{New("with_yes")}},
				{Wish: act("return_items"), Details: []Act{act("return_too"), act("refund_into")}, Twists: []Act{act("mixup", "slip_refund"), New("supervisor")}},
				{Wish: act("cancel_order", "exchange_same", "return_all"), Twists: []Act{New("insist")}},
				{Wish: act("exchange"), Details: []Act{act("pay")}, Twists: []Act{act("claim_feature")}},
			}
		},
		questions: []Act{New("ask_product_no", "product", "Desk Lamp"), New("ask_order_total", "order", "#W1234567"), New("ask_email")},
	},
	{
		name:  "telecom",
		facts: []string{"my_id", "my_number"},
		wishes: []string{
			"no_service", "no_service", "slow_data", "slow_data", "no_mms", "no_mms", "bill_due", "dead_line", "refuel", "pause", "pause", "unpause", "roaming_off", "outside",
		},
		details:  map[string][]string{"slow_data": {"abroad", "refuel_up_to"}, "no_mms": {"abroad"}},
		frequent: []string{"no_service", "slow_data", "no_mms", "my_number"},
		hard: func(act func(...string) Act) []Item {
			return []Item{
				{Wish: act("slow_data"), Details: []Act{act("refuel_up_to")}, Twists: []Act{act("claim_data", "claim_saver", "claim_vpn", "claim_mode", "claim_used"), New("withhold", "slot", "refuel_up_to")}},
				{Wish: act("pause"), Twists: []Act{New("with_yes")}},
				{Wish: act("unpause"), Twists: []Act{act("slip_other"), New("supervisor")}},
				{Wish: act("refuel", "pause"), Twists: []Act{New("insist")}},
				{Wish: act("no_service"), Twists: []Act{act("claim_airplane", "claim_sim", "claim_access", "claim_active")}},
			}
		},
	},
	{
		name:     "library",
		folder:   "internal/library",
		facts:    []string{"card_number"},
		wishes:   []string{"renew", "renew", "settle", "outside", "ask_title", "ask_shelf", "ask_email"},
		details:  map[string][]string{"renew": {"weeks"}, "settle": {"pay"}},
		frequent: []string{"renew"},
		hard: func(act func(...string) Act) []Item {
			return []Item{
				{Wish: act("renew"), Details: []Act{act("weeks")}, Twists: []Act{act("slip_weeks"), New("withhold", "slot", "weeks")}},
				{Wish: act("renew"), Details: []Act{act("weeks")}, Twists: []Act{New("with_yes")}},
				{Wish: act("settle"), Details: []Act{act("pay")}, Twists: []Act{act("mixup", "slip_pay"), New("supervisor")}},
				{Wish: act("renew"), Details: []Act{act("weeks")}, Twists: []Act{New("insist")}},
				{Wish: act("settle"), Details: []Act{act("pay")}, Twists: []Act{act("claim_due", "claim_category")}},
			}
		},
		questions: []Act{New("ask_title", "loan", "L-123456"), New("ask_shelf", "loan", "L-654321"), New("ask_email")},
	},
}

// book is the loaded book of a trade, which tests share.
func (d *trade) book(t testing.TB) *Book {
	t.Helper()
	d.loading.Do(func() { d.loaded = d.load(t) })
	if d.loaded == nil {
		t.Fatal("the book does not load")
	}
	return d.loaded
}

func (d *trade) load(t testing.TB) *Book {
	t.Helper()
	folder := d.folder
	if folder == "" {
		folder = "domain/" + d.name
	}
	paths, err := filepath.Glob("../" + folder + "/phrases*.yaml")
	if err != nil || len(paths) == 0 {
		t.Fatal("no phrase book", err)
	}
	files := [][]byte{Common}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, data)
	}
	b, err := Load(files...)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func tradeOf(t testing.TB, domain string) *trade {
	t.Helper()
	for _, d := range trades {
		if d.name == domain {
			return d
		}
	}
	t.Fatal("no trade", domain)
	return nil
}

// bookOf is the loaded book of a domain.
func bookOf(t testing.TB, domain string) *Book { return tradeOf(t, domain).book(t) }

func airline(t testing.TB) *Book { return bookOf(t, "airline") }

// everyTrade runs a test over the book of each domain, with -short over that of
// the small one.
func everyTrade(t *testing.T, test func(t *testing.T, d *trade, b *Book)) {
	t.Helper()
	for _, d := range trades {
		t.Run(d.name, func(t *testing.T) {
			if testing.Short() && d.folder == "" {
				t.Skip("goes through the whole book: run without -short")
			}
			t.Parallel()
			test(t, d, d.book(t))
		})
	}
}

// sampled draws an act, one of several.
func sampled(t testing.TB, b *Book, draw *rand.Rand) func(names ...string) Act {
	return func(names ...string) Act {
		t.Helper()
		a, err := b.Sample(names[draw.IntN(len(names))], draw)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
}

// brief draws n wishes or questions with their details.
func (d *trade) brief(t testing.TB, n int, draw *rand.Rand) Brief {
	t.Helper()
	act := sampled(t, d.book(t), draw)
	var out Brief
	for _, f := range d.facts {
		out.Facts = append(out.Facts, act(f))
	}
	for range n {
		item := Item{Wish: act(d.wishes...)}
		for _, detail := range d.details[item.Wish.Name] {
			item.Details = append(item.Details, act(detail))
		}
		out.Items = append(out.Items, item)
	}
	return out
}

// hardBrief draws the brief of an evolved task.
func (d *trade) hardBrief(t testing.TB, draw *rand.Rand) Brief {
	t.Helper()
	act := sampled(t, d.book(t), draw)
	return Brief{Facts: []Act{act(d.facts[len(d.facts)-1])}, Items: d.hard(act), Terse: true}
}

// manyTasks is how many scenarios of a run the tests compose. As each of them is
// a function of those before it, fewer are the first of these.
const manyTasks = 114

// compose composes scenarios of two to seven wishes.
func (d *trade) compose(t testing.TB, n int, used *Variety) []Scenario {
	t.Helper()
	draw := rand.New(rand.NewPCG(1, 5))
	var out []Scenario
	for range n {
		s, err := Compose(d.book(t), d.brief(t, 2+draw.IntN(6), draw), draw, used)
		if err != nil {
			t.Fatal(err)
		}
		if used != nil {
			used.Add(s)
		}
		out = append(out, s)
	}
	return out
}

// run are the scenarios of a run, which tests share.
func (d *trade) run(t testing.TB) []Scenario {
	t.Helper()
	d.plain.Do(func() { d.plainRun = d.compose(t, manyTasks, &Variety{}) })
	if len(d.plainRun) == 0 {
		t.Fatal("no scenarios")
	}
	return d.plainRun
}

// hardRun are the scenarios of evolved tasks with their briefs, which tests
// share.
func (d *trade) hardRun(t testing.TB) ([]Brief, []Scenario) {
	t.Helper()
	d.terse.Do(func() {
		var used Variety
		draw := rand.New(rand.NewPCG(2, 5))
		for range manyTasks {
			brief := d.hardBrief(t, draw)
			s, err := Compose(d.book(t), brief, draw, &used)
			if err != nil {
				t.Fatal(err)
			}
			used.Add(s)
			d.terseBriefs, d.terseRun = append(d.terseBriefs, brief), append(d.terseRun, s)
		}
	})
	if len(d.terseRun) < manyTasks {
		t.Fatal("no scenarios")
	}
	return d.terseBriefs, d.terseRun
}
