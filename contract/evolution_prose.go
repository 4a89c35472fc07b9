package contract

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
)

// Prose says by what words tasks of others, whose prose is not the phrase
// book's, speak of what forbidden wishes are about. Where they do, such a wish
// could be what the customer wants anyway, or allowed by what it falls back on.
type Prose struct {
	Records Pattern              `yaml:"records"` // records that wishes are about
	Aside   Pattern              `yaml:"aside"`   // matters that no forbidden wish has to do with
	Wishes  map[string]ProseWish `yaml:"wishes"`  // by forbidden wish
	// Claims lists the claims, by act, that may be made beside such prose, each with
	// words by which it says how that stands.
	Claims map[string]Pattern `yaml:"claims"`
}

// ProseWish are the words around one forbidden wish.
type ProseWish struct {
	Says  Pattern `yaml:"says"`  // somebody speaks of the wish itself, or of one like it
	Eased Pattern `yaml:"eased"` // of what could make the policy grant it
}

// Pattern is a regular expression over words, whatever their case: it begins at
// the beginning of a word.
type Pattern struct{ *regexp.Regexp }

// UnmarshalYAML reads the words. (As an encoding.TextUnmarshaler it would have the
// decoder walk the whole file for each pattern.)
func (p *Pattern) UnmarshalYAML(read func(any) error) error {
	var words string
	if err := read(&words); err != nil {
		return err
	}
	re, err := regexp.Compile(`(?i)\b(?:` + words + `)`)
	p.Regexp = re
	return err
}

// Finds tells whether the text has a match; no pattern finds nothing.
func (p Pattern) Finds(text string) bool { return p.Regexp != nil && p.MatchString(text) }

// Known tells whether any forbidden wish or what eases it is spoken of.
func (p *Prose) Known(text string) bool {
	for _, w := range p.Wishes {
		if w.Says.Finds(text) || w.Eased.Finds(text) {
			return true
		}
	}
	return p.Aside.Finds(text)
}

// prose wants words for every forbidden wish, or for none.
func (k *evolutionCheck) prose(p *Prose) {
	for _, act := range slices.Sorted(maps.Keys(p.Claims)) {
		if k.c.Evolution.Claim(act) == nil {
			k.fault("prose: no claim is made by %s", act)
		}
	}
	if len(p.Wishes) == 0 {
		return
	}
	for _, f := range k.c.Evolution.Forbidden {
		if p.Wishes[f.Wish].Says.Regexp == nil {
			k.errs = append(k.errs, fmt.Errorf("evolution prose: no words say wish %s", f.Wish))
		}
	}
	k.wishes("prose", slices.Sorted(maps.Keys(p.Wishes)))
}
