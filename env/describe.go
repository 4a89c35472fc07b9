package env

import "taste/pyjson"

// Schema is the JSON schema of initialization data for one side: see [Described].
// It is nil where the side has no database, or the domain cannot say.
func (d *Domain) Schema(side string) *pyjson.Object {
	if s, ok := d.initial.(Described); ok {
		return s.Schema(side)
	}
	return nil
}

// Dangling lists the values of both databases that are to be keys of records and
// lead nowhere: where they stand, and what is wrong.
func (e *Environment) Dangling() []string {
	s, ok := e.state.(Described)
	if !ok {
		return nil
	}
	var out []string
	for _, ref := range s.References() {
		dangling(e.state, ref, func(_, path, text string) { out = append(out, path+": "+text) })
	}
	return out
}

// References says which fields of the databases hold keys of records.
func (d *Domain) References() []Reference {
	if s, ok := d.initial.(Described); ok {
		return s.References()
	}
	return nil
}
