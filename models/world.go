package models

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"taste/chat"
	"taste/env"
	"taste/llm"
	"taste/pyjson"
	"taste/tau"
)

// world is a domain's database as authors and evolvers see it and add to it.
type world struct {
	domain *env.Domain
	view   *View
	tables []string
	forms  map[string]*form // of a table's records

	twoSided bool // the user has tools: tasks are set up by calls, not by records
}

func newWorld(d *env.Domain) (*world, error) {
	view, err := NewView(d)
	if err != nil {
		return nil, err
	}
	schema := object(orEmpty(d.Schema(chat.Assistant)), "properties")
	if schema == nil {
		return nil, fmt.Errorf("domain %s cannot say what its records look like", d.Name)
	}
	w := &world{domain: d, view: view, forms: map[string]*form{}}
	w.twoSided = slices.ContainsFunc(d.Tools, func(t chat.ToolSpec) bool { return t.Requestor == chat.User })
	for table := range schema.All() {
		f, err := newForm(object(object(schema, table), "additionalProperties"))
		if err != nil {
			return nil, fmt.Errorf("table %s: %w", table, err)
		}
		w.tables, w.forms[table] = append(w.tables, table), f
	}
	return w, nil
}

func orEmpty(o *pyjson.Object) *pyjson.Object {
	if o == nil {
		return pyjson.NewObject()
	}
	return o
}

// records lists the schemas of records by table, in the domain's shape or in
// that of answers.
func (w *world) records(tight bool) *pyjson.Object {
	out := pyjson.NewObject()
	for _, t := range w.tables {
		if tight {
			out.Set(t, w.forms[t].tight)
		} else {
			out.Set(t, w.forms[t].schema)
		}
	}
	return out
}

// edit puts the forms of records into the schema of an answer, with the fields
// that the prompt's own schema has beside table, key and record.
func (w *world) edit(r *llm.Request) error {
	own, err := pyjson.DecodeObject(r.Schema.JSON)
	if err != nil {
		return err
	}
	fields := object(object(object(object(own, "properties"), "records"), "items"), "properties")
	var ways []any
	for _, t := range w.tables {
		one := fields.Shallow()
		one.Set("table", pyjson.NewObject("type", "string", "enum", []any{t}))
		one.Set("record", w.forms[t].tight)
		ways = append(ways, strict(one))
	}
	return setItems(r, "records", ways)
}

// environment is a fresh one in an initial state.
func (w *world) environment(s *tau.InitialState) (*env.Environment, error) {
	e := w.domain.Environment()
	return e, e.SetState(s)
}

// additions reads records of an answer as initialization data on top of a state:
// new ones as they are, those that are there already with what is new added to
// them. Records that name their owner are entered in its lists. Errors say what
// is wrong with the answer.
func (w *world) additions(s *tau.InitialState, docs []RecordDoc) (*pyjson.Object, error) {
	before, err := w.environment(s)
	if err != nil {
		return nil, err
	}
	data := pyjson.NewObject()
	for i, d := range docs {
		f := w.forms[d.Table]
		if f == nil {
			return nil, fmt.Errorf("records[%d]: there is no table %q", i, d.Table)
		}
		rec, err := f.unpack(d.Record)
		if err != nil {
			return nil, fmt.Errorf("records[%d] (%s/%s): %w", i, d.Table, d.Key, err)
		}
		put(data, before, d.Table, d.Key, rec.(*pyjson.Object))
	}
	w.enlist(data, before)
	return data, w.sound(s, data)
}

// put adds a record to data, on top of one that is there.
func put(data *pyjson.Object, before *env.Environment, table, key string, rec *pyjson.Object) {
	rows := object(data, table)
	if rows == nil {
		rows = pyjson.NewObject()
	}
	old := object(rows, key)
	if old == nil {
		old = before.RecordJSON(table, key)
	}
	if old != nil {
		rec = grown(old, rec).(*pyjson.Object)
		if pyjson.Equal(old, rec) && object(rows, key) == nil {
			return
		}
	}
	rows.Set(key, rec)
	data.Set(table, rows)
}

