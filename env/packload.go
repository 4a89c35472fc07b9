package env

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"taste/chat"
	"taste/internal/hint"
	"taste/pyjson"
)

// packFormat is the version of the manifest's layout.
const packFormat = 1

// loader reads the parts of one pack. It goes on after an error where it can,
// and keeps all.
type loader struct {
	dir  string
	man  *pyjson.Object
	errs []error // *PackError, with advice beside some

	native    Native // nil where the manifest names none that is known
	domain    Domain
	initial   State  // nil where a database does not load
	values    [2]any // what the databases hold, by side
	toolsFile string
	toolsLost bool              // some specifications do not load
	taskFiles map[string]string // by task set
	dataFiles map[string]string // databases, by side
}

// LoadPack reads a pack folder. Errors are *PackError: the first thing that is
// wrong. CheckPack says all.
func LoadPack(dir string, reg Registry) (*Pack, error) {
	l := &loader{dir: dir}
	p := l.load(reg)
	if len(l.errs) > 0 {
		return nil, l.errs[0]
	}
	return p, nil
}

// load returns nil where there is no domain to be had.
func (l *loader) load(reg Registry) *Pack {
	var ok bool
	if l.man, ok = l.object(manifestName, "a pack is a folder with a manifest.json; see --pack"); !ok {
		return nil
	}
	l.head(reg)
	l.texts()
	l.tools()
	l.state()
	l.tasks()
	if l.initial == nil {
		return nil
	}
	d, err := NewDomain(l.domain, l.initial)
	if err != nil {
		l.fail(l.toolsFile, "", err)
		return nil
	}
	l.hashes(d)
	return &Pack{Dir: l.dir, Domain: d, taskFiles: l.taskFiles}
}

// head reads what says how to read the rest.
func (l *loader) head(reg Registry) {
	if f, ok := l.man.Get("format"); ok && f != nil && f != int64(packFormat) {
		l.fail(manifestName, "docs/pack.md describes the format", fmt.Errorf("format %s: this program reads format %d", pyjson.Repr(f), packFormat))
	}
	l.domain = Domain{
		Name: l.need("domain"), Pack: l.need("name"), Semantics: l.need("semantics"),
		Clock: l.text("clock", ""), License: l.text("license", ""), Source: l.source(),
	}
	if clock := l.domain.Clock; clock != "" {
		if _, err := time.Parse("2006-01-02T15:04:05", clock); err != nil {
			l.fail(manifestName, "a clock looks like 2024-05-15T15:00:00", fmt.Errorf("clock: %q is no time", clock))
		}
	}
	d := &l.domain
	if d.Name == "" || d.Semantics == "" {
		return
	}
	if l.native = reg[Key(d.Name, d.Semantics)]; l.native == nil {
		l.fail(manifestName, "known domains: "+strings.Join(reg.Names(), ", "), fmt.Errorf("%w %q with semantics %q", ErrUnknownDomain, d.Name, d.Semantics))
	}
}

// need returns a required text of the manifest.
func (l *loader) need(key string) string {
	r := chat.NewReader(l.man, "")
	s := r.String(key)
	l.keep(r)
	return s
}

// text returns a text of the manifest, or def.
func (l *loader) text(key, def string) string {
	r := chat.NewReader(l.man, "")
	s := r.StringOr(key, def)
	l.keep(r)
	return s
}

// section returns an object of the manifest; nil has no keys.
func (l *loader) section(key string) *pyjson.Object {
	r := chat.NewReader(l.man, "")
	o := r.Object(key)
	l.keep(r)
	return o
}

func (l *loader) source() string {
	src := l.section("source")
	if src == nil {
		return ""
	}
	repo, _ := src.Get("repository")
	commit, _ := src.Get("commit")
	return fmt.Sprintf("%v at %v", repo, commit)
}

// keep takes over what a reader of the manifest found.
func (l *loader) keep(r *chat.Reader) {
	if err := r.Err(); err != nil {
		l.fail(manifestName, "docs/pack.md describes it", err)
	}
}

func (l *loader) fail(file, advice string, err error) {
	l.errs = append(l.errs, packError(l.dir, file, advice, err))
}

func packError(dir, file, advice string, err error) error {
	err = &PackError{Dir: dir, File: file, Err: err}
	if advice == "" {
		return err
	}
	return hint.Add(err, "%s", advice)
}

// state loads the databases.
func (l *loader) state() {
	dbs := l.section("databases")
	if dbs == nil {
		l.fail(manifestName, "docs/pack.md describes it", errors.New("databases: required object is missing"))
		return
	}
	r := chat.NewReader(dbs, "databases")
	l.dataFiles = map[string]string{chat.Assistant: r.StringOr("agent", ""), chat.User: r.StringOr("user", "")}
	l.keep(r)
	for i, side := range sides {
		if l.dataFiles[side] == "" {
			continue
		}
		var ok bool
		if l.values[i], ok = l.value(l.dataFiles[side], ""); !ok {
			return
		}
	}
	if l.native == nil {
		return
	}
	s, err := l.native.Load(l.values[0], l.values[1])
	for _, e := range apart(err) {
		side := chat.Assistant
		var user *UserDataError
		if errors.As(e, &user) {
			side = chat.User
		}
		l.fail(l.dataFiles[side], "the database does not fit the domain's data model", e)
	}
	if err == nil {
		l.initial = s
	}
}

// apart takes errors that were joined apart again.
func apart(err error) []error {
	if err == nil {
		return nil
	}
	if j, ok := err.(interface{ Unwrap() []error }); ok {
		return j.Unwrap()
	}
	return []error{err}
}

// tasks checks that the files of tasks and splits are there: they are read
// later, if at all.
func (l *loader) tasks() {
	l.taskFiles = map[string]string{}
	for name, file := range l.section("tasks").All() {
		l.taskFiles[name] = pyjson.Str(file)
		l.exists(l.taskFiles[name])
	}
	if splits := l.text("splits", ""); splits != "" {
		l.object(splits, "")
	}
}

// hashes holds the initial databases to the hashes in the manifest.
func (l *loader) hashes(d *Domain) {
	v, _ := l.man.Get("initial_hash")
	if v == nil {
		return
	}
	want, _ := v.([]any)
	if len(want) != 2 {
		l.fail(manifestName, "docs/pack.md describes it", errors.New("initial_hash: want a list of two, for the databases of agent and user"))
		return
	}
	e := d.Environment()
	for i, got := range []string{e.Hash(), e.UserHash()} {
		if want[i] == nil && got == "" || want[i] == got {
			continue
		}
		err := fmt.Errorf("initial_hash[%d] is %s, the %s's database has %s: %w", i, pyjson.Repr(want[i]), [2]string{"agent", "user"}[i], pyjson.Repr(got), ErrHash)
		l.fail(manifestName, "a database was edited: restore it, or correct initial_hash, or leave it out", err)
	}
}
