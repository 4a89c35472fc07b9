package cache

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"taste/llm"
)

// Key tells calls apart: it is the SHA-256 of the model's name and of all of
// the request that can change the answer, Trial included and Label not.
type Key [sha256.Size]byte

// keyOf returns a call's key, and its request in canonical JSON.
func keyOf(name string, r *llm.Request) (Key, []byte, error) {
	request, err := canonical(r)
	if err != nil {
		return Key{}, nil, fmt.Errorf("keep call of %s: write request: %w", name, err)
	}
	h := sha256.New()
	fmt.Fprintf(h, "%q\n%s", name, request)
	return Key(h.Sum(nil)), request, nil
}

// canonical writes a request. Only JSON that others wrote can be spelt in several
// ways; all else json writes in one.
func canonical(r *llm.Request) ([]byte, error) {
	c := *r
	var failed error
	tidy := func(raw *json.RawMessage) {
		if len(*raw) > 0 {
			text, err := respell(*raw)
			*raw, failed = text, errors.Join(failed, err)
		}
	}
	c.Messages, c.Tools = slices.Clone(c.Messages), slices.Clone(c.Tools)
	for i := range c.Messages {
		m := &c.Messages[i]
		tidy(&m.Thought)
		m.Calls = slices.Clone(m.Calls)
		for j := range m.Calls {
			tidy(&m.Calls[j].Arguments)
		}
	}
	for i := range c.Tools {
		tidy(&c.Tools[i].Parameters)
	}
	if c.Schema != nil {
		schema := *c.Schema
		tidy(&schema.JSON)
		c.Schema = &schema
	}
	if c.Extra != nil {
		extra, err := json.Marshal(c.Extra)
		if err == nil {
			c.Extra = nil
			err = unmarshal(extra, &c.Extra)
		}
		failed = errors.Join(failed, err)
	}
	if failed != nil {
		return nil, failed
	}
	return compact(&c)
}

// respell writes JSON anew: keys sorted, no blanks, numbers as they were.
func respell(raw json.RawMessage) (json.RawMessage, error) {
	v, err := decode(raw)
	if err != nil {
		return nil, err
	}
	return compact(v)
}

// decode reads JSON to maps, slices and scalars, with numbers as their text.
func decode(data []byte) (v any, err error) {
	err = unmarshal(data, &v)
	return v, err
}

func unmarshal(data []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	return d.Decode(v)
}

// compact writes a value without a line's end, and < > & as they are.
func compact(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
