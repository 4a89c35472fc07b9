package toolseq_test

import (
	"testing"

	"taste/toolseq"
	"taste/toolseq/internal/toy"
)

func TestVocab(t *testing.T) {
	v := toy.Vocab()
	if i, ok := v.Index("send_certificate"); !ok || i != toy.Certificate {
		t.Errorf("send_certificate is tool %d, %v", i, ok)
	}
	if _, ok := v.Index("send"); ok {
		t.Error("a group was taken for a tool")
	}
	if g := v.Group(toy.Flights); g != "update" {
		t.Errorf("group of update_reservation_flights is %q", g)
	}
	if g := v.Group(toy.Calculate); g != "calculate" {
		t.Errorf("group of calculate is %q", g)
	}
}

func TestVocabRefuses(t *testing.T) {
	for name, v := range map[string]toolseq.Vocab{
		"empty":         {},
		"types missing": {Names: []string{"a"}},
		"name twice":    {Names: []string{"a", "a"}, Types: make([]toolseq.Type, 2)},
		"too many":      {Names: make([]string, 251), Types: make([]toolseq.Type, 251)},
	} {
		if v.Validate() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestTypesByName(t *testing.T) {
	for _, typ := range []toolseq.Type{toolseq.Read, toolseq.Write, toolseq.Generic} {
		if back, err := toolseq.ParseType(typ.String()); err != nil || back != typ {
			t.Errorf("%v reads back as %v, %v", typ, back, err)
		}
	}
	if _, err := toolseq.ParseType("think"); err == nil {
		t.Error("an unknown type is read")
	}
}
