// Package words holds, for tests, what the texts of a built-in domain have to
// keep: that they are our own, and that the contract can cite them.
package words

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"taste/internal/shared"
	"taste/pyjson"
)

var (
	sentenceEnd = regexp.MustCompile(`[.!?:;]\s|\n`)
	wordPattern = regexp.MustCompile(`[a-z0-9_]+`)
	inner       = regexp.MustCompile(`[.!?] +[A-Z]`)
)

// Own checks that no sentence of the named files stands in the public packs. Of
// a file whose name ends in .json, the strings are the texts.
func Own(t *testing.T, read func(name string) string, names ...string) {
	t.Helper()
	theirs := public(t)
	for _, name := range names {
		ours := sentences(prose(t, name, []byte(read(name))))
		if len(ours) < 5 {
			t.Errorf("%s has only %d sentences", name, len(ours))
		}
		for _, s := range ours {
			if at := theirs[s]; at != "" {
				t.Errorf("%s: %q stands in %s", name, s, at)
			}
		}
	}
}

// Alone checks that sentences of a policy stand alone: the contract cites the
// policy by sentence, so a bullet or a line of running text holds exactly one.
func Alone(t *testing.T, policy string) {
	t.Helper()
	for i, line := range strings.Split(policy, "\n") {
		if quote := strings.Index(line, "'"); quote >= 0 {
			line = line[:quote]
		}
		if !strings.HasPrefix(line, "#") && inner.MatchString(line) {
			t.Errorf("line %d holds two sentences: %s", i+1, line)
		}
	}
}

// public returns the sentences of the public packs with the file they stand in.
func public(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, pattern := range []string{"*/*policy*.md", "*/tech_support*.md", "*/tools.json", "*/tasks*.json", "*/user_guidelines*.md"} {
		paths, err := filepath.Glob(filepath.Join(shared.Dir(t), "packs", pattern))
		if err != nil || len(paths) == 0 {
			t.Fatalf("packs hold no %s", pattern)
		}
		for _, p := range paths {
			data, err := os.ReadFile(p)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range sentences(prose(t, p, data)) {
				out[s] = p
			}
		}
	}
	return out
}

// sentences splits a text into normalised sentences of six words and more. The
// name of a tool is one word.
func sentences(text string) []string {
	var out []string
	for _, s := range sentenceEnd.Split(text+"\n", -1) {
		words := wordPattern.FindAllString(strings.ToLower(s), -1)
		if len(words) >= 6 {
			out = append(out, strings.Join(words, " "))
		}
	}
	return out
}

// prose returns the texts of a file: itself, or for JSON all its strings.
func prose(t *testing.T, name string, data []byte) string {
	t.Helper()
	if filepath.Ext(name) != ".json" {
		return string(data)
	}
	v, err := pyjson.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	var walk func(any)
	walk = func(v any) {
		switch x := v.(type) {
		case string:
			b.WriteString(x + "\n")
		case []any:
			for _, e := range x {
				walk(e)
			}
		case *pyjson.Object:
			for _, e := range x.All() {
				walk(e)
			}
		}
	}
	walk(v)
	return b.String()
}
