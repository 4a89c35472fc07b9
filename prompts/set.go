package prompts

import (
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"text/template"

	"taste/internal/hint"
	"taste/llm"
)

//go:embed *.md *.schema.json
var folder embed.FS

// Builtin returns the prompts that the program carries.
var Builtin = sync.OnceValue(func() *Set {
	s, err := Load(folder)
	if err != nil {
		panic("embedded prompts: " + err.Error())
	}
	return s
})

// Set is a folder of prompts. It is immutable and safe for concurrent use.
type Set struct {
	prompts []*Prompt // by name, newest version first
}

// partsFile holds what prompts share.
const partsFile = "parts.md"

var fileName = regexp.MustCompile(`^([a-z][a-z-]*)-v([1-9][0-9]*)\.md$`)

// Load reads a folder of prompts.
func Load(files fs.FS) (*Set, error) {
	parts, err := fs.ReadFile(files, partsFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("load prompts: %w", err)
	}
	names, err := fs.Glob(files, "*.md")
	if err != nil {
		return nil, fmt.Errorf("load prompts: %w", err)
	}
	s := &Set{}
	for _, name := range names {
		if name == partsFile {
			continue
		}
		p, err := load(files, name, parts)
		if err != nil {
			return nil, fmt.Errorf("load prompt %s: %w", name, err)
		}
		s.prompts = append(s.prompts, p)
	}
	slices.SortFunc(s.prompts, func(a, b *Prompt) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), b.Version-a.Version)
	})
	return s, nil
}

// load reads one prompt with its schema.
func load(files fs.FS, name string, parts []byte) (*Prompt, error) {
	m := fileName.FindStringSubmatch(name)
	if m == nil {
		return nil, hint.Add(errors.New("this is no name of a prompt"), "it is NAME-vN.md, of small letters and a number")
	}
	version, err := strconv.Atoi(m[2])
	if err != nil {
		return nil, err
	}
	p := &Prompt{Name: m[1], Version: version}
	text, err := fs.ReadFile(files, name)
	if err != nil {
		return nil, err
	}
	schema, err := fs.ReadFile(files, strings.TrimSuffix(name, ".md")+".schema.json")
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, err
	case !json.Valid(schema):
		return nil, errors.New("its schema is no JSON")
	default:
		p.Schema = &llm.Schema{Name: p.Name, JSON: compact(schema)}
	}
	p.Sum = sum(text, schema, parts)
	return p, p.parse(string(parts), string(text))
}

// parse takes the file apart: the comment that says where the prompt stands, and
// the templates.
func (p *Prompt) parse(parts, text string) error {
	head, _, ok := strings.Cut(text, "-->")
	comment, opened := strings.CutPrefix(head, "<!--")
	if !ok || !opened {
		return errors.New("it does not begin with a comment <!-- … --> that says where in the method it stands")
	}
	p.Place = strings.Join(strings.Fields(comment), " ")
	t := template.New("").Option("missingkey=error").Funcs(functions)
	var err error
	if t, err = t.Parse(parts); err == nil {
		t, err = t.Parse(text)
	}
	if err != nil {
		return err
	}
	p.templates = t
	for _, part := range []string{"system", "user"} {
		if t.Lookup(part) == nil {
			return fmt.Errorf("it does not define %q", part)
		}
	}
	return nil
}

// Get returns the newest version of a prompt.
func (s *Set) Get(name string) (*Prompt, error) {
	for _, p := range s.prompts {
		if p.Name == name {
			return p, nil
		}
	}
	return nil, fmt.Errorf("there is no prompt %q", name)
}

// Newest lists the newest version of every prompt, by name.
func (s *Set) Newest() []*Prompt {
	var out []*Prompt
	for _, p := range s.prompts {
		if len(out) == 0 || out[len(out)-1].Name != p.Name {
			out = append(out, p)
		}
	}
	return out
}

// sum is the SHA-256 of texts, each behind its length.
func sum(texts ...[]byte) string {
	h := sha256.New()
	for _, t := range texts {
		fmt.Fprintf(h, "%d\n%s", len(t), t)
	}
	return hex.EncodeToString(h.Sum(nil))
}
