package toolseq

import (
	"fmt"
	"strings"
)

// Type says what a tool does to the state of the world.
type Type uint8

// The three tool types. Generic counts as Read wherever types are compared.
const (
	Read Type = iota
	Write
	Generic
)

var typeNames = [...]string{Read: "read", Write: "write", Generic: "generic"}

// String is the lower-case name used in tool specifications.
func (t Type) String() string {
	if int(t) < len(typeNames) {
		return typeNames[t]
	}
	return fmt.Sprintf("type(%d)", uint8(t))
}

// ParseType is the inverse of [Type.String].
func ParseType(s string) (Type, error) {
	for i, name := range typeNames {
		if s == name {
			return Type(i), nil
		}
	}
	return 0, fmt.Errorf("parse tool type %q: want read, write or generic", s)
}

// MarshalText spells the type by name, so that model files stay readable.
func (t Type) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (t *Type) UnmarshalText(b []byte) error {
	parsed, err := ParseType(string(b))
	*t = parsed
	return err
}

// comparable folds Generic into Read.
func (t Type) comparable() Type {
	if t == Generic {
		return Read
	}
	return t
}

// MaxTools bounds a vocabulary; tools are stored in single bytes in places.
const MaxTools = 250

// Vocab is the ordered set of tools of one domain. Names[i] and Types[i]
// describe tool i.
type Vocab struct {
	Names []string `json:"names"`
	Types []Type   `json:"types"`
}

// Len is the number of tools.
func (v Vocab) Len() int { return len(v.Names) }

// Index finds a tool by name, or reports false.
func (v Vocab) Index(name string) (int, bool) {
	for i, n := range v.Names {
		if n == name {
			return i, true
		}
	}
	return 0, false
}

// Group is the tool's name up to its first underscore, or all of it.
func (v Vocab) Group(i int) string {
	group, _, _ := strings.Cut(v.Names[i], "_")
	return group
}

// Validate checks that the vocabulary is usable: as many types as names, at
// least one tool and at most [MaxTools], no name twice.
func (v Vocab) Validate() error {
	if len(v.Names) == 0 || len(v.Names) > MaxTools || len(v.Names) != len(v.Types) {
		return fmt.Errorf("check vocabulary: %d names, %d types: want as many types as names, 1 to %d",
			len(v.Names), len(v.Types), MaxTools)
	}
	seen := make(map[string]bool, len(v.Names))
	for _, n := range v.Names {
		if seen[n] {
			return fmt.Errorf("check vocabulary: tool %q is listed twice", n)
		}
		seen[n] = true
	}
	return nil
}

// check reports the first index of seq that is no tool of the vocabulary.
func (v Vocab) check(seq []int) error {
	for i, t := range seq {
		if t < 0 || t >= len(v.Names) {
			return fmt.Errorf("check sequence: position %d holds tool %d, the vocabulary has %d", i, t, len(v.Names))
		}
	}
	return nil
}
