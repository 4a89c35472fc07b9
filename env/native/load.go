package native

import (
	"maps"
	"slices"

	"taste/env"
)

// Of makes an implementation of a domain from the function that reads its
// initial databases (nil where a side has none) and the references between its
// records.
func Of[M Model[M]](load func(agent, user any) (M, error), references ...env.Reference) env.Native {
	return &loader[M]{load, references}
}

// OneSided is Of for domains whose user has no database: read validates the
// agent's, and state makes a model of it.
func OneSided[DB any, M Model[M]](read func(agent any) (DB, error), state func(DB) M, references ...env.Reference) env.Native {
	return Of(func(agent, user any) (m M, err error) {
		if user != nil {
			return m, ErrUserData
		}
		db, err := read(agent)
		if err != nil {
			return m, err
		}
		return state(db), nil
	}, references...)
}

type loader[M Model[M]] struct {
	load       func(agent, user any) (M, error)
	references []env.Reference
}

func (l *loader[M]) Load(agent, user any) (env.State, error) {
	m, err := l.load(agent, user)
	if err != nil {
		return nil, err
	}
	return NewState(m, l.references...), nil
}

func (l *loader[M]) Tools(side string) []env.Signature {
	var m M
	k := m.Kit(side)
	if k == nil {
		return nil
	}
	var all []env.Signature
	for _, name := range slices.Sorted(maps.Keys(k.Tools)) {
		all = append(all, k.signature(name, k.Tools[name]))
	}
	return all
}

func (l *loader[M]) Functions(side string) []string {
	var m M
	if k := m.Kit(side); k != nil {
		return slices.Sorted(maps.Keys(k.Helpers))
	}
	return nil
}

func (l *loader[M]) References() []env.Reference { return l.references }
