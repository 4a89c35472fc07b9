package cache

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"

	"taste/llm"
)

// Store is a file of kept calls. It is safe for concurrent use, by one process
// at a time that appends.
type Store struct {
	journal *journal

	mu      sync.Mutex
	places  map[Key]place
	ends    map[Key]Key   // of a call, by that of its turns and answer
	shared  map[Key]place // of what calls have in common
	orphans orphans
	calls   []Call
	flights map[Key]*flight
	sent    int
	hits    int
}

// place is where a line stands.
type place struct {
	at   int64
	size int
	said Key // of a call's turns and answer
}

// orphans are calls of the file that are not kept, as what they rest on is gone: that
// can no longer be held to their hashes.
type orphans struct {
	at    map[int64]bool // where they stand
	first llm.Label
}

func (o *orphans) add(l *line, at int64) {
	if len(o.at) == 0 {
		o.at, o.first = map[int64]bool{}, *l.Label
	}
	o.at[at] = true
}

// flight is a call under way that others wait for.
type flight struct {
	done chan struct{}
	err  error
	gone bool // its caller gave up: somebody else has to make it
}

// Call is a kept call in outline.
type Call struct {
	Model string // name
	Label llm.Label
	Usage llm.Usage
}

// Open opens or begins a file of kept calls. Calls that go on from one that is gone, or
// share what is gone, are not kept: they are made again.
func Open(path string) (*Store, error) { return openStore(path, true) }

// OpenReplay opens a file of kept calls that stays as it is: only Replay works
// with it. A file that is not there is an error.
func OpenReplay(path string) (*Store, error) { return openStore(path, false) }

func openStore(path string, writable bool) (*Store, error) {
	s := &Store{places: map[Key]place{}, ends: map[Key]Key{}, shared: map[Key]place{}, flights: map[Key]*flight{}}
	j, err := open(path, writable, func(text []byte, at int64) error {
		var l line
		if err := read(text, &l); err != nil {
			return err
		}
		err := s.take(&l, place{at: at, size: len(text)})
		if errors.Is(err, errOrphan) {
			s.orphans.add(&l, at)
			return nil
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	s.journal = j
	return s, nil
}

// Close closes the file. No call may be under way.
func (s *Store) Close() error {
	if err := s.journal.file.Close(); err != nil {
		return fmt.Errorf("close kept calls: %w", err)
	}
	return nil
}

// All yields the calls that are kept now, in the order in which they were answered.
func (s *Store) All() iter.Seq[Call] {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Values(s.calls[:len(s.calls):len(s.calls)])
}

// Bill returns what the kept calls cost, each of them once.
func (s *Store) Bill(prices *llm.Prices) *llm.Bill {
	b := llm.NewBill(prices)
	for c := range s.All() {
		b.Add(c.Label.Role, c.Model, c.Usage)
	}
	return b
}

// Counts returns how many calls this process had sent, and how many it was
// spared because they were kept or just under way.
func (s *Store) Counts() (sent, spared int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sent, s.hits
}

// Model answers calls of m from the store and keeps what it does not have: an
// answer is returned once it is on the disk. A call that is under way
// already is waited for. Errors are m's, the context's, or the disk's.
func (s *Store) Model(m llm.Model) llm.Model { return &model{m.Name(), s, m} }

type model struct {
	name  string
	store *Store
	next  llm.Model
}

func (m *model) Name() string { return m.name }

func (m *model) Call(ctx context.Context, r *llm.Request) (*llm.Response, error) {
	e, err := newEntry(m.name, r)
	if err != nil {
		return nil, err
	}
	for {
		place, f, mine := m.store.claim(e.key)
		switch {
		case f == nil:
			return m.store.kept(place)
		case mine:
			var res *llm.Response
			res, f.err = m.send(ctx, e, r)
			f.gone = f.err != nil && ctx.Err() != nil
			m.store.land(e.key, f)
			return res, f.err
		}
		select {
		case <-f.done:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if f.err != nil && !f.gone {
			return nil, f.err
		}
	}
}

// claim finds the place of a call, or the flight in which it is: a new one is
// the caller's to make.
func (s *Store) claim(key Key) (p place, f *flight, mine bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p, ok := s.places[key]; ok {
		s.hits++
		return p, nil, false
	}
	if f, ok := s.flights[key]; ok {
		return place{}, f, false
	}
	f = &flight{done: make(chan struct{})}
	s.flights[key] = f
	return place{}, f, true
}

func (s *Store) land(key Key, f *flight) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.flights, key)
	close(f.done)
}

// send makes the call, keeps its answer and returns it as it was kept, so that
// it is the same to the byte when it is read back.
func (m *model) send(ctx context.Context, e *entry, r *llm.Request) (*llm.Response, error) {
	s := m.store
	if err := s.journal.failed(); err != nil {
		return nil, err // what cannot be kept is not paid for
	}
	res, err := m.next.Call(ctx, r)
	s.mu.Lock()
	s.sent++
	s.mu.Unlock()
	if err != nil {
		return nil, err
	}
	return s.keep(e, &line{Key: hex.EncodeToString(e.key[:]), Model: m.name, Label: &r.Label, Response: res})
}
