package run

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"taste/internal/hint"
	"taste/synth"
)

// Format is the version of the directory's layout.
const Format = 1

// Manifest fixes every byte of a run: two runs with equal manifests are equal.
type Manifest struct {
	Format   int      `json:"format"`
	Program  string   `json:"program"` // name and version of what made it
	Canary   string   `json:"canary"`  // see Canary
	Domain   Domain   `json:"domain"`
	Settings Settings `json:"settings"`
	Cast     *Cast    `json:"models,omitempty"` // nil: rules play all roles
}

// Domain says what the tasks are about. The hashes are SHA-256 in hex.
type Domain struct {
	Name      string            `json:"name"`
	Pack      string            `json:"pack"` // the pack, or "built-in"
	Semantics string            `json:"semantics"`
	WorldSeed *uint64           `json:"world_seed"` // of the built-in world; null with a pack
	SeedTasks string            `json:"seed_tasks"` // the task set that sampling starts from
	License   string            `json:"license"`
	Source    string            `json:"source"`
	Hashes    map[string]string `json:"hashes"` // of database, policy, tools, seed tasks, contract, phrases
}

// Settings are the choices of a run beside its domain.
type Settings struct {
	Tasks       int                       `json:"tasks"`
	Seed        uint64                    `json:"seed"`
	Method      synth.Method              `json:"method"`
	Sample      synth.SampleSettings      `json:"sample"`
	Select      synth.SelectSettings      `json:"select"`
	Instantiate synth.InstantiateSettings `json:"instantiate"`
	Evolve      synth.EvolveSettings      `json:"evolve"`
}

// SetCanary derives the canary string from everything else in the manifest: a
// mark by which published tasks can be found in training data.
func (m *Manifest) SetCanary() (err error) {
	m.Canary = ""
	m.Canary, err = canary(m)
	return err
}

// canary is the mark of what a manifest without one describes.
func canary(manifest any) (string, error) {
	data, err := marshal(manifest)
	if err != nil {
		return "", err
	}
	h := sha256.Sum256(data)
	return fmt.Sprintf("taste-canary-%x-%x-%x-%x-%x", h[0:4], h[4:6], h[6:8], h[8:10], h[10:16]), nil
}

// ParseManifest reads a manifest of this program's format with settings within
// their ranges and no other keys. Whether its settings are those that it was
// made with the canary tells, see Equal.
func ParseManifest(data []byte) (*Manifest, error) {
	if err := checkFormat(data); err != nil {
		return nil, err
	}
	m := &Manifest{}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(m); err != nil {
		return nil, err
	}
	if err := m.Settings.Validate(); err != nil {
		return nil, fmt.Errorf("settings: %w", err)
	}
	return m, nil
}

// checkFormat refuses what is no manifest of this program's format.
func checkFormat(data []byte) error {
	var head struct {
		Format *int `json:"format"`
	}
	switch err := json.Unmarshal(data, &head); {
	case err != nil:
		return err
	case head.Format == nil:
		return errors.New("it says no format")
	case *head.Format != Format:
		return fmt.Errorf("format %d: this program reads format %d", *head.Format, Format)
	}
	return nil
}

// Validate names the first setting that is out of range.
func (s *Settings) Validate() error {
	err := errors.Join(s.Method.Validate(), s.Sample.Validate(), s.Select.Validate(), s.Instantiate.Validate(), s.Evolve.Validate())
	if err != nil {
		return err
	}
	if most := s.Select.Most(); s.Tasks < 1 || s.Tasks > most {
		return fmt.Errorf("%d tasks: want 1 to %d, half of the pool", s.Tasks, most)
	}
	return nil
}

// ErrDifferent is what every *DifferentError wraps.
var ErrDifferent = errors.New("made with other settings")

// DifferentError says how a directory's manifest differs from the one wanted.
type DifferentError struct {
	Path        string
	Differences []string // "settings.seed: 1 there, 2 here"
}

func (e *DifferentError) Error() string {
	return fmt.Sprintf("open run directory %s: %v: %s", e.Path, ErrDifferent, strings.Join(e.Differences, "; "))
}

func (e *DifferentError) Unwrap() error { return ErrDifferent }

// Equal says by a *DifferentError how the manifest of the directory at path
// differs from the one wanted.
func Equal(path string, have, want *Manifest) error {
	there, err := marshal(have)
	if err != nil {
		return err
	}
	here, err := marshal(want)
	if err != nil {
		return err
	}
	return compare(path, there, here)
}

func compare(path string, have, want []byte) error {
	there, err := flatten(have)
	if err != nil {
		return hint.Add(fmt.Errorf("read manifest of %s: %w", path, err), "the file was changed: restore it, or begin in another directory")
	}
	here, err := flatten(want)
	if err != nil {
		return err
	}
	diff := differences(there, here)
	if len(diff) == 0 {
		return nil
	}
	return hint.Add(&DifferentError{Path: path, Differences: diff}, "repeat the settings it was made with, or choose another directory with --out")
}

// differences lists the leaves that are not equal, those of hashes last, which
// mostly follow from others. The canary does too and says nothing to a reader,
// unless it alone differs.
func differences(there, here map[string]string) []string {
	var out, hashes []string
	for _, k := range sortedKeys(there, here) {
		a, b := there[k], here[k]
		switch {
		case a == b || k == "canary":
		case hash.MatchString(a) || hash.MatchString(b):
			hashes = append(hashes, fmt.Sprintf("%s: %s there, %s here", k, orNothing(short(a)), orNothing(short(b))))
		default:
			out = append(out, fmt.Sprintf("%s: %s there, %s here", k, orNothing(a), orNothing(b)))
		}
	}
	out = append(out, hashes...)
	if a, b := there["canary"], here["canary"]; len(out) == 0 && a != b {
		out = append(out, fmt.Sprintf("canary: %s there, but %s follows from the rest, so the manifest was edited", orNothing(a), b))
	}
	return out
}

// hash is a SHA-256 in JSON.
var hash = regexp.MustCompile(`^"[0-9a-f]{64}"$`)

// short cuts a hash to as many digits as tell it from another one.
func short(s string) string {
	if hash.MatchString(s) {
		return s[:9] + `…"`
	}
	return s
}

func orNothing(s string) string {
	if s == "" {
		return "nothing"
	}
	return s
}

func sortedKeys[V any](maps ...map[string]V) []string {
	seen := map[string]bool{}
	var keys []string
	for _, m := range maps {
		for k := range m {
			if !seen[k] {
				seen[k] = true
				keys = append(keys, k)
			}
		}
	}
	slices.Sort(keys)
	return keys
}

// flatten maps the path of every leaf of a JSON object to its text.
func flatten(data []byte) (map[string]string, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return nil, err
	}
	out := map[string]string{}
	for k, v := range fields {
		inner, err := flatten(v)
		if err != nil || v[0] != '{' {
			out[k] = string(v)
			continue
		}
		for p, text := range inner {
			out[k+"."+p] = text
		}
	}
	return out, nil
}
