package tau

import (
	"errors"
	"fmt"
	"os"

	"taste/chat"
	"taste/pyjson"
)

// LoadAlternatives reads alternative end states that stand in a file of their
// own, for tasks whose files are not to be changed: an object, task id to a list
// of alternatives as a task's evaluation_criteria.alternatives holds them.
func LoadAlternatives(path string) (map[string][]Alternative, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read alternatives: %w", err)
	}
	o, err := pyjson.DecodeObject(pyjson.CutBOM(data))
	if err != nil {
		return nil, &FileError{File: path, Err: fmt.Errorf("read JSON: %w", err)}
	}
	out := make(map[string][]Alternative, o.Len())
	r := chat.NewReader(o, "")
	for id := range o.All() {
		l := chat.ReadList(r, id, ReadAlternative)
		if err := r.Err(); err != nil {
			return nil, &FileError{File: path, Task: id, Err: err}
		}
		if len(l) == 0 {
			return nil, &FileError{File: path, Task: id, Err: errors.New("want a list of alternatives")}
		}
		out[id] = l
	}
	return out, nil
}
