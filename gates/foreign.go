package gates

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"taste/chat"
	"taste/pyjson"
	"taste/role"
	"taste/rules"
	"taste/tau"
)

// Gates of tasks in words of others, beside those of all tasks.
const (
	Typed      = "arguments"  // every gold call has the arguments that its tool takes, of their types
	Extended   = "extension"  // records of the domain are added to, never changed or cut
	Referenced = "references" // what names a record names one that is there
)

// Foreign checks tasks whose scenarios need not be in words of the phrase book:
// those that language models write. All gates hold that need no reading. Where
// the book can read the scenario after all, so do the others; else it is left
// to a conversation to show that the scenario leads to gold (Result.Left), and
// what validation finds wrong with a task of others is a failure. It is safe for
// concurrent use.
type Foreign struct {
	gate     *Gate
	reviewer *rules.Reviewer // nil without a contract
	tools    map[string]*jsonschema.Schema
}

// Foreign makes the gates of tasks in words of others. The error is for a tool
// whose parameters are no schema.
func (g *Gate) Foreign() (*Foreign, error) {
	f := &Foreign{gate: g, tools: map[string]*jsonschema.Schema{}}
	if g.contract != nil {
		f.reviewer = rules.NewReviewer(g.domain, g.contract, g.book)
	}
	for i := range g.domain.Tools {
		t := &g.domain.Tools[i]
		s, err := parameters(t)
		if err != nil {
			return nil, fmt.Errorf("make gates: tool %s: %w", t.Name, err)
		}
		f.tools[t.Name] = s
	}
	return f, nil
}

// parameters compiles the schema of a tool's arguments.
func parameters(t *chat.ToolSpec) (*jsonschema.Schema, error) {
	var spec struct {
		Function struct{ Parameters json.RawMessage }
	}
	if err := json.Unmarshal(t.Schema, &spec); err != nil {
		return nil, err
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(spec.Function.Parameters))
	if err != nil {
		return nil, err
	}
	const name = "parameters.json"
	c := jsonschema.NewCompiler()
	c.UseLoader(jsonschema.SchemeURLLoader{}) // a schema refers to nothing outside
	if err := c.AddResource(name, doc); err != nil {
		return nil, err
	}
	return c.Compile(name)
}

// Check is as that of Gate.
func (f *Foreign) Check(t *tau.Task, claims *Claims) (*Result, error) {
	w, err := f.gate.run(t, claims)
	if err != nil {
		return nil, fmt.Errorf("check task %s: %w", t.ID, err)
	}
	if !w.started {
		return &w.out, nil
	}
	f.typed(w)
	w.extended()
	w.referenced()
	if w.behind == nil {
		w.lint()
		w.judgeLints(claims != nil && claims.Untrue)
		w.leave()
	}
	return &w.out, f.review(w)
}

// typed holds the arguments of gold to the tools' schemas.
func (f *Foreign) typed(w *walk) {
	for i := range w.crit.Actions {
		a := &w.crit.Actions[i]
		s := f.tools[a.Name]
		if s == nil {
			w.fail(Typed, "action %d: there is no tool %s", i, a.Name)
			continue
		}
		args, err := jsonschema.UnmarshalJSON(bytes.NewReader(pyjson.Append(nil, a.Args(), pyjson.UTF8)))
		if err == nil {
			err = s.Validate(args)
		}
		if err != nil {
			_, text, _ := strings.Cut(err.Error(), "\n")
			w.fail(Typed, "action %d: %s: %s", i, rules.Spell(a.Name, a.Arguments), strings.Join(strings.Fields(text), " "))
		}
	}
}

// extended checks that each record of the domain is still there as it was:
// initialization data may give it more, and change nothing. What calls of
// functions do to it is their own affair.
func (w *walk) extended() {
	if w.task.InitialState == nil || w.task.InitialState.InitializationData == nil {
		return
	}
	before, data := w.g.domain.Environment(), w.g.domain.Environment()
	if err := data.SetState(&tau.InitialState{InitializationData: w.task.InitialState.InitializationData}); err != nil {
		w.fail(Extended, "%v", err)
		return
	}
	for _, r := range rules.Changed(before, data) {
		table, key, _ := strings.Cut(r, "/")
		old := before.RecordJSON(table, key)
		if old == nil {
			continue
		}
		if at := lost(old, data.RecordJSON(table, key), table+"."+key); at != "" {
			w.fail(Extended, "%s: a record that is there already may be given more, and is not to be changed otherwise", at)
		}
	}
}

// lost finds the place of something in an old value that the new one has not:
// objects may get more fields and lists more elements.
func lost(old, now any, at string) string {
	switch o := old.(type) {
	case nil:
		return ""
	case *pyjson.Object:
		n, ok := now.(*pyjson.Object)
		if !ok {
			return at
		}
		for k, v := range o.All() {
			if !n.Has(k) {
				return at + "." + k
			}
			other, _ := n.Get(k)
			if inner := lost(v, other, at+"."+k); inner != "" {
				return inner
			}
		}
		return ""
	case []any:
		n, _ := now.([]any)
		for i, v := range o {
			if !slices.ContainsFunc(n, func(x any) bool { return pyjson.Equal(v, x) }) {
				return fmt.Sprintf("%s[%d]", at, i)
			}
		}
		return ""
	}
	if !pyjson.Equal(old, now) {
		return at
	}
	return ""
}

// referenced checks that the task adds no value that names a record and leads
// nowhere.
func (w *walk) referenced() {
	for _, text := range w.start().Dangling() {
		w.fail(Referenced, "%s", text)
	}
}

// judgeLints turns what lints found into failures and warnings. Of customers who
// may say what is not so, what they say is no failure.
func (w *walk) judgeLints(untrue bool) {
	for _, l := range w.lints {
		f := Finding{Rule: l.Rule, Evidence: l.Evidence}
		if l.Text != "" {
			f.Evidence += ": " + l.Text
		}
		switch {
		case l.Kind == Unsolvable, l.Kind == Ungated, l.Kind == Wording && !(untrue && l.Text != ""):
			w.out.Failures = append(w.out.Failures, f)
		default:
			w.out.Warnings = append(w.out.Warnings, f)
		}
	}
}

// leave leaves to a conversation what could not be tried because the scenario
// could not be read.
func (w *walk) leave() {
	w.out.Unchecked = slices.DeleteFunc(w.out.Unchecked, func(f Finding) bool {
		left := w.unread() && (f.Rule == Readable || f.Rule == FreeOrder)
		if left {
			w.out.Left = append(w.out.Left, f)
		}
		return left
	})
}

// unread tells whether the scenario has sentences that are not the book's.
func (w *walk) unread() bool { return w.g.contract != nil && len(w.story.Unread) > 0 }

// review adds what the contract has against the gold calls.
func (f *Foreign) review(w *walk) error {
	if f.reviewer == nil {
		return nil
	}
	found, err := f.reviewer.Review(context.Background(), w.task)
	if err != nil {
		return fmt.Errorf("check task %s: %w", w.task.ID, err)
	}
	for _, x := range found {
		if x.Severity == role.Critical && x.Rule != rules.GoldRuns && x.Rule != rules.InitialState {
			w.fail(x.Rule, "%s", x.Evidence)
		}
	}
	return nil
}
