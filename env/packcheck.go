package env

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"taste/chat"
	"taste/internal/hint"
	"taste/pyjson"
	"taste/pyjson/lax"
)

// PackFault is one thing that is wrong with a pack.
type PackFault struct {
	File  string `json:"file"`           // relative to the pack
	Task  string `json:"task,omitempty"` // id, where a task is at fault
	Path  string `json:"path,omitempty"` // of the field inside the task, or inside the file
	Kind  Kind   `json:"kind"`
	Grade Grade  `json:"grade"`
	Text  string `json:"evidence"`
	Hint  string `json:"hint,omitempty"`
}

func (f *PackFault) String() string {
	s := f.File
	if f.Task != "" {
		s += ": task " + f.Task
	}
	if f.Path != "" {
		s += ": " + f.Path
	}
	return s + ": " + f.Text
}

// Kind says what a fault is about.
type Kind string

// Kinds of fault.
const (
	AboutManifest  Kind = "manifest"
	AboutFile      Kind = "file" // missing or unreadable
	AboutDatabase  Kind = "database"
	AboutReference Kind = "reference" // from record to record
	AboutHash      Kind = "hash"
	AboutTool      Kind = "tool"
	AboutTask      Kind = "task"
	AboutGold      Kind = "gold"
	AboutSplit     Kind = "split"
)

// Grade says how bad a fault is.
type Grade string

// Grades.
const (
	Wrong    Grade = "wrong"    // the pack, or a task of it, cannot be used as it is
	Doubtful Grade = "doubtful" // it can be used, but hardly was meant so
)

// PackReview is what CheckPack found in a pack.
type PackReview struct {
	Name, Domain string // the folder's name where the manifest has none
	Tools, Tasks int    // that could be read
	Faults       []PackFault
}

// CheckPack says everything that is wrong with a pack: first what LoadPack
// refuses, then what shows later, in manifest, tools, references, tasks and
// splits. It fails only where there is no manifest to read.
func CheckPack(dir string, reg Registry) (*PackReview, error) {
	l := &loader{dir: dir}
	p := l.load(reg)
	if l.man == nil && errors.Is(l.errs[0], fs.ErrNotExist) {
		return nil, l.errs[0]
	}
	c := &checker{loader: l, pack: p}
	c.take()
	if l.man != nil {
		c.manifest()
		c.checkTools()
		c.checkReferences()
		c.checkNumbers()
		c.checkTasks()
		c.checkSplits()
	}
	c.review.Name, c.review.Domain, c.review.Tools = l.domain.Pack, l.domain.Name, len(l.domain.Tools)
	if c.review.Name == "" {
		c.review.Name = filepath.Base(dir)
	}
	return &c.review, nil
}

// checker looks at a pack more closely than its loader has.
type checker struct {
	*loader
	pack   *Pack // nil where it does not load
	ids    map[string]bool
	lost   bool // some file of tasks does not load: there are ids beside these
	review PackReview
}

func (c *checker) add(f PackFault) { c.review.Faults = append(c.review.Faults, f) }

// take turns what the loader found since into faults.
func (c *checker) take() {
	for _, err := range c.errs {
		c.takeOne(err)
	}
	c.errs = nil
}

func (c *checker) takeOne(err error) {
	var pe *PackError
	errors.As(err, &pe)
	f := PackFault{File: pe.File, Kind: c.kind(pe), Grade: Wrong, Hint: hint.Of(err)}
	var field *chat.FieldError
	var model *lax.Error
	switch {
	case errors.As(pe.Err, &model):
		for _, i := range model.Issues {
			f.Path, f.Text = strings.Join(i.Loc, "."), issue(i)
			c.add(f)
		}
		return
	case errors.As(pe.Err, &field):
		f.Path, f.Text = field.Path, field.Msg
	default:
		f.Text = pe.Err.Error()
	}
	c.add(f)
}

// short spells a value in a few characters.
func short(v any) string {
	const limit = 60
	s := []rune(pyjson.Repr(v))
	if len(s) > limit {
		return string(s[:limit]) + "…"
	}
	return string(s)
}

