package native

import (
	"maps"
	"slices"

	"taste/env"
)

// Of makes an implementation of a domain from the function that reads its
// initial databases (nil where a side has none).
func Of[M Model[M]](load func(agent, user any) (M, error)) env.Native { return loader[M](load) }

type loader[M Model[M]] func(agent, user any) (M, error)

func (l loader[M]) Load(agent, user any) (env.State, error) {
	m, err := l(agent, user)
	if err != nil {
		return nil, err
	}
	return NewState(m), nil
}

// Tools returns the names of a side's tools in ascending order.
func (l loader[M]) Tools(side string) []string {
	var m M
	if k := m.Kit(side); k != nil {
		return slices.Sorted(maps.Keys(k.Tools))
	}
	return nil
}

// Functions returns the names of a side's helpers in ascending order.
func (l loader[M]) Functions(side string) []string {
	var m M
	if k := m.Kit(side); k != nil {
		return slices.Sorted(maps.Keys(k.Helpers))
	}
	return nil
}
