package llm

import (
	"errors"
	"strings"
	"testing"

	"taste/internal/hint"
)

func TestStreak(t *testing.T) {
	var s Streak
	bad := errors.New("bad")
	for n := 1; n < 60; n++ {
		err := s.Add(bad)
		switch {
		case n == 15 && err == nil:
			err = s.Add(nil) // from here on it counts anew
		case n < 35 && err != nil, n >= 35 && (!errors.Is(err, ErrUseless) || !errors.Is(err, bad) || hint.Of(err) == ""):
			t.Fatalf("time %d: %v", n, err)
		}
		if n == 15 && err != nil {
			t.Fatal(err)
		}
	}
}

// A request that is not taken costs what it was made for; that none is taken, of those
// with one schema, ends it all. Other failures neither count nor break the row.
func TestRefusals(t *testing.T) {
	schema := func(name string) *Request {
		r := hello()
		r.Schema = &Schema{Name: name}
		return r
	}
	for _, class := range []Class{BadRequest, TooLong, Blocked, Malformed} {
		n := 0
		m := Refusals(newFake(0, func(int) (*Response, error) {
			if n++; n%5 == 0 {
				return nil, fails(Overloaded, 0)
			}
			return nil, &Error{Class: class, Model: "test/m", Status: 400, Message: "too odd"}
		}))
		own := 0
		for {
			_, err := m.Call(t.Context(), schema("a"))
			if ClassOf(err) == Refused {
				if e, _ := errors.AsType[*Error](err); !errors.Is(err, ErrUseless) || !e.Hopeless() || e.Own() || e.Status != 400 || !strings.Contains(err.Error(), "too odd") {
					t.Errorf("%s: %v", class, err)
				}
				break
			}
			if ClassOf(err) == class {
				own++
			}
			if n > 100 {
				t.Fatalf("%s: it never ends: %v", class, err)
			}
		}
		if _, err := m.Call(t.Context(), schema("b")); own != 19 || ClassOf(err) != class && ClassOf(err) != Overloaded {
			t.Errorf("%s: it ends after %d, and another kind with %v", class, own, err)
		}
	}
	every := 0
	m := Refusals(newFake(0, func(int) (*Response, error) {
		if every++; every%20 == 0 {
			return says("ok"), nil
		}
		return nil, fails(BadRequest, 0)
	}))
	for range 100 {
		if _, err := m.Call(t.Context(), hello()); err != nil && ClassOf(err) != BadRequest {
			t.Fatal(err)
		}
	}
}

// Each class is for waiting, for the request, or for the whole run.
func TestClassesAreSorted(t *testing.T) {
	for _, c := range []Class{RateLimited, Overloaded, TimedOut, Network, Cut, TooLong, Auth, BadRequest, Refused, Blocked, Malformed, OverBudget, Miss} {
		e, n := &Error{Class: c}, 0
		for _, is := range []bool{e.Temporary(), e.Own(), e.Hopeless()} {
			if is {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%s is sorted %d times", c, n)
		}
	}
}
