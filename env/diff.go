package env

import (
	"taste/chat"
	"taste/pyjson"
)

// Diff lists the fields in which other differs from e, one line each:
// "reservations.ABC123.cabin: 'economy' → 'business'". Values are spelt as
// Python's repr; a field that one side lacks is "absent". The user's database
// is prefixed "user.". Order: tables in file order, keys ascending.
func (e *Environment) Diff(other *Environment) []string { return e.DiffBy(other, pyjson.Same) }

// DiffBy is Diff with another notion of equal values, which is asked about
// values that are not both objects or both lists.
func (e *Environment) DiffBy(other *Environment, same func(a, b any) bool) []string {
	var lines []string
	for _, side := range sides {
		prefix := ""
		if side == chat.User {
			prefix = "user."
		}
		for _, table := range e.state.Tables(side) {
			for _, key := range e.state.Touched(side, table, other.state) {
				a, b := e.state.Record(side, table, key), other.state.Record(side, table, key)
				lines = append(lines, pyjson.Diff(prefix+table+"."+key, orAbsent(a), orAbsent(b), same)...)
			}
		}
	}
	return lines
}

func orAbsent(o *pyjson.Object) any {
	if o == nil {
		return pyjson.Absent{}
	}
	return o
}