// grown is an old value with a new one added: objects get further fields, lists
// further elements; anything else is replaced, which is for the gates to refuse.
func grown(old, now any) any {
	switch o := old.(type) {
	case *pyjson.Object:
		n, ok := now.(*pyjson.Object)
		if !ok {
			return now
		}
		out := o.Shallow()
		for k, v := range n.All() {
			if was, has := o.Get(k); has {
				v = grown(was, v)
			}
			out.Set(k, v)
		}
		return out
	case []any:
		n, ok := now.([]any)
		if !ok {
			return now
		}
		out := slices.Clone(o)
		for _, v := range n {
			if !slices.ContainsFunc(out, func(x any) bool { return pyjson.Equal(x, v) }) {
				out = append(out, v)
			}
		}
		return out
	}
	return now
}

// enlist enters records of data in the lists of those that they name, where
// these lists are of such records.
func (w *world) enlist(data *pyjson.Object, before *env.Environment) {
	for _, owner := range w.domain.References() {
		table, field, _ := strings.Cut(owner.From, ".")
		for _, lists := range w.domain.References() {
			holder, list, _ := strings.Cut(lists.From, ".")
			list, isList := strings.CutSuffix(list, "[]")
			if holder != owner.To || lists.To != table || !isList || strings.ContainsAny(field+list, ".[{") {
				continue
			}
			for key, v := range orEmpty(object(data, table)).All() {
				name, _ := v.(*pyjson.Object).Get(field)
				who, _ := name.(string)
				if object(orEmpty(object(data, holder)), who) != nil || before.RecordJSON(holder, who) != nil {
					put(data, before, holder, who, pyjson.NewObject(list, []any{key}))
				}
			}
		}
	}
}

// sound tries data on top of a state.
func (w *world) sound(s *tau.InitialState, data *pyjson.Object) error {
	e, err := w.environment(initialState(s, data))
	if err != nil {
		return fmt.Errorf("the records do not fit the database: %w", err)
	}
	var stray []error
	for _, text := range e.Dangling() {
		stray = append(stray, errors.New(text))
	}
	if err := errors.Join(stray...); err != nil {
		return fmt.Errorf("records name others that are not there: %w", err)
	}
	return nil
}

// initialState adds data to a state; nil where there is nothing in either.
func initialState(s *tau.InitialState, data *pyjson.Object) *tau.InitialState {
	if data.Len() == 0 {
		return s
	}
	out := &tau.InitialState{}
	if s != nil {
		*out = *s
	}
	init := tau.InitializationData{}
	if out.InitializationData != nil {
		init = *out.InitializationData
	}
	if init.AgentData != nil {
		data = env.MergeObject(init.AgentData, data)
	}
	init.AgentData = data
	out.InitializationData = &init
	return out
}

// names lists the records of initialization data, table/key, in order.
func names(data *pyjson.Object) []string {
	out := []string{}
	for table, rows := range data.All() {
		for key := range rows.(*pyjson.Object).All() {
			out = append(out, table+"/"+key)
		}
	}
	slices.Sort(out)
	return out
}

// failing lists the gold calls that fail on the database as it is.
func (w *world) failing(actions []tau.Action) []string {
	out := []string{}
	e := w.domain.Environment()
	for i := range actions {
		if r := play(e, &actions[i]); r.Failed {
			out = append(out, fmt.Sprintf("actions[%d] (%s): %s", i, actions[i].Name, r.Answer))
		}
	}
	return out
}

// existing lists the records of the domain whose keys scenario or calls name.
func (w *world) existing(s *ScenarioAnswer, actions []tau.Action) []RecordDoc {
	return w.named(w.domain.Environment(), strings.Join([]string{s.ReasonForCall, s.KnownInfo, s.UnknownInfo, s.TaskInstructions}, "\n"), actions)
}

