package contract_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"taste/contract"
	"taste/internal/shared"
)

var update = flag.Bool("update", false, "rewrite golden files")

// sentence is one sentence, bullet or table row of a policy. Its place is the
// policy's name, its headings joined by dots, and its number below them.
type sentence struct {
	place string
	text  string
}

// sentences splits a policy. Headings, table heads and lead-ins of up to six
// words ("Payment:") are no sentences. What stands before the first heading
// belongs to a section named Opening.
func sentences(name, policy string) []sentence {
	var out []sentence
	count := map[string]int{}
	head := []string{"Opening"}
	lines := strings.Split(policy, "\n")
	for i, line := range lines {
		line = strings.TrimSpace(line)
		if level := len(line) - len(strings.TrimLeft(line, "#")); level > 0 {
			head = heading(head, level, strings.TrimSpace(line[level:]))
			continue
		}
		if skipped(line) || i+1 < len(lines) && ruler(lines[i+1]) {
			continue
		}
		for _, s := range split(strings.TrimPrefix(line, "- ")) {
			section := strings.Join(head, ".")
			count[section]++
			out = append(out, sentence{fmt.Sprintf("%s/%s/%d", name, section, count[section]), s})
		}
	}
	return out
}

// heading returns the headings after one of that level; the title is none.
func heading(head []string, level int, text string) []string {
	if level == 1 {
		return head
	}
	text = strings.TrimLeft(text, "0123456789. ")
	if level == 2 {
		return []string{text}
	}
	return []string{head[0], text}
}

func skipped(line string) bool {
	return line == "" || ruler(line) || strings.HasSuffix(line, ":") && len(strings.Fields(strings.TrimPrefix(line, "- "))) <= 6
}

// ruler tells whether the line divides a table's head from its rows.
func ruler(line string) bool {
	line = strings.TrimSpace(line)
	return line != "" && strings.Trim(line, "|- ") == ""
}

// split cuts a line into sentences, except within quotes.
func split(line string) []string {
	var out []string
	start, quoted := 0, false
	for i := 0; i < len(line); i++ {
		if line[i] == '\'' {
			quoted = !quoted && (i == 0 || line[i-1] == ' ')
		}
		if quoted || i+2 >= len(line) || line[i+1] != ' ' || !strings.ContainsRune(".!?", rune(line[i])) {
			continue
		}
		if next := line[i+2]; next >= 'A' && next <= 'Z' {
			out = append(out, line[start:i+1])
			start = i + 2
		}
	}
	return append(out, line[start:])
}

// citations lists who cites each place: rules, other parts of the contract,
// or the list of what is not checked.
func citations(t *testing.T, c *contract.Contract) map[string][]string {
	t.Helper()
	by := map[string][]string{}
	add := func(who string, places []string) {
		for _, p := range places {
			for _, one := range expand(t, p) {
				by[one] = append(by[one], who)
			}
		}
	}
	for _, r := range c.Sequence {
		add(r.ID, r.Cites)
	}
	for _, r := range c.Policy {
		add(r.ID, r.Cites)
	}
	for _, f := range c.Faults {
		add("fault."+f.Name, f.Cites)
	}
	add("protocol", c.Protocol.Cites)
	for id, places := range c.Citations {
		if !exists(c, id) {
			t.Errorf("citations: %s is no part of the contract", id)
		}
		add(id, places)
	}
	for _, u := range c.Unchecked {
		if strings.TrimSpace(u.Why) == "" {
			t.Errorf("unchecked %v: no reason", u.Cites)
		}
		add("unchecked: "+u.Why, u.Cites)
	}
	return by
}

// expand turns "pack/Bags/2-4" into its three places.
func expand(t *testing.T, place string) []string {
	t.Helper()
	i := strings.LastIndexByte(place, '/')
	first, last, ranged := strings.Cut(place[i+1:], "-")
	if !ranged {
		last = first
	}
	a, err1 := strconv.Atoi(first)
	b, err2 := strconv.Atoi(last)
	if err1 != nil || err2 != nil || a > b {
		t.Fatalf("%q is no place of a policy", place)
	}
	var out []string
	for n := a; n <= b; n++ {
		out = append(out, fmt.Sprintf("%s/%d", place[:i], n))
	}
	return out
}

// exists tells whether an id of the citations names a part of the contract.
func exists(c *contract.Contract, id string) bool {
	kind, name, _ := strings.Cut(id, ".")
	switch kind {
	case "now":
		return c.Now != ""
	case "customer":
		return name == "identify" && len(c.Customer.Identify) > 0
	case "wish":
		return c.Wish(name) != nil
	case "table":
		return c.Tables[name] != nil
	case "function":
		return slices.ContainsFunc(c.Functions, func(f contract.Function) bool { return strings.HasPrefix(f.Def, name+"(") })
	}
	return false
}

// checkPlaces fails for each sentence that nothing cites, for each that is
// both checked and listed as unchecked, and for each cited place that the
// policy lacks.
func checkPlaces(t *testing.T, c *contract.Contract, name string, list []sentence) {
	t.Helper()
	by := citations(t, c)
	known := map[string]bool{}
	for _, s := range list {
		known[s.place] = true
		who := by[s.place]
		loose := slices.ContainsFunc(who, func(w string) bool { return strings.HasPrefix(w, "unchecked: ") })
		if len(who) == 0 {
			t.Errorf("%s is not mapped: %s", s.place, s.text)
		}
		if loose && len(who) > 1 {
			t.Errorf("%s is listed as unchecked and yet cited: %v", s.place, who)
		}
	}
	for place, who := range by {
		if strings.HasPrefix(place, name+"/") && !known[place] {
			t.Errorf("%s, cited by %v, is no place of the policy", place, who)
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

// builtinPolicy lists the sentences of a domain's own policy; a manual, where
// there is one, is a part of it.
func builtinPolicy(t *testing.T, domain string) []sentence {
	t.Helper()
	text := policyText(t, filepath.Join(folder(domain), "policy.md"))
	if manual, err := os.ReadFile(filepath.Join(folder(domain), "manual.md")); err == nil {
		text += "\n" + string(manual)
	}
	return sentences("builtin", text)
}

func TestBuiltinPolicyIsMapped(t *testing.T) {
	for _, domain := range append(domains, toy) {
		t.Run(domain, func(t *testing.T) { checkPlaces(t, load(t, domain), "builtin", builtinPolicy(t, domain)) })
	}
}

func TestPackPolicyIsMapped(t *testing.T) {
	for _, domain := range domains {
		t.Run(domain, func(t *testing.T) {
			checkPlaces(t, load(t, domain), "pack", sentences("pack", packPolicy(t, domain)))
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
	for _, s := range builtinPolicy(t, domain) {
		words := strings.Fields(s.text)
		fmt.Fprintf(&b, "%s: %s\n", s.place, strings.Join(words[:min(6, len(words))], " "))
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
