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

// entry is a call as it is kept: what many calls have in common, system text,
// tools and schema, stands apart and is kept once, and so do turns.
type entry struct {
	key    Key
	shared Key
	common json.RawMessage   // canonical JSON of what is shared
	rest   json.RawMessage   // of the rest of the request, turns apart
	turns  []json.RawMessage // of each turn
	said   []Key             // of the first 0, 1, … turns
}

// newEntry makes the entry of a call. Its key is computed over the model's name,
// the shared part's key, the rest and the key of the turns.
func newEntry(name string, r *llm.Request) (*entry, error) {
	e, err := parts(r)
	if err != nil {
		return nil, fmt.Errorf("keep call of %s: write request: %w", name, err)
	}
	e.shared = sha256.Sum256(e.common)
	e.key = keyOf(name, e.shared, e.rest, e.said[len(e.turns)])
	return e, nil
}

func parts(r *llm.Request) (*entry, error) {
	c, err := canonical(r)
	if err != nil {
		return nil, err
	}
	e := &entry{turns: []json.RawMessage{}, said: []Key{{}}}
	for i := range c.Messages {
		turn, err := compact(&c.Messages[i])
		if err != nil {
			return nil, err
		}
		e.turns, e.said = append(e.turns, turn), append(e.said, e.said[i].and(turn))
	}
	if e.common, err = compact(common{c.System, c.Tools, c.Schema}); err != nil {
		return nil, err
	}
	c.System, c.Tools, c.Schema, c.Messages = "", nil, nil, nil
	e.rest, err = compact(c)
	return e, err
}

// and is the key of turns that end with one more. Those without a turn have the
// zero key.
func (k Key) and(turn []byte) Key { return sha256.Sum256(append(k[:], turn...)) }

func keyOf(name string, shared Key, rest []byte, turns Key) Key {
	return sha256.Sum256(fmt.Appendf(nil, "%q\n%x\n%s\n%x", name, shared, rest, turns))
}

// common is what calls share.
type common struct {
	System string      `json:"system,omitempty"`
	Tools  []llm.Tool  `json:"tools,omitempty"`
	Schema *llm.Schema `json:"schema,omitempty"`
}

// canonical is a request that package json writes in one way only: JSON that
// others wrote, which can be spelt in several, is written anew.
func canonical(r *llm.Request) (*llm.Request, error) {
	c := *r
	var failed error
	c.Messages, c.Tools = slices.Clone(c.Messages), slices.Clone(c.Tools)
	for i := range c.Messages {
		failed = errors.Join(failed, tidyTurn(&c.Messages[i]))
	}
	for i := range c.Tools {
		failed = errors.Join(failed, tidy(&c.Tools[i].Parameters))
	}
	if c.Schema != nil {
		schema := *c.Schema
		failed = errors.Join(failed, tidy(&schema.JSON))
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
	return &c, failed
}

// tidyTurn makes a turn canonical; its calls are copied before.
func tidyTurn(m *llm.Message) error {
	failed := tidy(&m.Thought)
	m.Calls = slices.Clone(m.Calls)
	for i := range m.Calls {
		failed = errors.Join(failed, tidy(&m.Calls[i].Arguments))
	}
	return failed
}

// tidy writes JSON anew where there is some.
func tidy(raw *json.RawMessage) error {
	if len(*raw) == 0 {
		return nil
	}
	text, err := respell(*raw)
	*raw = text
	return err
}

// answerTurn is an answer as the turn that it becomes.
func answerTurn(r *llm.Response) (json.RawMessage, error) {
	m := r.Message
	if err := tidyTurn(&m); err != nil {
		return nil, err
	}
	return compact(&m)
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
