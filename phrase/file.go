package phrase

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/goccy/go-yaml"
)

// bookFile is the shape of a book's YAML. Wordings are block scalars, one
// wording a line; lines that start with "# " are remarks.
type bookFile struct {
	// Pronouns give each token's spelling for scenario, customer, agent and ticket.
	Pronouns map[string][]string `yaml:"pronouns"`
	// Macros are template text that wordings name as $macro.
	Macros map[string]string `yaml:"macros"`
	Types  []typeFile        `yaml:"types"`
	// Connectors are groups of openings that may go before a wish.
	Connectors []connectorFile `yaml:"connectors"`
	Acts       []actFile       `yaml:"acts"`
	// Tickets word acts of this file or an earlier one in the third person.
	Tickets []ticketFile `yaml:"tickets"`
	Hear    []hearFile   `yaml:"hear"`
}

type typeFile struct {
	Type    string              `yaml:"type"`
	Kind    string              `yaml:"kind"` // int, date, money, address, text, call, quote; or by the fields below
	Pattern string              `yaml:"pattern"`
	Cases   []map[string]string `yaml:"cases"` // pattern and forms
	// Values have forms, by name, and of the plural ones number: many. An entry
	// with each, a list a|b|c, stands for one entry for each of its members, which
	// takes the place of @ in value and forms.
	Values []map[string]string `yaml:"values"`
	Min    int                 `yaml:"min"`
	Max    int                 `yaml:"max"`
	Year   int                 `yaml:"year"`
}

type connectorFile struct {
	Group string `yaml:"group"`
	Say   string `yaml:"say"`
	// Only restricts the connectors by slot values of the wish behind them.
	Only map[string][]string `yaml:"only"`
	// Shares names slots in which that wish and the one before it agree.
	Shares []string `yaml:"shares"`
	// Again names acts of which that wish is one, and not the first of its act.
	Again []string `yaml:"again"`
}

type actFile struct {
	Act   string            `yaml:"act"`
	Role  string            `yaml:"role"`
	Slots map[string]string `yaml:"slots"`
	// Say holds the wordings for every person that the role speaks to;
	// Scenario, Customer and Agent those for one of them.
	Say      string `yaml:"say"`
	Scenario string `yaml:"scenario"`
	Customer string `yaml:"customer"`
	Agent    string `yaml:"agent"`
	// Wants and Bars restrict a frame act to scenarios with one of these wishes
	// or twists at least, and with none of those; a role stands for all its acts.
	Wants []string `yaml:"wants"`
	Bars  []string `yaml:"bars"`
	// After names the wishes that a default stands behind.
	After []string `yaml:"after"`
	// Unless keeps a default away from a wish with this detail.
	Unless string `yaml:"unless"`
	// Undoes names the slot of the thing that a wish gives up: an earlier wish
	// of the acts in Vain about the same thing was in vain, and the customer
	// says so.
	Undoes string   `yaml:"undoes"`
	Vain   []string `yaml:"vain"`
	// Joins marks a twist whose wish goes out together with the one before it,
	// so that no connector may say that it comes after that one.
	Joins bool `yaml:"joins"`
	// Only restricts a frame act by slot values of the wishes.
	Only map[string][]string `yaml:"only"`
	Min  int                 `yaml:"min"` // wishes in the scenario
	Max  int                 `yaml:"max"`
}

type ticketFile struct {
	Act string `yaml:"act"`
	Say string `yaml:"say"`
}

type hearFile struct {
	Act   string         `yaml:"act"`
	Slots map[string]any `yaml:"slots"`
	By    string         `yaml:"by"`
	All   []string       `yaml:"all"`
	Any   []string       `yaml:"any"`
	None  []string       `yaml:"none"`
}

// decodeFile reads the documents of a file.
func decodeFile(data []byte) ([]*bookFile, error) {
	var out []*bookFile
	for dec := yaml.NewDecoder(bytes.NewReader(data), yaml.Strict()); ; {
		var f bookFile
		switch err := dec.Decode(&f); {
		case errors.Is(err, io.EOF):
			return out, nil
		case err != nil:
			return nil, fmt.Errorf("read phrase book: %w", err)
		}
		out = append(out, &f)
	}
}

// wordingLines splits a block of wordings.
func wordingLines(block string) []string {
	var out []string
	for line := range strings.Lines(block) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "# ") {
			out = append(out, line)
		}
	}
	return out
}

// slotType builds a type from its declaration.
func (f *typeFile) slotType() (*slotType, error) {
	t := &slotType{name: f.Type, min: f.Min, max: f.Max, year: f.Year}
	kinds := map[string]kind{"int": intKind, "date": dateKind, "money": moneyKind, "address": addressKind, "text": textKind, "call": callKind, "quote": quoteKind}
	k, ok := kinds[f.Kind]
	switch {
	case ok:
		t.kind = k
	case f.Kind != "":
		return nil, fmt.Errorf("type %s: unknown kind %q", f.Type, f.Kind)
	case f.Pattern != "":
		return t, t.addCases([]map[string]string{{"pattern": f.Pattern}})
	case f.Cases != nil:
		t.kind = casesKind
		if err := t.addCases(f.Cases); err != nil {
			return nil, err
		}
	default:
		t.kind = valuesKind
		if err := t.addCases(expandEach(f.Values)); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// expandEach writes entries with each out.
func expandEach(entries []map[string]string) []map[string]string {
	var out []map[string]string
	for _, e := range entries {
		list, ok := e["each"]
		if !ok {
			out = append(out, e)
			continue
		}
		for _, member := range strings.Split(list, "|") {
			one := map[string]string{}
			for key, text := range e {
				if key != "each" {
					one[key] = strings.ReplaceAll(text, "@", member)
				}
			}
			out = append(out, one)
		}
	}
	return out
}

func (t *slotType) addCases(entries []map[string]string) error {
	for _, e := range entries {
		c := valueCase{value: e["value"], forms: map[string]node{}}
		if number, ok := e["number"]; ok {
			if c.many = number == "many"; !c.many {
				return fmt.Errorf("type %s: unknown number %q of %s", t.name, number, c.value)
			}
		}
		if p, ok := e["pattern"]; ok {
			for _, part := range strings.Split(p, " ") {
				re, err := regexp.Compile("^(?:" + part + ")$")
				if err != nil {
					return fmt.Errorf("type %s: %w", t.name, err)
				}
				c.pattern = append(c.pattern, re)
			}
		}
		for form, text := range e {
			if form == "value" || form == "pattern" || form == "number" {
				continue
			}
			n, err := parseTemplate(text)
			if err != nil {
				return fmt.Errorf("type %s: %w", t.name, err)
			}
			c.forms[form] = n
		}
		t.cases = append(t.cases, c)
	}
	if len(t.cases) == 0 {
		return fmt.Errorf("type %s: no kind, pattern, cases or values", t.name)
	}
	return nil
}
