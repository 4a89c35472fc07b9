package rules

import (
	"path/filepath"
	"sync"
	"testing"

	"taste/contract"
	"taste/env"
	"taste/internal/shared"
	"taste/phrase"
)

// testWorld is a domain with its contract and phrase book.
type testWorld struct {
	domain   *env.Domain
	contract *contract.Contract
	book     *phrase.Book
}

// worlds are those that tests share, once opened: functions that return
// (testWorld, error), by the domain's name and the pack's folder.
var worlds sync.Map

// worldOf opens the built-in world of a domain, or the pack of the benchmark.
func worldOf(t testing.TB, domain string, ofPack bool) testWorld {
	t.Helper()
	pack := ""
	if ofPack {
		pack = filepath.Join(shared.Dir(t), "packs", "tau2-"+domain)
	}
	open, _ := worlds.LoadOrStore([2]string{domain, pack}, sync.OnceValues(func() (testWorld, error) { return openWorld(domain, pack) }))
	w, err := open.(func() (testWorld, error))()
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func openWorld(domain, pack string) (w testWorld, err error) {
	from := materials[domain]
	if w.contract, err = contract.Load(from.contract()); err != nil {
		return w, err
	}
	if w.book, err = phrase.Load(append([][]byte{phrase.Common}, from.phrases()...)...); err != nil {
		return w, err
	}
	if pack == "" {
		w.domain, err = from.world(1)
		return w, err
	}
	p, err := env.LoadPack(pack, env.Registry{env.Key(domain, "tau2"): from.native})
	if err != nil {
		return w, err
	}
	w.domain = p.Domain
	return w, nil
}

// builtin returns the built-in airline.
func builtin(t testing.TB) (*env.Domain, *contract.Contract, *phrase.Book) {
	t.Helper()
	w := worldOf(t, "airline", false)
	return w.domain, w.contract, w.book
}

// authorOf makes an author, who has told nothing yet, over a shared world.
func authorOf(t testing.TB, domain string, ofPack bool) *Author {
	t.Helper()
	w := worldOf(t, domain, ofPack)
	return NewAuthor(w.domain, w.contract, w.book)
}

func builtinAuthor(t testing.TB) *Author { return authorOf(t, "airline", false) }
