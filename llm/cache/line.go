package cache

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"taste/llm"
)

// line is a line of the file: a call, or without a key what calls share. Lines
// without turns are of an earlier program: their requests hold them all.
type line struct {
	Key      string            `json:"key,omitempty"`
	Model    string            `json:"model,omitempty"`
	Label    *llm.Label        `json:"label,omitempty"`
	Shared   string            `json:"shared"`
	Request  json.RawMessage   `json:"request"`
	After    string            `json:"after,omitempty"`
	Turns    []json.RawMessage `json:"turns,omitzero"`
	Response *llm.Response     `json:"response,omitempty"`
}

// errEdited says that a line is not what its hash says.
var errEdited = errors.New("it was edited: its hash is another one")

// errOrphan says that a line rests on another one that is gone.
var errOrphan = errors.New("what the call goes on from is gone")

// take notes a line that stands in the file. One that rests on a line which does not stand
// before it, or is not kept itself, is errOrphan.
func (s *Store) take(l *line, p place) error {
	shared, err := readKey(l.Shared)
	if err != nil {
		return err
	}
	if l.Key == "" {
		if sha256.Sum256(l.Request) != shared {
			return errEdited
		}
		s.shared[shared] = p
		return nil
	}
	if l.Label == nil || l.Response == nil {
		return errors.New("a call lacks a part")
	}
	if _, ok := s.shared[shared]; !ok {
		return errOrphan
	}
	key, said, err := s.identify(l, shared)
	if err != nil {
		return err
	}
	answer, err := answerTurn(l.Response)
	if err != nil {
		return err
	}
	p.said = said.and(answer)
	s.places[key] = p
	if _, there := s.ends[p.said]; !there && l.Turns != nil {
		s.ends[p.said] = key
	}
	s.calls = append(s.calls, Call{l.Model, *l.Label, l.Response.Usage})
	return nil
}

// identify returns the key of a call and that of its turns.
func (s *Store) identify(l *line, shared Key) (key, said Key, err error) {
	if l.Turns == nil {
		return s.identifyWhole(l, shared)
	}
	if l.After != "" {
		before, err := readKey(l.After)
		if err != nil {
			return key, said, err
		}
		p, ok := s.places[before]
		if !ok {
			return key, said, errOrphan
		}
		said = p.said
	}
	for _, turn := range l.Turns {
		said = said.and(turn)
	}
	key = keyOf(l.Model, shared, l.Request, said)
	if l.Key != hex.EncodeToString(key[:]) {
		err = errEdited
	}
	return key, said, err
}

// identifyWhole is identify for a line of an earlier program, which has another key
// there: one over the whole request.
func (s *Store) identifyWhole(l *line, shared Key) (key, said Key, err error) {
	was := sha256.Sum256(fmt.Appendf(nil, "%q\n%x\n%s", l.Model, shared, l.Request))
	if l.Key != hex.EncodeToString(was[:]) {
		return key, said, errEdited
	}
	r := &llm.Request{}
	if err := unmarshal(l.Request, r); err != nil {
		return key, said, err
	}
	e, err := parts(r)
	if err != nil {
		return key, said, err
	}
	said = e.said[len(e.turns)]
	return keyOf(l.Model, shared, e.rest, said), said, nil
}

func readKey(text string) (k Key, err error) {
	if n, err := hex.Decode(k[:], []byte(text)); err != nil || n != len(k) {
		return k, fmt.Errorf("no key: %q", text)
	}
	return k, nil
}

// keep writes a call down, after what it shares with others unless that is on
// the disk already, and returns the answer as it was written. Turns that end with the
// answer to a kept call stand for themselves.
func (s *Store) keep(e *entry, l *line) (*llm.Response, error) {
	l.Shared, l.Request = hex.EncodeToString(e.shared[:]), e.rest
	l.After, l.Turns = s.goesOn(e)
	text, err := compact(l)
	if err == nil {
		l = &line{}
		err = json.Unmarshal(text, l)
	}
	var head []byte
	if err == nil && !s.has(e.shared) {
		head, err = compact(&line{Shared: l.Shared, Request: e.common})
		head = append(head, '\n')
	}
	if err != nil {
		return nil, fmt.Errorf("keep call of %s: write answer: %w", l.Model, err)
	}
	at, err := s.journal.append(slices.Concat(head, text, []byte("\n")))
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(head) > 0 {
		s.shared[e.shared] = place{at: at, size: len(head) - 1}
	}
	return l.Response, s.take(l, place{at: at + int64(len(head)), size: len(text)})
}

// goesOn finds the kept call whose turns and answer the turns of another begin with,
// the first of several, and what comes after it.
func (s *Store) goesOn(e *entry) (after string, turns []json.RawMessage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for n := len(e.turns); n > 0; n-- {
		if key, ok := s.ends[e.said[n]]; ok {
			return hex.EncodeToString(key[:]), e.turns[n:]
		}
	}
	return "", e.turns
}

// turns are all turns of a kept call.
func (s *Store) turns(l *line) ([]json.RawMessage, error) {
	if l.After == "" {
		return l.Turns, nil
	}
	key, err := readKey(l.After)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	p := s.places[key]
	s.mu.Unlock()
	before, err := s.line(p)
	if err != nil {
		return nil, err
	}
	turns, err := s.turns(before)
	if err != nil {
		return nil, err
	}
	answer, err := answerTurn(before.Response)
	return slices.Concat(turns, []json.RawMessage{answer}, l.Turns), err
}

// has tells whether what calls share is on the disk.
func (s *Store) has(shared Key) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.shared[shared]
	return ok
}

// kept returns the kept answer at a place.
func (s *Store) kept(p place) (*llm.Response, error) {
	l, err := s.line(p)
	if err != nil {
		return nil, err
	}
	return l.Response, nil
}

func (s *Store) line(p place) (*line, error) {
	text := make([]byte, p.size)
	if _, err := s.journal.file.ReadAt(text, p.at); err != nil {
		return nil, fmt.Errorf("read kept call of %s: %w", s.journal.path, err)
	}
	l := &line{}
	if err := json.Unmarshal(text, l); err != nil {
		return nil, fmt.Errorf("read kept call of %s: %w", s.journal.path, err)
	}
	return l, nil
}
