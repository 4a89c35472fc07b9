package contract_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"cel.dev/cel-go/common/types/ref"

	"taste/contract"
)

// shop knows customers by two ways, which read.
const shop = `
format: 1
domain: shop
reads:
  member: {tool: get_member, args: [id]}
  by_mail: {tool: find_by_mail, args: [mail]}
  by_name: {tool: find_by_name, args: [first, town]}
customer:
  table: members
  read: member
  identify:
    - {way: mail, facts: [{act: my_mail, slots: {mail: me.mail}}], finds: by_mail(said.mail)}
    - {way: name, facts: [{act: my_name, slots: {name: "me.first + ' ' + me.last"}}, {act: my_town, slots: {town: me.town}}], finds: "named(said.name, said.town)"}
functions:
  - {def: "named(name, town)", is: "by_name(name.split(' ')[0], town)"}
  - {def: "mine()", is: member(customer)}
tools:
  get_member: {type: READ}
  find_by_mail: {type: READ}
  find_by_name: {type: READ}
  pay: {type: WRITE}
sequence:
  - {id: who_first, rule: first, tools: [find_by_mail, find_by_name], why: by then it is known who calls}
policy:
  - {id: known, tools: [pay], require: "mine().active", why: the account is closed}
protocol: {identify: true}
`

func loadShop(t *testing.T) *contract.Contract {
	t.Helper()
	c, err := contract.Load([]byte(shop))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// clerk answers reads and remembers which were made.
type clerk struct {
	answers map[string]any
	fails   map[string]bool
	made    []string
}

func (r *clerk) Read(tool string, args map[string]any) (ref.Val, error) {
	key := tool
	for _, name := range []string{"id", "mail", "first", "town"} {
		if v, ok := args[name]; ok {
			key += fmt.Sprint(" ", v)
		}
	}
	r.made = append(r.made, key)
	if r.fails[key] {
		return nil, errors.New("no such member")
	}
	if v, ok := r.answers[key]; ok {
		return contract.ToVal(v), nil
	}
	return nil, &contract.MissingRead{Tool: tool, Args: args}
}

func TestIdentify(t *testing.T) {
	c := loadShop(t)
	r := &clerk{
		answers: map[string]any{"find_by_mail a@x.org": "m1", "find_by_name Ann Bern": "m2"},
		fails:   map[string]bool{"find_by_mail no@x.org": true},
	}
	for _, k := range []struct {
		said map[string]any
		want string
	}{
		{nil, "the customer has not said mail"},
		{map[string]any{"name": "Ann Roe"}, "the customer has not said mail"},
		{map[string]any{"mail": "a@x.org", "name": "Ann Roe", "town": "Bern"}, "m1"},
		{map[string]any{"name": "Ann Roe", "town": "Bern"}, "m2"},
		{map[string]any{"mail": "no@x.org", "name": "Ann Roe", "town": "Bern"}, "m2"},
		{map[string]any{"mail": "no@x.org"}, "no such member"},
		{map[string]any{"mail": "b@x.org"}, "find_by_mail(map[mail:b@x.org]) has not been read"},
	} {
		got, err := (&contract.Scope{Contract: c, Reader: r, Said: k.said}).Identify()
		if err != nil {
			got = err.Error()
		}
		if got != k.want {
			t.Errorf("%v: %s, want %s", k.said, got, k.want)
		}
	}
}

// TestCustomerIsWhomTheFactsFind: expressions know the customer by what was
// said, and what it takes to know.
func TestCustomerIsWhomTheFactsFind(t *testing.T) {
	c := loadShop(t)
	r := &clerk{answers: map[string]any{"find_by_mail a@x.org": "m1", "get_member m1": map[string]any{"active": true}}}
	s := &contract.Scope{Contract: c, Reader: r, Said: map[string]any{"mail": "a@x.org"}}
	if ok, err := s.Holds(c.Policy[0].Require); err != nil || !ok {
		t.Fatal(ok, err)
	}
	var missing *contract.MissingSlot
	s = &contract.Scope{Contract: c, Reader: r, Said: map[string]any{}}
	if _, err := s.Holds(c.Policy[0].Require); !errors.As(err, &missing) || missing.Slot != "mail" {
		t.Fatalf("nobody has said who she is: %v", err)
	}
}

func TestFactsOfAWay(t *testing.T) {
	c := loadShop(t)
	s := &contract.Scope{Contract: c, Extra: map[string]any{"me": map[string]any{"first": "Ann", "last": "Roe", "town": "Bern"}}}
	got, err := s.Facts(c.Customer.Identify[1])
	want := []contract.Said{{Act: "my_name", Slots: map[string]any{"name": "Ann Roe"}}, {Act: "my_town", Slots: map[string]any{"town": "Bern"}}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("%v, %v", got, err)
	}
	if got := c.Customer.Identify[1].Tools(); !slices.Equal(got, []string{"find_by_name"}) {
		t.Errorf("tools through a function: %v", got)
	}
	if !c.Identifies("my_town") || c.Identifies("pay") || !c.Knows("town") || c.Knows("id") {
		t.Error("acts and slots by which customers are known")
	}
}

func TestFirstRule(t *testing.T) {
	c := loadShop(t)
	for _, k := range []struct {
		seq string
		bad []int
	}{
		{"find_by_mail find_by_name get_member pay", []int{}},
		{"get_member pay", []int{}},
		{"find_by_mail get_member find_by_name", []int{2}},
		{"pay find_by_mail find_by_name", []int{1, 2}},
	} {
		if got := c.Judge(strings.Fields(k.seq)).Bad(); !slices.Equal(got, k.bad) {
			t.Errorf("%s: %v, want %v", k.seq, got, k.bad)
		}
	}
}

func TestLoadRefusesCustomersNobodyCanIdentify(t *testing.T) {
	for _, k := range [][3]string{
		{"finds: by_mail(said.mail)", "finds: by_mail(said.card)", "undeclared reference"},
		{"way: mail", "way: name", "a name of its own"},
		{"read: member", "read: loan", "no read is called"},
	} {
		if _, err := contract.Load([]byte(strings.Replace(shop, k[0], k[1], 1))); err == nil || !strings.Contains(err.Error(), k[2]) {
			t.Errorf("%s: %v", k[1], err)
		}
	}
}
