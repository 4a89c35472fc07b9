package env

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"taste/chat"
	"taste/internal/hint"
	"taste/pyjson"
	"taste/pyjson/lax"
)

// loader reads the parts of one pack and keeps the first error.
type loader struct {
	dir string
	man *chat.Reader
}

// LoadPack reads a pack folder. Errors are *PackError.
func LoadPack(dir string, reg Registry) (*Pack, error) {
	l := &loader{dir: dir}
	obj, err := l.object(manifestName, "a pack is a folder with a manifest.json; see --pack")
	if err != nil {
		return nil, err
	}
	l.man = chat.NewReader(obj, "")
	if err := l.head(); err != nil {
		return nil, err
	}
	d := Domain{
		Name: l.man.String("domain"), Pack: l.man.String("name"), Semantics: l.man.String("semantics"),
		Clock: l.man.StringOr("clock", ""), License: l.man.StringOr("license", ""),
	}
	if err := l.man.Err(); err != nil {
		return nil, l.fail(manifestName, "", err)
	}
	native, ok := reg[Key(d.Name, d.Semantics)]
	if !ok {
		return nil, l.fail(manifestName, "known domains: "+strings.Join(reg.Names(), ", "), fmt.Errorf("%w %q with semantics %q", ErrUnknownDomain, d.Name, d.Semantics))
	}
	if err := l.texts(&d); err != nil {
		return nil, err
	}
	initial, err := l.state(native)
	if err != nil {
		return nil, err
	}
	return l.finish(d, initial)
}

// Names returns the domains of a registry in ascending order.
func (r Registry) Names() []string {
	names := make([]string, 0, len(r))
	for n := range r {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}

func (l *loader) finish(d Domain, initial State) (*Pack, error) {
	dom, err := NewDomain(d, initial)
	if err != nil {
		return nil, l.fail(manifestName, "", err)
	}
	p := &Pack{Dir: l.dir, Domain: dom, taskFiles: map[string]string{}}
	for name, file := range l.man.Object("tasks").All() {
		p.taskFiles[name] = pyjson.Str(file)
		if err := l.exists(p.taskFiles[name]); err != nil {
			return nil, err
		}
	}
	if splits := l.man.StringOr("splits", ""); splits != "" {
		if _, err := l.object(splits, ""); err != nil {
			return nil, err
		}
	}
	if err := l.hashes(dom); err != nil {
		return nil, err
	}
	if err := l.man.Err(); err != nil {
		return nil, l.fail(manifestName, "", err)
	}
	return p, nil
}

func (l *loader) fail(file, advice string, err error) error {
	return packError(l.dir, file, advice, err)
}

func packError(dir, file, advice string, err error) error {
	err = &PackError{Dir: dir, File: file, Err: err}
	if advice == "" {
		return err
	}
	return hint.Add(err, "%s", advice)
}

func (l *loader) read(file, advice string) ([]byte, error) {
	data, err := os.ReadFile(filepath.Join(l.dir, file))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, l.missing(file, advice)
	}
	if err != nil {
		return nil, l.fail(file, advice, err)
	}
	return data, nil
}

func (l *loader) missing(file, advice string) error {
	if advice == "" {
		advice = "the manifest names it"
	}
	return l.fail(file, advice, fmt.Errorf("file is missing: %w", fs.ErrNotExist))
}

func (l *loader) value(file, advice string) (any, error) {
	data, err := l.read(file, advice)
	if err != nil {
		return nil, err
	}
	v, err := pyjson.Decode(pyjson.CutBOM(data))
	if err != nil {
		return nil, l.fail(file, "", fmt.Errorf("broken JSON: %w", err))
	}
	return v, nil
}

func (l *loader) object(file, advice string) (*pyjson.Object, error) {
	v, err := l.value(file, advice)
	if err != nil {
		return nil, err
	}
	o, ok := v.(*pyjson.Object)
	if !ok {
		return nil, l.fail(file, "", errors.New("want a JSON object"))
	}
	return o, nil
}

// texts reads policy, tools, guidelines and provenance.
func (l *loader) texts(d *Domain) error {
	var err error
	if d.Policy, err = l.policy(); err != nil {
		return err
	}
	if g := l.man.StringOr("user_guidelines", ""); g != "" {
		text, err := l.read(g, "")
		if err != nil {
			return err
		}
		d.UserGuidelines = string(text)
	}
	if src := l.man.Object("source"); src != nil {
		repo, _ := src.Get("repository")
		commit, _ := src.Get("commit")
		d.Source = fmt.Sprintf("%v at %v", repo, commit)
	}
	d.Tools, err = l.tools()
	return err
}

func (l *loader) tools() ([]chat.ToolSpec, error) {
	file := l.man.StringOr("tools", "tools.json")
	v, err := l.value(file, "")
	if err != nil {
		return nil, err
	}
	r := chat.NewReader(pyjson.NewObject("tools", v), "")
	specs := chat.ReadList(r, "tools", chat.ReadToolSpec)
	if err := r.Err(); err != nil {
		return nil, l.fail(file, "", err)
	}
	return specs, nil
}

// policy assembles the policy text and checks its hash.
func (l *loader) policy() (string, error) {
	parts, ok := l.man.List("policy")
	if !ok {
		return "", l.fail(manifestName, "", errors.New("policy: required list is missing"))
	}
	var text strings.Builder
	for i, part := range parts {
		file, tag := policyPart(part)
		if file == "" {
			return "", l.fail(manifestName, "", fmt.Errorf("policy[%d]: want a file name or a file with a tag", i))
		}
		data, err := l.read(file, "")
		if err != nil {
			return "", err
		}
		if tag == "" {
			text.Write(data)
		} else {
			fmt.Fprintf(&text, "<%s>\n%s\n</%s>", tag, data, tag)
		}
	}
	sum := sha256.Sum256([]byte(text.String()))
	if want := l.man.StringOr("policy_sha256", ""); want != "" && want != hex.EncodeToString(sum[:]) {
		return "", l.fail(manifestName, "the policy was edited: correct policy_sha256 or restore the text", fmt.Errorf("policy: %w", ErrHash))
	}
	return text.String(), nil
}

func policyPart(part any) (file, tag string) {
	switch x := part.(type) {
	case string:
		return x, ""
	case *pyjson.Object:
		f, _ := x.Get("file")
		t, _ := x.Get("tag")
		file, _ = f.(string)
		tag, _ = t.(string)
	case []any:
		if len(x) == 2 {
			tag, _ = x[0].(string)
			file, _ = x[1].(string)
		}
	}
	return file, tag
}

func (l *loader) state(native Native) (State, error) {
	dbs := l.man.Object("databases")
	var values [2]any
	for i, key := range []string{"agent", "user"} {
		name, ok := dbs.Get(key)
		if !ok || name == nil {
			continue
		}
		v, err := l.value(pyjson.Str(name), "")
		if err != nil {
			return nil, err
		}
		values[i] = v
	}
	s, err := native.Load(values[0], values[1])
	if err != nil {
		name, _ := dbs.Get("agent")
		return nil, l.fail(pyjson.Str(name), "the database does not fit the domain's data model", brief(err))
	}
	return s, nil
}

// brief keeps the first issues of a validation that may have thousands.
func brief(err error) error {
	const keep = 3
	var l *lax.Error
	if !errors.As(err, &l) || len(l.Issues) <= keep {
		return err
	}
	return fmt.Errorf("%w\nand %d more", &lax.Error{Title: l.Title, Issues: l.Issues[:keep]}, len(l.Issues)-keep)
}
