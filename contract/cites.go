package contract

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// CheckCites holds what the contract cites of the policy of that name to its text:
// all places that are not there, and citations that are none.
func (c *Contract) CheckCites(name, policy string) error {
	by, err := c.Cited()
	errs := []error{err}
	known := map[string]bool{}
	for _, s := range Sentences(name, policy) {
		known[s.Place] = true
	}
	for _, place := range slices.Sorted(maps.Keys(by)) {
		if strings.HasPrefix(place, name+"/") && !known[place] {
			errs = append(errs, fmt.Errorf("%s cites %s, which is no place of the policy", strings.Join(by[place], ", "), place))
		}
	}
	return errors.Join(errs...)
}

// Cited lists who cites each place: rules, other parts of the contract, or, behind
// "unchecked: ", why nothing checks it. The error names citations that are none.
func (c *Contract) Cited() (map[string][]string, error) {
	by := map[string][]string{}
	var errs []error
	add := func(who, as string, places []string) {
		for _, p := range places {
			all, ok := expand(p)
			if !ok {
				errs = append(errs, fmt.Errorf("%s cites %q, want POLICY/HEADINGS/NUMBER, or a range of numbers", who, p))
			}
			for _, one := range all {
				by[one] = append(by[one], as)
			}
		}
	}
	for _, r := range c.Sequence {
		add(r.ID, r.ID, r.Cites)
	}
	for _, r := range c.Policy {
		add(r.ID, r.ID, r.Cites)
	}
	for _, f := range c.Faults {
		add("fault."+f.Name, "fault."+f.Name, f.Cites)
	}
	add("protocol", "protocol", c.Protocol.Cites)
	for _, id := range slices.Sorted(maps.Keys(c.Citations)) {
		if !c.citing(id) {
			errs = append(errs, fmt.Errorf("citations: %s is no part of the contract", id))
		}
		add(id, id, c.Citations[id])
	}
	for _, u := range c.Unchecked {
		if strings.TrimSpace(u.Why) == "" {
			errs = append(errs, fmt.Errorf("unchecked without a reason: %s", strings.Join(u.Cites, ", ")))
		}
		add("unchecked", "unchecked: "+u.Why, u.Cites)
	}
	return by, errors.Join(errs...)
}

// expand turns "pack/Bags/2-4" into its three places; false for what is no place.
func expand(place string) ([]string, bool) {
	i := strings.LastIndexByte(place, '/')
	first, last, ranged := strings.Cut(place[i+1:], "-")
	if !ranged {
		last = first
	}
	a, err1 := strconv.Atoi(first)
	b, err2 := strconv.Atoi(last)
	if i < 0 || err1 != nil || err2 != nil || a > b || b-a > mostSentences {
		return nil, false
	}
	var out []string
	for n := a; n <= b; n++ {
		out = append(out, fmt.Sprintf("%s/%d", place[:i], n))
	}
	return out, true
}

// mostSentences is more than any section of a policy has.
const mostSentences = 10_000

// citing tells whether an id of the citations names a part of the contract.
func (c *Contract) citing(id string) bool {
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
		return slices.ContainsFunc(c.Functions, func(f Function) bool { return strings.HasPrefix(f.Def, name+"(") })
	}
	return false
}

// Sentence is one sentence, bullet or table row of a policy. Its place is the
// policy's name, its headings joined by dots, and its number below them.
type Sentence struct{ Place, Text string }

// Sentences splits the policy of that name. Headings, table heads, lead-ins of up to
// six words ("Payment:") and tags that stand alone are no sentences. What stands before the first heading
// belongs to a section named Opening.
func Sentences(name, policy string) []Sentence {
	var out []Sentence
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
			out = append(out, Sentence{fmt.Sprintf("%s/%s/%d", name, section, count[section]), s})
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

var tag = regexp.MustCompile(`^</?\w+>$`)

func skipped(line string) bool {
	return line == "" || ruler(line) || tag.MatchString(line) || strings.HasSuffix(line, ":") && len(strings.Fields(strings.TrimPrefix(line, "- "))) <= 6
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
