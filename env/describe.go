package env

import (
	"strings"

	"taste/pyjson"
)

// Schema is the JSON schema of initialization data for one side: see [Described].
// It is nil where the side has no database, or the domain cannot say.
func (d *Domain) Schema(side string) *pyjson.Object {
	if s, ok := d.initial.(Described); ok {
		return s.Schema(side)
	}
	return nil
}

// Dangling lists the values that are to be keys of records and lead nowhere,
// where they stand and what is wrong: those of both databases that are not in the
// domain's initial state, too.
func (e *Environment) Dangling() []string {
	var out []string
	for _, ref := range e.domain.References() {
		table, _, _ := strings.Cut(ref.From, ".")
		keys := e.state.Touched(sideOf(e.state, table), table, e.domain.initial)
		before := map[string]bool{}
		dangling(e.domain.initial, ref, keys, func(_, path, text string) { before[path+": "+text] = true })
		dangling(e.state, ref, keys, func(_, path, text string) {
			if line := path + ": " + text; !before[line] {
				out = append(out, line)
			}
		})
	}
	return out
}

// Helpers returns the signatures of what initialization actions and assertions
// may call of a side beside its tools: see [Described].
func (d *Domain) Helpers(side string) []Signature {
	if s, ok := d.initial.(Described); ok {
		return s.Helpers(side)
	}
	return nil
}

// References says which fields of the databases hold keys of records.
func (d *Domain) References() []Reference {
	if s, ok := d.initial.(Described); ok {
		return s.References()
	}
	return nil
}