func (c *checker) kind(e *PackError) Kind {
	switch {
	case errors.Is(e.Err, ErrHash):
		return AboutHash
	case errors.Is(e.Err, fs.ErrNotExist):
		return AboutFile
	case e.File == manifestName:
		return AboutManifest
	case e.File == c.toolsFile:
		return AboutTool
	case e.File == c.dataFiles[chat.Assistant], e.File == c.dataFiles[chat.User]:
		return AboutDatabase
	}
	return AboutFile
}

// manifestKeys are the keys that have a meaning, and those with their beginning:
// a further policy or source.
var manifestKeys = []string{
	"format", "name", "domain", "semantics", "policy", "policy_sha256", "databases", "tools", "tasks", "splits",
	"user_guidelines", "user_guidelines_tools", "clock", "initial_hash", "license", "source",
}

// manifest looks at the keys that loading passes over.
func (c *checker) manifest() {
	for key := range c.man.All() {
		if _, policy := furtherPolicy(key); !policy && !slices.Contains(manifestKeys, key) && !strings.HasPrefix(key, "source_") {
			c.doubt(key, "no such key is known: it is ignored")
		}
	}
	if tasks := c.section("tasks"); tasks.Len() == 0 {
		c.doubt("tasks", "the pack has no tasks")
	}
	for _, key := range []string{"license", "source"} {
		if !c.man.Has(key) {
			c.doubt(key, "it does not say whose data this is")
		}
	}
}

func (c *checker) doubt(key, text string) {
	c.add(PackFault{File: manifestName, Path: key, Kind: AboutManifest, Grade: Doubtful, Text: text})
}

// checkReferences looks for references to records that are not there, and
// records under other keys than their own.
func (c *checker) checkReferences() {
	if c.initial == nil {
		return
	}
	for _, ref := range c.native.References() {
		table, _, _ := strings.Cut(ref.From, ".")
		dangling(c.initial, ref, c.initial.Keys(sideOf(c.initial, table), table), func(side, path, text string) {
			c.add(PackFault{File: c.dataFiles[side], Path: path, Kind: AboutReference, Grade: Wrong, Text: text})
		})
	}
}

// checkNumbers looks for what is no finite number: only Python's JSON has it, and
// sums of it mean nothing.
func (c *checker) checkNumbers() {
	if c.initial == nil {
		return
	}
	for i, side := range sides {
		infinite(c.values[i], "", func(path, text string) {
			c.add(PackFault{File: c.dataFiles[side], Path: path, Kind: AboutDatabase, Grade: Doubtful, Text: text + " is no finite number"})
		})
	}
}

// infinite visits the numbers inside a value that are not finite.
func infinite(v any, path string, visit func(path, text string)) {
	switch x := v.(type) {
	case float64:
		if math.IsInf(x, 0) || math.IsNaN(x) {
			visit(path, pyjson.Repr(x))
		}
	case []any:
		for i, e := range x {
			infinite(e, fmt.Sprintf("%s[%d]", path, i), visit)
		}
	case *pyjson.Object:
		for k, e := range x.All() {
			at := k
			if path != "" {
				at = path + "." + k
			}
			infinite(e, at, visit)
		}
	}
}

// checkSplits looks for ids that no task has.
func (c *checker) checkSplits() {
	file := c.text("splits", "")
	if _, err := os.Stat(c.path(file)); file == "" || err != nil {
		return // told already
	}
	splits, _ := c.object(file, "")
	c.errs = nil // told already
	add := func(path, text string) {
		c.add(PackFault{File: file, Path: path, Kind: AboutSplit, Grade: Wrong, Text: text})
	}
	for name, v := range splits.All() {
		ids, ok := v.([]any)
		if !ok {
			add(name, "want a list of task ids, got "+short(v))
			continue
		}
		seen := map[string]bool{}
		for i, id := range ids {
			text, isText := id.(string)
			switch at := fmt.Sprintf("%s[%d]", name, i); {
			case !isText:
				add(at, "want a task's id, got "+short(id))
			case !c.ids[text] && !c.lost:
				add(at, "no task has the id "+pyjson.Repr(text))
			case seen[text]:
				add(at, pyjson.Repr(text)+" stands here twice")
			}
			seen[text] = true
		}
	}
}
