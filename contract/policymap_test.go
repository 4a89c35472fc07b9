package contract_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"taste/contract"
	"taste/internal/shared"
)

var update = flag.Bool("update", false, "rewrite golden files")

// TestCitesAreHeldToThePolicy: places that are not there, and what is no place or no part
// of the contract, are named all at once, with who cites them; other policies are left
// alone.
func TestCitesAreHeldToThePolicy(t *testing.T) {
	c := &contract.Contract{
		Policy:    []contract.PolicyRule{{ID: "own", Cites: []string{"mine/Rules/1-3", "theirs/Rules/9", "mine/Rules/x"}}},
		Citations: map[string][]string{"wish.fly": {"mine/Rules/2"}, "now": {"mine/Opening/1"}},
		Unchecked: []contract.Unchecked{{Cites: []string{"mine/Rules/2-1"}}},
	}
	err := c.CheckCites("mine", "<policy>\nToday is Monday.\n\n## Rules\n- Be kind. Be brief.\n</policy>\n")
	if err == nil {
		t.Fatal("no fault is found")
	}
	want := []string{
		`citations: now is no part of the contract`,
		`citations: wish.fly is no part of the contract`,
		`own cites "mine/Rules/x", want POLICY/HEADINGS/NUMBER, or a range of numbers`,
		`unchecked without a reason: mine/Rules/2-1`,
		`unchecked cites "mine/Rules/2-1", want POLICY/HEADINGS/NUMBER, or a range of numbers`,
		`own cites mine/Rules/3, which is no place of the policy`,
	}
	got := strings.Split(err.Error(), "\n")
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// checkPlaces fails for each sentence that nothing cites, for each that is
// both checked and listed as unchecked, and for what CheckCites finds.
func checkPlaces(t *testing.T, c *contract.Contract, name, policy string) {
	t.Helper()
	if err := c.CheckCites(name, policy); err != nil {
		t.Error(err)
	}
	by, _ := c.Cited()
	for _, s := range contract.Sentences(name, policy) {
		who := by[s.Place]
		loose := slices.ContainsFunc(who, func(w string) bool { return strings.HasPrefix(w, "unchecked: ") })
		if len(who) == 0 {
			t.Errorf("%s is not mapped: %s", s.Place, s.Text)
		}
		if loose && len(who) > 1 {
			t.Errorf("%s is listed as unchecked and yet cited: %v", s.Place, who)
		}
	}
}

// TestEveryPolicyRuleCites: a rule that stands nowhere in a policy is none.
func TestEveryPolicyRuleCites(t *testing.T) {
	for _, domain := range append(domains, toy) {
		for _, r := range load(t, domain).Policy {
			if len(r.Cites) == 0 {
				t.Errorf("%s: %s cites no sentence", domain, r.ID)
			}
		}
	}
}

func policyText(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// builtinPolicy is a domain's own policy; a manual, where there is one, is a part of
// it.
func builtinPolicy(t *testing.T, domain string) string {
	t.Helper()
	text := policyText(t, filepath.Join(folder(domain), "policy.md"))
	if manual, err := os.ReadFile(filepath.Join(folder(domain), "manual.md")); err == nil {
		text += "\n" + string(manual)
	}
	return text
}

func TestBuiltinPolicyIsMapped(t *testing.T) {
	for _, domain := range append(domains, toy) {
		t.Run(domain, func(t *testing.T) { checkPlaces(t, load(t, domain), "builtin", builtinPolicy(t, domain)) })
	}
}

func TestPackPolicyIsMapped(t *testing.T) {
	for _, domain := range domains {
		t.Run(domain, func(t *testing.T) {
			checkPlaces(t, load(t, domain), "pack", packPolicy(t, domain))
		})
	}
}

// packPolicy joins the files of which the manifest of a domain's pack makes its
// policy.
func packPolicy(t *testing.T, domain string) string {
	t.Helper()
	dir := filepath.Join(shared.Dir(t), "packs", "tau2-"+domain)
	var manifest struct {
		Policy []json.RawMessage `json:"policy"`
	}
	if err := json.Unmarshal([]byte(policyText(t, filepath.Join(dir, "manifest.json"))), &manifest); err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, part := range manifest.Policy {
		var tagged struct {
			File string `json:"file"`
		}
		if json.Unmarshal(part, &tagged.File) != nil && json.Unmarshal(part, &tagged) != nil {
			t.Fatalf("part %s of the policy is no file", part)
		}
		all = append(all, policyText(t, filepath.Join(dir, tagged.File)))
	}
	return strings.Join(all, "\n")
}

// TestBuiltinPlaces holds the numbers of the built-in policies' sentences to
// their wording: who moves a sentence sees which citations to move with it.
func TestBuiltinPlaces(t *testing.T) {
	for _, domain := range append(domains, toy) {
		t.Run(domain, func(t *testing.T) { checkWording(t, domain) })
	}
}

func checkWording(t *testing.T, domain string) {
	var b strings.Builder
	for _, s := range contract.Sentences("builtin", builtinPolicy(t, domain)) {
		words := strings.Fields(s.Text)
		fmt.Fprintf(&b, "%s: %s\n", s.Place, strings.Join(words[:min(6, len(words))], " "))
	}
	golden := filepath.Join("testdata", "places_"+domain+".txt")
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want := policyText(t, golden); b.String() != want {
		t.Errorf("sentences of the policy have moved; check the citations, then run with -update\ngot:\n%s\nwant:\n%s", b.String(), want)
	}
}
