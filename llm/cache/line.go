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

// line is a line of the file: a call, or without a key what calls share.
type line struct {
	Key      string          `json:"key,omitempty"`
	Model    string          `json:"model,omitempty"`
	Label    *llm.Label      `json:"label,omitempty"`
	Shared   string          `json:"shared"`
	Request  json.RawMessage `json:"request"`
	Response *llm.Response   `json:"response,omitempty"`
}

// errEdited says that a line is not what its hash says.
var errEdited = errors.New("it was edited: its hash is another one")

// take notes a line that stands in the file.
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
	if _, ok := s.shared[shared]; !ok || l.Label == nil || l.Response == nil {
		return errors.New("a call lacks a part")
	}
	key, err := readKey(l.Key)
	if err != nil {
		return err
	}
	if keyOf(l.Model, shared, l.Request) != key {
		return errEdited
	}
	s.places[key] = p
	s.calls = append(s.calls, Call{l.Model, *l.Label, l.Response.Usage})
	return nil
}

func readKey(text string) (k Key, err error) {
	if n, err := hex.Decode(k[:], []byte(text)); err != nil || n != len(k) {
		return k, fmt.Errorf("no key: %q", text)
	}
	return k, nil
}

// keep writes a call down, after what it shares with others unless that is on
// the disk already, and returns the answer as it was written.
func (s *Store) keep(e *entry, l *line) (*llm.Response, error) {
	l.Shared, l.Request = hex.EncodeToString(e.shared[:]), e.rest
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
		s.shared[e.shared] = place{at, len(head) - 1}
	}
	return l.Response, s.take(l, place{at + int64(len(head)), len(text)})
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
