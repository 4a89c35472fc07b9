package contract

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"cel.dev/cel-go/cel"
)

// Expr is one CEL expression of a contract. In the file it is its text.
type Expr struct {
	Text string
	prog cel.Program
}

// UnmarshalYAML reads the expression's text; Load compiles it.
func (e *Expr) UnmarshalYAML(unmarshal func(any) error) error { return unmarshal(&e.Text) }

// compile compiles every expression of the contract, functions first, with the
// names that are in scope at its place. The error names all that do not compile.
func (c *Contract) compile() error {
	lang, err := newLanguage(c)
	if err != nil {
		return err
	}
	c.lang = lang
	errs := []error{c.Customer.compile(lang)}
	at := func(place string, exprs ...*Expr) { errs = append(errs, lang.compile(place, exprs...)) }
	for _, kind := range slices.Sorted(maps.Keys(c.Records)) {
		r := c.Records[kind]
		at("record "+kind, append(values(r.Adopt), r.Adoptable)...)
	}
	for _, name := range slices.Sorted(maps.Keys(c.Tools)) {
		t := c.Tools[name]
		for _, arg := range slices.Sorted(maps.Keys(t.Args)) {
			at("tool "+name+"."+arg, t.Args[arg].Others, t.Args[arg].Idle)
		}
	}
	for i := range c.Policy {
		at("policy "+c.Policy[i].ID, c.Policy[i].Require)
	}
	at("protocol: handoff_args", values(c.Protocol.HandoffArgs)...)
	for _, w := range c.Wishes {
		errs = append(errs, w.compile("wish", lang))
	}
	return errors.Join(append(errs, c.compileTroubles(lang), c.Evolution.compile(lang), c.Lint.compile(lang))...)
}

func (r *CustomerRecord) compile(lang *language) error {
	exprs := []*Expr{r.Where}
	for _, w := range r.Identify {
		for _, f := range w.Facts {
			exprs = append(exprs, values(f.Slots)...)
		}
		exprs = append(exprs, w.Finds)
	}
	if err := lang.compile("customer", exprs...); err != nil {
		return err
	}
	for _, w := range r.Identify {
		var err error
		if w.tools, err = lang.reads(w.Finds); err != nil {
			return fmt.Errorf("customer: way %s: %w", w.Name, err)
		}
	}
	return nil
}

// compile compiles the expressions of a wish, or of a trouble, as what says.
func (w *Wish) compile(what string, lang *language) error {
	w.let = map[string]*Expr{}
	exprs := append([]*Expr{w.Tells, w.Sole, w.Apart}, w.Where...)
	for _, l := range w.Let {
		w.let[l.Name] = l.Is
		exprs = append(exprs, l.Is)
	}
	for _, s := range w.Slots {
		exprs = append(exprs, s.From, s.Prefer)
	}
	exprs = append(exprs, values(w.Args)...)
	for i := range w.Restate {
		exprs = append(exprs, w.Restate[i].exprs()...)
	}
	return lang.compile(what+" "+w.Name, exprs...)
}

// language is the expression language of one contract: CEL with its list, math
// and string extensions, a few generic helpers, and the contract's own reads
// and functions.
type language struct {
	env   *cel.Env
	tools map[string]string          // tool of each read, by the name that calls have
	calls map[string]map[string]bool // of each function of the contract, what it calls

	selected map[string][]string // the places at which expressions select a field
	written  map[string]bool     // keys of maps that expressions write
}

// newLanguage declares the names of the language and compiles the functions.
func newLanguage(c *Contract) (*language, error) {
	opts := append(baseOptions(), variables(c)...)
	var macros []cel.Macro
	for name, r := range c.Reads {
		macros = append(macros, scoped(name, len(r.Args)))
		opts = append(opts, readFunction(name, r))
	}
	bodies := map[string]*body{}
	for _, f := range c.Functions {
		b, err := parseDef(f)
		if err != nil {
			return nil, err
		}
		bodies[b.name] = b
		macros = append(macros, scoped(b.name, len(b.params)))
		opts = append(opts, userFunction(b))
		for _, p := range b.params {
			opts = append(opts, cel.Variable(p, cel.DynType))
		}
	}
	env, err := cel.NewEnv(append(opts, cel.Macros(macros...))...)
	if err != nil {
		return nil, fmt.Errorf("declare language: %w", err)
	}
	lang := &language{env: env, tools: map[string]string{}, selected: map[string][]string{}, written: map[string]bool{}}
	for name, r := range c.Reads {
		lang.tools[name+"__"] = r.Tool
	}
	for _, f := range c.Functions {
		b, err := parseDef(f)
		if err != nil {
			return nil, err
		}
		if err := lang.compile("function "+b.name, &bodies[b.name].expr); err != nil {
			return nil, err
		}
	}
	if err := lang.findSteady(bodies); err != nil {
		return nil, err
	}
	return lang, lang.endless()
}

// compile compiles expressions that stand at place; nil ones are skipped. The error
// names all that do not compile.
func (l *language) compile(place string, exprs ...*Expr) error {
	var errs []error
	for _, e := range exprs {
		if e != nil {
			errs = append(errs, l.compileOne(place, e))
		}
	}
	return errors.Join(errs...)
}

func (l *language) compileOne(place string, e *Expr) error {
	ast, iss := l.env.Compile(e.Text)
	if iss.Err() != nil {
		return fmt.Errorf("%s: %w", place, iss.Err())
	}
	prog, err := l.env.Program(ast, cel.EvalOptions(cel.OptOptimize), cel.CustomDecoratorV2(mixes))
	if err != nil {
		return fmt.Errorf("%s: %w", place, err)
	}
	e.prog = prog
	l.note(place, ast.NativeRep().Expr())
	return nil
}

// body is a compiled contract function.
type body struct {
	name   string
	params []string
	expr   Expr
	steady bool // see Scope.Steady
}

// parseDef splits "name(a, b)" into name and parameters.
func parseDef(f Function) (*body, error) {
	name, rest, ok := strings.Cut(strings.TrimSuffix(strings.TrimSpace(f.Def), ")"), "(")
	if !ok || name == "" {
		return nil, fmt.Errorf("function %q: want name(param, …)", f.Def)
	}
	b := &body{name: name, expr: Expr{Text: f.Is}}
	for _, p := range strings.Split(rest, ",") {
		if p = strings.TrimSpace(p); p != "" {
			b.params = append(b.params, p)
		}
	}
	return b, nil
}
