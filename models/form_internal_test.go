package models

import (
	"path/filepath"
	"strings"
	"testing"

	"taste/chat"
	"taste/domain/airline"
	"taste/domain/retail"
	"taste/env"
	material "taste/internal/shared"
	"taste/pyjson"
)

func decodeTest(t *testing.T, text string) any {
	t.Helper()
	v, err := pyjson.Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestForm(t *testing.T) {
	f, err := newForm(decodeTest(t, `{"type": "object", "properties": {
		"name": {"$ref": "#/$defs/Name"}, "note": {"type": "string"}, "prices": {"type": "object", "additionalProperties": {"type": "number"}},
		"pay": {"anyOf": [{"type": "object", "properties": {"kind": {"const": "card"}, "last": {"type": "string"}}, "required": ["kind", "last"]},
			{"type": "object", "properties": {"kind": {"enum": ["gift"], "type": "string"}, "amount": {"type": "integer"}}, "required": ["kind", "amount"]}]},
		"rest": {"type": "object"}, "gone": {"type": ["string", "null"]}
	}, "required": ["name", "prices", "pay", "rest", "gone"], "$defs": {"Name": {"type": "array", "items": {"type": "string"}}}}`).(*pyjson.Object))
	if err != nil {
		t.Fatal(err)
	}
	text := spell(f.tight)
	for _, want := range []string{
		`"name": {"type": "array", "items": {"type": "string"}}`,
		`"note": {"anyOf": [{"type": "string"}, {"type": "null"}]}`,
		`"prices": {"type": "array", "items": {"type": "object", "properties": {"key": {"type": "string"}, "value": {"type": "number"}}, "required": ["key", "value"], "additionalProperties": false}}`,
		`"rest": {"type": "string", "description": "JSON as text"}`,
		`"gone": {"anyOf": [{"type": "string"}, {"type": "null"}]}`,
		`"required": ["name", "note", "prices", "pay", "rest", "gone"], "additionalProperties": false}`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s lacks %s", text, want)
		}
	}
	natural := `{"name": ["a"], "prices": {"x": 1.5, "y": 2}, "pay": {"kind": "gift", "amount": 3}, "rest": {"k": [1]}, "gone": null}`
	packed := `{"name": ["a"], "note": null, "prices": [{"key": "x", "value": 1.5}, {"key": "y", "value": 2}], "pay": {"kind": "gift", "amount": 3}, "rest": "{\"k\": [1]}", "gone": null}`
	if got := spell(f.pack(decodeTest(t, natural))); got != packed {
		t.Errorf("packed %s\nwant   %s", got, packed)
	}
	back, err := f.unpack(decodeTest(t, packed))
	if err != nil || spell(back) != natural {
		t.Errorf("unpacked %s, %v", spell(back), err)
	}
	for change, says := range map[string]string{
		`"value": 2→"value": "2"`:          `prices.y: "2" does not fit`,
		`"amount": 3→"amount": 3.5`:        "pay.amount: 3.5 does not fit",
		`"{\"k\": [1]}"→"{"`:               "rest: the text is no JSON",
		`"name": ["a"]→"name": "a"`:        "name: want a list",
		`"name": ["a"]→"names": []`:        "name: it is missing",
		`"gone": null→"gone": null, "x":1`: "x: there is no such field",
		`"key": "x"→"keys": "x"`:           "prices[0]: want a key and a value",
	} {
		from, to, _ := strings.Cut(change, "→")
		_, err := f.unpack(decodeTest(t, strings.Replace(packed, from, to, 1)))
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", change, err, says)
		}
	}
}

func TestFormOfItself(t *testing.T) {
	s := decodeTest(t, `{"type": "object", "properties": {"next": {"$ref": "#"}}}`).(*pyjson.Object)
	if _, err := newForm(s); err == nil {
		t.Error("a schema that contains itself has a form")
	}
}

// Every record of the built-in worlds goes into the form and comes back, and the
// form is one that every provider takes.
func TestFormOfRecords(t *testing.T) {
	for _, open := range []func(uint64) (*env.Domain, error){airline.Builtin, retail.Builtin} {
		d, err := open(1)
		if err != nil {
			t.Fatal(err)
		}
		formsFit(t, d)
	}
}

// So it is with packs, and their gold calls go into the forms of their tools.
func TestFormOfPacks(t *testing.T) {
	packs := filepath.Join(material.Dir(t), "packs")
	for name, native := range map[string]env.Native{"airline": airline.Native, "retail": retail.Native} {
		p, err := env.LoadPack(filepath.Join(packs, "tau2-"+name), env.Registry{env.Key(name, "tau2"): native})
		if err != nil {
			t.Fatal(err)
		}
		formsFit(t, p.Domain)
		tasks, err := p.Tasks("default")
		if err != nil {
			t.Fatal(err)
		}
		w, err := newWorld(p.Domain)
		if err != nil {
			t.Fatal(err)
		}
		for _, task := range tasks {
			for i := range task.EvaluationCriteria.Actions {
				a := &task.EvaluationCriteria.Actions[i]
				c, err := w.calls([]string{a.Name})
				if err != nil {
					t.Fatal(err)
				}
				portable(t, a.Name, c.tools[a.Name].tight)
				back, err := c.tools[a.Name].unpack(c.tools[a.Name].pack(a.Args()))
				if err != nil || sorted(back) != sorted(a.Args()) {
					t.Errorf("task %s: %s: %v\n%s\n%s", task.ID, a.Name, err, spell(a.Args()), spell(back))
				}
			}
		}
	}
}

// formsFit takes each record of a domain into the form and back.
func formsFit(t *testing.T, d *env.Domain) {
	t.Helper()
	tables := object(d.Schema(chat.Assistant), "properties")
	e := d.Environment()
	for _, table := range e.Tables() {
		f, err := newForm(object(object(tables, table), "additionalProperties"))
		if err != nil {
			t.Fatal(err)
		}
		portable(t, table, f.tight)
		for _, key := range e.Keys(table) {
			rec := e.RecordJSON(table, key)
			back, err := f.unpack(f.pack(rec))
			if err != nil || sorted(back) != sorted(rec) {
				t.Fatalf("%s/%s: %v\n%s\n%s", table, key, err, spell(rec), spell(back))
			}
		}
	}
}

func sorted(v any) string { return string(pyjson.Append(nil, v, pyjson.Hash)) }

// portable fails on a schema with what some provider does not take.
func portable(t *testing.T, at string, s *pyjson.Object) {
	t.Helper()
	for k, v := range s.All() {
		switch k {
		case "type", "enum", "description":
		case "required", "additionalProperties":
			if k == "additionalProperties" && v != false {
				t.Errorf("%s has free properties", at)
			}
		case "items":
			portable(t, at+"[]", v.(*pyjson.Object))
		case "anyOf":
			for _, w := range v.([]any) {
				portable(t, at, w.(*pyjson.Object))
			}
		case "properties":
			for name, p := range v.(*pyjson.Object).All() {
				if !required(s, name) {
					t.Errorf("%s.%s is not required", at, name)
				}
				portable(t, at+"."+name, p.(*pyjson.Object))
			}
		default:
			t.Errorf("%s has %s", at, k)
		}
	}
}
