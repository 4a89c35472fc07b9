package telecom

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	section = regexp.MustCompile(`(?m)^## \d+\. .*\n`)
	quoted  = regexp.MustCompile("`[^`]+`")
	aside   = regexp.MustCompile(`^(check_|run_speed_test|can_send_mms|get_)`) // what only looks
)

// TestWorkflowRepairsAsTheManual: in each section the steps lead to the same
// repairs, in the same order, as the causes, and to nothing else.
func TestWorkflowRepairsAsTheManual(t *testing.T) {
	repairs := func(file string) map[string][]string {
		text := files.Text(file)
		at := section.FindAllStringIndex(text, -1)
		out := map[string][]string{}
		for i, h := range at {
			end := len(text)
			if i+1 < len(at) {
				end = at[i+1][0]
			}
			out[text[h[0]:h[1]]] = named(text[h[1]:end])
		}
		return out
	}
	manual, workflow := repairs(manualFile), repairs(workflowFile)
	if len(manual) != 3 || !slices.Equal(slices.Sorted(maps.Keys(manual)), slices.Sorted(maps.Keys(workflow))) {
		t.Fatalf("sections of the manual %v, of the workflow %v", manual, workflow)
	}
	for head, want := range manual {
		if got := workflow[head]; !slices.Equal(got, want) {
			t.Errorf("%s: the workflow repairs by %v, the manual by %v", strings.TrimSpace(head), got, want)
		}
	}
}

// byOthers are tools that the manual does not name: it says what they do, or which
// section does.
var byOthers = []string{"resume_line", "enable_roaming", "refuel_data", "set_network_mode_preference", "grant_app_permission"}

// named lists what a text names in code and no sentence about looking does, each
// once, in the order of their first places.
func named(text string) []string {
	var out []string
	for _, q := range quoted.FindAllString(text, -1) {
		name, _, _ := strings.Cut(strings.Trim(q, "`"), "(")
		if !aside.MatchString(name) && !slices.Contains(out, name) && !slices.Contains(byOthers, name) {
			out = append(out, name)
		}
	}
	return out
}

// TestPoliciesNameToolsThatExist: what is called in a policy is a tool of the
// domain, with that tool's arguments.
func TestPoliciesNameToolsThatExist(t *testing.T) {
	d := built.Of(t, 1)
	for name, text := range d.Policies {
		calls := 0
		for _, q := range quoted.FindAllString(text, -1) {
			tool, args, called := strings.Cut(strings.Trim(q, "`)"), "(")
			if !called {
				continue
			}
			calls++
			spec := d.Tool(tool)
			if spec == nil {
				t.Errorf("%s: there is no tool %s", name, q)
				continue
			}
			for arg := range strings.SplitSeq(args, ", ") {
				if arg != "" && !strings.Contains(string(spec.Schema), `"`+arg+`"`) {
					t.Errorf("%s: %s takes no %s", name, q, arg)
				}
			}
		}
		if calls < 30 {
			t.Errorf("%s calls %d tools", name, calls)
		}
	}
}

// TestSoloPoliciesAreTheOthers: alone, agents keep to the same rules, behind what
// stands in for the customer.
func TestSoloPoliciesAreTheOthers(t *testing.T) {
	d := built.Of(t, 1)
	for solo, other := range map[string]string{"solo": d.Policy, "workflow_solo": d.Policies["workflow"]} {
		head := files.Text(soloFile)
		if d.Policies[solo] != strings.Replace(other, "<main_policy>\n", "<main_policy>\n"+head, 1) || other == d.Policies[solo] {
			t.Errorf("%s is no solo form of the other policy", solo)
		}
	}
}