// named lists the records of a state whose keys a text or calls name.
func (w *world) named(e *env.Environment, text string, actions []tau.Action) []RecordDoc {
	words := tokens(text)
	for i := range actions {
		words = append(words, leaves(actions[i].Args(), nil)...)
	}
	said := map[string]bool{}
	for _, word := range words {
		said[word] = true
	}
	out := []RecordDoc{}
	for _, table := range w.tables {
		for _, key := range slices.Sorted(maps.Keys(said)) {
			if rec := e.RecordJSON(table, key); rec != nil {
				f := w.forms[table]
				out = append(out, RecordDoc{table, key, f.pack(shortened(f.schema, rec, said))})
			}
		}
	}
	return out
}

// tokens splits a text at what no id has.
func tokens(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \n\t,;:.!?()[]{}\\\"'“”’", r) })
}

// leaves appends the texts within a value.
func leaves(v any, out []string) []string {
	switch x := v.(type) {
	case string:
		return append(out, x)
	case []any:
		for _, e := range x {
			out = leaves(e, out)
		}
	case *pyjson.Object:
		for _, e := range x.All() {
			out = leaves(e, out)
		}
	}
	return out
}

// mostEntries is how many entries of a list, or of an object with free keys, are
// shown, those that are spoken of aside.
const mostEntries = 6

// shortened leaves out what is over in long lists and tables of a record.
func shortened(s *pyjson.Object, v any, said map[string]bool) any {
	switch kindOf(s) {
	case union:
		for _, w := range ways(s) {
			if fits(w, v) {
				return shortened(w, v, said)
			}
		}
	case model:
		if o, ok := v.(*pyjson.Object); ok {
			out := pyjson.NewObject()
			for k, e := range o.All() {
				if inner := object(object(s, "properties"), k); inner != nil {
					e = shortened(inner, e, said)
				}
				out.Set(k, e)
			}
			return out
		}
	case dict:
		if o, ok := v.(*pyjson.Object); ok {
			out := pyjson.NewObject()
			for k, e := range o.All() {
				if out.Len() < mostEntries || said[k] {
					out.Set(k, shortened(object(s, "additionalProperties"), e, said))
				}
			}
			return out
		}
	case list:
		if l, ok := v.([]any); ok {
			out := []any{}
			for _, e := range l[:min(len(l), mostEntries)] {
				out = append(out, shortened(elements(s), e, said))
			}
			return out
		}
	}
	return v
}

// mostExcerpt is how many records an excerpt shows.
const mostExcerpt = 14

// excerpt draws some records that belong together: one of each table, and those
// whose keys stand in them.
func (w *world) excerpt(seed uint64) *pyjson.Object {
	draw := rand.New(rand.NewPCG(seed, excerptStream))
	e := w.domain.Environment()
	out := pyjson.NewObject()
	var queue [][2]string
	for _, table := range w.tables {
		if keys := e.Keys(table); len(keys) > 0 {
			queue = append(queue, [2]string{table, keys[draw.IntN(len(keys))]})
		}
	}
	for n := 0; len(queue) > 0 && n < mostExcerpt; queue = queue[1:] {
		table, key := queue[0][0], queue[0][1]
		rows := orEmpty(object(out, table))
		if rows.Has(key) {
			continue
		}
		rec := e.RecordJSON(table, key)
		rows.Set(key, shortened(w.forms[table].schema, rec, nil))
		out.Set(table, rows)
		n++
		for _, word := range leaves(rec, nil) {
			for _, t := range w.tables {
				if e.RecordJSON(t, word) != nil {
					queue = append(queue, [2]string{t, word})
				}
			}
		}
	}
	return out
}

// excerptStream keeps these draws apart from others of the same seed.
const excerptStream = 0x65786372
